// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import TestBench
import Testing

@testable import Accounts

@Suite("Users who follow what an identity provider says of them") struct UserSyncTests {
    static let claims: JSONObject = [
        "name": "Ada Lind", "picture": "https://pictures.example/ada", "locale": "sv", "given_name": "Ada",
        "role": "admin", "email": "other@example.com",
    ]

    func token(
        _ bench: FederationBench, _ text: String = "a.b.c", subject: String = "ada", email: String = "ada@gmail.com",
        claims: JSONObject = claims
    ) throws -> Secret<String> {
        bench.upstream.vouch(try bench.proof("google", subject, email: email, vouched: true, claims: claims), by: text)
        return Secret(text)
    }

    func sync(
        _ bench: FederationBench, _ token: Secret<String>, after span: TimeSpan = .zero
    ) async throws -> UserSynchronization {
        try await SynchronizeUser(bench.accounts.ports)(
            .idToken, token, of: "google", call: bench.call(after: span))
    }

    func done(
        _ bench: FederationBench, _ token: Secret<String>, after span: TimeSpan = .zero
    ) async throws -> FederatedOutcome {
        guard case .done(let outcome) = try await sync(bench, token, after: span) else {
            throw AuthError(.internalFailure, reason: "it waits")
        }
        return outcome
    }

    func queued(
        _ bench: FederationBench, _ token: Secret<String>, after span: TimeSpan = .zero
    ) async throws -> OutboxMessageID {
        guard case .queued(let id) = try await sync(bench, token, after: span) else {
            throw AuthError(.internalFailure, reason: "it does not wait")
        }
        return id
    }

    func worker(_ bench: FederationBench) -> OutboxWorker {
        let ports = bench.accounts.ports
        return OutboxWorker(
            store: ports.store, random: ports.random,
            transports: OutboxTransports(mail: nil, texts: nil, syncs: WaitingSyncs(ports, links: PlainLinks())),
            keepsBodies: true, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func standing(_ bench: FederationBench, _ id: OutboxMessageID) async throws -> UserSyncStanding {
        try await SynchronizeUser(bench.accounts.ports).standing(of: id, call: bench.call())
    }

    func allEvents(_ bench: FederationBench) async throws -> Int {
        try await bench.events(.signedUp).count + bench.events(.identityLinked).count
            + bench.events(.profileChanged).count
    }

    @Test("R14.6 a new user waits for a program that gives no answer, as for a provider, and not for one that says no")
    func passing() {
        #expect(SynchronizeUser.isPassing(HookFailure.unreachable.error()))
        #expect(!SynchronizeUser.isPassing(AuthError(.hookRefused)))
    }

    // MARK: At once

    @Test(
        "H-7 R12.8 whoever is new gets an account with the provider's attributes, and no session; again, nothing happens"
    )
    func created() async throws {
        let bench = try await FederationBench()
        let token = try token(bench)
        let first = try await done(bench, token)
        #expect(first.isNew && first.record.user.email?.rawValue == "ada@gmail.com")
        let user = try #require(try await bench.reload(first.record.user))
        #expect(user.emailVerifiedAt != nil && user.lastSignInAt == nil && user.appMetadata["role"] == nil)
        #expect(user.userMetadata == ["name": "Ada Lind", "picture": "https://pictures.example/ada"])
        #expect(
            user.dialectData[FederationBench.dialect].byUser == ["given_name": "Ada", "locale": "sv"],
            "what is decided by is not copied, nor what nobody asks for")
        #expect(try await bench.liveSessions(of: user) == 0)
        let count = try await allEvents(bench)
        #expect(count == 2)
        let again = try await done(bench, token, after: .seconds(5))
        #expect(!again.isNew && again.record.user.id == user.id && again.record.user.updatedAt == user.updatedAt)
        #expect(try await allEvents(bench) == count)
        // What the app shows here opens its session elsewhere all the same, once.
        let signIn = IDTokenSignIn(bench.accounts.ports)
        _ = try await signIn(
            .idToken(UpstreamIDToken(text: token)), of: "google", policy: FederationPolicy(), call: bench.call())
        #expect(try await bench.liveSessions(of: user) == 1)
        #expect(try await done(bench, token).record.user.id == user.id)
    }

    @Test(
        "H-7 R12.8 what the provider says anew is written over what it said, by the operator's mapping, and nothing else"
    )
    func followed() async throws {
        let bench = try await FederationBench()
        let user = try await done(bench, try token(bench)).record.user
        try await bench.configure("google", .google) { $0.attributeMapping = ["name": "nick", "nickname": "nick"] }
        let changed = try token(bench, "d.e.f", claims: ["nick": "Lovelace", "given_name": "Augusta"])
        let followed = try await done(bench, changed, after: .seconds(9)).record.user
        #expect(followed.id == user.id && followed.userMetadata["name"] == "Lovelace")
        #expect(followed.userMetadata["picture"] == "https://pictures.example/ada", "what is not mapped stays")
        #expect(
            followed.dialectData[FederationBench.dialect].byUser
                == ["given_name": "Ada", "locale": "sv", "nickname": "Lovelace"])
        #expect(try await bench.events(.profileChanged).count == 1)
    }

    @Test(
        "H-9 R12.8 who came by the hosted pages before, or has a password and the address, is the same user with all data"
    )
    func existing() async throws {
        let bench = try await FederationBench()
        let hosted = try await bench.signIn(
            bench.proof("google", "ada", email: "ada@gmail.com", vouched: true)
        ).record.user
        let owner = try await bench.owner("bob@gmail.com")
        let ports = bench.accounts.ports
        for user in [hosted, owner] {
            try await ports.write(bench.call()) { step in
                var kept = try step.tx.liveUser(user.id, in: step.directory)
                kept.userMetadata["theme"] = "dark"
                kept.appMetadata["plan"] = "paid"
                try step.tx.update(kept)
            }
            _ = try await ProfileFlow(ports).register(
                try ProfileChanges(name: .set("My own name")), of: user.id, call: bench.call())
        }
        for (user, subject, text) in [(hosted, "ada", "a.b.c"), (owner, "bob", "d.e.f")] {
            let email = try #require(user.email).rawValue
            let outcome = try await done(
                bench, try token(bench, text, subject: subject, email: email), after: .seconds(3))
            #expect(outcome.record.user.id == user.id && !outcome.isNew)
            let stored = try #require(try await bench.reload(user))
            #expect(stored.userMetadata["theme"] == "dark" && stored.appMetadata["plan"] == "paid")
            #expect(stored.passwordHash == user.passwordHash && stored.createdAt == user.createdAt)
            let view = try await ProfileFlow(ports).view(user.id, call: bench.call())
            #expect(view.name == "My own name", "what users write in the app is theirs")
            #expect(try await bench.identities(of: user) == ["google \(subject)"])
        }
        #expect(try await bench.liveSessions(of: hosted) == 1, "nobody is signed out by it")
        let users = try await ports.store.read { try $0.userCount(in: bench.accounts.directory.id) }
        #expect(users == 2)
    }

    @Test("H-7 R12.8 fifty apps at once that say the same make one user")
    func race() async throws {
        let bench = try await FederationBench()
        let token = try token(bench)
        let found = try await withThrowingTaskGroup(of: UserID.self) { group in
            for _ in 1...50 { group.addTask { try await done(bench, token).record.user.id } }
            return try await group.reduce(into: Set<UserID>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(try await allEvents(bench) == 2)
    }

    @Test("H-4 R12.8 R11.5 what is refused is refused with its own error, waits for nothing and leaves nothing")
    func refused() async throws {
        let bench = try await FederationBench { $0.signUp.enabled = false }
        let token = try token(bench)
        let flow = SynchronizeUser(bench.accounts.ports)
        let cases: [(Secret<String>, String?, String, AuthErrorCode)] = [
            (Secret("unknown"), nil, "google", .identityTokenInvalid), (token, nil, "none", .identityProviderNotFound),
            (token, nil, "google", .signUpDisabled), (Secret(""), nil, "google", .invalidRequest),
            (Secret(String(repeating: "a", count: 8193)), nil, "google", .invalidRequest),
            (token, "", "google", .invalidRequest),
            (token, String(repeating: "n", count: 513), "google", .invalidRequest),
        ]
        for (token, nonce, provider, wanted) in cases {
            let code = await bench.refusal {
                _ = try await flow(.idToken, token, nonce: nonce, of: provider, call: bench.call())
            }
            #expect(code == wanted)
        }
        let banned = try await bench.owner("ada@gmail.com")
        try await bench.accounts.ports.write(bench.call()) { step in
            var user = try step.tx.liveUser(banned.id, in: step.directory)
            user.bannedUntil = User.forever
            try step.tx.update(user)
        }
        #expect(await bench.refusal { _ = try await done(bench, token) } == .userBanned)
        let store = bench.accounts.ports.store
        #expect(try await store.read { try $0.userCount(in: bench.accounts.directory.id) } == 1)
        #expect(try await store.read { try $0.outbox(in: nil, recipient: "google", limit: 9) }.isEmpty)
    }

    // MARK: Waiting

    @Test(
        "H-8 R12.8 while the provider is down it waits, once, is tried again ever more rarely, and is done by the worker"
    )
    func waits() async throws {
        let bench = try await FederationBench()
        let token = try token(bench)
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, token)
        #expect(try await queued(bench, token) == id, "the same twice waits once")
        let start = bench.accounts.now
        let worker = worker(bench)
        var (due, waits): (Instant?, [TimeSpan]) = (await worker.deliverDue(at: start), [])
        var before = start
        for _ in 1...8 {
            let now = try #require(due)
            waits.append(now - before)
            before = now
            due = await worker.deliverDue(at: now)
        }
        let policy = DeliveryPolicy.of(.userSync)
        for (index, wait) in waits.enumerated() {
            // The first wait is the queue's own, before the worker has tried anything.
            let attempts = max(index, 1)
            let least = policy.delay(after: attempts, jitter: 0)
            #expect(wait >= least && wait <= policy.delay(after: attempts, jitter: .max), "\(index): \(wait)")
        }
        #expect(waits.last.map { $0 >= policy.longestDelay } == true)
        let waiting = try await standing(bench, id)
        #expect(waiting.state == .waiting && waiting.attempts == 8 && waiting.nextTryAt == due)
        #expect(waiting.error == "identity_provider_unavailable" && waiting.user == nil)
        #expect(try await bench.events(.signedUp).isEmpty)

        bench.upstream.fail(with: nil)
        #expect(await worker.deliverDue(at: try #require(due)) == nil)
        let over = try await standing(bench, id)
        #expect(over.state == .done && over.attempts == 9 && over.error == nil)
        #expect(over.user?.user.email?.rawValue == "ada@gmail.com")
        #expect(over.user?.user.dialectData[FederationBench.dialect].byUser["locale"] == "sv")
        #expect(bench.upstream.judgedAt.allSatisfy { $0 == start }, "as of when the app came")
        let message = try #require(try await bench.accounts.ports.store.read { try $0.outboxMessage(id) })
        guard case .userSync(let kept) = message.content else { throw AuthError(.internalFailure) }
        #expect(kept.token.reveal().isEmpty && kept.nonce == nil, "what the app showed is gone")
        #expect(await worker.deliverDue(at: start + .days(5)) == nil)
        #expect(try await bench.events(.signedUp).count == 1)
        let user = try #require(over.user).user
        #expect(try await done(bench, token).record.user.id == user.id)
    }

    @Test("H-8 R12.8 a worker that dies after its work, and another that has the same in hand, do it once")
    func crashed() async throws {
        let bench = try await FederationBench()
        let token = try token(bench)
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, token)
        bench.upstream.fail(with: nil)
        let ports = bench.accounts.ports
        let message = try #require(try await ports.store.read { try $0.outboxMessage(id) })
        guard case .userSync(let sync) = message.content else { throw AuthError(.internalFailure) }
        let transport = WaitingSyncs(ports, links: PlainLinks())
        // The transport alone: whoever called it never notes that it is done.
        try await transport.deliver(sync, id: id, at: bench.accounts.now + .minutes(1))
        #expect(try await standing(bench, id).state == .done)
        try await transport.deliver(sync, id: id, at: bench.accounts.now + .minutes(20))
        #expect(await worker(bench).deliverDue(at: bench.accounts.now + .hours(1)) == nil)
        #expect(try await allEvents(bench) == 2)
        #expect(try await standing(bench, id).attempts == 1)
    }

    @Test("H-8 R12.8 what is refused once it is judged is given up, with its error and without what the app showed")
    func givenUp() async throws {
        let bench = try await FederationBench()
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, Secret("forged"))
        bench.upstream.fail(with: nil)
        #expect(await worker(bench).deliverDue(at: bench.accounts.now + .minutes(1)) == nil)
        let over = try await standing(bench, id)
        #expect(over.state == .failed && over.error == "identity_token_invalid" && over.user == nil)
        let message = try #require(try await bench.accounts.ports.store.read { try $0.outboxMessage(id) })
        guard case .userSync(let kept) = message.content else { throw AuthError(.internalFailure) }
        #expect(kept.token.reveal().isEmpty)
        let other = try await DirectoryAdministration(bench.accounts.ports).create(
            name: "other", settings: DirectorySettings(), at: bench.accounts.now)
        var elsewhere = bench.call()
        elsewhere.directory = other
        let flow = SynchronizeUser(bench.accounts.ports)
        #expect(await bench.refusal { _ = try await flow.standing(of: id, call: elsewhere) } == .notFound)
        #expect(
            await bench.refusal { _ = try await flow.standing(of: OutboxMessageID("x"), call: bench.call()) }
                == .notFound)
    }

    @Test("H-8 R12.8 what was said later stays when what was said earlier has its turn")
    func overtaken() async throws {
        let bench = try await FederationBench()
        let old = try token(bench, "old.b.c", claims: ["name": "Old"])
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, old)
        bench.upstream.fail(with: nil)
        let new = try token(bench, "new.b.c", claims: ["name": "New"])
        let user = try await done(bench, new, after: .seconds(30)).record.user
        _ = await worker(bench).deliverDue(at: bench.accounts.now + .minutes(2))
        let over = try await standing(bench, id)
        #expect(over.state == .done && over.user?.user.id == user.id)
        #expect(try await bench.reload(user)?.userMetadata["name"] == "New")
    }

    @Test("H-8 R9.4 R12.8 no flood of what nobody has judged fills the queue")
    func bounded() async throws {
        let bench = try await FederationBench()
        let token = try token(bench)
        bench.upstream.fail(with: .identityProviderUnavailable)
        let call = bench.call()
        for limit in SynchronizeUser.waitingLimits(call) {
            try await bench.accounts.ports.store.write { while try limit.take(in: $0) {} }
            #expect(await bench.refusal { _ = try await sync(bench, token) } == .identityProviderUnavailable)
            try await bench.accounts.ports.store.write { try limit.forget(in: $0) }
        }
        let waiting = try await bench.accounts.ports.store.read {
            try $0.outbox(in: nil, recipient: "google", limit: 9)
        }
        #expect(waiting.isEmpty)
        #expect(try await queued(bench, Secret("later"), after: .hours(2)) != OutboxMessageID(""))
    }
}
