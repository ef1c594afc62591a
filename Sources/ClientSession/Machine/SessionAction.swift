// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What is to be done, in the order given.
enum SessionAction: Sendable {
    case readStore(StoreCallID)
    case write(KeptSession, StoreCallID)
    case keepStanding(OfflineStanding)
    /// Removes the session of that family, or whichever there is.
    case erase(family: String?)
    /// Looks once more as soon as no other process holds the store's lock, whether one has written what was ended.
    case guardStore
    /// Asks the service for new tokens, within the store's lock and after a look into the store.
    case beginRefresh(Refresh)
    case cancelRefresh
    /// Asks the service who the user is.
    case confirm(Int, TokenSet)
    /// Rings once, in place of what was set before.
    case schedule(TimeSpan)
    case cancelTimer
    case resume([WaiterID], TokenOutcome)
    case finish(AttemptID, AuthError?)
    /// Tells listeners the state.
    case notify
    /// Notes in the store that somebody is leaving, so that a process that dies in the midst of it is not the end of
    /// it.
    case beginLeaving(Leaving)
    /// With what the user chose to keep; `nil` where another user is there, and the one before may have chosen in
    /// another process.
    ///
    /// - Parameter subject: whose; `nil` for whoever's there is.
    case clearLocalData(SignOutOptions?, subject: String?)
    /// Tells companions once more what they have not come to an end with.
    case tellAgain(Unheard)
    /// Another process signed that user out: what this one keeps for them goes, unless they chose to keep it.
    case followLeaving(subject: String)
    /// The session comes from the store: what is on the device of another user's goes before anybody is told of it.
    case claimLocalData(KeptSession)
    /// Puts it in the store, in the place of another: the user goes to another app for a code.
    case keepStep(AwaitedStep)
    /// Takes what was awaited out of the store.
    case forgetStep
    case signOutOfProviders
    /// Everything that a leaving user's sign-out clears is cleared. A write of another session says that too.
    case endLeaving
    case revoke(TokenSet, SignOutScope)
    /// The service is there again: sends what has waited for it.
    case flushQueue
    case report(SessionProblem)
}

/// What a refresh begins from.
struct Refresh: Sendable {
    let generation: Int
    let kept: KeptSession
    /// Whether the store has it. If not, whatever the store holds is older.
    let isStored: Bool
}

/// What somebody who wanted an access token gets.
enum TokenOutcome: Sendable {
    case token(GivenToken)
    case failure(AuthError)
}

/// What went wrong on the device without ending the session. Worth a log's line, and a word to the user where it lasts.
public enum SessionProblem: Sendable, Hashable {
    /// The session lives in memory only: after a restart the user has to sign in again. It is tried again.
    case notStored(SecureStoreError)
    /// The session was ended and is still in the store. It is tried again.
    case notErased(SecureStoreError)
    /// The service was to end more sessions than this one, and has not.
    case notEnded(SignOutScope, AuthErrorCode)
}
