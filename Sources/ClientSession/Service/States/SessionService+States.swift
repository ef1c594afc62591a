// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SessionService {
    public func states() -> AsyncStream<AuthState> {
        let core = core
        let listener = core.withLock { locked in
            let id = locked.makeID()
            let listener = StateListener(locked.told.state, locked.told.key) {
                core.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
            // Under the lock, so that no later state is missed.
            locked.listeners[id] = WeakListener(listener: listener)
            return listener
        }
        return AsyncStream(unfolding: { await listener.next() }, onCancel: { listener.end() })
    }

    /// In the order of the changes, each with what had to be done before it.
    func tell(_ state: AuthState, _ key: ShownKey) {
        let listeners = core.withLock { core in
            core.told = (state, key)
            return core.listeners.values.compactMap(\.listener)
        }
        for listener in listeners { listener.offer(state, key) }
    }
}
