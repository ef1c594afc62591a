// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

extension OpenIDProvider {
    /// An access token for the provider itself, and the issuer that it is of; `nil` for what is none.
    func accessToken(_ text: String, at now: Instant) async throws -> (token: VerifiedToken, issuer: OwnIssuer)? {
        do {
            return try await tokens.verify(text, at: now) { try await issuer(of: $0, at: now) }
        } catch let error as TokenError where error.code != .keysUnavailable {
            return nil
        }
    }
}

extension ProviderCall {
    /// An access token of the call's Directory, whomever it is for; `nil` for one that is not, is another's, or has expired.
    func verifiedAccessToken(_ text: String) async throws -> VerifiedToken? {
        let (provider, directory, now) = (provider, directory, now)
        do {
            return try await provider.tokens.verify(text, at: now) { claims in
                guard claims.issuer == provider.issuer(of: directory) else { return nil }
                return try await provider.ownIssuer(of: directory, audience: claims.audience.first, at: now)
            }.token
        } catch let error as TokenError where error.code != .keysUnavailable {
            return nil
        }
    }

    /// Whether what a verified access token stands on is still there: its client, and its session where it has one.
    func isLive(_ token: VerifiedToken) async throws -> Bool {
        guard let id = token.claims["client_id"]?.stringValue, let subject = token.subject,
            let client = try await provider.clients.client(ClientID(id), at: now),
            client.directoryID == directory.id, client.settings.authorization.isEnabled
        else { return false }
        guard let session = token.claims[AccessToken.sessionClaim]?.stringValue else {
            return subject == AccessToken.subject(of: client.id)
        }
        return try await accounts.sessionAuthentication.profile(
            of: UserID(subject), session: SessionID(session), in: directory, at: now) != nil
    }
}
