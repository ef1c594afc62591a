// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Everything that a ``SessionService`` changes, behind one lock.
struct SessionCore: Sendable {
    typealias Waiter = CheckedContinuation<TokenOutcome, Never>
    typealias Attempt = CheckedContinuation<AuthError?, Never>

    /// What is done one after the other, in the order in which the machine asked for it.
    enum Task: Sendable {
        case action(SessionAction)
        /// Tells listeners of a change, with all that came before it done.
        case tell(AuthState, ShownKey)
        /// Another session counts from now on, or none.
        case follow(TokenSet?)
        /// Everything asked for before has been done.
        case reached(CheckedContinuation<Void, Never>)
    }

    var machine: SessionMachine
    var lane: [Task] = []
    var isRunning = false
    var nextID = 0
    var waiters: [WaiterID: Waiter] = [:]
    /// Callers who were cancelled before they began to wait.
    var left: Set<WaiterID> = []
    var attempts: [AttemptID: Attempt] = [:]
    var step: AwaitedStep?
    /// Whether the store may hold a step.
    var keepsStep = false
    /// Whose session the awaited step may lead to, where not everybody's.
    var stepSubject: String?
    /// The session before which other users' local data was cleared.
    var claimed: String?
    /// Somebody has signed out, and nobody in since: a browser is to ask, whatever it remembers (H-5).
    var asksAgain = false
    /// The sign-out that this process has noted in the store, or goes on with in another's place.
    var leaving: Leaving?
    /// The sign-in that a service is being asked for, to be given up.
    var asking: [AttemptID: _Concurrency.Task<Void, Never>] = [:]
    var listeners: [Int: WeakListener] = [:]
    /// What listeners were told last. Who begins to listen hears that first: of the end of a session not before the
    /// others.
    var told = (state: AuthState.restoring, key: ShownKey(name: "restoring"))
    var timer: _Concurrency.Task<Void, Never>?
    var refresh: _Concurrency.Task<Void, Never>?
    /// The generation whose session a refresh saw in the store when its answer had come.
    var seen: Int?
    /// Ends when the last sign-out's first word to the service has been answered.
    var revocation: _Concurrency.Task<Void, Never>?

    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Whether whoever has come is somebody whom listeners have been told of. Until they are, what is on the device of
    /// another user's may be going still, and nobody who asks by themselves finds the two together.
    private var isTold: Bool {
        machine.phase.shownKey.user.map { Subject.isSame($0.subject, told.key.user?.subject) } ?? true
    }

    /// What the app sees: what has ended at once, and whoever comes as soon as listeners are told.
    var shown: AuthState { isTold ? machine.phase.shown : told.state }

    /// The token for callers who need not wait. `nil` also where only the machine can say.
    func liveToken(at uptime: TimeSpan) -> Secret<String>? {
        guard isTold else { return nil }
        let session: LiveSession
        switch machine.phase {
        case .signedIn(let signedIn): session = signedIn.session
        case .refreshing(let refreshing) where refreshing.allowance != .blocked: session = refreshing.session
        case .offline(let offline) where offline.allowance != .blocked: session = offline.session
        default: return nil
        }
        guard !session.isRefused, uptime < session.life.lastUse else { return nil }
        return session.tokens.accessToken
    }

    /// The same, with what tells it from another of the same text.
    func liveGiven(at uptime: TimeSpan) -> GivenToken? {
        guard let token = liveToken(at: uptime), let stamp = machine.stamp else { return nil }
        return machine.phase.session.map { GivenToken(token: token, stamp: stamp, subject: $0.user.subject) }
    }
}
