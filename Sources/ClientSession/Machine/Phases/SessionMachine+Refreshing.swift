// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// One refresh is under way. Whoever needs its result waits for it.
extension SessionMachine {
    /// Begins the one refresh.
    mutating func refresh(_ refreshing: SessionPhase.Refreshing) -> [SessionAction] {
        guard refreshing.session.tokens.refreshToken != nil else {
            return end(.sessionExpired, carrying: refreshing.waiters)
        }
        phase = .refreshing(refreshing)
        let session = refreshing.session
        return [
            .beginRefresh(
                Refresh(
                    generation: generation, kept: session.kept, isStored: session.unwritten == nil && writing == nil))
        ]
    }

    mutating func respond(
        to event: SessionEvent, in refreshing: SessionPhase.Refreshing, at moment: Moment
    ) -> [SessionAction] {
        var refreshing = refreshing
        switch event {
        case .tokenWanted(let waiter):
            if refreshing.session.isUsable(at: moment), refreshing.allowance != .blocked {
                return [.resume([waiter], given(refreshing.session))]
            }
            refreshing.waiters.append(waiter)
            phase = .refreshing(refreshing)
            return []
        case .tokenRefused(let token, let waiter, let stamp):
            let session = refreshing.session
            refreshing.session.isRefused =
                session.isRefused || isPresent(token, stamp, in: session, at: moment)
            refreshing.waiters.append(waiter)
            phase = .refreshing(refreshing)
            return []
        case .refreshSucceeded(let begun, let grant):
            guard begun == generation else { return dropLate(grant) }
            if let user = grant.user, !Subject.isSame(user.subject, refreshing.session.user.subject) {
                // An answer about somebody else is no answer.
                return refreshFailed(AuthError(.unavailable, reason: "another subject"), refreshing, at: moment)
            }
            // One that the store never got is written as a sign-in's is.
            let isRenewal = refreshing.session.unwritten == nil
            return store(
                refreshing.session.renewed(by: grant, at: moment), waiters: refreshing.waiters, isRenewal: isRenewal,
                at: moment)
        case .refreshFailed(let begun, let error):
            return begun == generation ? refreshFailed(error, refreshing, at: moment) : []
        case .refreshFoundOther(let begun, let kept, let standing):
            guard begun == generation else { return [] }
            return adopt(kept, standing, waiters: refreshing.waiters, at: moment)
        case .refreshFoundNothing(let begun):
            return begun == generation ? end(.userSignedOut, carrying: refreshing.waiters) : []
        default: return respondToStore(event, at: moment)
        }
    }

    /// An answer that comes later than anybody waited for it. By then the service may take no other refresh token than
    /// the one that it brings (RFC 9700, section 4.14.2): it is kept wherever the session is still the one that asked.
    mutating func takeLate(
        _ grant: SessionGrant, _ begun: Int, _ session: LiveSession, at moment: Moment
    ) -> [SessionAction] {
        guard begun == generation, grant.user.map({ Subject.isSame($0.subject, session.user.subject) }) ?? true else {
            return dropLate(grant)
        }
        let isRenewal = session.unwritten == nil
        return store(session.renewed(by: grant, at: moment), waiters: [], isRenewal: isRenewal, at: moment)
    }

    /// Whether the tokens that it would show have been replaced since it was asked for: one that waited behind it for
    /// the store's lock would show a token once more that the service has taken back, where the store could not take
    /// the next.
    func isAnswered(_ refresh: Refresh) -> Bool {
        guard let kept = phase.session?.kept, kept.family == refresh.kept.family else { return false }
        return kept.revision > refresh.kept.revision
    }

    private mutating func refreshFailed(
        _ error: AuthError, _ refreshing: SessionPhase.Refreshing, at moment: Moment
    ) -> [SessionAction] {
        if let reason = SignOutReason(refusal: error.code) { return end(reason, carrying: refreshing.waiters) }
        // Everything else says nothing about the session (F10).
        let retry = refreshing.retry.again(after: error, at: moment)
        let session = refreshing.session
        if session.isUsable(at: moment), refreshing.allowance == nil, error.code != .network {
            phase = .signedIn(SessionPhase.SignedIn(session: session, retry: retry))
            return resume(refreshing.waiters, with: given(session))
        }
        return goOffline(session, waiters: refreshing.waiters, retry: retry, at: moment)
    }
}
