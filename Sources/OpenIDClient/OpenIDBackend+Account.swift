// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a signed-in user does to their account. OpenID has no words for it but a new sign-in; the deletion is asked for
/// at the server's own API, and the rest on the provider's pages.
extension OpenIDBackend: AccountBackend {
    /// By the provider's pages, which ask anew (`prompt=login`; OpenID Connect Core 1.0, section 3.1.2.1). Who calls
    /// looks whether it is the same user, and gives somebody else's session back.
    public func reauthenticate(
        _ tokens: TokenSet, with proof: SignInProof
    ) async throws(AuthError) -> SignInStep {
        guard case .browser(let provider, var options) = proof else {
            throw AuthError(.unsupported, reason: "users sign in on the provider's pages")
        }
        options.asksAgain = true
        return try await signIn(.browser(provider: provider, options: options))
    }

    /// By `DELETE /v1/account` (G-10). Where the server gives a time of grace, it keeps the account until that is over;
    /// this device is signed out in either case.
    @discardableResult
    public func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        guard let address = configuration.appAPI else {
            throw AuthError(.unsupported, reason: "the configuration names no API of the server's")
        }
        return try await ProfileAPI(address: address, transport: transport).deleteAccount(tokens.accessToken)
    }

    public func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        throw Self.onItsPages
    }

    public func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        throw Self.onItsPages
    }

    public func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? {
        throw Self.onItsPages
    }

    private static let onItsPages = AuthError(.unsupported, reason: "it is done on the provider's pages")
}
