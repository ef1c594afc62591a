// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// There is a session, and nobody can say whether the service still knows it. Time decides what that is good for (G-7).
extension SessionMachine {
    mutating func goOffline(
        _ session: LiveSession, waiters: [WaiterID], retry: Backoff, at moment: Moment
    ) -> [SessionAction] {
        var session = session
        session.look(at: moment)
        let allowance = policy.allowance(session)
        phase = .offline(SessionPhase.Offline(session: session, allowance: allowance, retry: retry))
        return resume(waiters, with: .failure(allowance == .blocked ? AuthError(.offlineBlocked) : retry.error))
    }

    mutating func respond(
        to event: SessionEvent, in offline: SessionPhase.Offline, at moment: Moment
    ) -> [SessionAction] {
        var offline = offline
        switch event {
        case .tokenWanted(let waiter):
            return give(waiter, from: offline, at: moment)
        case .tokenRefused(let token, let waiter, let stamp):
            let session = offline.session
            offline.session.isRefused =
                session.isRefused || isPresent(token, stamp, in: session, at: moment)
            return give(waiter, from: offline, at: moment)
        case .clockTick:
            return tick(offline, at: moment)
        case .networkChanged(let isReachable):
            guard isReachable else { return [] }
            if offline.retry.isTold(at: moment) {
                offline.retry.next = offline.retry.callers
                phase = .offline(offline)
                return []
            }
            return ask(offline, waiters: [], at: moment)
        case .confirmed(let begun, let user):
            guard begun == generation else { return [] }
            return confirm(offline.session, user, at: moment)
        case .confirmationFailed(let begun, let error):
            guard begun == generation else { return [] }
            if error.code.endsSession { return doubt(offline.session, waiters: []) }
            // A service that can't say who the user is says by a refresh whether the session holds.
            if error.code == .unsupported, offline.session.tokens.refreshToken != nil {
                return refresh(offline, waiters: [])
            }
            offline.isAsking = false
            offline.retry = Backoff(after: error, failures: offline.retry.failures, at: moment)
            phase = .offline(offline)
            return []
        case .refreshSucceeded(let begun, let grant):
            return takeLate(grant, begun, offline.session, at: moment)
        default: return respondToStore(event, at: moment)
        }
    }

    private mutating func give(
        _ waiter: WaiterID, from offline: SessionPhase.Offline, at moment: Moment
    ) -> [SessionAction] {
        phase = .offline(offline)
        if offline.allowance != .blocked, offline.session.isUsable(at: moment) {
            return [.resume([waiter], given(offline.session))]
        }
        guard moment.uptime >= offline.retry.callers else {
            let error = offline.allowance == .blocked ? AuthError(.offlineBlocked) : offline.retry.error
            return [.resume([waiter], .failure(error))]
        }
        return refresh(offline, waiters: [waiter])
    }

    private mutating func tick(_ offline: SessionPhase.Offline, at moment: Moment) -> [SessionAction] {
        var offline = offline
        offline.session.look(at: moment)
        offline.allowance = policy.allowance(offline.session)
        phase = .offline(offline)
        var actions = rewrite(at: moment)
        if let standing = offline.session.standing { actions.append(.keepStanding(standing)) }
        offline.session = phase.session ?? offline.session
        guard moment.uptime >= offline.retry.next else { return actions }
        return actions + ask(offline, waiters: [], at: moment)
    }

    /// Asks the service: for new tokens where these are old, else whether it still knows them.
    private mutating func ask(
        _ offline: SessionPhase.Offline, waiters: [WaiterID], at moment: Moment
    ) -> [SessionAction] {
        guard offline.session.isUsable(at: moment), !offline.session.needsRenewal(at: moment) else {
            return refresh(offline, waiters: waiters)
        }
        var offline = offline
        // Should nobody ever answer, it is asked again.
        offline.retry = offline.retry.again(after: offline.retry.error, at: moment)
        offline.isAsking = true
        phase = .offline(offline)
        return [.confirm(generation, offline.session.tokens)]
    }

    private mutating func refresh(_ offline: SessionPhase.Offline, waiters: [WaiterID]) -> [SessionAction] {
        refresh(
            SessionPhase.Refreshing(
                session: offline.session, waiters: waiters, retry: offline.retry, allowance: offline.allowance))
    }
}

extension OfflinePolicy {
    /// By what had been seen of the time at the last look.
    func allowance(_ session: LiveSession) -> OfflineAllowance {
        guard let standing = session.standing else { return .blocked }
        return allowance(standing, of: session.user.subject, now: standing.seenAt)
    }
}
