// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Descriptors that are held so that there are some to let go of when connections have taken all others. Not only this
/// program's code needs one now and then: the system's dispatch library ends a process in which it can't open a file.
struct SpareDescriptors {
    private let count: Int
    private var held: [Int32] = []

    /// - Parameter count: how many to hold.
    init(_ count: Int) {
        self.count = count
    }

    /// Whether there is a descriptor that nobody holds.
    static var isAnyFree: Bool {
        let descriptor = any()
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    /// Takes hold of them.
    ///
    /// - Returns: whether there were as many; otherwise none is held.
    mutating func acquire() -> Bool {
        while held.count < count {
            let descriptor = Self.any()
            guard descriptor >= 0 else {
                release()
                return false
            }
            held.append(descriptor)
        }
        return true
    }

    mutating func release() {
        for descriptor in held { close(descriptor) }
        held = []
    }

    private static func any() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
