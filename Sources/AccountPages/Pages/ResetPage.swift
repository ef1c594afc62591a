// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `reset`: a new password, for whoever shows the code of a recovery message, or has opened its link.
enum ResetPage {
    private static let tokenName = "token"

    /// What says that somebody may.
    private enum Evidence {
        /// The code is to be typed, by whoever asked for it in this browser.
        case code(PageTicket, String)
        case link(token: String, recipient: String)
    }

    static func get(_ call: PageCall) async throws -> Response {
        form(try await evidence(call), call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let evidence = try await evidence(call)
        var form = form(evidence, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        let password = Secret(call.form[PageField.newPasswordName] ?? "")
        do {
            let identifier: SignInIdentifier
            let proof: Proof
            switch evidence {
            case .code(let ticket, _):
                identifier = try SignInIdentifier(typed: ticket.name, call.flow.settings)
                proof = .code(identifier, (call.form[PageField.codeName] ?? "").filter { !$0.isWhitespace })
            case .link(let token, let recipient):
                identifier = try SignInIdentifier(typed: recipient, call.flow.settings)
                proof = .link(token: token)
            }
            _ = try await call.accounts.resetPassword(proof, password: password, call: call.flow)
            return try await signIn(identifier, password, call)
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            if case .link = evidence { throw AuthError(.flowStateExpired) }
            form.fields[0].refusal = call.text(.codeRefused)
            return form.response
        } catch let error as AuthError where error.isSaid {
            return form.refused(error, secret: PageField.newPasswordName).response
        }
    }

    /// With the new password, so that every step which a sign-in takes is taken.
    private static func signIn(
        _ identifier: SignInIdentifier, _ password: Secret<String>, _ call: PageCall
    ) async throws -> Response {
        do {
            let next = try await call.accounts.passwordSignIn(identifier, password: password, call: call.flow)
            return try await call.conclude(next, name: identifier.typed)
        } catch let error as AuthError where error.isSaid {
            return call.redirect(to: call.url("/sign-in", [("notice", "reset")]))
        }
    }

    /// - Throws: ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/flowStateNotFound``.
    private static func evidence(_ call: PageCall) async throws -> Evidence {
        if let text = call.query["ticket"] { return .code(try PageTicket(text, for: .reset, call), text) }
        guard let token = call.form[tokenName] ?? call.query[tokenName],
            let proof = try await call.accounts.inspectProof(
                .link(token: token), purposes: [.recovery], call: call.flow)
        else { throw AuthError(.flowStateExpired) }
        return .link(token: token, recipient: proof.recipient)
    }

    private static func form(_ evidence: Evidence, _ call: PageCall) -> PageForm {
        var form = PageForm(call, title: call.text(.resetTitle), button: call.text(.resetButton))
        let name: String
        switch evidence {
        case .code(let ticket, let text):
            name = ticket.name
            form.lead = call.text(.resetLead, ["address": name])
            form.fields = [.code(call), .newPassword(call)]
            form.parameters = [("ticket", text)]
        case .link(let token, let recipient):
            name = recipient
            form.lead = name
            form.fields = [.newPassword(call)]
            form.hidden = [(tokenName, token)]
            form.languageParameters = [(tokenName, token)]
        }
        form.username = name
        form.below = """
            <p class="below"><a href="\(call.url("/forgot"))">\(call.text(.startAgain))</a></p>
            """
        return form
    }
}
