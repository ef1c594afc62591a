// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import Mail
import Testing

@testable import Accounts

@Suite struct OutboxWorkerTests {
    private func enqueue(_ count: Int, on bench: ProofBench) async throws {
        for index in 0..<count {
            let user = try await bench.confirmedUser("user\(index)@example.com")
            _ = try await bench.proof(.recovery, for: user)
        }
    }

    private func worker(
        _ bench: ProofBench, _ transport: RecordingTransport, keepsBodies: Bool = false
    ) -> OutboxWorker {
        OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: transport, texts: transport), keepsBodies: keepsBodies,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("One pass delivers all that is due, once, and erases what was in it")
    func delivers() async throws {
        let bench = try await ProofBench()
        try await enqueue(10, on: bench)
        let transport = RecordingTransport()
        #expect(await worker(bench, transport).deliverDue(at: bench.now) == nil)
        #expect(await worker(bench, transport).deliverDue(at: bench.now + .hours(1)) == nil)
        #expect(transport.sent.count == 10)
        #expect(Set(transport.sent.map(\.recipient)).count == 10)
        for message in try await bench.messages() {
            #expect(message.state == .sent && message.sentAt == bench.now && message.attempts == 1)
            #expect(message.text.isEmpty && message.html == nil)
            #expect(message.code == nil && message.link == nil && message.tokenHash == nil)
        }
        #expect(transport.sent.allSatisfy { $0.text.contains("token=") })
    }

    @Test("R10.3 where people read their messages in the outbox it keeps them, and calls none of them sent")
    func keepsBodies() async throws {
        let bench = try await ProofBench()
        try await enqueue(1, on: bench)
        let worker = OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: nil, texts: nil), keepsBodies: true,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        _ = await worker.deliverDue(at: bench.now)
        let message = try #require(try await bench.messages().first)
        #expect(message.state == .kept && message.sentAt == nil && message.lastError == nil)
        #expect(message.code != nil && message.link != nil && !message.text.isEmpty)
        #expect(await worker.deliverDue(at: bench.now + .days(1)) == nil)
    }

    @Test("F23 while the mail server is down nothing is lost, and all goes out when it is back")
    func outage() async throws {
        let bench = try await ProofBench()
        try await enqueue(6, on: bench)
        let transport = RecordingTransport()
        transport.failure = MailDeliveryError(.temporary, reason: "connection refused")
        let worker = worker(bench, transport)
        var now = bench.now
        for _ in 0..<8 {
            let due = try #require(await worker.deliverDue(at: now))
            #expect(due > now)
            now = due + .hours(1)
        }
        let waiting = try await bench.messages()
        #expect(waiting.count == 6)
        #expect(waiting.allSatisfy { $0.state == .pending && $0.code != nil && $0.lastError != nil })
        transport.failure = nil
        #expect(await worker.deliverDue(at: now) == nil)
        #expect(transport.sent.count == 6)
        #expect(try await bench.messages().allSatisfy { $0.state == .sent && $0.lastError == nil })
    }

    @Test("A mail refused for good is given up at once, and its secrets go")
    func permanentFailure() async throws {
        let bench = try await ProofBench()
        try await enqueue(1, on: bench)
        let transport = RecordingTransport()
        transport.failure = MailDeliveryError(.permanent, replyCode: 550, reason: "no such user")
        #expect(await worker(bench, transport).deliverDue(at: bench.now) == nil)
        let message = try #require(try await bench.messages().first)
        #expect(message.state == .failed && message.attempts == 1 && message.code == nil && message.text.isEmpty)
        #expect(message.lastError?.contains("550") == true)
    }

    @Test("A text message goes to the text transport, and its refusals are told apart")
    func textMessages() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(phone: "+491701234567")
        let proof = try await bench.proof(.phoneSignIn, for: user)
        let transport = RecordingTransport()
        transport.textFailure = .unavailable("busy")
        let worker = worker(bench, transport)
        let due = try #require(await worker.deliverDue(at: bench.now))
        transport.textFailure = nil
        #expect(await worker.deliverDue(at: due) == nil)
        #expect(transport.texts.count == 1)
        #expect(transport.texts.first?.contains(proof.code) == true)
        _ = try await bench.proof(.phoneSignIn, for: user, call: bench.call(after: .hours(1)))
        transport.textFailure = .refused("landline")
        #expect(await worker.deliverDue(at: bench.now + .hours(1)) == nil)
        #expect(Set(try await bench.messages().map(\.state)) == [.sent, .failed])
    }

    @Test("R8.20 a text message without a gateway is given up, and not called sent")
    func noGateway() async throws {
        let bench = try await ProofBench()
        _ = try await bench.proof(.phoneSignIn, for: try await bench.user(phone: "+491701234567"))
        let worker = OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: RecordingTransport(), texts: nil),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(await worker.deliverDue(at: bench.now) == nil)
        let message = try #require(try await bench.messages().first)
        #expect(message.state == .failed && message.sentAt == nil)
        #expect(message.lastError?.contains("no transport for sms") == true)
    }

    @Test("Two workers on one store never send one message twice")
    func twoWorkers() async throws {
        let bench = try await ProofBench()
        try await enqueue(40, on: bench)
        let transport = RecordingTransport()
        let one = worker(bench, transport)
        let two = worker(bench, transport)
        await withTaskGroup { group in
            for worker in [one, two, one, two] { group.addTask { _ = await worker.deliverDue(at: bench.now) } }
        }
        #expect(transport.sent.count == 40)
        #expect(Set(transport.sent.map(\.id)).count == 40)
    }

    @Test("A dead worker's messages come back when its lease ends, and not before")
    func deadWorker() async throws {
        let bench = try await ProofBench()
        try await enqueue(1, on: bench)
        let claimed = try await bench.store.write {
            try $0.claimOutbox(.mail, at: bench.now, leaseEnd: bench.now + OutboxWorker.lease, limit: 10)
        }
        #expect(claimed.count == 1)
        let transport = RecordingTransport()
        let worker = worker(bench, transport)
        #expect(await worker.deliverDue(at: bench.now + .minutes(9)) == bench.now + OutboxWorker.lease)
        #expect(transport.sent.isEmpty)
        #expect(await worker.deliverDue(at: bench.now + OutboxWorker.lease) == nil)
        #expect(transport.sent.count == 1)
    }

    @Test("A store that fails is tried again soon")
    func storeDown() async throws {
        let bench = try await ProofBench()
        let worker = OutboxWorker(
            store: RefusingStore(.unavailable), random: bench.ports.random,
            transports: OutboxTransports(mail: RecordingTransport(), texts: RecordingTransport()),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(await worker.deliverDue(at: bench.now) == bench.now + .seconds(5))
    }
}

/// Remembers what it was given, or fails as told.
final class RecordingTransport: MailTransport, TextMessageTransport {
    private struct State {
        var sent: [RenderedMail] = []
        var texts: [String] = []
        var failure: MailDeliveryError?
        var textFailure: TextMessageError?
    }

    private let state = Mutex(State())

    var sent: [RenderedMail] { state.withLock { $0.sent } }
    var texts: [String] { state.withLock { $0.texts } }
    var failure: MailDeliveryError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }
    var textFailure: TextMessageError? {
        get { state.withLock { $0.textFailure } }
        set { state.withLock { $0.textFailure = newValue } }
    }

    func send(_ mail: RenderedMail, at _: Instant) async throws(MailDeliveryError) {
        if let failure { throw failure }
        state.withLock { $0.sent.append(mail) }
    }

    func send(_ text: String, to _: PhoneNumber, id _: String, at _: Instant) async throws {
        if let textFailure { throw textFailure }
        state.withLock { $0.texts.append(text) }
    }
}
