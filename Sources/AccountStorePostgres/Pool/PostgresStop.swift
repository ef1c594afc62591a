// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Dispatch

/// Says that nobody waits for a scan any more, to whichever connection is at it.
final class PostgresStop: Sendable {
    private struct State {
        var isSet = false
        var cancellation: PostgresCancellation?
    }

    private let state = Mutex(State())

    var isSet: Bool { state.withLock(\.isSet) }

    /// Ends the statement under way. Another thread opens the connection by which the server hears of it.
    func set() {
        let cancellation = state.withLock { state in
            state.isSet = true
            return state.cancellation
        }
        guard let cancellation else { return }
        DispatchQueue.global().async { cancellation.set() }
    }

    /// - Returns: `false` where it was said before.
    func watch(_ cancellation: PostgresCancellation?) -> Bool {
        state.withLock { state in
            state.cancellation = cancellation
            return !state.isSet
        }
    }

    /// What the connection does from now on is somebody else's.
    func end() { state.withLock { $0.cancellation = nil } }
}
