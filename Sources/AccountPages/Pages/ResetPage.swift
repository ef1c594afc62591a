// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `reset`: a new password, for whoever shows the code of a recovery message, or has opened its link; and the first
/// one, for whoever has opened an invitation.
enum ResetPage {
    private static let tokenName = "token"

    /// What says that somebody may.
    private enum Evidence {
        /// The code is to be typed, by whoever asked for it in this browser.
        case code(PageTicket, String)
        case link(token: String, InspectedProof)
    }

    static func get(_ call: PageCall) async throws -> Response {
        guard let evidence = try await evidence(call) else { return MailedLinkPage.dead(purpose(call), call) }
        var form = form(evidence, call)
        if call.query["notice"] == UndoFactorPage.notice { form.notice = call.text(.undone) }
        if call.query["notice"] == UnlockPage.notice {
            form.notice = call.text(.unlocked)
            form.below = """
                <p class="below"><a href="\(call.url("/sign-in"))">\(call.text(.signIn))</a></p>
                """
        }
        if case .code = evidence, let session = try await call.session() {
            form.below = "\(form.below)\(call.goingOn(as: session))"
        }
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        guard let evidence = try await evidence(call) else { return MailedLinkPage.dead(purpose(call), call) }
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
            case .link(let token, let inspected):
                identifier = try SignInIdentifier(typed: inspected.recipient, call.flow.settings)
                proof = .link(token: token)
            }
            _ = try await call.accounts.resetPassword(
                proof, purposes: [purpose(call)], password: password, call: call.flow)
            return try await signIn(identifier, password, call)
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            if case .link = evidence { return MailedLinkPage.dead(purpose(call), call) }
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

    /// `nil` for a link that is of no use.
    ///
    /// - Throws: ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/flowStateNotFound``.
    private static func evidence(_ call: PageCall) async throws -> Evidence? {
        if let text = call.query["ticket"] { return .code(try PageTicket(text, for: .reset, call), text) }
        guard let token = call.form[tokenName] ?? call.query[tokenName] else { return nil }
        return try await call.accounts.inspectProof(.link(token: token), purposes: [purpose(call)], call: call.flow)
            .map { .link(token: token, $0) }
    }

    private static func purpose(_ call: PageCall) -> OneTimeToken.Purpose {
        call.query["purpose"] == OneTimeToken.Purpose.invitation.rawValue ? .invitation : .recovery
    }

    private static func form(_ evidence: Evidence, _ call: PageCall) -> PageForm {
        let isInvitation = purpose(call) == .invitation
        var form = PageForm(
            call, isInvitation ? .invitation : .reset, title: call.text(isInvitation ? .invitation : .resetTitle),
            button: call.text(isInvitation ? .invitationButton : .resetButton))
        let name: String
        switch evidence {
        case .code(let ticket, let text):
            name = ticket.name
            form.lead = call.html(.resetLead, ["address": name])
            form.fields = [.code(call), .newPassword(call)]
            form.parameters = [("ticket", text)]
        case .link(let token, let proof):
            name = proof.recipient
            form.lead = .name(name)
            form.fields = [.newPassword(call)]
            form.hidden = [(tokenName, token)]
            form.parameters = [("purpose", proof.purpose.rawValue)]
            form.languageParameters = [(tokenName, token)]
            if isInvitation {
                form.lead = call.html(.invitationLead, ["address": name])
                form.fields[0].label = call.text(.passwordLabel)
            }
        }
        form.username = name
        form.values = ["address": name]
        if !isInvitation {
            form.below = """
                <p class="below"><a href="\(call.url("/forgot"))">\(call.text(.startAgain))</a></p>
                """
        }
        return form
    }
}
