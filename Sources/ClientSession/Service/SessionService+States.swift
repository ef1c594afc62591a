// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SessionService {
    public func states() -> AsyncStream<AuthState> {
        let (stream, continuation) = AsyncStream<AuthState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = core.withLock { core in
            let id = core.makeID()
            core.listeners[id] = continuation
            // Under the lock, so that no later state comes before it.
            continuation.yield(core.machine.phase.shown)
            return id
        }
        let core = core
        continuation.onTermination = { _ in core.withLock { _ = $0.listeners.removeValue(forKey: id) } }
        return stream
    }

    /// Each listener gets the state as it is now: of several changes in between the last one counts.
    func notify() {
        core.withLock { core in
            let state = core.machine.phase.shown
            for listener in core.listeners.values { listener.yield(state) }
        }
    }
}
