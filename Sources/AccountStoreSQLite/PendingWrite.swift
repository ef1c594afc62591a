// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What came of a write whose caller does something else meanwhile. Nobody is woken where it came before it was asked
/// for.
final class PendingWrite<Value: Sendable>: Sendable {
    private enum State {
        case underWay
        case awaited(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State.underWay)

    /// Called once.
    func settle(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            if case .awaited(let continuation) = state { return continuation }
            state = .settled(result)
            return nil
        }
        waiting?.resume(with: result)
    }

    /// Asked for once.
    ///
    /// - Throws: what the write failed with.
    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Value, any Error>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
