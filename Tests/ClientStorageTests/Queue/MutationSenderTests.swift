// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import TestSupport
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
        try await eventually("two changes are sent") { told.value.count >= 2 }
        try await eventually("one of them is off the queue") { try await queue.waiting(subject: "ada") <= 1 }
        await service.signOut(SignOutOptions(keepsLocalData: true))
        #expect(try await queue.waiting(subject: "ada") == 1)
        clock.advance(by: .minutes(10))
        for _ in 0..<100 { await Task.yield() }
        // Nobody is signed in: nothing is sent.
        #expect(told.value == ["a", "b"])
        _ = try await service.signIn(with: .anonymous)
        try await eventually("the third is sent") { told.value.count >= 3 }
        try await queue.append([1], kind: "note", idempotencyKey: "d", subject: "ada", at: clock.now)
        await service.signOut(SignOutOptions())
        #expect(try await queue.waiting(subject: "ada") == 0)
        #expect(try await queue.waiting(subject: "grace") == 1)
        #expect(told.value.prefix(3) == ["a", "b", "b"] && !told.value.contains("c"))
    }

    @Test("G-13.3 What could not be cleared is cleared when another user is there, and not when its own is back")
    func clearedLater() async throws {
        let queue = try await queue()
        let store = LockedQueue(queue)
        let failures = Guarded(0)
        let sender = MutationSender(queue: store, clock: clock, failed: { _ in failures.withLock { $0 += 1 } }) { _ in
            .later(after: .hours(1))
        }
        for (back, left) in [("ada", 2), ("edith", 0)] {
            store.isLocked.withLock { $0 = true }
            await sender.sessionEnded(SignOutOptions(), of: "ada")
            store.isLocked.withLock { $0 = false }
            #expect(try await queue.waiting(subject: "ada") == 2)
            await sender.sessionReady(SessionUser(subject: back))
            #expect(try await queue.waiting(subject: "ada") == left)
        }
        #expect(failures.value == 2)
        #expect(try await queue.waiting(subject: "grace") == 1)
    }

    @Test(
        "G-13.3 Of two users whose identifiers Swift takes for one text each is cleared, and neither by the other's return"
    )
    func spelled() async throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        let queue = try await queue()
        let store = LockedQueue(queue)
        let sender = MutationSender(queue: store, clock: clock) { _ in .later(after: .hours(1)) }
        for subject in [one, two] {
            try await queue.append([1], kind: "note", idempotencyKey: "e", subject: subject, at: clock.now)
            store.isLocked.withLock { $0 = true }
            await sender.sessionEnded(SignOutOptions(), of: subject)
        }
        store.isLocked.withLock { $0 = false }
        await sender.sessionReady(SessionUser(subject: two))
        #expect(try await queue.waiting(subject: one) == 0)
        #expect(try await queue.waiting(subject: two) == 1)
    }
}

/// A queue that can't be cleared while it is locked.
private final class LockedQueue: MutationStoring {
    let isLocked = Guarded(false)
    private let queue: MutationQueue

    init(_ queue: MutationQueue) { self.queue = queue }

    func append(
        _ payload: [UInt8], kind: String, idempotencyKey: String, subject: String, at now: Instant
    ) async throws(MutationQueueError) {
        try await queue.append(payload, kind: kind, idempotencyKey: idempotencyKey, subject: subject, at: now)
    }
    func flush(
        subject: String, kind: String?, clock: any ClientClock, by tell: @Sendable (Mutation) async -> MutationOutcome
    ) async throws -> MutationFlush { try await queue.flush(subject: subject, kind: kind, clock: clock, by: tell) }
    func waiting(subject: String) async throws(MutationQueueError) -> Int { try await queue.waiting(subject: subject) }
    func refused(subject: String) async throws(MutationQueueError) -> [DeadMutation] {
        try await queue.refused(subject: subject)
    }
    func forget(_ dead: DeadMutation) async throws(MutationQueueError) { try await queue.forget(dead) }
    func clear(subject: String) async throws(MutationQueueError) {
        if isLocked.value { throw .store(.locked) }
        try await queue.clear(subject: subject)
    }
}
