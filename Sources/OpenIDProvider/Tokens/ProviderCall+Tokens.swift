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
    /// An access token of the call's Directory, whomever it is for; `nil` for one that is not, is another's, or has
    /// expired.
    func verifiedAccessToken(_ text: String) async throws -> VerifiedToken? {
        guard let token = try? provider.tokens.presented(text, at: now) else { return nil }
        return try await verifiedAccessToken(token)
    }

    /// - Parameter known: what the token says, where that was read before.
    func verifiedAccessToken(
        _ token: PresentedToken, known: TokenStatement? = nil
    ) async throws -> VerifiedToken? {
        let (provider, directory, now) = (provider, directory, now)
        do {
            return try await provider.tokens.verify(token, at: now) { claims in
                let said = known ?? TokenStatement(claims)
                guard said.issuer == provider.issuer(of: directory) else { return nil }
                return try await provider.ownIssuer(of: directory, audience: said.audience, at: now)
            }.token
        } catch let error as TokenError where error.code != .keysUnavailable {
            return nil
        }
    }

    /// What ``isLive(_:session:)`` asks the store about a token; `nil` for one that names no session.
    func sessionQuestion(of token: TokenStatement) -> SessionQuestion? {
        guard let subject = token.subject, let session = token.session else { return nil }
        return SessionQuestion(of: session, user: UserID(subject), in: directory, at: now)
    }

    /// Whether what a verified access token stands on is still there: its client, and its session where it has one.
    ///
    /// - Parameter session: what the store has said about its session; `nil` where it was not asked.
    func isLive(_ token: VerifiedToken) async throws -> Bool { try await isLive(TokenStatement(token.claims)) }

    func isLive(_ token: TokenStatement, session isSessionLive: Bool? = nil) async throws -> Bool {
        guard let id = token.client, let subject = token.subject,
            let client = try await provider.clients.client(id, at: now),
            client.directoryID == directory.id, client.settings.authorization.isEnabled
        else { return false }
        if let isSessionLive { return isSessionLive }
        guard let session = token.session else { return subject == AccessToken.subject(of: client.id) }
        return try await accounts.sessionAuthentication.profile(
            of: UserID(subject), session: session, in: directory, at: now) != nil
    }
}
