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
                let place = try #require(try await threads.run { Self.place() })
                #expect(place.name == HashingThreads.name)
                #expect(place.niceness == min(19, own.niceness + HashingThreads.niceness))
            }
            #expect(Self.place()?.niceness == own.niceness)
        }
    #endif
}
