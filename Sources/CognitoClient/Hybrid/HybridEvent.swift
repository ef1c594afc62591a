// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What happens in hybrid sign-ins, for an app's log and its numbers (H-11). No token, no address, nobody's identifier.
public enum HybridEvent: Sendable, Hashable {
    /// Somebody signed in; `new` says whether the synchronization has made the user.
    case signedIn(new: Bool)
    /// A sign-in failed at that step.
    case failed(HybridStep, AuthErrorCode)
    /// The session has a new token, and nobody was asked.
    case renewed
    /// The kit has forgotten who it was.
    case signedOut
    /// The user's data could not be brought up to date, and will be.
    case synchronizationQueued(AuthErrorCode)
    /// What waited was done, with so many tries.
    case synchronized(attempts: Int)
    /// What was queued is not to be had any more: the next sign-in does it.
    case synchronizationGivenUp(AuthErrorCode)
}
