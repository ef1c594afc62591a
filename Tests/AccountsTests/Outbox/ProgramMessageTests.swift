// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import Testing

@testable import Accounts

@Suite struct ProgramMessageTests {
    private static let contents: [OutboxMessage.Content] = [
        .webhook(WebhookEvent(endpoint: "hook", name: "user.created", body: ["number": 1.5])),
        .userSync(
            UserSync(provider: "idp", proof: .idToken, token: Secret("token"), receivedAt: Instant(seconds: 1))),
        .upstreamRevocation(
            UpstreamRevocation(provider: "idp", subject: "7", tokenType: .refreshToken, token: Secret("token"))),
    ]

    private func enqueue(_ contents: [OutboxMessage.Content], on bench: ProofBench) async throws {
        let messages = contents.enumerated().map { index, content in
            OutboxMessage(
                id: OutboxMessageID("m\(index)"), directoryID: bench.directory.id, content: content, dueAt: bench.now,
                createdAt: bench.now)
        }
        try await bench.store.write { tx in
            for message in messages { try tx.enqueue(message) }
        }
    }

    private func worker(_ bench: ProofBench, _ programs: RecordingPrograms?) -> OutboxWorker {
        OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(
                mail: RecordingTransport(), texts: RecordingTransport(), webhooks: programs?.webhooks,
                syncs: programs?.syncs, revocations: programs?.revocations, logouts: programs?.logouts),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func state(_ content: OutboxMessage.Content, on bench: ProofBench) async throws -> OutboxMessage {
        let wanted = OutboxMessage(
            id: OutboxMessageID(""), directoryID: bench.directory.id, content: content, dueAt: bench.now,
            createdAt: bench.now
        ).channel
        return try #require(try await bench.messages().first { $0.channel == wanted })
    }

    @Test("R14.6 a worker for what somebody waits for leaves programs to another, however long those take")
    func urgencies() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        try await enqueue(Array(Self.contents.prefix(1)), on: bench)
        _ = try await bench.proof(.recovery, for: user)
        let (programs, mails) = (RecordingPrograms(), RecordingTransport())
        func worker(_ urgency: DeliveryPolicy.Urgency) -> OutboxWorker {
            OutboxWorker(
                store: bench.store, random: bench.ports.random,
                transports: OutboxTransports(mail: mails, texts: nil, webhooks: programs.webhooks), urgency: urgency,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
        // It has nothing more to do, and does not come back at once for what is not its own.
        #expect(await worker(.prompt).deliverDue(at: bench.now) == nil)
        #expect(mails.sent.count == 1 && programs.taken.isEmpty)
        #expect(try await state(Self.contents[0], on: bench).state == .pending)
        #expect(await worker(.relaxed).deliverDue(at: bench.now) == nil)
        #expect(programs.taken == [Self.contents[0]])
    }

    /// Takes six minutes for each event, and notes when it was told to begin.
    private final class Slow: ProgramTransport {
        let clock: TestTime
        private let times = Mutex<[Instant]>([])

        init(_ clock: TestTime) { self.clock = clock }

        var told: [Instant] { times.withLock { $0 } }

        func deliver(_: WebhookEvent, id _: OutboxMessageID, at now: Instant) async throws {
            times.withLock { $0.append(now) }
            clock.now = clock.now + .minutes(6)
        }
    }

    private final class TestTime: Sendable {
        private let time: Mutex<Instant>

        init(_ now: Instant) { time = Mutex(now) }

        var now: Instant {
            get { time.withLock { $0 } }
            set { time.withLock { $0 = newValue } }
        }
    }

    @Test("R14.6 what is signed late in a long pass is signed as of then, and nothing more is begun by who is leaving")
    func slow() async throws {
        let bench = try await ProofBench()
        let event = Self.contents[0]
        try await enqueue(Array(repeating: event, count: 12), on: bench)
        let clock = TestTime(bench.now)
        let slow = Slow(clock)
        let worker = OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: nil, texts: nil, webhooks: slow), urgency: .relaxed,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        _ = await worker.deliverDue(by: { clock.now }) { slow.told.count < 8 }
        #expect(slow.told.count == 8)
        let rounds = Set(slow.told)
        #expect(rounds.count == 2 && rounds.contains(bench.now), "\(rounds)")
        let sent = try await bench.messages().compactMap(\.sentAt)
        #expect(sent.count == 8 && sent.allSatisfy { $0 > bench.now })
    }

    private struct Program: LetterTransport {
        func deliver(
            _: Letter, isText _: Bool, isCarried _: Bool, in _: DirectoryID, id _: OutboxMessageID, at _: Instant
        ) async throws -> Letter? { nil }
    }

    /// Asks a store that is away, as those do that look up whom a message is about.
    private struct Away<Content: Sendable>: ProgramTransport, LetterTransport {
        func deliver(_: Content, id _: OutboxMessageID, at _: Instant) async throws {
            throw AuthError(.unavailable, reason: "database")
        }

        func deliver(
            _: Letter, isText _: Bool, isCarried _: Bool, in _: DirectoryID, id _: OutboxMessageID, at _: Instant
        ) async throws -> Letter? { throw AuthError(.unavailable, reason: "database") }
    }

    @Test("R9.10 a database that is away for a moment while a message is handed over costs nobody the message")
    func storeAway() async throws {
        let bench = try await ProofBench()
        _ = try await bench.proof(.recovery, for: try await bench.confirmedUser("a@example.com"))
        try await enqueue(Self.contents, on: bench)
        func worker(_ transports: OutboxTransports) -> OutboxWorker {
            OutboxWorker(
                store: bench.store, random: bench.ports.random, transports: transports,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
        let away = OutboxTransports(
            mail: RecordingTransport(), texts: nil, webhooks: Away<WebhookEvent>(), syncs: Away<UserSync>(),
            revocations: Away<UpstreamRevocation>(), letters: Away<WebhookEvent>())
        let due = try #require(await worker(away).deliverDue(at: bench.now))
        #expect(
            try await bench.messages().allSatisfy { $0.state == .pending && $0.lastError == "unavailable: database" })
        let (mail, programs) = (RecordingTransport(), RecordingPrograms())
        let back = OutboxTransports(
            mail: mail, texts: nil, webhooks: programs.webhooks, syncs: programs.syncs,
            revocations: programs.revocations)
        #expect(await worker(back).deliverDue(at: due + .minutes(10)) == nil)
        #expect(mail.sent.count == 1 && programs.taken.count == 3)
        #expect(try await bench.messages().allSatisfy { $0.state == .sent })
    }

    @Test("R14.6 what a program has sent leaves no code in the outbox, also where nothing else carries mails")
    func handedOver() async throws {
        let bench = try await ProofBench()
        _ = try await bench.proof(.recovery, for: try await bench.confirmedUser("a@example.com"))
        let worker = OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: nil, texts: nil, letters: Program()), keepsBodies: true,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(await worker.deliverDue(at: bench.now) == nil)
        let message = try #require(try await bench.messages().first)
        #expect(message.state == .sent && message.code == nil && message.link == nil && message.text.isEmpty)
    }

    @Test("R9.10 what is owed to programs goes to the transport of its kind, once, and what is secret in it goes")
    func delivered() async throws {
        let bench = try await ProofBench()
        try await enqueue(Self.contents, on: bench)
        let programs = RecordingPrograms()
        #expect(await worker(bench, programs).deliverDue(at: bench.now) == nil)
        #expect(await worker(bench, programs).deliverDue(at: bench.now + .days(1)) == nil)
        #expect(programs.taken.count == 3)
        for content in Self.contents { #expect(programs.taken.contains(content)) }
        for message in try await bench.messages() { #expect(message.state == .sent && message.attempts == 1) }
        guard case .upstreamRevocation(let kept) = try await state(Self.contents[2], on: bench).content,
            case .webhook(let event) = try await state(Self.contents[0], on: bench).content
        else { throw StoreConflict.stale("content") }
        #expect(kept.token.reveal().isEmpty && kept.provider == "idp")
        #expect(event.body == [:] && event.name == "user.created")
    }

    @Test("R9.10 without a transport nothing is called sent: events are given up and kept, revocations stay owed")
    func noTransport() async throws {
        let bench = try await ProofBench()
        try await enqueue(Self.contents, on: bench)
        let due = try #require(await worker(bench, nil).deliverDue(at: bench.now))
        #expect(due > bench.now)
        for content in Self.contents.prefix(2) {
            let message = try await state(content, on: bench)
            #expect(message.state == .failed && message.sentAt == nil)
            if case .webhook = content { #expect(message.content == content) }
            #expect(message.lastError == "no transport for \(message.channel.rawValue) is configured")
        }
        let owed = try await state(Self.contents[2], on: bench)
        #expect(owed.state == .pending && owed.content == Self.contents[2])
        #expect(owed.lastError == "no transport for upstream_revocation is configured")
        // A year later somebody configures one.
        let programs = RecordingPrograms()
        #expect(await worker(bench, programs).deliverDue(at: bench.now + .days(365)) == nil)
        #expect(programs.taken == [Self.contents[2]])
        #expect(try await state(Self.contents[2], on: bench).state == .sent)
    }

    @Test("R9.10 a program that is away is tried again for as long as its kind says, one that refuses is not")
    func failures() async throws {
        let bench = try await ProofBench()
        try await enqueue(Self.contents, on: bench)
        let programs = RecordingPrograms()
        programs.failure = .unavailable("busy")
        let worker = worker(bench, programs)
        var now = bench.now
        while now < bench.now + .days(4) {
            now = try #require(await worker.deliverDue(at: now))
        }
        #expect(try await state(Self.contents[0], on: bench).state == .failed)
        #expect(try await state(Self.contents[0], on: bench).content == Self.contents[0])
        guard case .userSync(let sync) = try await state(Self.contents[1], on: bench).content else {
            throw StoreConflict.stale("content")
        }
        #expect(try await state(Self.contents[1], on: bench).state == .failed && sync.token.reveal().isEmpty)
        #expect(try await state(Self.contents[2], on: bench).state == .pending)
        programs.failure = .refused("unknown token")
        #expect(await worker.deliverDue(at: now + .days(1)) == nil)
        for content in Self.contents.suffix(1) {
            let message = try await state(content, on: bench)
            #expect(message.state == .failed && message.lastError == "unknown token")
        }
    }

    @Test("R11.2 BL 2.5 a client is told of a logout for a day, and without a way to tell it nothing is called sent")
    func logouts() async throws {
        let logout = OutboxMessage.Content.clientLogout(
            ClientLogout(client: ClientID("app"), user: UserID("u"), session: SessionID("s")))
        for (failure, isConfigured, wanted) in [
            (nil, true, .sent), (nil, false, .failed), (.refused("no"), true, .failed),
        ] as [(ProgramTransportError?, Bool, OutboxMessage.State)] {
            let bench = try await ProofBench()
            try await enqueue([logout], on: bench)
            let programs = RecordingPrograms()
            programs.failure = failure
            #expect(await worker(bench, isConfigured ? programs : nil).deliverDue(at: bench.now) == nil)
            #expect(try await state(logout, on: bench).state == wanted)
            #expect(programs.taken == (wanted == .sent ? [logout] : []))
        }
        let bench = try await ProofBench()
        try await enqueue([logout], on: bench)
        let programs = RecordingPrograms()
        programs.failure = .unavailable("busy")
        var now: Instant? = bench.now
        var tries = 0
        while let due = now, tries < 1000 {
            now = await worker(bench, programs).deliverDue(at: due)
            tries += 1
            if now == nil { #expect(due - bench.now > .hours(23)) }
        }
        #expect(try await state(logout, on: bench).state == .failed)
    }

    @Test("R9.10 many events for a program that is slow keep nobody's mail back")
    func urgency() async throws {
        let bench = try await ProofBench()
        try await enqueue(Array(repeating: Self.contents[0], count: 40), on: bench)
        // Due later than all of them.
        _ = try await bench.proof(
            .recovery, for: try await bench.confirmedUser("a@example.com"), call: bench.call(after: .seconds(1)))
        let programs = RecordingPrograms()
        let mail = RecordingTransport()
        programs.mail = mail
        let worker = OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: mail, texts: mail, webhooks: programs.webhooks),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        _ = await worker.deliverDue(at: bench.now + .seconds(1))
        #expect(programs.taken.count == 40 && mail.sent.count == 1)
        #expect(programs.takenBeforeMail < 4)
    }

    @Test("Every kind has a policy of its own, and what somebody waits for goes first")
    func policies() {
        #expect(DeliveryPolicy.of(.mail) == DeliveryPolicy() && DeliveryPolicy.of(.sms) == DeliveryPolicy())
        #expect(
            Set(OutboxMessage.Channel.allCases.filter { DeliveryPolicy.of($0).urgency == .prompt })
                == [.mail, .sms, .upstreamRevocation])
        #expect(Set(DeliveryPolicy.order.suffix(3)) == [.webhook, .userSync, .clientLogout])
        #expect(DeliveryPolicy.of(.webhook).patience == .days(3))
        #expect(DeliveryPolicy.of(.userSync).patience == .days(3))
    }
}

/// Programs that take what they are given, or fail as told.
private final class RecordingPrograms: Sendable {
    private struct State {
        var taken: [OutboxMessage.Content] = []
        var failure: ProgramTransportError?
        var mail: RecordingTransport?
        var takenBeforeMail = 0
    }

    private struct Program<Content: Sendable>: ProgramTransport {
        let all: RecordingPrograms
        let wrap: @Sendable (Content) -> OutboxMessage.Content

        func deliver(_ content: Content, id: OutboxMessageID, at now: Instant) async throws {
            try all.take(wrap(content))
        }
    }

    private let state = Mutex(State())

    var webhooks: any ProgramTransport<WebhookEvent> { Program(all: self) { .webhook($0) } }
    var syncs: any ProgramTransport<UserSync> { Program(all: self) { .userSync($0) } }
    var revocations: any ProgramTransport<UpstreamRevocation> { Program(all: self) { .upstreamRevocation($0) } }
    var logouts: any ProgramTransport<ClientLogout> { Program(all: self) { .clientLogout($0) } }
    var taken: [OutboxMessage.Content] { state.withLock { $0.taken } }
    var takenBeforeMail: Int { state.withLock { $0.takenBeforeMail } }
    var failure: ProgramTransportError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }
    var mail: RecordingTransport? {
        get { state.withLock { $0.mail } }
        set { state.withLock { $0.mail = newValue } }
    }

    private func take(_ content: OutboxMessage.Content) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.taken.append(content)
            if state.mail?.sent.isEmpty == true { state.takenBeforeMail += 1 }
        }
    }
}
