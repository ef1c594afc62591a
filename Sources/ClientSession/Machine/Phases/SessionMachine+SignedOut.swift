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
        let keeping = session.standing.map { [SessionAction.keepStanding($0)] } ?? []
        if isReachable == false {
            return keeping
                + goOffline(
                    session, waiters: waiters, retry: Backoff(after: AuthError(.network), at: moment), at: moment)
        }
        guard session.isUsable(at: moment) else {
            return keeping + refresh(SessionPhase.Refreshing(session: session, waiters: waiters))
        }
        phase = .signedIn(SessionPhase.SignedIn(session: session))
        return keeping + resume(waiters, with: given(session))
            + [.confirm(generation, session.tokens)]
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
