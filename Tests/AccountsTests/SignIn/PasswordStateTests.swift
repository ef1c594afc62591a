// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// The verifier and the temporary mark belong to one password, and go with it.
@Suite struct PasswordStateTests {
    private func isRight(_ user: User, _ password: String, _ bench: PasswordBench) throws -> Bool {
        let stored = try #require(user.srpVerifier)
        let again = try SRPVerifier(
            of: Secret(password), for: user.id, in: bench.base.directory, random: Fixed(bytes: stored.salt))
        return again == stored
    }

    private struct Fixed: RandomSource {
        let bytes: [UInt8]
        func bytes(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }
    }

    @Test("A changed hash takes the verifier and the temporary mark with it; the same hash leaves them")
    func cleared() throws {
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: Instant(seconds: 0))
        user.passwordHash = try CountingPasswords.form("one")
        user.srpVerifier = SRPVerifier(salt: [1], verifier: Secret([2]))
        user.temporaryPassword = TemporaryPassword(expiresAt: nil)
        user.passwordHash = try CountingPasswords.form("one")
        #expect(user.srpVerifier != nil && user.temporaryPassword != nil)
        user.passwordHash = try CountingPasswords.form("two")
        #expect(user.srpVerifier == nil && user.temporaryPassword == nil)
        user.srpVerifier = SRPVerifier(salt: [1], verifier: Secret([2]))
        user.passwordHash = nil
        #expect(user.srpVerifier == nil)
    }

    @Test("A verifier does not print")
    func redacted() {
        let verifier = SRPVerifier(salt: [77, 78], verifier: Secret([79]))
        #expect(!"\(verifier) \(String(reflecting: verifier))".contains("7"))
    }

    @Test("Where SRP is enabled, every flow that has the password at hand keeps its verifier")
    func everyFlow() async throws {
        let bench = try await PasswordBench.withSRP()
        // Sign-up of a new account, and of one that was never confirmed: the account's once the message is answered.
        for (password, hours) in [("Correct-Horse-7", Int64(0)), ("Another-Horse-8", 1)] {
            let call = bench.call(after: .hours(hours))
            let message = try await bench.signUpMessage(password, at: call)
            let judged = try await bench.store.read { tx in
                let user = try tx.user(email: EmailAddress("a@example.com"), in: call.directory.id)
                return try tx.judged(user, call)
            }
            #expect(try isRight(try #require(judged), password, bench))
            guard hours == 1 else { continue }
            try await bench.answer(message, at: call)
            #expect(try isRight(try #require(try await bench.found()), password, bench))
        }
        // A sign-in adds a missing one, and leaves the one there is.
        let user = try await bench.user("b@example.com")
        try await bench.signIn("b@example.com")
        let added = try await bench.base.reload(user)
        #expect(try isRight(added, PasswordBench.password, bench))
        let issued = try await bench.signIn("b@example.com")
        #expect(try await bench.base.reload(user).srpVerifier == added.srpVerifier)
        // A change.
        var changes = UserChanges()
        changes.password = Secret("Another-Horse-8")
        _ = try await UpdateUser(bench.ports)(changes, of: bench.authenticated(issued), call: bench.call())
        #expect(try isRight(try await bench.base.reload(user), "Another-Horse-8", bench))
        // An administrator's.
        var call = bench.call()
        call.actor = .commandLine
        var attributes = UserAttributes()
        attributes.password = Secret("Fourth-Horse-9")
        let written = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
        #expect(try isRight(written.user, "Fourth-Horse-9", bench))
        attributes.email = try EmailAddress("c@example.com")
        let made = try await UserAdministration(bench.ports).create(attributes, call: call)
        #expect(try isRight(made.user, "Fourth-Horse-9", bench))
    }

    @Test("Where SRP is not enabled, no verifier is kept")
    func disabled() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        try await bench.signIn()
        #expect(try await bench.base.reload(user).srpVerifier == nil)
    }

    @Test("An imported hash that is given today's form keeps the temporary mark's place, and no sign-in lifts the mark")
    func rehash() async throws {
        let bench = try await PasswordBench.withSRP()
        let user = try await bench.user {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
        }
        try await bench.signIn()
        let stored = try await bench.base.reload(user)
        #expect(CountingPasswords.isOld(stored.passwordHash) == false)
        #expect(try isRight(stored, PasswordBench.password, bench))
        try await bench.write(user) { $0.temporaryPassword = TemporaryPassword(expiresAt: nil) }
        await #expect(throws: AuthError(.passwordChangeRequired)) { try await bench.signIn() }
        #expect(try await bench.base.reload(user).temporaryPassword != nil)
    }

    // MARK: Temporary passwords

    private func temporary(_ bench: PasswordBench) async throws -> User {
        var attributes = UserAttributes()
        attributes.username = try Username("ada")
        attributes.email = try EmailAddress("a@example.com")
        attributes.password = Secret(PasswordBench.password)
        attributes.passwordIsTemporary = true
        var call = bench.call()
        call.actor = .administrator("test")
        return try await UserAdministration(bench.ports).create(attributes, call: call).user
    }

    @Test("R10.1 a temporary password is replaced once, by the ticket that it led to, and proves no address")
    func replaced() async throws {
        let bench = try await PasswordBench.withSRP()
        let user = try await temporary(bench)
        #expect(user.temporaryPassword?.expiresAt == bench.now + .days(7))
        let ticket = try await bench.ticket()
        let replace = ReplaceTemporaryPassword(bench.ports)
        await #expect(throws: AuthError(.weakPassword)) {
            try await replace(ticket, password: Secret("short"), call: bench.call())
        }
        let hashes = bench.passwords.all
        let issued = try await replace(
            ticket, password: Secret("Another-Horse-8"), userMetadata: ["name": "Ada"], call: bench.byAccount
        ).session()
        #expect(bench.passwords.all == hashes + 1)
        #expect(issued.user.temporaryPassword == nil && issued.user.userMetadata["name"] == "Ada")
        #expect(issued.user.confirmedAt == bench.now && issued.user.emailVerifiedAt == nil)
        #expect(try isRight(try await bench.base.reload(user), "Another-Horse-8", bench))
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await replace(ticket, password: Secret("Third-Horse-9"), call: bench.call())
        }
        _ = try await bench.signIn(password: "Another-Horse-8", at: bench.byAccount)
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        // Where an address must be proved, it still must.
        await #expect(throws: AuthError(.emailNotVerified)) { try await bench.signIn(password: "Another-Horse-8") }
    }

    @Test("A judgement made of another password, an expired one, a banned user or nobody replaces nothing")
    func refused() async throws {
        let bench = try await PasswordBench()
        let user = try await temporary(bench)
        let ticket = try await bench.ticket()
        let replace = ReplaceTemporaryPassword(bench.ports)
        func error(after span: TimeSpan = .zero) async -> AuthErrorCode? {
            await bench.error {
                _ = try await replace(ticket, password: Secret("Another-Horse-8"), call: bench.call(after: span))
            }?.code
        }
        #expect(await error(after: .days(7)) == .temporaryPasswordExpired)
        try await bench.write(user) { $0.bannedUntil = User.forever }
        #expect(await error() == .userBanned)
        try await bench.write(user) {
            $0.bannedUntil = nil
            $0.temporaryPassword = nil
        }
        #expect(await error() == .invalidCredentials, "no longer temporary")
        try await bench.write(user) {
            $0.passwordHash = try CountingPasswords.form("Final-Horse-9")
            $0.passwordChangedAt = bench.now + .seconds(1)
            $0.temporaryPassword = TemporaryPassword(expiresAt: nil)
        }
        #expect(await error() == .invalidCredentials, "another temporary one")
        try await bench.write(user) { $0.deletedAt = bench.now }
        #expect(await error() == .invalidCredentials, "deleted")
        #expect(bench.passwords.hashed == 1)
    }

    @Test("While a temporary password is being replaced, an administrator's newer one wins")
    func race() async throws {
        let bench = try await PasswordBench()
        let user = try await temporary(bench)
        let ticket = try await bench.ticket()
        bench.passwords.meanwhile {
            try await bench.write(user) { $0.passwordHash = try CountingPasswords.form("Newer-Horse-9") }
        }
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await ReplaceTemporaryPassword(bench.ports)(
                ticket, password: Secret("Another-Horse-8"), call: bench.call())
        }
        #expect(try CountingPasswords.matches(try await bench.base.reload(user).passwordHash, "Newer-Horse-9"))
    }
}
