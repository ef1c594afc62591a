// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A value behind a lock: what several tasks read and write without suspending. It may be shared, unlike
/// `Synchronization.Mutex`, and systems that are too old for that one have it too.
///
/// Nothing is awaited and nothing of others is called while it is held.
public final class Guarded<Value: Sendable>: Sendable {
    private let lock: Mutex<Value>

    /// Puts a value behind a lock.
    public init(_ value: Value) {
        lock = Mutex(value)
    }

    /// Runs `body` while nobody else runs theirs, and returns or throws what it does.
    public func withLock<Outcome: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        try lock.withLock { value throws(Failure) in try body(&value) }
    }

    /// The value as it is now.
    public var value: Value { withLock { $0 } }
}
