// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CArgon2
import CArgon2Kernel
import Foundation
import Synchronization

/// What hashing alone computes in a second, by what the server hashes with: the bound that no sign-in can pass.
struct Argon2Rate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "argon2", abstract: "Count Argon2id hashes a second, on every core.")

    @Option(help: "KiB of one hash.")
    var memory: UInt32 = 19_456

    @Option(help: "Passes of one hash.")
    var iterations: UInt32 = 2

    @Option(help: "Lanes of one hash: the library takes a thread for each, the kernel none beyond its own.")
    var lanes: UInt32 = 1

    @Option(help: "Threads; 0 for one a core.")
    var threads = 0

    @Option(help: "Seconds to measure for.")
    var seconds = 5.0

    @Flag(
        help: """
            Print a line for the system's libargon2 (0 bits) and each kernel that this processor has: the bits of its vectors, \
            hashes a second, and how many times the library's that is. They take turns; medians of seven turns.
            """)
    var compare = false

    func run() throws {
        let count = threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
        guard compare else {
            print(rate(lk_argon2_best_kernel(), count, seconds))
            return
        }
        let kernels = [Int32(0)] + (1...3).filter { lk_argon2_has_kernel($0) != 0 }
        var turns = kernels.map { _ in [Double]() }
        for _ in 0..<7 {
            for (index, kernel) in kernels.enumerated() { turns[index].append(rate(kernel, count, seconds / 7)) }
        }
        let medians = turns.map { $0.sorted()[3] }
        for (kernel, median) in zip(kernels, medians) {
            print(kernel == 0 ? 0 : 64 << kernel, median, median / medians[0])
        }
    }

    /// Hashes a second of one kernel, each thread in memory of its own; 0 is the library.
    private func rate(_ kernel: Int32, _ count: Int, _ seconds: Double) -> Double {
        let hashes = Atomic<Int>(0)
        let start = ContinuousClock.now
        let end = start.advanced(by: .seconds(seconds))
        let (memory, iterations, lanes) = (memory, iterations, lanes)
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let salt = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 16)
            let password = Array("correct horse battery staple".utf8)
            var tag = [UInt8](repeating: 0, count: 32)
            let kept = lk_argon2_memory_create(memory)
            defer { lk_argon2_memory_destroy(kept) }
            while ContinuousClock.now < end {
                let result =
                    kernel == 0
                    ? argon2id_hash_raw(
                        iterations, memory, lanes, password, password.count, salt, salt.count, &tag, tag.count)
                    : lk_argon2_hash(
                        kept, kernel, 2, iterations, memory, lanes, password, password.count, salt, salt.count, nil, 0,
                        nil,
                        0, &tag, tag.count)
                guard result == 0 else { return }
                hashes.add(1, ordering: .relaxed)
            }
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        return Double(hashes.load(ordering: .relaxed)) / elapsed
    }
}
