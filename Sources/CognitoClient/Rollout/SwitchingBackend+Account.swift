// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// By the way that the session came, as far as that one has it.
extension SwitchingBackend: AccountBackend {
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try continued(tokens, await account(of: tokens).link(proof, to: tokens))
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try continued(tokens, await account(of: tokens).unlink(provider: provider, from: tokens))
    }

    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        let grant = try await account(of: tokens).changePassword(tokens, current: current, new: new)
        return grant.map { continued(tokens, $0) }
    }

    public func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
        let step = try await account(of: tokens).reauthenticate(tokens, with: proof)
        return backend(of: tokens).isNew ? marked(step) : step
    }

    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        try await account(of: tokens).deleteAccount(tokens)
    }

    public func accountEnded(_ tokens: TokenSet) async { await (try? account(of: tokens))?.accountEnded(tokens) }

    private func account(of tokens: TokenSet) throws(AuthError) -> any AccountBackend {
        try feature((any AccountBackend).self, of: tokens)
    }

    func feature<Feature>(_ type: Feature.Type, of tokens: TokenSet) throws(AuthError) -> Feature {
        guard let feature = backend(of: tokens).0 as? Feature else {
            throw AuthError(.unsupported, reason: "not by the way that the session came")
        }
        return feature
    }
}
