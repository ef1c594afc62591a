// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Accounts that somebody opened without proving their address, in a dialect that lets them.
@Suite struct UnverifiedAccountTests {
    private static let owners = "Owners-Horse-71"
    private static let strangers = "Strangers-Horse-72"
    private static let home = "192.0.2.0/24"
    private static let away = "198.51.100.0/24"

    /// As a dialect of that kind signs somebody up.
    @discardableResult
    private func open(
        _ bench: PasswordBench, _ password: String = strangers, metadata: JSONObject = [:], from place: String = away,
        after span: TimeSpan = .zero
    ) async throws -> IssuedSession {
        var command = try SignUpCommand(
            identifier: bench.email(), password: Secret(password), userMetadata: metadata)
        command.signsInUnverified = true
        let outcome = try await SignUp(bench.ports)(command, call: bench.open(from: place, after: span))
        return try #require(outcome.session)
    }

    @Test("R10.2 a sign-up may open a session at once: no message goes out, and the address is not verified")
    func opens() async throws {
        let bench = try await PasswordBench()
        let issued = try await open(bench, metadata: ["name": "Ada"])
        #expect(issued.user.emailVerifiedAt == nil && issued.user.isUnverified)
        #expect(issued.user.userMetadata == ["name": "Ada"])
        #expect(try await bench.base.messages(to: "a@example.com").isEmpty)
        try await bench.signIn(password: Self.strangers, at: bench.open(after: .minutes(1)))
        // Taken, also for whoever knows the password.
        for password in [Self.strangers, Self.owners] {
            await #expect(throws: AuthError(.emailExists)) { try await open(bench, password, after: .minutes(2)) }
        }
        #expect(try await bench.userCount() == 1)
    }

    @Test("R10.2 where the Directory says so no dialect opens a session to whoever has proved nothing")
    func refused() async throws {
        let bench = try await PasswordBench { $0.signUp.unverifiedSignIn = .refuse }
        var command = try SignUpCommand(identifier: bench.email(), password: Secret(Self.owners))
        command.signsInUnverified = true
        let outcome = try await SignUp(bench.ports)(command, call: bench.open())
        #expect(outcome.session == nil && !outcome.isConcealed)
        let call = bench.open(after: .minutes(1))
        #expect(await bench.refused(Self.owners, at: call) == .emailNotVerified)
    }

    @Test("R10.2 what one dialect opened no other signs in to, and an unanswered sign-up of another opens nothing")
    func otherDialects() async throws {
        let bench = try await PasswordBench()
        try await open(bench)
        for call in [bench.call(after: .minutes(1)), bench.byAccount] {
            #expect(await bench.refused(Self.strangers, at: call) == .emailNotVerified)
        }
        let other = try await PasswordBench()
        try await other.signUp(password: Self.owners)
        #expect(await other.refused(Self.owners, at: other.open()) == .invalidCredentials)
        #expect(await other.refused(Self.owners, at: other.call()) == .emailNotVerified)
    }

    /// By which message the owner of the address proves that it is theirs.
    enum Proving: CaseIterable, Sendable { case signUp, reset, recovery, magicLink }

    @Test(
        "R10.2 R47 R48 who proves the address in any dialect takes the account: password, sessions and pending changes first",
        arguments: Proving.allCases)
    func taken(way: Proving) async throws {
        let bench = try await PasswordBench { $0.oneTime.secureEmailChange = false }
        let issued = try await open(bench, metadata: ["planted": 1])
        try await bench.update(issued) { $0.email = try EmailAddress("evil@evil.test") }
        let trojan = try #require(try await bench.base.messages(to: "evil@evil.test").first?.tokenHash)
        let call = bench.call(from: Self.home, after: .minutes(2))
        func token() async throws -> Proof {
            .linkToken(try #require(try await bench.base.messages(to: "a@example.com").first?.tokenHash))
        }
        switch way {
        case .signUp:
            let own = try await bench.signUpMessage(Self.owners, ["mine": 1], at: call)
            #expect(await bench.refused(Self.owners, at: call) == .emailNotVerified)
            try await bench.answer(own, at: call)
            #expect(try await bench.found()?.userMetadata == ["mine": 1])
        case .reset:
            try await RequestRecovery(bench.ports)(EmailAddress("a@example.com"), call: call)
            _ = try await ResetPassword(bench.ports)(token(), password: Secret(Self.owners), call: call)
        case .recovery:
            try await RequestRecovery(bench.ports)(EmailAddress("a@example.com"), call: call)
            _ = try await VerifyProof(bench.ports)(token(), purposes: [.recovery], call: call)
        case .magicLink:
            try await RequestMagicLink(bench.ports)(EmailAddress("a@example.com"), call: call)
            _ = try await VerifyProof(bench.ports)(token(), purposes: [.magicLink], call: call)
        }
        let user = try #require(try await bench.found())
        #expect(user.id == issued.user.id && user.emailVerifiedAt == call.now && user.pendingEmail == nil)
        #expect(try await bench.session(issued).revokedAt != nil)
        let later = bench.open(after: .minutes(3))
        #expect(await bench.refused(Self.strangers, at: later) == .invalidCredentials)
        if way == .signUp || way == .reset { try await bench.signIn(password: Self.owners, at: later) }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(bench.ports)(.linkToken(trojan), purposes: [.emailChangeNew], call: later)
        }
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await bench.refresh(issued.refreshToken, at: later)
        }
    }

    @Test("R10.2 R48 an unanswered sign-up does not block one that opens, nor does that end the other's message")
    func beside() async throws {
        let bench = try await PasswordBench()
        let own = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
        let planted = try await open(bench)
        try await bench.answer(own, at: bench.call(from: Self.home, after: .minutes(1)))
        #expect(try await bench.session(planted).revokedAt != nil)
        try await bench.signIn(password: Self.owners)
    }

    @Test("R10.2 what an operator made or somebody proved is told to be taken, and stays as it is")
    func claimed() async throws {
        for mark: @Sendable (inout User) -> Void in [
            { $0.emailVerifiedAt = $0.createdAt }, { $0.origin = .administrator }, { $0.origin = .invitation },
            { $0.confirmedAt = $0.createdAt },
        ] {
            let bench = try await PasswordBench()
            let user = try await bench.user { user in
                user.emailVerifiedAt = nil
                mark(&user)
            }
            await #expect(throws: AuthError(.emailExists)) { try await open(bench) }
            #expect(try await bench.base.reload(user).version == user.version)
        }
    }

    @Test("R10.2 the role of an administrator is nothing to who has proved no address")
    func administrates() throws {
        let now = Instant(seconds: 1)
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: now)
        user.role = "service_role"
        let settings = DirectorySettings()
        #expect(user.administratorRole(settings) == nil, "nobody answers for them")
        user.email = try EmailAddress("a@example.com")
        let states: [(User.Origin, Instant?)] = [(.signUp, nil), (.administrator, nil), (.signUp, now)]
        for (origin, confirmedAt) in states {
            (user.origin, user.confirmedAt) = (origin, confirmedAt)
            #expect(user.administratorRole(settings) == nil, "\(origin)")
        }
        user.emailVerifiedAt = now
        #expect(user.administratorRole(settings) == "service_role")
        user.role = "editor"
        #expect(user.administratorRole(settings) == nil)
        (user.email, user.emailVerifiedAt, user.confirmedAt) = (nil, nil, nil)
        (user.origin, user.role) = (.administrator, "service_role")
        #expect(user.administratorRole(settings) == "service_role", "an operator made them without an address")
    }

    @Test("R10.2 of sign-ups with one address at once one opens, and the others are told", arguments: 0..<4)
    func race(round: Int) async throws {
        let bench = try await PasswordBench()
        let opened = try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<12 {
                group.addTask {
                    let password = "Racing-Horse-\(index)"
                    do {
                        try await open(bench, password, from: "10.0.\(index).0/24")
                        return password
                    } catch let error as AuthError where error.code == .emailExists {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [String]()) { if let password = $1 { $0.append(password) } }
        }
        #expect(opened.count == 1)
        #expect(try await bench.userCount() == 1)
        try await bench.signIn(password: try #require(opened.first), at: bench.open(after: .minutes(1)))
    }

    @Test(
        "R10.2 a sign-up that opens and one that is confirmed race for one address: the proof has it", arguments: 0..<6)
    func raceWithProof(round: Int) async throws {
        let bench = try await PasswordBench()
        let own = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
        async let planted = try? open(bench)
        async let answered: Void = bench.answer(own, at: bench.call(from: Self.home))
        _ = try await (planted, answered)
        let later = bench.open(after: .minutes(1))
        #expect(await bench.refused(Self.strangers, at: later) == .invalidCredentials)
        try await bench.signIn(password: Self.owners, at: later)
        if let planted = await planted { #expect(try await bench.session(planted).revokedAt != nil) }
    }
}
