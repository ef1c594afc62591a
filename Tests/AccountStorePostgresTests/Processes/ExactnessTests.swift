// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What is spent once, and what is counted, however many servers it is shown to at once (ADR 0079).
@Suite("Several servers over one database", .postgres, .timeLimit(.minutes(5)))
struct ExactnessTests {
    @Test(
        "G-8.1 of forty wrong passwords at once, in two servers, exactly five are judged, and one locks",
        arguments: Processes.Database.allCases)
    func lockout(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) {
            $0.limits.signInPerIdentifier.count = 10_000
            $0.limits.signInPerAccount.count = 10_000
        } _: { world in
            try await world.user()
            let answers = try await world.race(40) { index, process in
                try await world.wrong(at: process, world.call("203.0.\(index).9"))
            }
            #expect(answers == .init(repeating: .invalidCredentials, count: 40))
            let reasons = try await world.events(.signInFailed).map { $0.details["reason"]?.stringValue }
            #expect(reasons.count { $0 == "invalid_credentials" } == 5)
            #expect(reasons.count { $0 == "account_locked" } == 35)
            #expect(try await world.events(.accountLocked).count == 1)
            for process in 0..<2 {
                #expect(try await world.signIn(at: process).refusal == .invalidCredentials)
            }
        }
    }

    @Test(
        "R9.8 of thirty wrong passwords at once, in two servers, as many are answered as the limit says",
        arguments: Processes.Database.allCases)
    func limit(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) {
            $0.limits.signInPerIdentifier = .init(count: 4, seconds: 900)
            $0.lockout.attempts = 0
        } _: { world in
            try await world.user()
            let answers = try await world.race(30) { _, process in try await world.wrong(at: process) }
            // What is under way weighs twice for a moment, so the crowd may be let fewer. The rest is there one by one.
            var judged = answers.count { $0 == .invalidCredentials }
            #expect((1...4).contains(judged))
            #expect(answers.count { $0 == .rateLimited } == 30 - judged)
            while judged < 9, try await world.wrong(at: judged % 2) == .invalidCredentials { judged += 1 }
            #expect(judged == 4)
            for process in 0..<2 { #expect(try await world.signIn(at: process).refusal == .rateLimited) }
        }
    }

    /// The call of an attempt at a server whose clock may be a minute ahead. What came earlier comes to be noted later.
    private func call(_ attempt: Int, isAhead: Bool, _ world: Processes) -> CallContext {
        world.call(after: .milliseconds((isAhead ? 60_000 : 0) + 200 - Int64(attempt) * 10))
    }

    @Test(
        "G-8.1 a lock holds at every server, though the clock of one is a minute ahead",
        arguments: Processes.Database.allCases, [0, 1])
    func lockApart(_ database: Processes.Database, ahead: Int) async throws {
        try await Processes.with(over: database) { world in
            try await world.user()
            for attempt in 0..<5 {
                let (process, call) = (attempt % 2, call(attempt, isAhead: attempt % 2 == ahead, world))
                #expect(try await world.wrong(at: process, call) == .invalidCredentials)
            }
            #expect(try await world.events(.accountLocked).count == 1)
            for process in 0..<2 {
                let call = call(9, isAhead: process == ahead, world)
                #expect(try await world.signIn(at: process, call).refusal == .invalidCredentials)
            }
        }
    }

    @Test(
        "R9.8 no more wrong passwords are answered than the limit says, though the clock of one server is a minute ahead",
        arguments: Processes.Database.allCases, [0, 1])
    func limitApart(_ database: Processes.Database, ahead: Int) async throws {
        try await Processes.with(over: database) {
            $0.limits.signInPerIdentifier = .init(count: 4, seconds: 900)
            $0.lockout.attempts = 0
        } _: { world in
            try await world.user()
            var answers: [AuthErrorCode?] = []
            for attempt in 0..<12 {
                let call = call(attempt, isAhead: attempt % 2 == ahead, world)
                answers.append(try await world.wrong(at: attempt % 2, call))
            }
            // To the one behind, what the other has counted lasts a minute longer.
            #expect((3...4).contains(answers.count { $0 == .invalidCredentials }))
            #expect(answers.suffix(4) == .init(repeating: .rateLimited, count: 4))
        }
    }

    @Test(
        "R25 of thirty refreshes of one token at once, in two servers, all are given one successor",
        arguments: Processes.Database.allCases)
    func refresh(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            try await world.user()
            let first = try #require(try await world.signIn(at: 0).session)
            let call = world.call(after: .hours(1))
            let answers = try await world.race(30) { _, process in
                try await world.flows[process].refreshSession(first.refreshToken.reveal(), call: call)
            }
            #expect(Set(answers.map { $0.refreshToken.reveal() }).count == 1)
            #expect(answers.count { $0.renewal == .rotated } == 1)
            let next = try #require(answers.first).refreshToken.reveal()
            let later = world.call(after: .hours(2))
            let renewed = try await world.flows[1].refreshSession(next, call: later)
            // Whoever comes with what was left behind, at either, ends the session at both.
            let late = world.call(after: .seconds(7210))
            await #expect(throws: AuthError(.refreshTokenReused)) {
                try await world.flows[0].refreshSession(first.refreshToken.reveal(), call: late)
            }
            for flows in world.flows {
                await #expect(throws: AuthError(.refreshTokenReused)) {
                    try await flows.refreshSession(renewed.refreshToken.reveal(), call: late)
                }
            }
        }
    }

    @Test(
        "R75 a link and a code that are shown to two servers at once open one session",
        arguments: Processes.Database.allCases)
    func link(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            let user = try await world.user()
            for round in 0..<4 {
                let call = world.call(after: .minutes(Int64(round) * 10))
                try await world.flows[round % 2].requestMagicLink(try EmailAddress("a@example.com"), call: call)
                let message = try #require(
                    try await world.stores[0].read {
                        try $0.outbox(in: user.directoryID, recipient: "a@example.com", limit: 1)
                    }.first)
                let token = try #require(message.link?.firstMatch(of: /token=([0-9a-f]+)/)).1.description
                let code = try #require(message.code)
                let opened = try await world.race(12) { index, process in
                    let proof: Proof =
                        index % 3 == 0
                        ? .link(token: token) : .code(.email(try EmailAddress("a@example.com")), code)
                    do {
                        _ = try await world.flows[process].verifyProof(proof, purposes: [.magicLink], call: call)
                        return true
                    } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
                        return false
                    }
                }
                #expect(opened.count { $0 } == 1, "round \(round)")
            }
        }
    }

    @Test(
        "R25 an authorization code that is exchanged at two servers at once opens one session",
        arguments: Processes.Database.allCases)
    func code(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            let user = try await world.user()
            let (call, verifier) = (world.call(), String(repeating: "v", count: 64))
            try await world.flows[0].requestMagicLink(
                try EmailAddress("a@example.com"), codeChallenge: PKCE.challenge(for: verifier), call: call)
            let message = try #require(
                try await world.stores[1].read {
                    try $0.outbox(in: user.directoryID, recipient: "a@example.com", limit: 1)
                }.first)
            let token = try #require(message.link?.firstMatch(of: /token=([0-9a-f]+)/)).1.description
            let outcome = try await world.flows[1].verifyProof(
                .link(token: token), purposes: [.magicLink], call: call)
            guard case .authorizationCode(let code, _) = outcome else { throw AuthError(.internalFailure) }
            let opened = try await world.race(12) { _, process in
                do {
                    let step = try await world.flows[process].exchangeCode(
                        code: code, verifier: verifier, call: call)
                    guard case .session = step else { return false }
                    return true
                } catch let error as AuthError where error.code == .flowStateNotFound {
                    return false
                }
            }
            #expect(opened.count { $0 } == 1)
        }
    }

    @Test(
        "R9.8 of a nonce that is shown to two servers at once, one is told that it was unspent",
        arguments: Processes.Database.allCases)
    func nonce(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            for round in 0..<8 {
                let spent = try await world.race(12) { _, process in
                    try await world.flows[process].spendProof(
                        [UInt8(round), 1, 2, 3], in: world.directory.id, until: Processes.now + .minutes(3))
                }
                #expect(spent.count { $0 } == 1)
            }
        }
    }

    @Test(
        "F24 of sign-ups of one address at once, in two servers, one account comes",
        arguments: Processes.Database.allCases)
    func signUp(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) {
            $0.signUp.emailAutoConfirm = true
        } _: { world in
            let made = try await world.race(16) { _, process in
                do {
                    _ = try await world.flows[process].signUp(
                        SignUpCommand(
                            identifier: .email(try EmailAddress("new@example.com")),
                            password: Secret(Processes.password)), call: world.call())
                    return true
                } catch let error as AuthError where error.code == .emailExists {
                    return false
                }
            }
            #expect(made.count { $0 } == 1)
            for process in 0..<2 { #expect(try await world.signIn("new@example.com", at: process).session != nil) }
        }
    }
}
