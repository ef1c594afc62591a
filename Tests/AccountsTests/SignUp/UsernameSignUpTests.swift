// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct UsernameSignUpTests {
    @discardableResult
    private func signUp(
        _ bench: PasswordBench, _ name: String, _ email: String?, phone: String? = nil,
        password: String = PasswordBench.password, after span: TimeSpan = .zero,
        _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws -> SignUpOutcome {
        var command = SignUpCommand(identifier: .username(try Username(name)), password: Secret(password))
        command.email = try email.map { try EmailAddress($0) }
        command.phone = try phone.map { try PhoneNumber($0) }
        return try await SignUp(bench.ports)(command, call: bench.call(after: span, change))
    }

    private func confirm(_ bench: PasswordBench, _ name: String, by code: String?) async throws {
        _ = try await ConfirmAddress(bench.ports)(
            .code(.username(Username(name)), #require(code)), purposes: [.signUpConfirmation], call: bench.call())
    }

    /// The codes that went to an address, the oldest first.
    private func codes(_ bench: PasswordBench, to address: String = "a@example.com") async throws -> [String?] {
        try await bench.base.messages(to: address).filter { $0.kind == "confirmation" }.map(\.code).reversed()
    }

    @Test("A name that is taken is refused in any spelling, whether its owner is confirmed or not")
    func taken() async throws {
        let bench = try await PasswordBench()
        try await signUp(bench, "ada", "a@example.com")
        await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, "ADA", "b@example.com") }
        await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, "ada", "a@example.com") }
        try await bench.user("c@example.com") { $0.username = try Username("eve") }
        await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, "eve", "d@example.com") }
        #expect(try await bench.userCount() == 2)
    }

    @Test("R10.4 nobody signs up by a name that is somebody's identifier, also of an account that is over")
    func identifiers() async throws {
        let bench = try await PasswordBench()
        let ada = try await bench.user("c@example.com")
        for name in [ada.id.rawValue, ada.id.rawValue.uppercased()] {
            await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, name, "d@example.com") }
        }
        try await bench.write(ada) { $0.deletedAt = bench.now }
        for name in [ada.id.rawValue, ada.id.rawValue.uppercased()] {
            await #expect(throws: AuthError(.usernameExists)) { try await signUp(bench, name, "d@example.com") }
        }
    }

    @Test("R10.4 two sign-ups by two names with one address are two accounts, each with the code of its own")
    func shared() async throws {
        let bench = try await PasswordBench { $0.signUp.uniqueEmails = false }
        let ada = try #require(try await signUp(bench, "ada", "a@example.com").record?.user)
        let eve = try #require(
            try await signUp(bench, "eve", "a@example.com", password: "Eves-Horse-72", after: .seconds(1)).record?.user)
        #expect(ada.id != eve.id)
        let codes = try await codes(bench)
        #expect(codes.count == 2)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) { try await confirm(bench, "eve", by: codes[0]) }
        try await confirm(bench, "ada", by: codes[0])
        // As long as one alone has proved it, the address names them.
        #expect(try await bench.signIn().user.id == ada.id)
        try await confirm(bench, "eve", by: codes[1])
        #expect(try await bench.base.reload(eve).emailVerifiedAt == bench.now)
        // Of two, neither.
        for password in [PasswordBench.password, "Eves-Horse-72"] {
            await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn(password: password) }
        }
        for (name, user, password) in [("ada", ada, PasswordBench.password), ("eve", eve, "Eves-Horse-72")] {
            let next = try await PasswordSignIn(bench.ports)(
                .username(Username(name)), password: Secret(password), call: bench.call())
            #expect(next.user.id == user.id)
        }
        try await RequestRecovery(bench.ports)(EmailAddress("a@example.com"), call: bench.call(after: .minutes(5)))
        #expect(try await bench.base.messages(to: "a@example.com").allSatisfy { $0.kind != "recovery" })
    }

    @Test("R10.4 where an address is one user's, the first who proves it has it, and the other's proof is refused")
    func unique() async throws {
        let bench = try await PasswordBench()
        try await signUp(bench, "ada", "a@example.com")
        let eve = try #require(
            try await signUp(bench, "eve", "a@example.com", after: .seconds(1)).record?.user)
        let codes = try await codes(bench)
        try await confirm(bench, "ada", by: codes[0])
        await #expect(throws: AuthError(.emailExists)) { try await confirm(bench, "eve", by: codes[1]) }
        #expect(try await bench.base.reload(eve).emailVerifiedAt == nil)
        // Nor can an operator say so.
        var administrator = bench.call()
        administrator.actor = .commandLine
        var attributes = UserAttributes()
        attributes.emailConfirm = true
        await #expect(throws: AuthError(.emailExists)) {
            try await UserAdministration(bench.ports).update(
                eve.id, attributes, call: administrator)
        }
        #expect(try await bench.signIn().user.username?.rawValue == "ada")
    }

    @Test(
        "R10.4 R48 whoever names somebody's address beside a name of theirs blocks no sign-up by it, and is not found")
    func safe() async throws {
        let bench = try await PasswordBench()
        let mallory = try #require(try await signUp(bench, "mallory", "a@example.com").record?.user)
        let own = try await bench.signUpMessage("Owners-Horse-71", at: bench.call(after: .minutes(1)))
        try await bench.answer(own, at: bench.call(after: .minutes(2)))
        let owner = try await bench.signIn(password: "Owners-Horse-71", at: bench.call(after: .minutes(3)))
        #expect(owner.user.id != mallory.id)
        await #expect(throws: AuthError(.emailExists)) {
            try await confirm(bench, "mallory", by: try await codes(bench).first ?? nil)
        }
        try await RequestMagicLink(bench.ports)(EmailAddress("a@example.com"), call: bench.call(after: .minutes(4)))
        let link = try #require(try await bench.base.messages(to: "a@example.com").first { $0.kind == "magic_link" })
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(#require(link.tokenHash)), purposes: [.magicLink], call: bench.call(after: .minutes(4)))
        #expect(outcome.session?.user.id == owner.user.id)
    }

    @Test("R10.4 who signed up by an address before somebody proved it beside a name is no longer found by it")
    func provedBeside() async throws {
        let bench = try await PasswordBench()
        try await bench.signUp(password: "Strangers-Horse-72")
        try await signUp(bench, "ada", "a@example.com", after: .minutes(1))
        try await confirm(bench, "ada", by: try await codes(bench).last ?? nil)
        #expect(try await bench.signIn().user.username?.rawValue == "ada")
        #expect(try await bench.signUp(at: bench.call(after: .hours(1))).isConcealed)
        await #expect(throws: AuthError(.emailExists)) {
            _ = try await ConfirmAddress(bench.ports)(
                .linkToken(#require(try await bench.base.messages(to: "a@example.com").last?.tokenHash)),
                purposes: [.signUpConfirmation], call: bench.call())
        }
    }

    @Test(
        "R10.4 an account may have a name and a password alone: it waits for an operator's word, and no message goes out"
    )
    func nameAlone() async throws {
        let bench = try await PasswordBench()
        guard case .unconfirmed(let record) = try await signUp(bench, "ada", nil) else {
            Issue.record("not unconfirmed")
            return
        }
        #expect(!record.user.isConfirmed && record.identities.isEmpty)
        #expect(try await bench.base.messages().isEmpty)
        func signIn() async throws {
            _ = try await PasswordSignIn(bench.ports)(
                .username(Username("ada")), password: Secret(PasswordBench.password), call: bench.call())
        }
        await #expect(throws: AuthError(.emailNotVerified)) { try await signIn() }
        var administrator = bench.call()
        administrator.actor = .commandLine
        var attributes = UserAttributes()
        attributes.accountConfirm = true
        let confirmed = try await UserAdministration(bench.ports).update(
            record.user.id, attributes, call: administrator)
        #expect(confirmed.user.isConfirmed && !confirmed.user.isProved)
        try await signIn()
    }

    @Test("R10.4 one client mails no address without end, however many names it gives it")
    func flood() async throws {
        let bench = try await PasswordBench()
        var errors: [AuthErrorCode?] = []
        for index in 0..<9 {
            errors.append(await bench.error { try await signUp(bench, "name\(index)", "a@example.com") }?.code)
        }
        #expect(errors == Array(repeating: nil, count: 6) + Array(repeating: .mailRateLimited, count: 3))
        #expect(try await bench.userCount() == 6)
        #expect(try await bench.base.messages(to: "a@example.com").count == 6)
    }

    /// Two messages an hour, and names of four strangers with an address of which as many were asked for as may be.
    private func strangersNames() async throws -> PasswordBench {
        let bench = try await PasswordBench {
            $0.limits.mailSent.count = 1000
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
        }
        for index in 0..<4 {
            let (client, name) = ("10.0.\(index).1", "stranger\(index)")
            try await signUp(bench, name, at: from(client, bench))
            for minute in [Int64(2), 4, 6] {
                let call = from(client, bench, after: minute)
                try await ResendMessage(bench.ports)(.signUpConfirmation, to: .username(Username(name)), call: call)
                try await RequestRecovery(bench.ports)(.username(Username(name)), call: call)
            }
        }
        return bench
    }

    private func from(_ client: String, _ bench: PasswordBench, after minutes: Int64 = 0) -> CallContext {
        bench.call(after: .minutes(minutes)).with { $0.origin = client }
    }

    private func signUp(_ bench: PasswordBench, _ name: String, at call: CallContext) async throws {
        var command = SignUpCommand(
            identifier: .username(try Username(name)), password: Secret(PasswordBench.password))
        command.email = try EmailAddress("a@example.com")
        _ = try await SignUp(bench.ports)(command, call: call)
    }

    private func kinds(_ bench: PasswordBench) async throws -> [String: Int] {
        try await bench.base.messages(to: "a@example.com").reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    @Test("R8.13 R10.4 however many names of strangers an address is given, its owner gives it to one of their own")
    func strangersNamesAndSignUp() async throws {
        let bench = try await strangersNames()
        let before = try await kinds(bench)
        // Of each client two of a kind, and no more.
        #expect(before == ["confirmation": 8, "recovery": 8])
        try await signUp(bench, "ada", at: from("192.0.2.1", bench, after: 7))
        try await ResendMessage(bench.ports)(
            .signUpConfirmation, to: .username(Username("ada")), call: from("192.0.2.1", bench, after: 9))
        #expect(try await kinds(bench)["confirmation"] == 10)
    }

    @Test("R8.13 R10.4 however often strangers recover names that they gave somebody's address, its owner recovers")
    func strangersNamesAndRecovery() async throws {
        let bench = try await strangersNames()
        try await bench.user()
        try await RequestRecovery(bench.ports)(
            EmailAddress("a@example.com"), call: from("192.0.2.1", bench, after: 7))
        #expect(try await kinds(bench)["recovery"] == 9)
    }

    @Test("R8.13 a recovery by name that was answered weighs on nothing")
    func answeredByName() async throws {
        let bench = try await PasswordBench { $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600) }
        try await bench.user { $0.username = try Username("ada") }
        for round in Int64(0)..<6 {
            let call = bench.call(after: .minutes(2 * round))
            try await RequestRecovery(bench.ports)(.username(Username("ada")), call: call)
            let mails = try await bench.base.messages(to: "a@example.com").filter { $0.kind == "recovery" }
            #expect(mails.count == Int(round) + 1)
            _ = try await VerifyProof(bench.ports)(
                .linkToken(#require(mails.first?.tokenHash)), purposes: [.recovery], call: call)
        }
    }

    @Test("R10.4 of many sign-ups with one address by many names at once all succeed, and one at most is named by it")
    func raceForAddress() async throws {
        let bench = try await PasswordBench {
            $0.limits.messagesPerRecipient = .init(count: 100, seconds: 3600)
            $0.limits.mailSent = .init(count: 1000, seconds: 3600)
        }
        let made = await withTaskGroup(of: UserID?.self) { group in
            for index in 0..<20 {
                group.addTask { try? await signUp(bench, "user\(index)", "a@example.com").record?.user.id }
            }
            return await group.reduce(into: Set<UserID>()) { if let id = $1 { $0.insert(id) } }
        }
        #expect(made.count == 20)
        #expect(try await bench.userCount() == 20)
        // Whoever's mailbox it is answers all of them at once: one proof counts.
        let messages = try await bench.base.messages(to: "a@example.com")
        #expect(messages.count == 20)
        let proved = await withTaskGroup(of: Bool.self) { group in
            for message in messages {
                group.addTask {
                    (try? await ConfirmAddress(bench.ports)(
                        .linkToken(message.tokenHash ?? ""), purposes: [.signUpConfirmation], call: bench.call()))
                        != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(proved == 1)
        #expect(try await bench.found()?.emailVerifiedAt == bench.now)
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
