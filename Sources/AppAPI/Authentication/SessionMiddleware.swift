// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import HummingbirdTokenAuth
import JOSE
import Logging
import ServerKit
import TokenVerifier

/// Looks up the session that a verified token names, and whose it is. Placed behind the middleware that verifies by
/// ``IssuedTokens``. A session that has ended, or a user who is banned or gone, makes the token invalid.
struct SessionMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let accounts: AccountFlows

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let token = context.identity?.verifiedToken else { throw AuthError(.tokenMissing) }
        guard let issuer = token.attachment as? OwnIssuer, let session = token.claims[issuer.sessionClaim]?.stringValue,
            let subject = token.subject
        else { throw AuthError(.tokenInvalid, reason: "names no session") }
        let view = try await accounts.sessionAuthentication.profile(
            of: UserID(subject), session: SessionID(session), in: issuer.directory, at: context.now)
        guard let view else {
            context.logger.notice(
                "request refused",
                metadata: ["refusal": "session_ended", "client": .string(context.parent.client.truncated ?? "unknown")])
            throw AuthError(.tokenInvalid, reason: "the session has ended, or its user may not sign in")
        }
        var context = context
        context.signedIn = SignedInUser(
            view: view, session: SessionID(session), subject: subject, issuer: issuer)
        return try await next(request, context)
    }
}
