// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `confirm`: the code of a message that says that an address is somebody's own. The link of the same message opens
/// ``MailedLinkPage``.
enum ConfirmPage {
    /// Leads to the page, for somebody to whom a message is under way.
    ///
    /// - Parameter address: where it goes to, of somebody who is called otherwise.
    static func redirect(
        to identifier: SignInIdentifier, at address: String? = nil, _ call: PageCall
    ) throws -> Response {
        let ticket = try PageTicket(
            .confirm, name: identifier.typed, ticket: address ?? "", until: call.flow.now + PageTicket.lifetime
        ).sealed(call)
        return call.redirect(to: call.url("/confirm", [("ticket", ticket)]))
    }

    /// Sends a message and leads to the page.
    static func begin(_ identifier: SignInIdentifier, _ call: PageCall) async throws -> Response {
        try await send(identifier, byText: identifier.isPhone, call)
        return try redirect(to: identifier, call)
    }

    static func get(_ call: PageCall) async throws -> Response {
        let (ticket, text) = try ticket(call)
        var form = form(ticket, text, call)
        if let session = try await call.session() { form.below = "\(form.below)\(call.goingOn(as: session))" }
        if call.query["notice"] == "again" { form.notice = call.text(.resent) }
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (ticket, text) = try ticket(call)
        var form = form(ticket, text, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            let identifier = try SignInIdentifier(typed: ticket.name, call.flow.settings)
            let code = (call.form[PageField.codeName] ?? "").filter { !$0.isWhitespace }
            let outcome = try await call.accounts.verifyProof(
                .code(identifier, code), purposes: [.signUpConfirmation], call: call.flow)
            guard case .signedIn(let next) = outcome else { throw AuthError(.oneTimeTokenInvalid) }
            return try await call.conclude(next, name: ticket.name)
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            form.fields[0].refusal = call.text(.codeRefused)
            return form.response
        } catch let error as AuthError where error.isSaid {
            return form.refused(error, secret: PageField.codeName).response
        }
    }

    /// `confirm/again`: another message, if one is due.
    static func again(_ call: PageCall) async throws -> Response {
        let (ticket, text) = try ticket(call)
        try call.requireOwnForm()
        do {
            try await send(
                SignInIdentifier(typed: ticket.name, call.flow.settings),
                byText: ticket.isByText, call)
        } catch let error as AuthError where error.isSaid {
            return form(ticket, text, call).refused(error, secret: PageField.codeName).response
        }
        return call.redirect(to: call.url("/confirm", [("ticket", text), ("notice", "again")]))
    }

    private static func send(_ identifier: SignInIdentifier, byText: Bool, _ call: PageCall) async throws {
        try await call.accounts.resendMessage(
            byText ? .phoneSignIn : .signUpConfirmation, to: identifier, call: call.flow)
    }

    private static func ticket(_ call: PageCall) throws -> (PageTicket, String) {
        let text = call.query["ticket"]
        return (try PageTicket(text, for: .confirm, call), text ?? "")
    }

    private static func form(_ ticket: PageTicket, _ text: String, _ call: PageCall) -> PageForm {
        let isMail = !ticket.isByText
        var form = PageForm(
            call, .confirm, title: call.text(isMail ? .confirmMail : .confirmText), button: call.text(.confirmButton))
        form.lead = call.html(isMail ? .confirmMailLead : .confirmTextLead, ["address": ticket.reached])
        form.values = ["address": ticket.reached]
        form.fields = [.code(call)]
        form.action = "/confirm"
        form.parameters = [("ticket", text)]
        let again = "/confirm/again"
        form.below = """
            <form class="below" method="post" action="\(call.url(again, [("ticket", text)]))">
            \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(again))]))
            <button class="plain" type="submit">\(call.text(.resend))</button> ·
            <a href="\(call.url("/sign-up"))">\(call.text(.startAgain))</a>
            </form>
            """
        return form
    }
}

extension PageTicket {
    /// Where the message of a confirmation went: what the user is called by, unless they are called otherwise.
    fileprivate var reached: String { ticket.isEmpty ? name : ticket }
    fileprivate var isByText: Bool { reached.hasPrefix("+") && !reached.contains("@") }
}
