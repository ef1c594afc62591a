// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `email` and `phone`: another address or number, which counts once the code that is sent there was entered at
/// `email/confirm` or `phone/confirm`, or a link was opened. Whether it is somebody else's is told to nobody but them.
struct AddressPage: Sendable {
    static let email = AddressPage(page: .email)
    static let phone = AddressPage(page: .phone)
    static let confirmTail = "/confirm"

    private static let addressName = "address"

    let page: AccountErrand.Page

    private var isEmail: Bool { page == .email }
    private var errand: AccountErrand { AccountErrand(page) }
    private var confirmPath: String { errand.path + Self.confirmTail }

    @Sendable func get(_ call: PageCall) async throws -> Response {
        form(try await call.owner(on: errand, doing: .address).authenticated.user, "", call).response
    }

    @Sendable func post(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: errand, doing: .address).authenticated
        let typed = call.form[Self.addressName] ?? ""
        let form = form(owner.user, typed, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            var changes = UserChanges()
            switch (try? SignInIdentifier(typed: typed, call.flow.settings), isEmail) {
            case (.email(let address), true): changes.email = address
            case (.phone(let number), false): changes.phone = number
            default: throw AuthError(isEmail ? .invalidEmail : .invalidPhone)
            }
            if owner.user.passwordHash != nil {
                changes.currentPassword = Secret(call.form[PageField.passwordName] ?? "")
            }
            let user = try await call.accounts.updateUser(changes, of: owner, call: call.flow).user
            // It was theirs before, or counts at once.
            guard isEmail ? user.pendingEmail != nil : user.pendingPhone != nil else {
                return call.redirect(to: call.url(""))
            }
            return call.redirect(to: call.url(confirmPath))
        } catch let error as AuthError where error.code == .currentPasswordInvalid {
            return form.refused(error, identifier: Self.addressName, secret: PageField.passwordName).response
        } catch let error as AuthError {
            let mapped = call.orDetour(error, on: errand)
            guard mapped is AuthError, error.isSaid else { throw mapped }
            return form.refused(error, identifier: Self.addressName, secret: PageField.passwordName).response
        }
    }

    @Sendable func askCode(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: errand).authenticated
        guard var form = codeForm(owner.user, call) else { return call.redirect(to: call.url("")) }
        if call.query["notice"] == "half" { form.notice = call.text(.changeHalfLead) }
        return form.response
    }

    @Sendable func confirm(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: errand).authenticated
        guard var form = codeForm(owner.user, call) else { return call.redirect(to: call.url("")) }
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            let code = (call.form[PageField.codeName] ?? "").filter { !$0.isWhitespace }
            let record = try await call.accounts.confirmAddress(
                .code(.user(owner.user.id), code),
                purposes: isEmail ? [.emailChangeNew, .emailChangeCurrent] : [.phoneChange], call: call.flow)
            guard isEmail, record.user.pendingEmail != nil else {
                let notice: AccountNotice = isEmail ? .address : .phone
                return call.redirect(to: call.url("", [("notice", notice.rawValue)]))
            }
            return call.redirect(to: call.url(confirmPath, [("notice", "half")]))
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            form.fields[0].refusal = call.text(.codeRefused)
            return form.response
        } catch let error as AuthError where error.isSaid {
            return form.refused(error, secret: PageField.codeName).response
        }
    }

    // MARK: Forms

    private func form(_ user: User, _ typed: String, _ call: PageCall) -> PageForm {
        var form = PageForm(
            call, .account, title: call.text(isEmail ? .changeEmail : .changePhone), button: call.text(.continueButton))
        form.isWorded = false
        if let now = isEmail ? user.email?.rawValue : user.phone?.e164 {
            form.lead = call.html(isEmail ? .changeEmailLead : .changePhoneLead, ["address": now])
        }
        form.fields = [
            PageField(
                name: Self.addressName, label: call.text(isEmail ? .newEmailLabel : .newPhoneLabel),
                type: isEmail ? "email" : "tel", autocomplete: isEmail ? "email" : "tel", value: typed,
                hint: isEmail ? nil : call.text(.phoneHint))
        ]
        if user.passwordHash != nil {
            form.username = user.label
            form.fields.append(.password(call))
        }
        form.below = #"<p class="below"><a href="\#(call.url(""))">\#(call.text(.back))</a></p>"#
        return form
    }

    /// `nil` where nothing waits for a code.
    private func codeForm(_ user: User, _ call: PageCall) -> PageForm? {
        guard let address = isEmail ? user.pendingEmail?.rawValue : user.pendingPhone?.e164 else { return nil }
        var form = PageForm(
            call, .account, title: call.text(isEmail ? .confirmMail : .confirmText), button: call.text(.confirmButton))
        form.isWorded = false
        let isBoth = isEmail && call.flow.settings.oneTime.secureEmailChange && user.email != nil
        let lead: PageText = isEmail ? (isBoth ? .changeEmailBoth : .changeEmailSent) : .confirmTextLead
        form.lead = call.html(lead, ["address": address])
        form.fields = [.code(call)]
        form.below = """
            <p class="below"><a href="\(call.url(errand.path))">\(call.text(.startAgain))</a> ·
            <a href="\(call.url(""))">\(call.text(.back))</a></p>
            """
        return form
    }
}
