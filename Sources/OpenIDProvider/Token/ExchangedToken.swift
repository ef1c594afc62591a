// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TokenVerifier

/// A user's token that a client hands over to get another one (RFC 8693, section 2.1): judged, and of a session that
/// lives.
struct ExchangedToken: Sendable {
    var holder: AuthenticatedUser
    var scopes: [String]
    /// Whom it is for, beside the provider.
    var resources: [String]
    var expiresAt: Instant
    /// Who acts by it already (section 4.1).
    var actor: JSONValue?
    /// Who alone may (section 4.4).
    var mayAct: JSONValue?

    /// `nil` for what is not this Directory's, is over, or is no user's; for one that is bound to a key, since whoever
    /// hands it over has not shown that key; and for an ID token of another client.
    init?(_ text: String, of type: TokenType, to client: Client, _ call: ProviderCall) async throws {
        switch type {
        case .accessToken:
            guard let token = try await call.verifiedAccessToken(text), try await call.isLive(token) else { return nil }
            try await self.init(token.claims, session: AccessToken.sessionClaim, call)
            resources = token.claims.audience.filter { $0 != call.issuer }
            scopes = (token.claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
        case .idToken:
            guard let token = try await IDTokenHint(text, call), token.clients == [client.id] else { return nil }
            try await self.init(token.claims, session: "sid", call)
            // The session that it names is the browser's. What the client was given there may have ended before.
            guard let id = holder.session?.id,
                let own = try await call.accounts.findClientSession(id, of: holder.user.id, call: call.flow)
            else { return nil }
            holder.session = own
            // It was given for no scope: what its user lets this client do is what there is.
            scopes = client.settings.authorization.scopes
            if client.settings.authorization.consent != .notAsked {
                let consents = try await call.accounts.consents.list(of: holder.user.id, call: call.flow)
                let allowed = consents.first { $0.client.id == client.id }?.consent.scopes ?? []
                scopes = scopes.filter(allowed.contains)
            }
        }
    }

    private init?(_ claims: JWTClaims, session: String, _ call: ProviderCall) async throws {
        guard claims["cnf"] == nil, let subject = claims.subject, let id = claims[session]?.stringValue,
            let expiry = claims.expiresAt, call.now < expiry
        else { return nil }
        do {
            holder = try await call.accounts.sessionAuthentication(
                user: UserID(subject), session: SessionID(id), call: call.flow)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            return nil
        }
        (scopes, resources) = ([], [])
        expiresAt = expiry
        actor = claims["act"]
        mayAct = claims["may_act"]
    }
}
