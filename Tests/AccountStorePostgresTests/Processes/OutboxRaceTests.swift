// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Logging
import Mail
import TestSupport
import Testing

/// One outbox, and the workers of several servers at it.
@Suite("The outbox of several servers", .postgres, .timeLimit(.minutes(5)))
struct OutboxRaceTests {
    /// Keeps what it is given, or never answers.
    private final class Post: MailTransport {
        private struct State {
            var sent: [String] = []
            var isHeld = false
            var held: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var sent: [String] { state.withLock { $0.sent } }
        var held: Int { state.withLock { $0.held.count } }

        /// From now on whoever sends waits until ``release()``.
        func hold() { state.withLock { $0.isHeld = true } }

        func release() {
            let held = state.withLock { state in
                defer { state.held = [] }
                state.isHeld = false
                return state.held
            }
            for continuation in held { continuation.resume() }
        }

        func send(_ mail: RenderedMail, at _: Instant) async throws(MailDeliveryError) {
            if state.withLock({ $0.isHeld }) {
                await withCheckedContinuation { continuation in
                    state.withLock { $0.held.append(continuation) }
                }
            }
            state.withLock { $0.sent.append(mail.recipient.rawValue) }
        }
    }

    private func worker(_ process: Int, _ world: Processes, _ post: Post) -> OutboxWorker {
        OutboxWorker(
            store: world.stores[process], random: world.ports[process].random,
            transports: OutboxTransports(mail: post, texts: nil),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func enqueue(_ count: Int, _ world: Processes) async throws {
        for index in 0..<count {
            try await world.user("user\(index)@example.com")
            try await world.flows[index % 2].requestMagicLink(
                try EmailAddress("user\(index)@example.com"), call: world.call())
        }
    }

    @Test(
        "R9.10 of two servers that send at once, each message is sent by one", arguments: Processes.Database.allCases)
    func once(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            try await enqueue(24, world)
            let post = Post()
            let left = try await world.race(4) { _, process in
                await worker(process, world, post).deliverDue(at: Processes.now)
            }
            #expect(post.sent.count == 24)
            #expect(Set(post.sent).count == 24)
            #expect(left.count == 4)
            #expect(await worker(0, world, post).deliverDue(at: Processes.now + .hours(1)) == nil)
            #expect(post.sent.count == 24)
        }
    }

    @Test(
        "R9.10 what a server was sending when it died is sent by another once its lease has ended, and not before",
        arguments: Processes.Database.allCases)
    func takenOver(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            try await enqueue(1, world)
            let (dead, alive) = (Post(), Post())
            dead.hold()
            async let never: Instant? = worker(0, world, dead).deliverDue(at: Processes.now)
            defer { dead.release() }
            try await eventually("the first server sends") { dead.held > 0 }
            // The other server has just been started, and its clock is a minute behind.
            let behind = Processes.now - .minutes(1)
            #expect(await worker(1, world, alive).deliverDue(at: behind) != nil)
            #expect(await worker(1, world, alive).deliverDue(at: Processes.now + .minutes(9)) != nil)
            #expect(alive.sent.isEmpty)
            #expect(await worker(1, world, alive).deliverDue(at: Processes.now + .minutes(10)) == nil)
            #expect(alive.sent == ["user0@example.com"])
            dead.release()
            _ = await never
        }
    }
}
