// SPDX-License-Identifier: Apache-2.0

/// An answer that one task waits for and that several may give: the first counts, also one that comes before anybody
/// waits.
///
/// For what the system calls back once, never, or twice, and for a caller who may give up meanwhile.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case over
    }

    private let state = Guarded(State.open)

    /// - Returns: whether it was the first.
    @discardableResult
    func give(_ value: Value) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .open:
                state = .given(value)
                return (true, nil)
            case .awaited(let waiter):
                state = .over
                return (true, waiter)
            case .given, .over: return (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// To be asked once.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let given = state.withLock { state -> Value? in
                guard case .given(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .over
                return value
            }
            if let given { continuation.resume(returning: given) }
        }
    }
}
