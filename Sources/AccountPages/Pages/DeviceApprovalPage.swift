// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `device/approve`: what a device asks for, with its code, and a yes or a no to it. Whoever made somebody open a link
/// with a code in it would be let in (RFC 8628, section 5.4), so the page asks who began this, and a link alone allows
/// nothing.
enum DeviceApprovalPage {
    static let path = "/device/approve"
    static let donePath = "/device/done"

    static func get(_ call: PageCall) async throws -> Response {
        let (ticket, code, text) = try ticket(call)
        let question: AnswerDeviceAuthorization.Question
        do {
            guard
                let found = try await call.accounts.answerDeviceAuthorization.question(
                    code, session: call.cookie, call: call.flow)
            else { return DevicePage.signIn(call, for: code.text) }
            question = found
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return DevicePage.refused(DevicePage.form(call), call)
        } catch let error as AuthError where error.isSaid {
            return DevicePage.form(call).refused(error, secret: DeviceVisit.parameter).response
        }
        // Another user has signed in meanwhile: they begin anew.
        guard question.user.id.rawValue == ticket.ticket else { return call.redirect(to: call.url(DeviceVisit.path)) }
        let app = question.client.name
        let items = try await ConsentPage.meanings(of: question.scopes, call).map { "<li>\($0)</li>" as HTML }
        let token = PageFrame.hiddenInputs([(FormToken.field, call.formToken(path))])
        var frame = PageFrame(
            title: call.text(.deviceAsk, ["app": app]), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.html(.signedInAs, ["user": question.user.label])) ·
                <a href="\(call.url("/sign-in"))">\(call.text(.otherAccount))</a></p>
                <p>\(call.text(.deviceShows))</p>
                <p class="code">\(code.text)</p>
                <div class="notice bad"><p>\(call.text(.deviceWarning))</p></div>
                <p>\(call.text(.consentLead, ["app": app]))</p>
                <ul class="ticks">
                \(items)
                </ul>
                <form method="post" action="\(call.url(path, [("ticket", text)]))">
                \(token)
                <div class="pair">
                <button type="submit" name="answer" value="allow">\(call.text(.consentAllow))</button>
                <button class="quiet" type="submit" name="answer" value="deny">\(call.text(.consentDeny))</button>
                </div>
                </form>
                <p class="note">\(call.text(.consentNote))</p>
                """)
        frame.languages = call.languages(path, [("ticket", text)])
        return frame.response()
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (ticket, code, _) = try ticket(call)
        try call.requireOwnForm()
        let allow: Bool
        switch call.form["answer"] {
        case "allow": allow = true
        case "deny": allow = false
        default: throw AuthError(.invalidRequest, reason: "neither yes nor no", field: "answer")
        }
        do {
            guard
                try await call.accounts.answerDeviceAuthorization(
                    code, allow: allow, of: UserID(ticket.ticket), session: call.cookie, call: call.flow)
            else { return DevicePage.signIn(call, for: code.text) }
        } catch let error as AuthError where error.code == .termsNotAgreed {
            return DevicePage.terms(call, for: code.text)
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            throw AuthError(.flowStateExpired, reason: "the device was answered, or waits no longer")
        }
        var done = call
        done.deviceCode = nil
        return call.redirect(to: done.url(donePath, [("answer", allow ? "allowed" : "denied")]))
    }

    /// `device/done`: it goes on at the device.
    static func done(_ call: PageCall) async throws -> Response {
        let isAllowed = call.query["answer"] == "allowed"
        var frame = PageFrame(
            title: call.text(isAllowed ? .deviceAllowed : .deviceDenied), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(isAllowed ? .deviceAllowedLead : .deviceDeniedLead))</p>
                <p><a class="button quiet" href="\(call.url(""))">\(call.text(.account))</a></p>
                """)
        frame.languages = call.languages(donePath, [("answer", isAllowed ? "allowed" : "denied")])
        return frame.response()
    }

    private static func ticket(_ call: PageCall) throws -> (PageTicket, DeviceUserCode, String) {
        let text = call.query["ticket"]
        let ticket = try PageTicket(text, for: .device, call)
        guard let code = DeviceUserCode(typed: ticket.name) else { throw AuthError(.flowStateNotFound) }
        return (ticket, code, text ?? "")
    }
}
