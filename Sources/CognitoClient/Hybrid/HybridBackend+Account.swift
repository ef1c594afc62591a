// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// By the backend that opens the sessions, as far as it has it. An identity pool alone knows no accounts.
extension HybridBackend: AccountBackend {
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        continued(tokens, try await account().link(proof, to: tokens))
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        continued(tokens, try await account().unlink(provider: provider, from: tokens))
    }

    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        let grant = try await account().changePassword(tokens, current: current, new: new)
        return grant.map { continued(tokens, $0) }
    }

    /// By the provider's kit, which asks whoever holds the device, as the pages do (H-3); by the other backend where
    /// the proof is one of its own, such as a password.
    ///
    /// - Throws: `reauthentication_invalid` for somebody else at the kit, which forgets them.
    public func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
        guard takes(proof) else { return try await reauthenticate(tokens, by: proof) }
        let begun = memory.value.generation
        guard var login = HybridLogin(of: tokens) else { throw AuthError(.notSignedIn) }
        let identity = try await step(.provider) { () throws(AuthError) in
            let identity = try await asked(proof)
            guard Subject.isSame(try IDTokenClaims(reading: identity.idToken).subject, login.subject) else {
                memory.withLock { $0.empty() }
                await native.signOut()
                throw AuthError(.reauthenticationInvalid, reason: "somebody else signed in at the provider")
            }
            return identity
        }
        login.token = identity.idToken
        memory.withLock { [login] in $0.renew(login, since: begun) }
        guard session == nil else { return try await reauthenticate(tokens, by: .identityToken(identity)) }
        return .session(try await renewedByUser(tokens, identity, login))
    }

    private func reauthenticate(_ tokens: TokenSet, by proof: SignInProof) async throws(AuthError) -> SignInStep {
        switch try await account().reauthenticate(tokens, with: proof) {
        case .session(let grant): return .session(continued(tokens, grant))
        case .awaiting(let step):
            // Whose session it is stands in the step: what it leads to takes the place of this one.
            return .awaiting(HybridMark(in: tokens.attachments)?.mark(step) ?? step)
        }
    }

    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        try await account().deleteAccount(tokens)
    }

    public func accountEnded(_ tokens: TokenSet) async { await (try? account())?.accountEnded(tokens) }

    private func account() throws(AuthError) -> any AccountBackend { try feature((any AccountBackend).self) }
}
