// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Signed in, with a token at hand that has not been refused.
extension SessionMachine {
    mutating func respond(
        to event: SessionEvent, in signedIn: SessionPhase.SignedIn, at moment: Moment
    ) -> [SessionAction] {
        var session = signedIn.session
        switch event {
        case .tokenWanted(let waiter):
            return give(waiter, from: signedIn, at: moment)
        case .tokenRefused(let token, let waiter, let stamp):
            guard isPresent(token, stamp, in: session, at: moment) else {
                // It has been replaced meanwhile: try again with the new one.
                return give(waiter, from: signedIn, at: moment)
            }
            guard !session.wasJustRenewedForRefusal(at: moment) else {
                return [.resume([waiter], .failure(AuthError(.tokenInvalid)))]
            }
            session.isRefused = true
            return refresh(SessionPhase.Refreshing(session: session, waiters: [waiter], retry: signedIn.retry))
        case .clockTick:
            return tick(signedIn, at: moment)
        case .networkChanged(let isReachable):
            guard isReachable else {
                return goOffline(
                    session, waiters: [], retry: Backoff(after: AuthError(.network), at: moment), at: moment)
            }
            if signedIn.retry?.isTold(at: moment) == true { return [] }
            phase = .signedIn(SessionPhase.SignedIn(session: session))
            return session.needsRenewal(at: moment) ? refresh(SessionPhase.Refreshing(session: session)) : []
        case .confirmed(let begun, let user):
            return begun == generation ? confirm(session, user, at: moment) : []
        case .confirmationFailed(let begun, let error):
            guard begun == generation else { return [] }
            if error.code.endsSession { return doubt(session, waiters: []) }
            guard error.code == .network else { return [] }
            return goOffline(session, waiters: [], retry: Backoff(after: error, at: moment), at: moment)
        case .refreshSucceeded(let begun, let grant):
            return takeLate(grant, begun, session, at: moment)
        default: return respondToStore(event, at: moment)
        }
    }

    private mutating func give(
        _ waiter: WaiterID, from signedIn: SessionPhase.SignedIn, at moment: Moment
    ) -> [SessionAction] {
        let session = signedIn.session
        let mayAsk = signedIn.retry.map { moment.uptime >= $0.callers } ?? true
        guard session.isUsable(at: moment) else {
            guard mayAsk else {
                let retry = signedIn.retry ?? Backoff(after: AuthError(.network), at: moment)
                return goOffline(session, waiters: [waiter], retry: retry, at: moment)
            }
            return refresh(SessionPhase.Refreshing(session: session, waiters: [waiter], retry: signedIn.retry))
        }
        let token = [SessionAction.resume([waiter], given(session))]
        guard session.needsRenewal(at: moment), signedIn.retry == nil else { return token }
        return refresh(SessionPhase.Refreshing(session: session)) + token
    }

    private mutating func tick(_ signedIn: SessionPhase.SignedIn, at moment: Moment) -> [SessionAction] {
        var session = signedIn.session
        session.look(at: moment)
        phase = .signedIn(SessionPhase.SignedIn(session: session, retry: signedIn.retry))
        let keeping = session.standing.map { [SessionAction.keepStanding($0)] } ?? []
        let writing = keeping + rewrite(at: moment)
        session = phase.session ?? session
        guard session.needsRenewal(at: moment) else { return writing }
        if let retry = signedIn.retry, moment.uptime < retry.next {
            return session.isUsable(at: moment)
                ? writing : writing + goOffline(session, waiters: [], retry: retry, at: moment)
        }
        return writing + refresh(SessionPhase.Refreshing(session: session, retry: signedIn.retry))
    }

    /// The service does not take the access token: only a refresh tells what that means.
    mutating func doubt(_ session: LiveSession, waiters: [WaiterID]) -> [SessionAction] {
        var session = session
        session.isRefused = true
        return refresh(SessionPhase.Refreshing(session: session, waiters: waiters))
    }

    /// The service has confirmed the session, and said who the user is now.
    mutating func confirm(_ session: LiveSession, _ user: SessionUser, at moment: Moment) -> [SessionAction] {
        guard Subject.isSame(user.subject, session.user.subject) else { return [] }
        var session = session
        let isChanged = session.user != user
        session.kept.user = user
        let standing = OfflineStanding(subject: user.subject, validatedAt: moment.now, serverDate: nil)
        session.standing = standing
        session.looked = moment.uptime
        if isReachable == false { isReachable = nil }
        // Whoever can say who the user is may still be unable to renew the tokens.
        let retry: Backoff? = if case .signedIn(let signedIn) = phase { signedIn.retry } else { nil }
        phase = .signedIn(SessionPhase.SignedIn(session: session, retry: retry))
        // Whatever waits for the service waits no longer (G-7.4).
        return (isChanged ? writeAgain() : []) + [.keepStanding(standing), .flushQueue]
    }
}

extension LiveSession {
    /// A service that refuses the next token too refuses something else than its age: no refresh helps, and one for
    /// each request would be a storm.
    func wasJustRenewedForRefusal(at moment: Moment) -> Bool {
        renewedForRefusal.map { moment.uptime - $0 < .seconds(30) } ?? false
    }
}
