// SPDX-License-Identifier: Apache-2.0

import CArgon2Kernel

/// Computes Argon2 in memory that one thread keeps from one hash to the next, since to get 19 MiB anew from the system
/// takes as long as half a hash. Between hashes it holds zeros.
///
/// Version 0x13 is computed by the kernel of our own (ADR 0080), everything else, and everything in a build or on a
/// processor for which there is none, by the system's library.
final class Argon2Memory {
    /// By which vectors the kernel works.
    enum Kernel: Int32, CaseIterable {
        case words2 = 1
        case words4 = 2
        case words8 = 3

        /// Whether this processor has them.
        var isHere: Bool { lk_argon2_has_kernel(rawValue) != 0 }

        /// The widest that is here; `nil` in a build without optimisation too, where the library is faster.
        static var best: Kernel? { Kernel(rawValue: lk_argon2_best_kernel()) }
    }

    /// The cost in KiB of a hash whose memory is kept. An imported one that costs more has memory for itself alone.
    static let bound: UInt32 = 64 << 10

    private let kernel: Kernel?
    private let memory: OpaquePointer?

    /// - Parameters:
    ///   - bound: KiB of the largest hash whose memory is kept.
    ///   - kernel: `nil` for the system's library.
    init(bound: UInt32 = Argon2Memory.bound, kernel: Kernel? = .best) {
        self.kernel = kernel
        memory = kernel == nil ? nil : lk_argon2_memory_create(bound)
    }

    deinit {
        lk_argon2_memory_destroy(memory)
    }

    /// `nil` for want of memory, and for parameters that Argon2 does not have.
    func tag(of password: [UInt8], _ argon2: Argon2) -> [UInt8]? {
        guard let kernel, memory != nil, argon2.version == Argon2.currentVersion else {
            return Argon2Library.tag(of: password, argon2)
        }
        let cost = argon2.parameters
        var tag = [UInt8](repeating: 0, count: argon2.length)
        let result = lk_argon2_hash(
            memory, kernel.rawValue, argon2.kind.rawValue, cost.iterations, cost.memoryKiB, cost.parallelism, password,
            password.count, argon2.salt, argon2.salt.count, nil, 0, argon2.associatedData,
            argon2.associatedData.count, &tag, tag.count)
        return switch Int(result) {
        case LK_ARGON2_OK: tag
        case LK_ARGON2_UNSUPPORTED: Argon2Library.tag(of: password, argon2)
        default: nil
        }
    }

    /// Gives what is kept back to the system, until the next hash.
    func release() {
        lk_argon2_memory_release(memory)
    }

    /// What is kept, as it is now.
    var kept: [UInt8] {
        var length = 0
        guard let octets = lk_argon2_memory_kept(memory, &length) else { return [] }
        return Array(UnsafeBufferPointer(start: octets, count: length))
    }
}
