// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Before the store has answered, and while it can't. Nobody is signed in or out in either.
extension SessionMachine {
    mutating func respond(
        to event: SessionEvent, in restoring: SessionPhase.Restoring, at moment: Moment
    ) -> [SessionAction] {
        switch event {
        case .start, .storeChanged, .storeUnlocked:
            return reading == nil ? read(at: moment) : []
        case .tokenWanted(let waiter), .tokenRefused(_, let waiter, _):
            phase = .restoring(SessionPhase.Restoring(waiters: restoring.waiters + [waiter]))
            return reading == nil ? read(at: moment) : []
        case .clockTick:
            return isSilent(at: moment) ? wait(waiters: restoring.waiters, retry: nil, at: moment) : []
        case .storeRead(let call, let contents):
            guard call == reading else { return [] }
            reading = nil
            return restore(contents, waiters: restoring.waiters, retry: nil, at: moment)
        default: return []
        }
    }

    mutating func respond(
        to event: SessionEvent, in locked: SessionPhase.StoreLocked, at moment: Moment
    ) -> [SessionAction] {
        switch event {
        case .start, .storeUnlocked, .storeChanged:
            return read(at: moment)
        case .tokenWanted(let waiter), .tokenRefused(_, let waiter, _):
            // A store that is silent already holds up nobody else.
            if reading != nil, readingDeadline == nil {
                return [.resume([waiter], .failure(AuthError(.storeUnavailable)))]
            }
            var locked = locked
            locked.waiters.append(waiter)
            phase = .storeLocked(locked)
            return reading == nil ? read(at: moment) : []
        case .clockTick:
            if isSilent(at: moment) { return wait(waiters: locked.waiters, retry: locked.retry, at: moment) }
            return reading == nil && moment.uptime >= locked.retry.next ? read(at: moment) : []
        case .storeRead(let call, let contents):
            guard call == reading else { return [] }
            reading = nil
            return restore(contents, waiters: locked.waiters, retry: locked.retry, at: moment)
        default: return []
        }
    }

    mutating func read(at moment: Moment) -> [SessionAction] {
        let call = nextStoreCall()
        reading = call
        readingDeadline = moment.uptime + Self.storeDeadline
        return [.readStore(call)]
    }

    private func isSilent(at moment: Moment) -> Bool {
        reading != nil && readingDeadline.map { moment.uptime >= $0 } ?? false
    }

    /// Goes on waiting for the store's answer, which may be the user's to give; but nobody else waits with it.
    private mutating func wait(waiters: [WaiterID], retry: Backoff?, at moment: Moment) -> [SessionAction] {
        readingDeadline = nil
        let error = AuthError(.storeUnavailable)
        phase = .storeLocked(SessionPhase.StoreLocked(retry: retry.again(after: error, at: moment)))
        return resume(waiters, with: .failure(error))
    }

    private mutating func restore(
        _ contents: StoreContents, waiters: [WaiterID], retry: Backoff?, at moment: Moment
    ) -> [SessionAction] {
        readingDeadline = nil
        switch contents {
        case .session(let kept, let standing) where kept.backend == backend:
            beginGeneration()
            let session = LiveSession(kept, standing: standing, at: moment)
            return open(session, waiters: waiters, at: moment)
        case .session, .nothing:
            return stayOut(.neverSignedIn, waiters: waiters)
        case .left:
            return stayOut(.userSignedOut, waiters: waiters)
        // Whoever signs in meanwhile means that.
        case .step where attempt != nil: return stayOut(.neverSignedIn, waiters: waiters)
        case .step(let step):
            let reason = SignOutReason.neverSignedIn
            phase = .awaiting(SessionPhase.Awaiting(step: step, number: nextStep(), before: reason))
            return resume(waiters, with: .failure(reason.error))
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
