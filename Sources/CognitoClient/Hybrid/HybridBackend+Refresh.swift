// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension HybridBackend {
    /// A new word of the identity pool, by a new token of the provider's kit where that can renew it unseen.
    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        // One of a way that the app no longer has. Its tokens are nobody's business but that one's.
        guard HybridLogin(of: tokens) != nil else {
            throw AuthError(.sessionExpired, reason: "the session is of no hybrid sign-in")
        }
        if let session {
            // Rotated tokens are stored before anything else is asked for: the provider's are renewed when credentials
            // are.
            let grant = continued(tokens, try await session.refresh(tokens))
            record(.renewed)
            return grant
        }
        let begun = memory.value.generation
        guard let id = tokens.attachments.reveal()["identity"], var login = HybridLogin(of: tokens) else {
            throw AuthError(.sessionExpired, reason: "the session has nothing to be renewed by")
        }
        let identity = try await renewed(login.token, of: login.subject)
        login.token = identity.idToken
        do {
            let grant = try await ownSession(identity, of: id, login)
            memory.withLock { [login] in $0.renew(login, since: begun) }
            record(.renewed)
            return grant
        } catch {
            throw refusedRefresh(error, of: identity.idToken)
        }
    }

    /// - Throws: what ends the session only where the kit says that there is no more to be had.
    func renewed(_ kept: Secret<String>, of subject: String) async throws(AuthError) -> ProviderIdentity {
        guard let renewable = native as? any RenewableIdentityProvider else {
            return ProviderIdentity(provider: native.provider, idToken: kept)
        }
        let identity: ProviderIdentity
        do {
            identity = try await renewable.renew()
        } catch {
            switch error.code {
            // Taken back at the provider (Y-E4), or forgotten by the kit.
            case .identityProviderRefused: throw AuthError(.sessionNotFound, reason: error.reason)
            case .notSignedIn: throw AuthError(.sessionExpired, reason: error.reason)
            default: throw error
            }
        }
        guard (try? IDTokenClaims(reading: identity.idToken))?.subject.utf8.elementsEqual(subject.utf8) == true else {
            throw AuthError(.sessionNotFound, reason: "somebody else is signed in at the provider")
        }
        return identity
    }

    /// What the pool says of a token that has run out, or of an identity that is gone, is the end of the session.
    ///
    /// Nothing else that it says of a token is: who has changed the provider's client, or a service that had the
    /// provider's newest keys not yet ("Couldn't verify signed token"), would sign everybody out who had done nothing.
    private func refusedRefresh(_ error: AuthError, of token: Secret<String>) -> AuthError {
        switch error.code {
        case .identityTokenInvalid where isOver(token, by: error):
            AuthError(.sessionExpired, reason: error.reason)
        // Not a pool that is not there, nor a firewall's `ForbiddenException`: those say nothing of this user.
        case .identityNotFound, .anonymousDisabled, .identityAlreadyLinked:
            AuthError(.sessionNotFound, reason: error.reason)
        default: error
        }
    }

    /// A kit that can renew says by itself when there is no more to be had. One that gives what is over by the
    /// service's clock and not by the device's goes by a clock that is behind, and will renew in time.
    private func isOver(_ token: Secret<String>, by refusal: AuthError) -> Bool {
        let words = refusal.reason?.lowercased() ?? ""
        if words.contains("revoked") { return true }
        let isPast = (try? IDTokenClaims(reading: token))?.expiresAt.map { $0 <= clock.now } ?? true
        return native is any RenewableIdentityProvider
            ? isPast && words.contains("expired") : isPast || words.contains("expired")
    }
}
