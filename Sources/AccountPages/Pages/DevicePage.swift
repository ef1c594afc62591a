// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `device`: where somebody types the code that a device of theirs shows (RFC 8628, section 3.3). A link that has the
/// code in it fills the field in, and does nothing more.
enum DevicePage {
    private static let parameter = DeviceVisit.parameter

    static func get(_ call: PageCall) async throws -> Response {
        guard try await call.session() != nil else { return signIn(call, for: call.deviceCode ?? "") }
        return form(call, typed: call.deviceCode ?? "").response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let typed = call.form[parameter] ?? ""
        let form = form(call, typed: typed)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        guard let code = DeviceUserCode(typed: typed) else { return refused(form, call) }
        do {
            guard
                let question = try await call.accounts.answerDeviceAuthorization.question(
                    code, session: call.cookie, call: call.flow)
            else { return signIn(call, for: code.text) }
            let ticket = PageTicket(
                .device, name: code.text, ticket: question.user.id.rawValue, until: question.expiresAt)
            return call.redirect(
                to: call.onTheWay(with: code.text).url(DeviceApprovalPage.path, [("ticket", try ticket.sealed(call))]))
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return refused(form, call)
        } catch let error as AuthError where error.isSaid {
            return form.refused(error, secret: parameter).response
        }
    }

    /// Somebody has to sign in first, and comes back with what they had.
    static func signIn(_ call: PageCall, for code: String) -> Response {
        call.redirect(to: call.onTheWay(with: code).url("/sign-in"))
    }

    /// To what the user is to agree to, and back.
    static func terms(_ call: PageCall, for code: String) -> Response {
        call.redirect(to: call.onTheWay(with: code).url(TermsPage.path))
    }

    /// Says of a code that nothing waits with it.
    static func refused(_ form: PageForm, _ call: PageCall) -> Response {
        var form = form
        form.fields[0].refusal = call.text(.codeRefused)
        return form.response
    }

    static func form(_ call: PageCall, typed: String = "") -> PageForm {
        var form = PageForm(call, .consent, title: call.text(.deviceTitle), button: call.text(.deviceButton))
        // What operators say of an app that asks is not what this page is for.
        form.isWorded = false
        form.lead = call.html(.deviceLead)
        form.fields = [
            PageField(
                name: parameter, label: call.text(.deviceCodeLabel), autocomplete: "one-time-code",
                attributes: #" autocapitalize="characters" spellcheck="false" class="code""#, value: typed)
        ]
        form.action = DeviceVisit.path
        return form
    }
}

extension PageCall {
    /// The call as one on the way to let a device in.
    func onTheWay(with code: String) -> PageCall {
        var call = self
        call.deviceCode = code
        return call
    }
}
