// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `link`: what the link of a message opens that these pages have sent. Its button does what the link is for.
enum MailedLinkPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard let (token, purpose) = link(call),
            let proof = try await call.accounts.inspectProof(.link(token: token), purposes: [purpose], call: call.flow)
        else { throw AuthError(.flowStateExpired) }
        var page = LinkPage(
            proof, brand: call.brand, language: call.language,
            action: call.url("/link", [("purpose", purpose.rawValue)]),
            fields: [("token", token), (FormToken.field, call.formToken(call.path))],
            target: call.pending?.request.redirectURI)
        page.languages = call.languages("/link", [("purpose", purpose.rawValue), ("token", token)])
        return page.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let (token, purpose) = link(call) else { throw AuthError(.flowStateExpired) }
        do {
            switch try await call.accounts.verifyProof(.link(token: token), purposes: [purpose], call: call.flow) {
            case .signedIn(let next): return try await call.conclude(next, name: next.user.label)
            // No page asks for a link with a challenge.
            case .authorizationCode: throw AuthError(.flowStateExpired)
            case .halfConfirmed:
                return NoticePage(
                    title: .linkEmailChange, message: .emailVerified, brand: call.brand, language: call.language,
                    target: call.url("")
                ).response()
            }
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            throw AuthError(.flowStateExpired)
        }
    }

    private static func link(_ call: PageCall) -> (token: String, purpose: OneTimeToken.Purpose)? {
        guard let token = call.form["token"] ?? call.query["token"], !token.isEmpty,
            let purpose = call.query["purpose"].flatMap(OneTimeToken.Purpose.init(rawValue:)),
            purpose != .reauthentication
        else { return nil }
        return (token, purpose)
    }
}
