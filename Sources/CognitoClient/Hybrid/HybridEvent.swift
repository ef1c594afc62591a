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
