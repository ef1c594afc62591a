// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Synchronization
#endif

/// A flag that several tasks read and set, as ``AtomicNumber``.
package struct AtomicFlag: ~Copyable, Sendable {
    #if canImport(Darwin)
        @usableFromInline let place: Mutex<Bool>

        package init(_ value: Bool = false) {
            place = Mutex(value)
        }

        @inlinable
        package borrowing func load() -> Bool { place.withLock { $0 } }

        @inlinable
        package borrowing func store(_ value: Bool) { place.withLock { $0 = value } }
    #else
        @usableFromInline let place: Atomic<Bool>

        @inlinable
        package init(_ value: Bool = false) {
            place = Atomic(value)
        }

        @inlinable
        package borrowing func load() -> Bool { place.load(ordering: .acquiring) }

        @inlinable
        package borrowing func store(_ value: Bool) { place.store(value, ordering: .releasing) }
    #endif
}
