// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct UsernameSignUpTests {
    private func signUp(
        _ bench: PasswordBench, _ name: String?, _ email: String, password: String = PasswordBench.password,
        after span: Span = .zero
    ) async throws -> SignUpOutcome {
        let command = SignUpCommand(
            identifier: try bench.email(email), password: Secret(password), username: try name.map { try Username($0) })
        return try await SignUp(bench.ports)(command, call: bench.call(after: span))
    }

    @Test("A name that is taken is refused in any spelling, whether its owner is confirmed or not")
    func taken() async throws {
        let bench = try await PasswordBench()
        _ = try await signUp(bench, "ada", "a@example.com")
        await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, "ADA", "b@example.com") }
        try await bench.user("c@example.com") { $0.username = try Username("eve") }
        await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, "eve", "d@example.com") }
        // That the name and the address are one user's is not said.
        await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, "eve", "c@example.com") }
        #expect(try await bench.userCount() == 2)
        #expect(bench.passwords.all == 4)
    }

    @Test("G-1.3 behind a free name a registered address is still concealed, and the answer shows the name asked for")
    func concealed() async throws {
        let bench = try await PasswordBench()
        let owner = try await bench.user { $0.username = try Username("eve") }
        guard case .concealed(let record) = try await signUp(bench, "ada", "a@example.com") else {
            Issue.record("not concealed")
            return
        }
        #expect(record.user.username?.rawValue == "ada" && record.user.id != owner.id)
        #expect(try await bench.base.reload(owner).username?.rawValue == "eve")
    }

    @Test("R8.7 the account has the name of the sign-up that was answered; until then each is known by its own")
    func takeOver() async throws {
        let bench = try await PasswordBench { $0.limits.mailSent = .init(count: 100, seconds: 60) }
        let directory = bench.base.directory.id
        func id(_ name: String) async throws -> UserID? {
            try await bench.store.read { try $0.user(username: Username(name), in: directory)?.id }
        }
        _ = try await signUp(bench, "squatter", "a@example.com")
        let own = try await bench.signUpMessage(
            PasswordBench.password, username: "owner", at: bench.call(after: .hours(1)))
        let user = try #require(try await bench.found())
        #expect(try await id("squatter") == user.id)
        #expect(try await id("owner") == user.id)
        // Neither name is anybody else's meanwhile.
        for name in ["squatter", "OWNER"] {
            await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, name, "b@example.com") }
        }
        let call = bench.call(after: .hours(1))
        _ = try await ConfirmAddress(bench.ports)(
            .code(.username(Username("owner")), #require(own.code)), purposes: [.signUpConfirmation], call: call)
        #expect(try await bench.base.reload(user).username?.rawValue == "owner")
        #expect(try await id("squatter") == nil)
        _ = try await signUp(bench, "squatter", "b@example.com", after: .hours(1))
    }

    @Test("A sign-up needs an address or a number for its confirmation")
    func needsAddress() async throws {
        let bench = try await PasswordBench()
        for identifier in [SignInIdentifier.username(try Username("ada")), .user(UserID("x"))] {
            await #expect(throws: AuthError(.invalidRequest)) {
                try await SignUp(bench.ports)(
                    SignUpCommand(identifier: identifier, password: Secret(PasswordBench.password)), call: bench.call())
            }
        }
        #expect(bench.passwords.all == 0)
    }

    @Test("Of many sign-ups with one name at once, one succeeds")
    func race() async throws {
        let bench = try await PasswordBench()
        let sent = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask { (try? await signUp(bench, "ada", "user\(index)@example.com")) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sent == 1)
        #expect(try await bench.userCount() == 1)
    }

    @Test("G-1 a name signs in with one comparison, as an address does; a user's identifier too")
    func signIn() async throws {
        let bench = try await PasswordBench { $0.signUp.emailEnabled = false }
        let user = try await bench.user { $0.username = try Username("ada") }
        let names: [(SignInIdentifier, Bool)] = [
            (.username(try Username("ADA")), true), (.user(user.id), true), (.username(try Username("eve")), false),
            (.user(UserID(bench.ports.random.uuid())), false),
        ]
        for (name, isKnown) in names {
            let verified = bench.passwords.verified
            let error = await bench.error {
                _ = try await PasswordSignIn(bench.ports)(
                    name, password: Secret(PasswordBench.password), call: bench.call())
            }
            #expect(error?.code == (isKnown ? nil : .invalidCredentials))
            #expect(bench.passwords.verified == verified + 1 && bench.passwords.hashed == 0)
        }
        // A name opens nothing that no address of its owner's was proved for.
        try await bench.write(user) { $0.emailVerifiedAt = nil }
        await #expect(throws: AuthError(.emailNotVerified)) {
            try await PasswordSignIn(bench.ports)(
                .username(Username("ada")), password: Secret(PasswordBench.password), call: bench.call())
        }
        // Where there is none to prove, an administrator vouches.
        try await bench.write(user) { $0.email = nil }
        await #expect(throws: AuthError(.emailNotVerified)) {
            try await PasswordSignIn(bench.ports)(
                .username(Username("ada")), password: Secret(PasswordBench.password), call: bench.call())
        }
        try await bench.write(user) { $0.confirmedAt = bench.now }
        _ = try await PasswordSignIn(bench.ports)(
            .username(Username("ada")), password: Secret(PasswordBench.password), call: bench.call())
    }
}
