// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the pool's API does for whoever came by the pages. It wants the scope `aws.cognito.signin.user.admin`, and
/// answers `forbidden` without.
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
    public func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
        guard case .browser(let provider, var options) = proof else {
            throw AuthError(.unsupported, reason: "the pages are shown in a browser")
        }
        options.asksAgain = true
        return try await signIn(.browser(provider: provider, options: options))
    }

    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        try await api.deleteAccount(tokens)
    }

    public func accountEnded(_ tokens: TokenSet) async { await api.accountEnded(tokens) }
}

/// The same operations as those of who came by a password.
extension CognitoHostedUIBackend: SecondFactorBackend {
    public func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        try await api.secondFactors(tokens)
    }

    public func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        try await api.enrol(factor, tokens)
    }

    public func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        try await api.confirm(enrolment, with: code, tokens)
    }

    public func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        try await api.removeFactor(id, tokens)
    }
}

/// The same. Who is on the pages is asked for one there.
extension CognitoHostedUIBackend: PasskeyBackend {
    public func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey] { try await api.passkeys(tokens) }
    public func addPasskey(_ tokens: TokenSet) async throws(AuthError) { try await api.addPasskey(tokens) }
    public func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError) {
        try await api.removePasskey(id, tokens)
    }
}
