// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A provider's own sign-in on the device: GoogleSignIn, AuthenticationServices, or the loopback flow on a desktop
/// (H-1).
public protocol NativeIdentityProvider: Sendable {
    /// `google`, `apple`.
    var provider: String { get }
    /// Asks the user, and asks again each time: no one is signed in by a memory.
    ///
    /// - Parameter nonce: what the token is to carry, plain or as SHA-256 as the provider does it.
    /// - Throws: `AuthError` with `cancelled` where the user turned back.
    func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity
    /// Forgets who signed in, without any redirect (H-5).
    func signOut() async
}
