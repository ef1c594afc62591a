// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where an app stands. It is what every listener is told and every screen shows (G-14).
public enum AuthState: Sendable {
    /// The store has not answered yet. Protected screens wait (G-14.4).
    case restoring
    /// Nobody is signed in, for that reason.
    case signedOut(SignOutReason)
    /// The service has said who it is, and the access token is live or about to be renewed.
    case signedIn(SessionUser)
    /// Signed in, with a new access token under way.
    case refreshing(SessionUser)
    /// Signed in as far as the device knows; the service can't be asked (G-7).
    case offline(OfflineAccess, SessionUser)
    /// Nobody may go on until the service has been asked: offline for too long (G-7.3).
    case blocked(SessionUser)
    /// The store is there and can't be read yet. Not signed out.
    case storeLocked
    /// The service wants something of the user first.
    case awaiting(AwaitedStep)
}

/// What the device allows while the service can't be asked.
public enum OfflineAccess: String, Sendable, CaseIterable {
    /// Reading and changing.
    case full
    /// Changes are queued (G-7.2).
    case readOnly
}

/// Why nobody is signed in. Each has a text of its own.
public enum SignOutReason: String, Sendable, CaseIterable {
    /// Nobody has signed in on this device yet.
    case neverSignedIn
    /// The user asked for it, on this device.
    case userSignedOut
    /// The refresh token's time is over (C-11, Y-US2).
    case sessionExpired
    /// The session was ended elsewhere: by another device, a new password, an operator, or the provider (Y-E4, G-6.5).
    case sessionRevoked
    /// There is no such account any more.
    case accountDeleted
    /// An operator has closed the account.
    case accountDisabled
    /// What was kept could not be read any more and was put aside (Y-E3).
    case storeCorrupted
}
