// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A reference that is set once and read by many. What `AtomicLazyReference` of the standard library is, but for its
/// price: that one's `load()` is called through generic metadata, and costs as much as reading a header.
///
/// The unsafe code is sound because `place` changes once only, from 0 to the address of an object that was retained
/// for it, and the object is released by `deinit` alone, which nobody runs beside: whoever reads it holds this value.
/// The exchange releases and the load acquires, so that a reader sees the object as it was when it was set.
struct SetOnce<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of the object; 0 for none.
    private let place = AtomicNumber()

    init() {}

    @inline(__always)
    func load() -> Value? {
        UnsafeRawPointer(bitPattern: place.load()).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Does nothing where there is a value already.
    func setIfNil(_ value: Value) {
        let retained = Unmanaged.passRetained(value)
        let isSet = place.exchange(expected: 0, desired: Int(bitPattern: retained.toOpaque()))
        if !isSet { retained.release() }
    }

    deinit {
        guard let pointer = UnsafeRawPointer(bitPattern: place.load()) else { return }
        Unmanaged<Value>.fromOpaque(pointer).release()
    }
}
