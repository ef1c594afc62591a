// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Somebody who waits for an access token.
typealias WaiterID = Int
/// A sign-in, from its beginning to its result.
typealias AttemptID = Int
/// One reading or writing of the store.
typealias StoreCallID = Int

/// Where a session stands, with what can only be there.
enum SessionPhase: Sendable {
    case restoring(Restoring)
    case storeLocked(StoreLocked)
    case signedOut(SignOutReason)
    case awaiting(Awaiting)
    /// There are new tokens which the store does not have yet. Nobody has been told of them.
    case storing(Storing)
    case signedIn(SignedIn)
    case refreshing(Refreshing)
    /// `offline` and `blocked`.
    case offline(Offline)

    struct Restoring: Sendable {
        var waiters: [WaiterID] = []
    }

    struct StoreLocked: Sendable {
        var waiters: [WaiterID] = []
        var retry: Backoff
    }

    struct Awaiting: Sendable {
        var step: AwaitedStep
        /// Counts the steps, so that listeners are told of the same one anew.
        var number: Int
        /// Where the app stands again if the user turns back.
        var before: SignOutReason
    }

    struct Storing: Sendable {
        var session: LiveSession
        var waiters: [WaiterID]
        /// The sign-in that brought the tokens; `nil` for a refresh.
        var attempt: AttemptID?
        var write: StoreCallID
        /// Whether they are the next ones of a session that the store has had: where it is not there any more, another
        /// process has ended it.
        var isRenewal: Bool
        /// A store that does not answer by then has failed.
        var deadline: TimeSpan
        /// What listeners see meanwhile.
        var shown: AuthState
        var shownKey: ShownKey
    }

    struct SignedIn: Sendable {
        var session: LiveSession
        /// Set after an early refresh has failed, while the token at hand still lives.
        var retry: Backoff?
    }

    struct Refreshing: Sendable {
        var session: LiveSession
        var waiters: [WaiterID] = []
        var retry: Backoff?
        /// Set where the service could not be asked before: listeners see that until it answers.
        var allowance: OfflineAllowance?
    }

    struct Offline: Sendable {
        var session: LiveSession
        var allowance: OfflineAllowance
        var retry: Backoff
        /// The service is being asked whether the session holds.
        var isAsking = false
    }
}

extension SessionPhase {
    var session: LiveSession? {
        switch self {
        case .restoring, .storeLocked, .signedOut, .awaiting: nil
        case .storing(let storing): storing.session
        case .signedIn(let signedIn): signedIn.session
        case .refreshing(let refreshing): refreshing.session
        case .offline(let offline): offline.session
        }
    }

    /// The store has not said yet what there is.
    var isRestoring: Bool {
        switch self {
        case .restoring, .storeLocked: true
        case .signedOut, .awaiting, .storing, .signedIn, .refreshing, .offline: false
        }
    }

    /// Who waits for an access token.
    var waiters: [WaiterID] {
        switch self {
        case .signedOut, .awaiting, .signedIn, .offline: []
        case .restoring(let restoring): restoring.waiters
        case .storeLocked(let locked): locked.waiters
        case .storing(let storing): storing.waiters
        case .refreshing(let refreshing): refreshing.waiters
        }
    }

    /// A caller who was cancelled waits no more. Nobody else notices.
    mutating func remove(_ waiter: WaiterID) {
        switch self {
        case .signedOut, .awaiting, .signedIn, .offline: break
        case .restoring(var restoring):
            restoring.waiters.removeAll { $0 == waiter }
            self = .restoring(restoring)
        case .storeLocked(var locked):
            locked.waiters.removeAll { $0 == waiter }
            self = .storeLocked(locked)
        case .storing(var storing):
            storing.waiters.removeAll { $0 == waiter }
            self = .storing(storing)
        case .refreshing(var refreshing):
            refreshing.waiters.removeAll { $0 == waiter }
            self = .refreshing(refreshing)
        }
    }
}
