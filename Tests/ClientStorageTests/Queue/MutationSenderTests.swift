// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import ClientStorage

struct MutationSenderTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()

    init() throws { directory = try TemporaryDirectory() }

    private func queue() async throws -> MutationQueue {
        let queue = MutationQueue(directory: directory.path + "/queue", key: FixedKey())
        for (key, subject) in [("a", "ada"), ("b", "ada"), ("c", "grace")] {
            try await queue.append([1], kind: "note", idempotencyKey: key, subject: subject, at: clock.now)
        }
        return queue
    }

    @Test(
        "G-7.4 G-13.3 G-13.6 What waits is sent as its user when the service is there; what is left goes with them, or stays by choice"
    )
    func whole() async throws {
        let queue = try await queue()
        let told = Guarded<[String]>([])
        let sender = MutationSender(queue: queue, clock: clock) { change in
            told.withLock { $0.append(change.idempotencyKey) }
            let isEarly = change.idempotencyKey == "b" && told.value.count < 3
            return isEarly || change.idempotencyKey == "d" ? .later(after: .minutes(5)) : .done
        }
        let service = SessionService(
            backend: ScriptedBackend(), store: MemoryStore(), clock: clock, companions: [sender])
        _ = try await service.signIn(with: .anonymous)
        while told.value.count < 2 { await Task.yield() }
        while try await queue.waiting(subject: "ada") > 1 { await Task.yield() }
        await service.signOut(SignOutOptions(keepsLocalData: true))
        #expect(try await queue.waiting(subject: "ada") == 1)
        clock.advance(by: .minutes(10))
        for _ in 0..<100 { await Task.yield() }
        // Nobody is signed in: nothing is sent.
        #expect(told.value == ["a", "b"])
        _ = try await service.signIn(with: .anonymous)
        while told.value.count < 3 { await Task.yield() }
        try await queue.append([1], kind: "note", idempotencyKey: "d", subject: "ada", at: clock.now)
        await service.signOut(SignOutOptions())
        #expect(try await queue.waiting(subject: "ada") == 0)
        #expect(try await queue.waiting(subject: "grace") == 1)
        #expect(told.value.prefix(3) == ["a", "b", "b"] && !told.value.contains("c"))
    }
}
