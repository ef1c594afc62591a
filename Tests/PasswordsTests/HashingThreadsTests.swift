// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

@testable import Passwords

@Suite("HashingThreads", .timeLimit(.minutes(10)))
struct HashingThreadsTests {
    #if os(Linux)
        /// What Linux says of the thread that asks (proc(5), `/proc/thread-self/stat`).
        private static func place() -> (name: String, niceness: Int32)? {
            guard let text = try? String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[close...].split(separator: " ")
            guard fields.count > 17, let niceness = Int32(fields[17]) else { return nil }
            return (String(text[text.index(after: open)..<close]), niceness)
        }

        @Test("R9.16 hashing threads stand behind the others of the process, and are told from them by their name")
        func place() async throws {
            let own = try #require(Self.place())
            let threads = HashingThreads(
                HashingQueue(capacity: 8, threads: 2, deadline: .seconds(60)), clock: { Instant(seconds: 1_000) })
            threads.start()
            defer { threads.stop() }
            for _ in 0..<8 {
                let place = try #require(try await threads.run { _ in Self.place() })
                #expect(place.name == HashingThreads.name)
                #expect(place.niceness == min(19, own.niceness + HashingThreads.niceness))
            }
            #expect(Self.place()?.niceness == own.niceness)
        }
    #endif

    /// Memory by a kernel, which a debug build has for the asking alone.
    private static func started(_ rest: DispatchTimeInterval) throws -> HashingThreads {
        let kernel = try #require(Argon2KernelTests.kernels.last)
        let threads = HashingThreads(
            HashingQueue(capacity: 8, threads: 1, deadline: .seconds(60)), rest: rest, kernel: kernel,
            clock: { Instant(seconds: 1_000) })
        threads.start()
        return threads
    }

    private static let hash = Argon2(parameters: HashingBench.cost, salt: [UInt8](repeating: 7, count: 16))

    @Test("A hashing thread keeps its memory from one hash to the next")
    func keeps() async throws {
        let threads = try Self.started(.seconds(600))
        defer { threads.stop() }
        let tag = try await threads.run { $0.tag(of: [1], Self.hash) }
        #expect(tag == Argon2Library.tag(of: [1], Self.hash))
        let kept = try await threads.run { $0.kept }
        #expect(!kept.isEmpty && kept.allSatisfy { $0 == 0 })
    }

    @Test("A hashing thread without work gives its memory back to the system, and hashes again afterwards")
    func givesBack() async throws {
        let threads = try Self.started(.nanoseconds(0))
        defer { threads.stop() }
        for _ in 0..<3 {
            let tag = try await threads.run { $0.tag(of: [1], Self.hash) }
            #expect(tag == Argon2Library.tag(of: [1], Self.hash))
            // Work that comes before the thread has noticed that there is none finds the memory still there.
            var attempts = 0
            while try await !threads.run({ $0.kept.isEmpty }), attempts < 100_000 { attempts += 1 }
            #expect(attempts < 100_000)
        }
    }
}
