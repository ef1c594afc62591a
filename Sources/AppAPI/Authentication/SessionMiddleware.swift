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
/// ``IssuedTokens``. A session that has ended, or a user who is banned or gone, makes the token invalid. Of a program
/// it looks up the Directory that its key is of.
struct SessionMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    let accounts: AccountFlows

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if case .apiKey(let record) = context.identity {
            context.caller = try await program(record, at: context.now)
            return try await next(request, context)
        }
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
            let code = try await accounts.sessionAuthentication.refusal(
                of: UserID(subject), session: SessionID(session), in: issuer.directory, at: context.now)
            throw AuthError(code, reason: "the session has ended, or its user may not sign in")
        }
        context.caller = .user(
            SignedInUser(
                view: view, session: SessionID(session), subject: subject, issuer: issuer,
                tokenIssuedAt: issuer.keepsTokens ? nil : token.claims.issuedAt))
        return try await next(request, context)
    }

    private func program(_ record: APIKeyRecord, at now: Instant) async throws -> AppCaller {
        guard let key = record.attachment as? APIKey,
            let directory = try await accounts.directories.directory(key.directoryID, at: now)
        else { throw AuthError(.apiKeyInvalid) }
        return .program(key, directory)
    }
}
