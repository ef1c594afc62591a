// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CArgon2
import Foundation
import Synchronization

/// What the reference library alone computes in a second: the bound that no sign-in can pass.
struct Argon2Rate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "argon2", abstract: "Count Argon2id hashes a second, on every core.")

    @Option(help: "KiB of one hash.")
    var memory: UInt32 = 19_456

    @Option(help: "Passes of one hash.")
    var iterations: UInt32 = 2

    @Option(help: "Threads; 0 for one a core.")
    var threads = 0

    @Option(help: "Seconds to measure for.")
    var seconds = 5.0

    func run() throws {
        let count = threads > 0 ? threads : ProcessInfo.processInfo.activeProcessorCount
        let hashes = Atomic<Int>(0)
        let start = ContinuousClock.now
        let end = start.advanced(by: .seconds(seconds))
        let (memory, iterations) = (memory, iterations)
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let salt = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 16)
            let password = Array("correct horse battery staple".utf8)
            var tag = [UInt8](repeating: 0, count: 32)
            while ContinuousClock.now < end {
                guard
                    argon2id_hash_raw(
                        iterations, memory, 1, password, password.count, salt, salt.count, &tag, tag.count)
                        == ARGON2_OK.rawValue
                else { return }
                hashes.add(1, ordering: .relaxed)
            }
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        print(Double(hashes.load(ordering: .relaxed)) / elapsed)
    }
}
