// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Before the store has answered, and while it can't. Nobody is signed in or out in either.
extension SessionMachine {
    mutating func respond(
        to event: SessionEvent, in restoring: SessionPhase.Restoring, at moment: Moment
    ) -> [SessionAction] {
        switch event {
        case .start, .storeChanged, .storeUnlocked, .clockTick, .networkChanged:
            return reading == nil && isBeginning(event) ? read() : []
        case .tokenWanted(let waiter), .tokenRefused(_, let waiter):
            phase = .restoring(SessionPhase.Restoring(waiters: restoring.waiters + [waiter]))
            return reading == nil ? read() : []
        case .storeRead(let call, let contents):
            guard call == reading else { return [] }
            reading = nil
            return restore(contents, waiters: restoring.waiters, retry: nil, at: moment)
        default: return []
        }
    }

    private func isBeginning(_ event: SessionEvent) -> Bool {
        switch event {
        case .start, .storeChanged, .storeUnlocked: true
        default: false
        }
    }

    mutating func respond(
        to event: SessionEvent, in locked: SessionPhase.StoreLocked, at moment: Moment
    ) -> [SessionAction] {
        switch event {
        case .start, .storeUnlocked, .storeChanged:
            return read()
        case .tokenWanted(let waiter), .tokenRefused(_, let waiter):
            var locked = locked
            locked.waiters.append(waiter)
            phase = .storeLocked(locked)
            return reading == nil ? read() : []
        case .clockTick:
            return reading == nil && moment.uptime >= locked.retry.next ? read() : []
        case .storeRead(let call, let contents):
            guard call == reading else { return [] }
            reading = nil
            return restore(contents, waiters: locked.waiters, retry: locked.retry, at: moment)
        default: return []
        }
    }

    mutating func read() -> [SessionAction] {
        let call = nextStoreCall()
        reading = call
        return [.readStore(call)]
    }

    private mutating func restore(
        _ contents: StoreContents, waiters: [WaiterID], retry: Backoff?, at moment: Moment
    ) -> [SessionAction] {
        switch contents {
        case .session(let kept, let standing) where kept.backend == backend:
            beginGeneration()
            let session = LiveSession(kept, standing: standing, at: moment)
            return open(session, waiters: waiters, at: moment)
        case .session, .nothing:
            return stayOut(.neverSignedIn, waiters: waiters)
        case .corrupted:
            return stayOut(.storeCorrupted, waiters: waiters)
        case .unreadable:
            // Unreadable is not absent (F8): nobody is signed out, nothing is deleted.
            let error = AuthError(.storeUnavailable)
            phase = .storeLocked(SessionPhase.StoreLocked(retry: retry.again(after: error, at: moment)))
            return resume(waiters, with: .failure(error))
        }
    }

    private mutating func stayOut(_ reason: SignOutReason, waiters: [WaiterID]) -> [SessionAction] {
        phase = .signedOut(reason)
        return resume(waiters, with: .failure(reason.error))
    }
}
