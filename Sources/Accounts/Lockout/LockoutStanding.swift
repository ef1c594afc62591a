// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How an attempt at a password stands, as one transaction sees it: what counts everybody's, and beside it what counts
/// those from a place that is the owner's own.
struct LockoutStanding: Sendable {
    let everybody: Lockout
    /// `nil` for an attempt from a place that is nobody's in particular.
    let own: Lockout?
    /// How long no attempt from there is judged; `nil` where this one is.
    let wait: TimeSpan?
}
