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

    public func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
        guard case .session(let grant) = try await account().reauthenticate(tokens, with: proof) else {
            // A sign-in by a kit has no steps, and answers to one have nowhere to go.
            throw AuthError(.insufficientAssurance, reason: "the sign-in asks for more")
        }
        return .session(continued(tokens, grant))
    }

    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        try await account().deleteAccount(tokens)
    }

    private func account() throws(AuthError) -> any AccountBackend {
        guard let account = session as? any AccountBackend else {
            throw AuthError(.unsupported, reason: "not by the backend that opens the sessions")
        }
        return account
    }
}
