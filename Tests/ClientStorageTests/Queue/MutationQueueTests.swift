// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Testing

@testable import ClientStorage

struct MutationQueueTests {
    private let directory: TemporaryDirectory
    private let start = Instant(seconds: 1_800_000_000)

    init() throws { directory = try TemporaryDirectory() }

    private func queue(_ limits: MutationLimits = MutationLimits(), key: FixedKey = FixedKey()) -> MutationQueue {
        Self.queue(directory.path, limits, key)
    }

    private static func queue(
        _ path: String, _ limits: MutationLimits = MutationLimits(), _ key: FixedKey = FixedKey()
    ) -> MutationQueue {
        MutationQueue(
            directory: path + "/queue", key: key, limits: limits,
            backoff: RetryBackoff(first: .seconds(10), longest: .seconds(10)))
    }

    private func append(_ names: [String], to queue: MutationQueue, subject: String = "u") async throws {
        for name in names {
            try await queue.append(
                Array("payload of \(name)".utf8), kind: "note", idempotencyKey: name, subject: subject, at: start)
        }
    }

    private func clock(_ after: TimeSpan = .zero) -> FixedClock { FixedClock(now: start + after) }

    @Test("G-7.2 G-7.4 Changes are told in the order in which they were made, with their keys, and after a restart")
    func ordered() async throws {
        try await append(["c", "a", "b"], to: queue())
        let told = Told()
        let flush = try await queue().flush(subject: "u", clock: clock()) { await told.note($0, .done) }
        #expect(await told.keys == ["c", "a", "b"])
        #expect(await told.payloads == ["payload of c", "payload of a", "payload of b"])
        #expect(flush == MutationFlush(done: 3))
        #expect(try await queue().waiting(subject: "u") == 0)
    }

    @Test("G-7.4 What has to wait holds up what is behind it, is told again under its key, and later each time")
    func later() async throws {
        let queue = queue()
        try await append(["a", "b"], to: queue)
        let told = Told()
        let first = try await queue.flush(subject: "u", clock: clock()) {
            await told.note($0, .later(after: .minutes(2)))
        }
        #expect(first == MutationFlush(left: 2, nextAttempt: start + .minutes(2)))
        // Before that nobody is asked, in a process that was not there either.
        let early = try await self.queue().flush(subject: "u", clock: clock(.seconds(119))) {
            await told.note($0, .done)
        }
        #expect(early == MutationFlush(left: 2, nextAttempt: start + .minutes(2)))
        let second = try await queue.flush(subject: "u", clock: clock(.minutes(2))) { await told.note($0, .done) }
        #expect(second.done == 2)
        #expect(await told.keys == ["a", "a", "b"])
        #expect(await told.attempts == [0, 1, 0])
    }

    @Test("G-7.4 A directory behind a link is the same queue as by its own path")
    func behindLink() async throws {
        let link = directory.path + "/link"
        try FileManager.default.createDirectory(atPath: directory.path + "/real", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path + "/real")
        try await append(["a"], to: Self.queue(link))
        try await append(["b"], to: Self.queue(directory.path + "/real"))
        #expect(try await Self.queue(link).waiting(subject: "u") == 2)
    }

    @Test("F11 G-7.4 A clock that was set back keeps no change waiting for longer than any wait")
    func clockSetBack() async throws {
        let queue = queue()
        try await append(["a"], to: queue)
        _ = try await queue.flush(subject: "u", clock: clock(.days(4000))) { _ in .later(after: nil) }
        #expect(try await queue.flush(subject: "u", clock: clock()) { _ in .done }.done == 1)
        // By less than a day too: what is left of the wait nobody knows.
        try await append(["later"], to: queue)
        _ = try await queue.flush(subject: "u", clock: clock(.hours(20))) { _ in .later(after: nil) }
        #expect(try await queue.flush(subject: "u", clock: clock()) { _ in .done }.done == 1)
    }

    @Test("G-7.4 What is refused goes aside with its reason, and what is behind it goes on")
    func refused() async throws {
        let queue = queue()
        try await append(["a", "b", "c"], to: queue)
        let flush = try await queue.flush(subject: "u", clock: clock()) {
            $0.idempotencyKey == "b" ? .refused(reason: "409 conflict") : .done
        }
        #expect(flush == MutationFlush(done: 2, refused: 1))
        let dead = try #require(try await self.queue().refused(subject: "u").first)
        #expect(dead.mutation.idempotencyKey == "b" && dead.reason == "409 conflict" && dead.refusedAt == start)
        #expect(dead.mutation.payload == Array("payload of b".utf8))
        #expect(try await queue.refused(subject: "someone else").isEmpty)
        try await queue.forget(dead)
        #expect(try await queue.refused(subject: "u").isEmpty)
    }

    @Test("G-7.4 H-8 One kind can be told alone, in its order")
    func kinds() async throws {
        let queue = queue()
        try await append(["a"], to: queue)
        try await queue.append([1], kind: "user-sync", idempotencyKey: "s", subject: "u", at: start)
        let told = Told()
        let flush = try await queue.flush(subject: "u", kind: "user-sync", clock: clock()) {
            await told.note($0, .done)
        }
        #expect(await told.keys == ["s"])
        #expect(flush == MutationFlush(done: 1, left: 1))
    }

    @Test("R13.2 No change is ever told as another user, not even one that somebody wrote another user's name into")
    func subjects() async throws {
        let queue = queue()
        try await append(["a"], to: queue, subject: "first")
        try await append(["a"], to: queue, subject: "second")
        let told = Told()
        _ = try await queue.flush(subject: "second", clock: clock()) { await told.note($0, .done) }
        #expect(await told.subjects == ["second"])
        try database { try $0.run("UPDATE mutation SET subject = 'second'") }
        let flush = try await queue.flush(subject: "second", clock: clock()) { await told.note($0, .done) }
        #expect(flush == MutationFlush(refused: 1))
        #expect(await told.subjects == ["second"])
        let dead = try await queue.refused(subject: "second")
        #expect(dead.map(\.reason) == ["damaged"] && dead.allSatisfy { $0.mutation.payload.isEmpty })
    }

    @Test("G-7.4 Appending the same once more is the same; its key for something else is refused")
    func idempotent() async throws {
        let queue = queue()
        try await append(["a", "a", "a"], to: queue)
        #expect(try await queue.waiting(subject: "u") == 1)
        await #expect(throws: MutationQueueError.idempotencyKeyTaken) {
            try await queue.append([1], kind: "note", idempotencyKey: "a", subject: "u", at: start)
        }
        await #expect(throws: MutationQueueError.idempotencyKeyTaken) {
            try await queue.append(
                Array("payload of a".utf8), kind: "other", idempotencyKey: "a", subject: "u", at: start)
        }
    }

    @Test("R13.2 A queue is bounded in changes and bytes, and says so; nothing that waits is lost for it")
    func bounded() async throws {
        let few = queue(MutationLimits(count: 2, bytes: 1000, payload: 900))
        try await append(["a", "b"], to: few)
        await #expect(throws: MutationQueueError.full) { try await append(["c"], to: few) }
        let small = queue(MutationLimits(count: 100, bytes: 1000, payload: 900))
        await #expect(throws: MutationQueueError.full) {
            try await small.append(
                [UInt8](repeating: 0, count: 900), kind: "k", idempotencyKey: "d", subject: "u", at: start)
        }
        await #expect(throws: MutationQueueError.invalid) {
            try await small.append(
                [UInt8](repeating: 0, count: 901), kind: "k", idempotencyKey: "d", subject: "u", at: start)
        }
        for name in ["", String(repeating: "n", count: 256)] {
            await #expect(throws: MutationQueueError.invalid) { try await append([name], to: small) }
            await #expect(throws: MutationQueueError.invalid) { try await append(["x"], to: small, subject: name) }
        }
        #expect(try await few.waiting(subject: "u") == 2)
    }

    @Test("G-13.3 G-13.6 Signing out clears one user's changes, or keeps them for that user; the others' stay")
    func cleared() async throws {
        let queue = queue()
        try await append(["a", "b"], to: queue, subject: "leaves")
        try await append(["a"], to: queue, subject: "stays")
        try await queue.clear(subject: "leaves")
        #expect(try await queue.waiting(subject: "leaves") == 0)
        #expect(try await queue.waiting(subject: "stays") == 1)
    }

    @Test("G-5.1 R13.2 Nothing of a payload can be read in the files, and only their owner reads them")
    func secret() async throws {
        try await append(["a"], to: queue())
        #expect(try directory.permissions("queue") == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/queue")
        #expect(names.contains("mutations.sqlite"))
        for name in names {
            #expect(try directory.permissions("queue/" + name) == 0o600, "\(name)")
            #expect(directory.bytes("queue/" + name)?.firstRange(of: Array("payload of".utf8)) == nil)
        }
        try directory.permit(0o755, "queue")
        await #expect(throws: MutationQueueError.self) { try await append(["b"], to: queue()) }
    }

    @Test("F7 A damaged database is put aside and said to be so once; then the queue is empty and works")
    func damaged() async throws {
        try await append(["a"], to: queue())
        try directory.write([UInt8](repeating: 0x5A, count: 8192), to: "queue/mutations.sqlite")
        let aside = directory.path + "/queue/mutations.sqlite.damaged"
        await #expect(throws: MutationQueueError.store(.corrupted(quarantined: aside))) {
            _ = try await queue().waiting(subject: "u")
        }
        #expect(directory.bytes("queue/mutations.sqlite.damaged")?.first == 0x5A)
        #expect(try await queue().waiting(subject: "u") == 0)
        try await append(["b"], to: queue())
    }

    @Test("F7 R13.2 Whatever stands in the columns that nothing authenticates neither ends the app nor stops the queue")
    func damagedRow() async throws {
        let queue = queue()
        try await append(["a", "b"], to: queue)
        try database { try $0.run("UPDATE mutation SET attempts = 9223372036854775807 WHERE sequence = 1") }
        let flush = try await queue.flush(subject: "u", clock: clock()) { _ in .later(after: nil) }
        #expect(flush.left == 2 && flush.nextAttempt.map { $0 <= start + .seconds(10) } == true)
        try database { try $0.run("UPDATE mutation SET next_attempt = 9223372036854775807, waits_since = 0") }
        #expect(try await queue.flush(subject: "u", clock: clock()) { _ in .done }.done == 2)
        for column in ["kind", "idempotency_key", "queued_at", "attempts", "next_attempt", "waits_since"] {
            try await append(["\(column) damaged", "\(column) behind"], to: queue)
            try database {
                try $0.run(
                    "UPDATE mutation SET \(column) = x'00FF' WHERE idempotency_key = ?", [.text("\(column) damaged")])
            }
            let told = Told()
            _ = try await queue.flush(subject: "u", clock: clock()) { await told.note($0, .done) }
            #expect(await told.keys.last == "\(column) behind")
            #expect(try await queue.waiting(subject: "u") == 0)
            for dead in try await queue.refused(subject: "u") { try await queue.forget(dead) }
            #expect(try await queue.refused(subject: "u").isEmpty)
        }
    }

    @Test("F8 R13.2 A later version's database and a key that can't be had are left as they are")
    func unavailable() async throws {
        try await append(["a"], to: queue())
        let locked = queue(key: FixedKey(error: .locked))
        await #expect(throws: MutationQueueError.store(.locked)) {
            _ = try await locked.flush(subject: "u", clock: clock()) { _ in .done }
        }
        #expect(try await queue().waiting(subject: "u") == 1)
        try database { try $0.run("PRAGMA user_version = 2") }
        await #expect(throws: MutationQueueError.self) { _ = try await queue().waiting(subject: "u") }
        try database { try $0.run("PRAGMA user_version = 1") }
        #expect(try await queue().waiting(subject: "u") == 1)
    }

    @Test("F6 G-7.4 Killed while a change is told, the next start tells it again under the same key")
    func killedWhileTelling() async throws {
        try await append(["a", "b"], to: queue())
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            _ = try await Self.queue(path).flush(subject: "u", clock: FixedClock(now: Instant(seconds: 1_800_000_000)))
            {
                if $0.idempotencyKey == "b" { kill(getpid(), SIGKILL) }
                return .done
            }
        }
        let told = Told()
        _ = try await queue().flush(subject: "u", clock: clock()) { await told.note($0, .done) }
        #expect(await told.keys == ["b"])
    }

    @Test("F6 Killed while appending, every change that was acknowledged is there, and none is half")
    func killedWhileAppending() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let queue = Self.queue(path)
            for number in 0..<100_000 {
                // From here on in the midst of anything.
                if number == 20 { Task.detached { kill(getpid(), SIGKILL) } }
                try await queue.append(
                    [1, 2, 3], kind: "k", idempotencyKey: "\(number)", subject: "u", at: Instant(seconds: 0))
                try "\(number)".write(toFile: path + "/acknowledged", atomically: true, encoding: .utf8)
            }
        }
        let acknowledged = directory.bytes("acknowledged").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? -1
        let told = Told()
        _ = try await queue().flush(subject: "u", clock: clock()) { await told.note($0, .done) }
        let keys = await told.keys
        #expect(acknowledged >= 19 && keys.count > acknowledged && keys == (0..<keys.count).map(String.init))
    }

    @Test("F5 G-7.4 Of several who flush one queue at once, each change is told by one")
    func raced() async throws {
        let names = (0..<20).map(String.init)
        try await append(names, to: queue())
        let told = Told()
        let (path, clock) = (directory.path, clock())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    _ = try await Self.queue(path).flush(subject: "u", clock: clock) { await told.note($0, .done) }
                }
            }
            try await group.waitForAll()
        }
        #expect(await told.keys == names)
    }

    /// The file as somebody else would open it.
    private func database(_ body: (borrowing QueueDatabase) throws -> Void) throws {
        try body(QueueDatabase(path: directory.path + "/queue/mutations.sqlite"))
    }
}

/// What was told, in its order.
private actor Told {
    private var mutations: [Mutation] = []
    var keys: [String] { mutations.map(\.idempotencyKey) }
    var subjects: [String] { mutations.map(\.subject) }
    var attempts: [Int] { mutations.map(\.attempts) }
    var payloads: [String] { mutations.map { String(decoding: $0.payload, as: UTF8.self) } }

    func note(_ mutation: Mutation, _ outcome: MutationOutcome) -> MutationOutcome {
        mutations.append(mutation)
        return outcome
    }
}

/// It is always the same time.
private struct FixedClock: ClientClock {
    var now: Instant
    var uptime: TimeSpan { .zero }
    func wait(_ span: TimeSpan) async throws(CancellationError) {}
}
