// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// New tokens go to the store before anybody is told of them: what somebody has seen is still there after a crash.
extension SessionMachine {
    /// How long a store may take before the session goes on without it.
    static let storeDeadline = TimeSpan.seconds(10)

    mutating func store(
        _ session: LiveSession, waiters: [WaiterID], attempt: AttemptID? = nil, isRenewal: Bool = false,
        at moment: Moment
    ) -> [SessionAction] {
        let call = nextStoreCall()
        writing = call
        reading = nil
        phase = .storing(
            SessionPhase.Storing(
                session: session, waiters: waiters, attempt: attempt, write: call, isRenewal: isRenewal,
                deadline: moment.uptime + Self.storeDeadline, shown: phase.shown, shownKey: phase.shownKey))
        return [.write(session.kept, call)]
    }

    mutating func respond(
        to event: SessionEvent, in storing: SessionPhase.Storing, at moment: Moment
    ) -> [SessionAction] {
        switch event {
        case .tokenWanted(let waiter), .tokenRefused(_, let waiter, _):
            var storing = storing
            storing.waiters.append(waiter)
            phase = .storing(storing)
            return []
        case .written(let call):
            guard call == storing.write else { return [] }
            return settle(storing, after: nil, at: moment)
        case .outdated(let call):
            guard call == storing.write else { return [] }
            spareReplaced(of: storing.session.kept.family)
            return settle(storing, after: nil, at: moment)
        case .writeFailed(let call, let error):
            guard call == storing.write else { return [] }
            return settle(storing, after: error, at: moment)
        case .clockTick:
            guard moment.uptime >= storing.deadline else { return [] }
            return settle(storing, after: .unavailable(reason: "no answer"), at: moment)
        case .refreshSucceeded(_, let grant):
            return dropLate(grant)
        default: return []
        }
    }

    private mutating func settle(
        _ storing: SessionPhase.Storing, after failure: SecureStoreError?, at moment: Moment
    ) -> [SessionAction] {
        var session = storing.session
        writing = nil
        let others = takeOthers(than: session.user)
        var actions: [SessionAction] = []
        // The store holds the former user's session still, which is over: they are not there once more after a restart.
        if failure != nil, let first = others.first {
            actions.append(.beginLeaving(Leaving(family: first.family, subject: first.user.subject)))
        }
        actions += clearing(others)
        if storing.attempt != nil { actions.append(.claimLocalData(session.kept)) }
        actions.append(.notify)
        if let failure {
            // The user is signed in all the same. It is tried again, and somebody is told.
            session.unwritten = Backoff(after: AuthError(.storeUnavailable), at: moment)
            actions.append(.report(.notStored(failure)))
        }
        isReachable = isReachable == false ? nil : isReachable
        phase = .signedIn(SessionPhase.SignedIn(session: session))
        // Callers first: the token that they wait for is in the store.
        actions += resume(storing.waiters, with: given(session))
        if let standing = session.standing { actions.append(.keepStanding(standing)) }
        if let attempt = storing.attempt { actions.append(.finish(attempt, nil)) }
        return actions + [.flushQueue] + others.map { .revoke($0.tokens, .local) }
    }
}
