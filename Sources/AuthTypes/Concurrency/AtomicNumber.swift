// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Synchronization
#endif

/// A number that several tasks read and change without waiting for each other: `Synchronization.Atomic`, and a number
/// behind a lock on systems that may be too old to have it.
///
/// What was written before a `store` or a change is seen by whoever reads its outcome.
package struct AtomicNumber: ~Copyable, Sendable {
    #if canImport(Darwin)
        @usableFromInline let place: Mutex<Int>

        package init(_ value: Int = 0) {
            place = Mutex(value)
        }

        @inlinable
        package borrowing func load() -> Int { place.withLock { $0 } }

        @inlinable
        package borrowing func store(_ value: Int) { place.withLock { $0 = value } }

        /// Adds a number, which may be negative, and wraps around at the ends.
        ///
        /// - Returns: what it is then.
        @inlinable @discardableResult
        package borrowing func add(_ number: Int) -> Int {
            place.withLock { value in
                value &+= number
                return value
            }
        }

        /// - Returns: whether it was what was expected, and so is what is desired now.
        @inlinable
        package borrowing func exchange(expected: Int, desired: Int) -> Bool {
            place.withLock { value in
                guard value == expected else { return false }
                value = desired
                return true
            }
        }
    #else
        @usableFromInline let place: Atomic<Int>

        @inlinable
        package init(_ value: Int = 0) {
            place = Atomic(value)
        }

        @inlinable
        package borrowing func load() -> Int { place.load(ordering: .acquiring) }

        @inlinable
        package borrowing func store(_ value: Int) { place.store(value, ordering: .releasing) }

        /// Adds a number, which may be negative, and wraps around at the ends.
        ///
        /// - Returns: what it is then.
        @inlinable @discardableResult
        package borrowing func add(_ number: Int) -> Int {
            place.wrappingAdd(number, ordering: .acquiringAndReleasing).newValue
        }

        /// - Returns: whether it was what was expected, and so is what is desired now.
        @inlinable
        package borrowing func exchange(expected: Int, desired: Int) -> Bool {
            place.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing).exchanged
        }
    #endif
}
