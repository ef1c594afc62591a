// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Judges the logins that a caller shows to a pool. Nothing is spent: the same token is shown to learn an identity and
/// to be given credentials for it.
struct PoolLoginJudge {
    private static let maximumSubject = 1024

    let ports: AccountPorts
    let pool: IdentityPool
    let call: CallContext

    /// - Throws: ``IdentityPoolRefusal``; ``AuthErrorCode/identityProviderUnavailable``.
    func proven(_ shown: [ShownLogin]) async throws -> [ProvenLogin] {
        var proven: [ProvenLogin] = []
        for login in shown {
            let next =
                switch login {
                case .user(let user): try await self.proven(user)
                case .upstream(let provider, let token): try await self.proven(token, of: provider)
                case .developer(let subject): try developer(subject)
                }
            if !proven.contains(where: { $0.login == next.login }) { proven.append(next) }
        }
        return proven
    }

    private func developer(_ subject: String) throws -> ProvenLogin {
        try call.requireAdministrator()
        guard let name = pool.developerProvider else { throw IdentityPoolRefusal.notTheDeveloperProvider }
        guard (1...4 * Self.maximumSubject).contains(subject.utf8.count), StreamSafeText.accepts(subject),
            subject.unicodeScalars.allSatisfy({ $0.value >= 32 })
        else { throw AuthError(.invalidRequest, reason: "no control characters", field: "Logins") }
        return ProvenLogin(PoolLogin(.developer(name), subject: subject))
    }

    // MARK: Users of this server

    private func proven(_ user: UserLogin) async throws -> ProvenLogin {
        let source = pool.userSources.first { $0.directory == user.directory.id && $0.client == user.client }
        guard let source else { throw IdentityPoolRefusal.providerNotSupported }
        if source.checksSession { try await requireSession(of: user) }
        return ProvenLogin(
            PoolLogin(.users(user.directory.id), subject: user.subject), client: user.client.rawValue,
            claims: user.claims, roles: user.roles)
    }

    private func requireSession(of user: UserLogin) async throws {
        guard let session = user.session else { throw IdentityPoolRefusal.sessionEnded }
        var call = call
        call.directory = user.directory
        do {
            _ = try await SessionAuthentication(ports)(user: UserID(user.subject), session: session, call: call)
        } catch let error as AuthError {
            guard [.userNotFound, .userBanned, .sessionNotFound, .sessionExpired].contains(error.code) else {
                throw error
            }
            throw IdentityPoolRefusal.sessionEnded
        }
    }

    // MARK: Other people's identity providers

    private func proven(_ token: Secret<String>, of name: String) async throws -> ProvenLogin {
        guard var provider = try await provider(name) else { throw IdentityPoolRefusal.providerNotSupported }
        let proof: FederatedProof
        do {
            if let claimed = ClaimedToken(token) {
                try admit(claimed.claims, to: &provider)
                // An app's SDK makes the nonce, and the pool is not told: a token may be shown more than once here.
                provider.skipsNonceCheck = true
                proof = try await ports.identityProviders.judge(
                    UpstreamIDToken(text: token), at: provider, now: claimed.judgedAt(call.now))
            } else {
                guard provider.kind == .facebook else { throw IdentityPoolRefusal.tokenInvalid }
                proof = try await ports.identityProviders.judge(accessToken: token, at: provider)
            }
        } catch let error as AuthError {
            switch error.code {
            case .identityTokenInvalid, .identityProviderRefused: throw IdentityPoolRefusal.tokenInvalid
            case .identityProviderDisabled, .unsupported: throw IdentityPoolRefusal.providerNotSupported
            default: throw error
            }
        }
        guard proof.provider == name, !proof.issuer.isEmpty, StreamSafeText.accepts(proof.subject),
            (1...Self.maximumSubject).contains(proof.subject.utf8.count)
        else { throw IdentityPoolRefusal.tokenInvalid }
        return ProvenLogin(
            PoolLogin(.upstream(name), issuer: proof.issuer, subject: proof.subject), claims: proof.claims)
    }

    /// Whom the token was made for: the party in `azp`, where it has one, must be a client of the pool's, else the
    /// audience. Mobile SDKs name the app in the one and its server in the other. The token says it, and is then proved
    /// as it is.
    private func admit(_ claims: JWTClaims, to provider: inout IdentityProvider) throws(IdentityPoolRefusal) {
        guard let party = claims["azp"] else { return }
        guard let party = party.stringValue, provider.clientIDs.contains(party) else { throw .providerNotSupported }
        provider.clientIDs += claims.audience.filter { !provider.clientIDs.contains($0) }
    }

    /// The provider with the clients that the pool has there; `nil` where the pool does not take its word.
    ///
    /// One whose issuer and keys are known everywhere need not be configured in the Directory. One that is, is asked as
    /// it is, and not at all where it is switched off.
    private func provider(_ name: String) async throws -> IdentityProvider? {
        let (own, takesAll) = (pool.clientIDs[name], pool.openIDSources.contains { $0.provider == name })
        guard own != nil || takesAll else { return nil }
        let configured: IdentityProvider?
        do {
            configured = try await IdentityProviders(ports).usable(name, in: pool.directoryID)
        } catch let error as AuthError where error.code == .identityProviderNotFound {
            configured = nil
        } catch let error as AuthError where error.code == .identityProviderDisabled {
            return nil
        }
        if var provider = configured {
            // Its secret is that of its own clients, by which access tokens are asked about.
            if provider.kind == .facebook, let own, !provider.clientIDs.contains(own) { return nil }
            provider.clientIDs = (takesAll ? provider.clientIDs : []) + [own].compactMap { $0 }
            return provider
        }
        guard let own, let kind = IdentityProvider.Kind(rawValue: name), kind == .google || kind == .apple else {
            return nil
        }
        return IdentityProvider(
            id: IdentityProviderID(name), directoryID: pool.directoryID, name: name, kind: kind, clientIDs: [own],
            createdAt: pool.createdAt, updatedAt: pool.updatedAt)
    }
}
