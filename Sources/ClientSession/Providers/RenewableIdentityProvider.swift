// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Renews what a provider gave, without asking the user: GoogleSignIn's `refreshTokensIfNeeded`, or a refresh token.
public protocol RenewableIdentityProvider: NativeIdentityProvider {
    /// A new ID token of whoever signed in last, which carries no nonce.
    ///
    /// - Throws: `AuthError` with `not_signed_in` where nobody is remembered, `identity_provider_refused` where the
    ///   user has taken the app's access back (Y-E4), `network`.
    func renew() async throws(AuthError) -> ProviderIdentity
}
