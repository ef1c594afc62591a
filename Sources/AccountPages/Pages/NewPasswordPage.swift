// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `new-password`: the step of a sign-in with a password that somebody else chose.
enum NewPasswordPage {
    static func get(_ call: PageCall) async throws -> Response {
        let (ticket, text) = try ticket(call)
        return form(ticket, text, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let (ticket, text) = try ticket(call)
        let form = form(ticket, text, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        let next: SignInStep
        do {
            next = try await call.accounts.replaceTemporaryPassword(
                SignInTicket(ticket.ticket, for: .newPassword, call: call.flow),
                password: Secret(call.form[PageField.newPasswordName] ?? ""), call: call.flow)
        } catch let error as AuthError where [.weakPassword, .samePassword, .overloaded].contains(error.code) {
            return form.refused(error, secret: PageField.newPasswordName).response
        } catch let error as AuthError where error.code == .invalidCredentials {
            throw AuthError(.flowStateExpired, reason: "the ticket was used, or what it stood for holds no more")
        }
        return try await call.conclude(next, name: ticket.name, stays: ticket.stays)
    }

    private static func ticket(_ call: PageCall) throws -> (PageTicket, String) {
        let text = call.query["ticket"]
        return (try PageTicket(text, for: .newPassword, call), text ?? "")
    }

    private static func form(_ ticket: PageTicket, _ text: String, _ call: PageCall) -> PageForm {
        var form = PageForm(call, .newPassword, title: call.text(.ownPassword), button: call.text(.resetButton))
        form.lead = call.html(.ownPasswordLead)
        form.username = ticket.name
        form.fields = [.newPassword(call)]
        // What is timed is said, with more time than anybody needs (WCAG 2.2, criterion 2.2.1).
        let left = max(1, ((ticket.until - call.flow.now).seconds + 59) / 60)
        form.note = call.text(.timeLimit, ["minutes": String(left)])
        form.parameters = [("ticket", text)]
        return form
    }
}
