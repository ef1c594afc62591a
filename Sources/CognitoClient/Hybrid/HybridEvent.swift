// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What happens in hybrid sign-ins, for an app's log and its numbers (H-11). No token, no address, nobody's identifier.
public enum HybridEvent: Sendable, Hashable {
    case signedIn(new: Bool)
    case failed(HybridStep, AuthErrorCode)
    case renewed
    case signedOut
    /// The user's data could not be brought up to date, and will be.
    case synchronizationQueued(AuthErrorCode)
    case synchronized(attempts: Int)
    /// What was queued is not to be had any more: the next sign-in does it.
    case synchronizationGivenUp(AuthErrorCode)
}

/// Renews what a provider's kit gave, without asking the user: GoogleSignIn's `refreshTokensIfNeeded`, or a refresh token.
public protocol RenewableIdentityProvider: NativeIdentityProvider {
    /// - Throws: `not_signed_in` where the kit remembers nobody, `identity_provider_refused` where the user has taken the
    ///   app's access back (Y-E4), `network`.
    func renew() async throws(AuthError) -> ProviderIdentity
}
