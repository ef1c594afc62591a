// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestSupport
import Testing

@testable import Accounts

/// Nobody guesses a password, and nobody keeps somebody else out by guessing at theirs.
@Suite struct GuessLimitTests {
    private static let phone = "+491701234567"

    private func bench() async throws -> PasswordBench {
        try await PasswordBench {
            $0.limits.signInPerIdentifier = .init(count: 3, seconds: 900)
            $0.limits.signInPerAccount = .init(count: 10, seconds: 3600)
            // What stands behind the lock is looked at by itself.
            $0.lockout.attempts = 0
        }
    }

    /// A call from one client; its network is what of its address is kept.
    private func call(_ client: String, _ bench: PasswordBench, after span: TimeSpan = .zero) -> CallContext {
        var call = bench.call(after: span)
        call.origin = client
        call.device.truncatedAddress = client.split(separator: ".").prefix(3).joined(separator: ".") + ".0"
        return call
    }

    /// A call behind a gateway that does not say who calls.
    private func anybody(_ bench: PasswordBench) -> CallContext {
        var call = bench.call()
        call.origin = nil
        return call
    }

    @Test("R10.3 where clients can't be told apart, wrong passwords count for the account and not for one of them")
    func unknownClients() async throws {
        let bench = try await bench()
        _ = try await bench.user()
        for _ in 1...10 { #expect(try await wrong(bench, anybody(bench)) == .invalidCredentials) }
        #expect(try await attempt(PasswordBench.password, bench, anybody(bench)) == .rateLimited)
    }

    /// `nil` for a session.
    private func attempt(
        _ password: String, by identifier: SignInIdentifier? = nil, _ bench: PasswordBench,
        _ call: CallContext
    ) async throws -> AuthErrorCode? {
        let identifier = try identifier ?? bench.email()
        return await bench.error {
            _ = try await PasswordSignIn(bench.ports)(identifier, password: Secret(password), call: call)
        }?.code
    }

    private func wrong(
        by identifier: SignInIdentifier? = nil, _ bench: PasswordBench, _ call: CallContext
    ) async throws -> AuthErrorCode? {
        try await attempt("Wrong-Horse-7", by: identifier, bench, call)
    }

    @Test(
        "R8.13 G-8.8 wrong passwords stop the client that typed them, by every name of the account, and no other client"
    )
    func perClient() async throws {
        let bench = try await bench()
        let user = try await bench.user(phone: Self.phone) { $0.username = try Username("ada") }
        let evil = call("203.0.113.5", bench)
        let names: [SignInIdentifier] = [
            try bench.email(), .phone(try PhoneNumber(Self.phone)), .username(try Username("ADA")), .user(user.id),
        ]
        for name in names.prefix(3) { #expect(try await wrong(by: name, bench, evil) == .invalidCredentials) }
        for name in names {
            #expect(try await attempt(PasswordBench.password, by: name, bench, evil) == .rateLimited)
        }
        #expect(try await attempt(PasswordBench.password, bench, call("198.51.100.7", bench)) == nil)
    }

    @Test("R8.13 right passwords are no guesses, however many")
    func rightOnes() async throws {
        let bench = try await bench()
        try await bench.user()
        for _ in 0..<20 { #expect(try await attempt(PasswordBench.password, bench, call("203.0.113.5", bench)) == nil) }
    }

    @Test("R8.13 a name that nobody has is refused after as many attempts as one that somebody has")
    func unknownAlike() async throws {
        let bench = try await bench()
        try await bench.user()
        let evil = call("203.0.113.5", bench)
        for email in ["a@example.com", "nobody@example.com"] {
            var answers: [AuthErrorCode?] = []
            for _ in 0..<5 { answers.append(try await wrong(by: bench.email(email), bench, evil)) }
            #expect(
                answers == [.invalidCredentials, .invalidCredentials, .invalidCredentials, .rateLimited, .rateLimited])
        }
    }

    @Test("R8.13 many clients stop at the account's own limit, and its owner comes in from where they have been before")
    func knownNetwork() async throws {
        let bench = try await bench()
        try await bench.user()
        #expect(try await attempt(PasswordBench.password, bench, call("198.51.100.7", bench)) == nil)
        for client in 0..<10 {
            #expect(try await wrong(bench, call("203.0.\(client).5", bench)) == .invalidCredentials)
        }
        for client in 10..<14 {
            #expect(try await attempt(PasswordBench.password, bench, call("203.0.\(client).5", bench)) == .rateLimited)
        }
        #expect(try await attempt(PasswordBench.password, bench, call("198.51.100.7", bench)) == nil)
        // A neighbour in the owner's network has a few guesses of their own, and keeps out the owner only there.
        for host in 20..<23 {
            #expect(try await wrong(bench, call("198.51.100.\(host)", bench)) == .invalidCredentials)
        }
        #expect(try await wrong(bench, call("198.51.100.30", bench)) == .rateLimited)
        // A month later the network is known no more.
        let later = call("203.0.99.5", bench, after: .days(31))
        for client in 0..<10 { _ = try await wrong(bench, call("203.0.\(client).6", bench, after: .days(31))) }
        #expect(try await wrong(bench, later) == .rateLimited)
        #expect(try await wrong(bench, call("198.51.100.7", bench, after: .days(31))) == .rateLimited)
    }

    @Test("R8.13 who answers a mail comes in at once, and from then on while the guessing goes on")
    func mailedLink() async throws {
        let bench = try await bench()
        let user = try await bench.user()
        func flood(_ round: Int) async throws {
            for client in 0..<12 { _ = try await wrong(bench, call("203.\(round).\(client).5", bench)) }
        }
        try await flood(0)
        let owner = call("198.51.100.7", bench)
        #expect(try await attempt(PasswordBench.password, bench, owner) == .rateLimited)
        let proof = try await bench.base.proof(.recovery, for: user)
        _ = try await ResetPassword(bench.ports)(
            .linkToken(proof.linkToken), password: Secret(PasswordBench.newPassword), call: owner)
        try await flood(1)
        #expect(try await attempt(PasswordBench.newPassword, bench, call("203.9.9.9", bench)) == .rateLimited)
        #expect(try await attempt(PasswordBench.newPassword, bench, owner) == nil)
    }

    @Test("R36 of a hundred wrong passwords at once no more are judged than one by one")
    func parallel() async throws {
        let bench = try await bench()
        try await bench.user()
        let evil = call("203.0.113.5", bench)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try? await wrong(bench, evil) } }
        }
        // An attempt weighs twice between its commit and its end, so the crowd may be let fewer than the limit. What is
        // left of it is there one by one.
        #expect((1...3).contains(bench.passwords.verified))
        try await eventually("no more are judged") { try await wrong(bench, evil) != .invalidCredentials }
        #expect(bench.passwords.verified == 3)
    }

    @Test("R8.13 a password is guessed nowhere else: the change of it and of the account are counted with the sign-in")
    func elsewhere() async throws {
        let bench = try await bench()
        try await bench.user()
        let mine = try await bench.authenticated(bench.signIn())
        let thief = call("203.0.113.5", bench)
        var changes = UserChanges()
        changes.password = Secret(PasswordBench.newPassword)
        changes.currentPassword = Secret("Wrong-Horse-7")
        let update = await bench.error { [changes] in
            _ = try await UpdateUser(bench.ports)(changes, of: mine, call: thief)
        }
        #expect(update?.code == .currentPasswordInvalid)
        let change = await bench.error {
            _ = try await ChangePassword(bench.ports)(
                mine, current: Secret("Wrong-Horse-7"), new: Secret(PasswordBench.newPassword), call: thief)
        }
        #expect(change?.code == .invalidCredentials)
        // Whether a new password is the one there is says what that is.
        changes = UserChanges()
        changes.password = Secret(PasswordBench.password)
        let same = await bench.error { [changes] in
            _ = try await UpdateUser(bench.ports)(changes, of: mine, call: thief)
        }
        #expect(same?.code == .samePassword)
        #expect(try await attempt(PasswordBench.password, bench, thief) == .rateLimited)
    }

    @Test("R8.13 an attempt that could not be judged is none")
    func unjudged() async throws {
        let bench = try await bench()
        try await bench.user()
        let client = call("203.0.113.5", bench)
        bench.passwords.fail(AuthError(.overloaded))
        for _ in 0..<10 { #expect(try await wrong(bench, client) == .overloaded) }
        bench.passwords.fail(nil)
        #expect(try await attempt(PasswordBench.password, bench, client) == nil)
    }
}
