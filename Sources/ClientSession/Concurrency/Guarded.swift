// SPDX-License-Identifier: Apache-2.0

#if canImport(os)
    import os
#else
    import Synchronization
#endif

/// A value behind a lock: what several tasks read and write without suspending. `Synchronization.Mutex` in form, and it
/// where there is one; iOS has it from 18 on.
///
/// Nothing is awaited and nothing of others is called while it is held.
public final class Guarded<Value: Sendable>: Sendable {
    #if canImport(os)
        private let lock: OSAllocatedUnfairLock<Value>

        public init(_ value: Value) {
            lock = OSAllocatedUnfairLock(uncheckedState: value)
        }

        /// Runs `body` while nobody else runs theirs, and returns or throws what it does.
        public func withLock<Outcome: Sendable, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Outcome
        ) throws(Failure) -> Outcome {
            let outcome: Result<Outcome, Failure> = lock.withLockUnchecked { value in
                do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
            }
            return try outcome.get()
        }
    #else
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
    #endif

    /// The value as it is now.
    public var value: Value { withLock { $0 } }
}
