// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import os
#else
    import Synchronization
#endif

#if canImport(Darwin)
    /// A value behind a lock, as elsewhere; here by the lock that every version of the system has.
    ///
    /// Sendable, since nobody reaches the value but within `withLock`, one at a time, and it came in as what nobody
    /// else holds (`sending`). The lock is at one place in memory for as long as it lives, as the system demands.
    package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
        @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
        @usableFromInline let place: UnsafeMutablePointer<Value>

        package init(_ value: consuming sending Value) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
            place = .allocate(capacity: 1)
            place.initialize(to: value)
        }

        deinit {
            place.deinitialize(count: 1)
            place.deallocate()
            lock.deinitialize(count: 1)
            lock.deallocate()
        }

        /// Runs `body` while nobody else runs theirs, and returns or throws what it does.
        @inlinable
        package borrowing func withLock<Outcome: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Outcome
        ) throws(Failure) -> sending Outcome {
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            return try body(&place.pointee)
        }
    }
#else
    /// A value behind a lock: what several tasks read and write without suspending.
    ///
    /// What `Synchronization.Mutex` is, for systems that are too old to have it: macOS has it from 15 on, iOS from 18.
    /// Elsewhere it is that one, and costs what it does. Nothing is awaited and nothing of others is called while it is
    /// held, and nobody takes it twice.
    package struct Mutex<Value>: ~Copyable, Sendable {
        @usableFromInline let lock: Synchronization.Mutex<Value>

        @inlinable
        package init(_ value: consuming sending Value) {
            lock = .init(value)
        }

        /// Runs `body` while nobody else runs theirs, and returns or throws what it does.
        @inlinable
        package borrowing func withLock<Outcome: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Outcome
        ) throws(Failure) -> sending Outcome {
            try lock.withLock(body)
        }
    }
#endif
