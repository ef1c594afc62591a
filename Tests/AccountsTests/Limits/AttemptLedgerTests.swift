// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What is counted of an account, and what is spent, is the store's: a restart and a second process know of it.
@Suite struct AttemptLedgerTests {
    private func with(
        _ change: (inout DirectorySettings) -> Void = { _ in }, _ body: (TwoProcesses) async throws -> Void
    ) async throws {
        let world = try await TwoProcesses {
            $0.limits.signInPerIdentifier = .init(count: 4, seconds: 900)
            $0.limits.signInPerAccount = .init(count: 10, seconds: 3600)
            // What stands behind the lock is looked at by itself.
            $0.lockout.attempts = 0
            change(&$0)
        }
        try await body(world)
    }

    @Test("R9.8 wrong passwords split over two processes are refused after as many as over one")
    func split() async throws {
        try await with { world in
            try await world.user()
            var answers: [AuthErrorCode?] = []
            for attempt in 0..<6 { answers.append(try await world.wrong(world.ports[attempt % 2])) }
            #expect(answers == .init(repeating: .invalidCredentials, count: 4) + [.rateLimited, .rateLimited])
            for ports in world.ports { #expect(try await world.signIn(ports) == .rateLimited) }
            // All clients together too.
            for client in 0..<6 {
                let call = world.call("203.0.\(client).9")
                #expect(try await world.wrong(world.ports[client % 2], call) == .invalidCredentials)
            }
            for ports in world.ports {
                #expect(try await world.signIn(ports, world.call("203.0.99.9")) == .rateLimited)
            }
        }
    }

    @Test("R9.8 a restart gives no attempts back, and time does")
    func restart() async throws {
        try await with { world in
            try await world.user()
            for _ in 0..<4 { _ = try await world.wrong(world.ports[0]) }
            let restarted = try world.restarted()
            #expect(try await world.signIn(restarted) == .rateLimited)
            #expect(try await world.signIn(restarted, world.call(after: .minutes(16))) == nil)
        }
    }

    @Test(
        "R9.8 a process that has seen no wrong password heeds those in another, and the owner comes in from where they were"
    )
    func unseen() async throws {
        try await with { world in
            try await world.user()
            let home = world.call("198.51.100.7")
            #expect(try await world.signIn(world.ports[1], home) == nil)
            for client in 0..<10 {
                let call = world.call("203.0.\(client).9")
                #expect(try await world.wrong(world.ports[0], call) == .invalidCredentials)
            }
            let stranger = world.call("203.0.99.9")
            #expect(try await world.signIn(world.ports[1], stranger) == .rateLimited)
            // From then on it looks before it compares.
            let compared = world.passwords.verified
            for _ in 0..<3 { #expect(try await world.signIn(world.ports[1], stranger) == .rateLimited) }
            #expect(world.passwords.verified == compared)
            #expect(try await world.wrong(world.restarted(), stranger) == .rateLimited)
            #expect(try await world.signIn(world.restarted(), home) == nil)
            #expect(try await world.signIn(world.ports[1], home) == nil)
        }
    }

    @Test("R9.8 of many wrong passwords at once in two processes as many are answered as the limit says")
    func burst() async throws {
        try await with { world in
            try await world.user()
            let answers = try await withThrowingTaskGroup(of: AuthErrorCode?.self) { group in
                for attempt in 0..<80 { group.addTask { try await world.wrong(world.ports[attempt % 2]) } }
                return try await group.reduce(into: [AuthErrorCode?]()) { $0.append($1) }
            }
            // An attempt weighs twice between its commit and its end, so the crowd may be let fewer than the limit.
            // What is left of it is there one by one, and no more.
            var judged = answers.count { $0 == .invalidCredentials }
            #expect((1...4).contains(judged))
            #expect(answers.count { $0 == .rateLimited } == 80 - judged)
            while judged < 9, try await world.wrong(world.ports[judged % 2]) == .invalidCredentials { judged += 1 }
            #expect(judged == 4)
        }
    }

    @Test("R9.8 of two processes that are given the answer to one challenge at once, one signs in")
    func nonce() async throws {
        try await with { world in
            try await world.user()
            for round in 0..<8 {
                let flows = world.ports.map { SRPSignIn($0) }
                let call = world.call(after: .seconds(Int64(round)))
                let challenge = try await flows[0].begin(
                    .email(EmailAddress("a@example.com")), clientPublic: try SRPClient().publicValue, call: call)
                let opened = await withTaskGroup(of: Bool.self) { group in
                    for flow in flows + flows {
                        group.addTask {
                            (try? await flow.finish(state: challenge.state, call: call) { _ in true }) != nil
                        }
                    }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(opened == 1)
                for flow in flows {
                    await #expect(throws: AuthError(.invalidCredentials)) {
                        _ = try await flow.finish(state: challenge.state, call: call) { _ in true }
                    }
                }
            }
        }
    }

    @Test("R9.8 wrong answers to challenges and wrong passwords are counted together, in whichever process")
    func together() async throws {
        try await with { world in
            try await world.user()
            let flow = SRPSignIn(world.ports[1])
            for _ in 0..<2 {
                #expect(try await world.wrong(world.ports[0]) == .invalidCredentials)
                let challenge = try await flow.begin(
                    .email(EmailAddress("a@example.com")), clientPublic: try SRPClient().publicValue,
                    call: world.call())
                await #expect(throws: AuthError(.invalidCredentials)) {
                    _ = try await flow.finish(state: challenge.state, call: world.call()) { _ in false }
                }
            }
            for ports in world.ports { #expect(try await world.signIn(ports) == .rateLimited) }
        }
    }

    @Test("R9.8 who answers a mail in one process comes in at the other")
    func forgiven() async throws {
        try await with { world in
            let user = try await world.user()
            for _ in 0..<4 { _ = try await world.wrong(world.ports[0]) }
            #expect(try await world.signIn(world.ports[0]) == .rateLimited)
            let call = world.call()
            let other = world.ports[1]
            let proof = try await other.write(call) { step in
                var current = try #require(try step.tx.user(user.id, in: user.directoryID))
                let proof = try OneTimeIssuer(step).send(
                    .recovery, to: &current, recipient: .email(try EmailAddress("a@example.com")), redirectTo: nil,
                    codeChallenge: nil)
                try step.tx.update(current)
                return proof
            }
            _ = try await VerifyProof(other)(.linkToken(proof.linkToken), purposes: [.recovery], call: call)
            #expect(try await world.signIn(world.ports[0]) == nil)
        }
    }

    @Test("R9.8 messages are counted together, whichever process sends them, and answered in either")
    func messages() async throws {
        try await with({
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
            $0.limits.mailSent = .init(count: 8, seconds: 3600)
        }) { world in
            let user = try await world.user()
            func recover(_ minute: Int64) async throws -> [OutboxMessage] {
                try await RequestRecovery(world.ports[Int(minute) / 2 % 2])(
                    EmailAddress("a@example.com"), call: world.call(after: .minutes(minute)))
                return try await world.ports[0].store.read { tx in
                    try tx.outbox(in: user.directoryID, recipient: "a@example.com", limit: 99)
                }
            }
            for (minute, sent) in [(Int64(0), 1), (2, 2), (4, 2), (6, 2)] {
                #expect(try await recover(minute).count == sent, "minute \(minute)")
            }
            let token = try #require(try await recover(8).first?.tokenHash)
            _ = try await VerifyProof(world.ports[1])(
                .linkToken(token), purposes: [.recovery], call: world.call(after: .minutes(9)))
            #expect(try await recover(10).filter { $0.kind == "recovery" }.count == 3)
            // The brake of the Directory: half of it for people who have proved nothing.
            var answers: [AuthErrorCode?] = []
            for number in 0..<6 {
                do {
                    _ = try await SignUp(world.ports[number % 2])(
                        SignUpCommand(
                            identifier: .email(EmailAddress("new\(number)@example.com")),
                            password: Secret(PasswordBench.password)),
                        call: world.call(after: .minutes(11)))
                    answers.append(nil)
                } catch let error as AuthError {
                    answers.append(error.code)
                }
            }
            #expect(answers == [nil, nil, nil, nil, .mailRateLimited, .mailRateLimited])
        }
    }

    @Test("R9.8 a right password writes no row of attempts, and a wrong one writes its own with the refusal")
    func rows() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let store = RecordingStore(bench.store)
        let ports = bench.ports(over: store)
        func writes(_ password: String) async throws -> (transactions: Int, attempts: Int) {
            let before = bench.store.writes
            _ = store.taken()
            _ = try? await PasswordSignIn(ports)(bench.email(), password: Secret(password), call: bench.call())
            let attempts = store.taken().filter { $0.changed != nil && $0.sql.contains("counted_attempts") }
            return (bench.store.writes - before, attempts.count)
        }
        #expect(try await writes(PasswordBench.password) == (1, 0))
        #expect(try await writes("Wrong-Horse-7") == (1, 2))
    }

    @Test(
        "R9.8 the ledger is asked once by a right password, and before the comparison too after a wrong one, at nobody's as well"
    )
    func looks() async throws {
        let bench = try await PasswordBench { $0.limits.signInPerAccount = .init(count: 10, seconds: 3600) }
        try await bench.user()
        let store = RecordingStore(bench.store)
        let ports = bench.ports(over: store)
        func looks(_ password: String, _ email: String = "a@example.com", after span: TimeSpan = .zero) async throws
            -> Int
        {
            _ = store.taken()
            _ = try? await PasswordSignIn(ports)(
                bench.email(email), password: Secret(password), call: bench.call(after: span))
            return store.taken().count { $0.changed == nil && $0.sql.contains("counted_attempts") }
        }
        for _ in 0..<2 { #expect(try await looks(PasswordBench.password) == 1) }
        for email in ["a@example.com", "nobody@example.com"] {
            let first = try await looks("Wrong-Horse-7", email)
            #expect(try await looks("Wrong-Horse-7", email) == first + 1)
        }
        #expect(try await looks(PasswordBench.password) == 2)
        // What was guessed then counts no more.
        #expect(try await looks(PasswordBench.password, after: .hours(2)) == 1)
    }

    @Test("R9.8 what a process remembers of guesses is bounded, and with too many it looks at every account's")
    func remembered() {
        let accounts = GuessedAccounts()
        let now = Instant(seconds: 1_800_000_000)
        func place(_ number: Int, after span: TimeSpan = .zero) -> GuessedAccounts.Place {
            let key = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
            return GuessedAccounts.Place(in: accounts, key, at: now + span, for: .hours(1))
        }
        for number in 0..<16_384 { place(number).note() }
        #expect(accounts.count == 16_384 && place(7).isKnown && !place(99_999).isKnown)
        place(20_000).note()
        #expect(accounts.count == 1 && place(7).isKnown && place(99_999).isKnown)
        #expect(!place(7, after: .hours(1)).isKnown && !place(20_000, after: .hours(1)).isKnown)
        // Those that have ended make room.
        for number in 0..<16_384 { place(number, after: .hours(2)).note() }
        place(30_000, after: .hours(3)).note()
        #expect(accounts.count == 1 && !place(99_999, after: .hours(3)).isKnown)
    }

    @Test("R9.8 the reaper deletes what has ended, and nothing that still counts")
    func reaped() async throws {
        try await with { world in
            let (store, directory, now) = (world.ports[0].store, world.directory.id, TwoProcesses.now)
            try await store.write { tx in
                let rule = RateLimitRule(name: "rule", count: 1, period: .hours(1))
                _ = try tx.takeAttempt(rule, key: [1], in: directory, at: now)
                _ = try tx.spend([1], in: directory, until: now + .minutes(3))
            }
            let reaper = Reaper(store: store)
            #expect(try await reaper.pass(at: now + .minutes(59)).total == 0)
            let first = try await reaper.pass(at: now + .minutes(61))
            #expect(first.attempts == 1 && first.total == 1)
            // A spent nonce outlives its ticket, for a clock that is set back.
            let second = try await reaper.pass(at: now + .days(1) + .minutes(4))
            #expect(second.nonces == 1 && second.total == 1)
        }
    }

    @Test("R9.8 the ledger holds no address of a client and no name, in no form that could be guessed")
    func keys() async throws {
        try await with { world in
            let call = world.call()
            let limit = LedgerLimit("password client", .init(count: 4, seconds: 900), "203.0.113.5 id", call)
            #expect(limit.key.count == 16)
            var other = call
            other.directory.tokenKey = Secret([UInt8](repeating: 1, count: 32))
            let same = LedgerLimit("password client", .init(count: 9, seconds: 60), "203.0.113.5 id", call)
            #expect(same.key == limit.key, "a changed setting gives nothing back")
            for foreign in [
                LedgerLimit("password client", .init(count: 4, seconds: 900), "203.0.113.5 id", other),
                LedgerLimit("password account", .init(count: 4, seconds: 900), "203.0.113.5 id", call),
                LedgerLimit("password client", .init(count: 4, seconds: 900), "203.0.113.6 id", call),
            ] { #expect(foreign.key != limit.key) }
        }
    }

    @Test("R9.4 one name is one key, in every spelling and every dialect, whether somebody has it or not")
    func spellings() async throws {
        try await with { world in
            try await world.user()
            let names: [[SignInIdentifier]] = [
                [.email(try EmailAddress("A@Example.COM")), .email(try EmailAddress(" a@example.com "))],
                [.email(try EmailAddress("No-Body@Example.com")), .email(try EmailAddress("no-body@EXAMPLE.com"))],
                [.phone(try PhoneNumber("+49 170 1234567")), .phone(try PhoneNumber("491701234567"))],
                [.username(try Username("Zoe\u{301}")), .username(try Username("ZO\u{C9}"))],
            ]
            let dialects = ["supabase", "cognito", "firebase", nil]
            for spellings in names {
                for (index, dialect) in dialects.enumerated() {
                    let call = world.call(dialect: dialect)
                    #expect(
                        try await world.wrong(by: spellings[index % 2], world.ports[index % 2], call)
                            == .invalidCredentials)
                }
                for dialect in dialects {
                    for name in spellings {
                        let call = world.call(dialect: dialect)
                        #expect(try await world.signIn(by: name, world.ports[0], call) == .rateLimited, "\(name)")
                    }
                }
            }
        }
    }

    @Test("what is under way weighs as long as it is, and leaves nothing behind")
    func underWay() {
        let attempts = AttemptsUnderWay()
        #expect(attempts.begin([[1], [2]]) == [0, 0])
        #expect(attempts.begin([[1], [3]]) == [1, 0])
        attempts.end([[1], [2]])
        #expect(attempts.begin([[1]]) == [1])
        attempts.end([[1]])
        attempts.end([[1], [3]])
        #expect(attempts.count == 0)
    }
}
