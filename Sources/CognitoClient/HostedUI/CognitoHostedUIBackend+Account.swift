// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the pool's API does for whoever came by the pages. It wants the scope `aws.cognito.signin.user.admin`, and answers
/// `forbidden` without.
extension CognitoHostedUIBackend: AccountBackend {
    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try await api.link(proof, to: tokens)
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try await api.unlink(provider: provider, from: tokens)
    }

    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        try await api.changePassword(tokens, current: current, new: new)
    }

    /// By the pages, which ask whatever the browser remembers.
    public func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SessionGrant {
        guard case .browser(let provider, var options) = proof else {
            throw AuthError(.unsupported, reason: "the pages are shown in a browser")
        }
        options.asksAgain = true
        guard case .session(let grant) = try await signIn(.browser(provider: provider, options: options)) else {
            throw AuthError(.reauthenticationInvalid, reason: "the pages ask for more")
        }
        return grant
    }

    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) { try await api.deleteAccount(tokens) }
}
