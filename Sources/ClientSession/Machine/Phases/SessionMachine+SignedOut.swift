// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Nobody is signed in. What another process does is taken over.
extension SessionMachine {
    mutating func respond(
        to event: SessionEvent, signedOut reason: SignOutReason, at moment: Moment
    ) -> [SessionAction] {
        switch event {
        case .tokenWanted(let waiter), .tokenRefused(_, let waiter, _):
            return [.resume([waiter], .failure(reason.error))]
        case .storeChanged:
            return read(at: moment)
        case .storeRead(let call, .session(let kept, let standing)):
            guard call == reading else { return [] }
            reading = nil
            guard kept.backend == backend, attempt == nil else { return [] }
            if ended.contains(kept.family) { return [.erase(family: kept.family)] }
            // The user signed out while nobody could see what there is: it is this.
            if let unerased, unerased.family == nil { return [.erase(family: nil)] }
            beginGeneration()
            return open(LiveSession(kept, standing: standing, at: moment), waiters: [], at: moment)
        case .storeRead(let call, _):
            if call == reading { reading = nil }
            return []
        case .refreshSucceeded(_, let grant):
            return dropLate(grant)
        default: return []
        }
    }

    /// A session that comes from a store: shown as what it is good for, and then the service is asked (G-5.2).
    mutating func open(_ session: LiveSession, waiters: [WaiterID], at moment: Moment) -> [SessionAction] {
        let before = phase.shownKey
        let opening = show(session, waiters: waiters, at: moment)
        let keeping = session.standing.map { [SessionAction.keepStanding($0)] } ?? []
        // Nobody hears of it before what is another user's on the device has gone.
        return [.claimLocalData(session.kept)] + (phase.shownKey == before ? [] : [.notify]) + keeping + opening
    }

    private mutating func show(_ session: LiveSession, waiters: [WaiterID], at moment: Moment) -> [SessionAction] {
        let retry = Backoff(after: AuthError(.network), at: moment)
        if isReachable == false { return goOffline(session, waiters: waiters, retry: retry, at: moment) }
        // One whose time without an answer is over stays closed for as long as there is none: a clock that was set back
        // makes the token live again, and not the session (G-7.6).
        let allowance = policy.allowance(session)
        let isClosed = allowance != .full
        guard session.isUsable(at: moment), waiters.isEmpty || !isClosed else {
            return refresh(
                SessionPhase.Refreshing(
                    session: session, waiters: waiters, retry: isClosed ? retry : nil,
                    allowance: isClosed ? allowance : nil))
        }
        if isClosed {
            var retry = retry
            retry.callers = moment.uptime
            phase = .offline(
                SessionPhase.Offline(session: session, allowance: allowance, retry: retry, isAsking: true))
            return [.confirm(generation, session.tokens)]
        }
        phase = .signedIn(SessionPhase.SignedIn(session: session))
        return resume(waiters, with: given(session)) + [.confirm(generation, session.tokens)]
    }
}

extension SignOutReason {
    /// What somebody gets who wants a token then.
    var error: AuthError {
        switch self {
        case .neverSignedIn, .userSignedOut, .storeCorrupted: AuthError(.notSignedIn)
        case .sessionExpired: AuthError(.sessionExpired)
        case .sessionRevoked: AuthError(.tokensRevoked)
        case .accountDeleted: AuthError(.userNotFound)
        case .accountDisabled: AuthError(.userBanned)
        }
    }
}
