// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `forgot`: who has forgotten their password says who they are, and is answered alike whoever that is.
enum ForgotPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard call.takesOwnSignIn else { return call.redirect(to: call.url("/sign-in")) }
        if call.isPlain { return call.pages.plain.response(call, []) { form(call) } }
        return form(call, name: call.pending?.parameters.loginHint ?? "").response
    }

    static func post(_ call: PageCall) async throws -> Response {
        do {
            try call.requireOwnForm()
        } catch {
            return form(call).unmatched.response
        }
        let typed = call.form[PageField.identifierName] ?? ""
        do {
            try call.requireOwnSignIn()
            let identifier = try SignInIdentifier(typed: typed, call.flow.settings)
            _ = try await call.accounts.requestRecovery(identifier, call: call.flow)
            let ticket = try PageTicket(.reset, name: identifier.typed, until: call.flow.now + PageTicket.lifetime)
                .sealed(call)
            return call.redirect(to: call.url("/reset", [("ticket", ticket)]))
        } catch let error as AuthError where error.isSaid {
            return form(call, name: typed).refused(error, secret: PageField.identifierName).response
        }
    }

    private static func form(_ call: PageCall, name: String = "") -> PageForm {
        var form = PageForm(call, .forgot, title: call.text(.forgotTitle), button: call.text(.forgotButton))
        form.lead = call.html(.forgotLead)
        form.fields = [.identifier(call, value: name)]
        form.below = """
            <p class="below"><a href="\(call.url("/sign-in"))">\(call.text(.signIn))</a></p>
            """
        return form
    }
}
