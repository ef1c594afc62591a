// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Everything that can happen to a session.
enum SessionEvent: Sendable {
    case start
    case storeRead(StoreCallID, StoreContents)
    /// The device was unlocked.
    case storeUnlocked
    /// Another process of the app has written: look.
    case storeChanged
    /// A look under the store's lock found a session that was ended or replaced here.
    case storeHoldsEnded(family: String)
    case written(StoreCallID)
    /// The store holds what has come later, which stays.
    case outdated(StoreCallID)
    case writeFailed(StoreCallID, SecureStoreError)
    /// - Parameter found: what was there, where the machine had not read it.
    case erased(found: KeptSession?)
    case eraseFailed(family: String?, SecureStoreError)

    case signInBegan(AttemptID)
    /// - Parameter family: a fresh random name.
    case signInSucceeded(AttemptID, SessionGrant, family: String)
    case stepAwaited(AttemptID, AwaitedStep)
    case signInFailed(AttemptID, AuthError)
    case stepAbandoned

    case tokenWanted(WaiterID)
    /// A service refused the token with 401. Without its stamp only the text says which it was.
    case tokenRefused(Secret<String>, WaiterID, TokenStamp? = nil)
    case waiterLeft(WaiterID)

    case refreshSucceeded(Int, SessionGrant)
    case refreshFailed(Int, AuthError)
    /// Another process had refreshed already, or somebody else has signed in there.
    case refreshFoundOther(Int, KeptSession, OfflineStanding?)
    /// Another process has signed out.
    case refreshFoundNothing(Int)

    /// The service was asked about the user and answered.
    case confirmed(Int, SessionUser)
    case confirmationFailed(Int, AuthError)
    /// An operation on the account of that session came with new tokens.
    case sessionReplaced(family: String, SessionGrant)

    /// Companions were told, and some have not come to an end with it in time.
    case unheard(Unheard)
    /// They have, or nothing was left for them to do.
    ///
    /// - Parameter subject: whose local data it is about; `nil` for whoever's.
    case heard(of: String?)

    case networkChanged(isReachable: Bool)
    /// A timer rang, or somebody set the device's clock.
    case clockTick
    case signOutRequested(SignOutOptions)
    /// The session has ended elsewhere, and somebody who knows says why.
    case ended(family: String, SignOutReason)
}

/// What a store holds under the session's key.
enum StoreContents: Sendable {
    case session(KeptSession, OfflineStanding?)
    case nothing
    /// Nobody is signed in, and a process that has ended was awaiting that of who was about to.
    case step(AwaitedStep)
    /// A process that signed the user out was ended in the midst of it. That has been finished.
    case left
    /// It has been put aside (Y-E3).
    case corrupted
    /// There, and not to be read now (F8).
    case unreadable(SecureStoreError)
}
