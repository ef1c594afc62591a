// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct ChangePasswordTests {
    @Test("V6.2.3 the current password opens the change: one comparison, one hash, every other session ends")
    func changes() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let other = try await bench.signIn()
        let issued = try await bench.signIn()
        let authenticated = try await bench.authenticated(issued)
        let (verified, hashed) = (bench.passwords.verified, bench.passwords.hashed)
        let writes = bench.store.writes
        let later = bench.call(after: .seconds(90))
        let record = try await ChangePassword(bench.ports)(
            authenticated, current: Secret(PasswordBench.password), new: Secret("Another-Horse-8"), call: later)
        #expect(bench.passwords.verified == verified + 1 && bench.passwords.hashed == hashed + 1)
        #expect(bench.store.writes == writes + 1)
        #expect(try CountingPasswords.matches(record.user.passwordHash, "Another-Horse-8"))
        #expect(record.user.tokensValidSince == Instant(seconds: later.now.seconds))
        #expect(!record.user.acceptsTokens(issuedAt: bench.now.seconds, at: later.now))
        #expect(record.user.acceptsTokens(issuedAt: later.now.seconds, at: later.now))
        #expect(try await bench.session(other).revocation == .passwordChanged)
        #expect(try await bench.session(issued).revokedAt == nil)
        #expect(try await bench.base.events(.passwordChanged).first?.userID == user.id)
        #expect(try await bench.base.messages(to: "a@example.com").map(\.kind) == ["password_changed"])
    }

    @Test("V6.2.3 a wrong, missing or needless current password changes nothing")
    func refuses() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let authenticated = try await bench.authenticated(bench.signIn())
        let change = ChangePassword(bench.ports)
        func error(_ current: String?, _ new: String, _ who: AuthenticatedUser) async -> AuthErrorCode? {
            await bench.error {
                _ = try await change(who, current: current.map { Secret($0) }, new: Secret(new), call: bench.call())
            }?.code
        }
        let before = try await bench.base.reload(user).version
        let writes = bench.store.writes
        #expect(await error("Wrong-Horse-7", "Another-Horse-8", authenticated) == .invalidCredentials)
        #expect(bench.store.writes == writes + 1)
        #expect(await error(nil, "Another-Horse-8", authenticated) == .currentPasswordRequired)
        #expect(await error(PasswordBench.password, "short", authenticated) == .weakPassword)
        #expect(bench.passwords.hashed == 0)
        #expect(try await bench.base.reload(user).version == before)
        // A user without a password guesses none, and may set one while the session is young.
        try await bench.write(user) { $0.passwordHash = nil }
        let bare = try await bench.base.reload(user)
        let passwordless = authenticated.with { $0.user = bare }
        #expect(await error("Anything-At-7", "Another-Horse-8", passwordless) == .invalidCredentials)
        let old = bench.call(after: .hours(25))
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await change(passwordless, current: nil, new: Secret("Another-Horse-8"), call: old)
        }
        #expect(await error(nil, "Another-Horse-8", passwordless) == nil)
    }

    @Test("Whoever was signed out, banned, deleted or overtaken while hashing changes nothing")
    func meanwhile() async throws {
        for (name, expected) in [
            ("signed out", AuthErrorCode.sessionNotFound), ("banned", .userBanned), ("deleted", .userNotFound),
            ("overtaken", .conflict),
        ] {
            let bench = try await PasswordBench()
            let user = try await bench.user()
            let authenticated = try await bench.authenticated(bench.signIn())
            bench.passwords.meanwhile {
                switch name {
                case "signed out":
                    try await SignOut(bench.ports)(authenticated, scope: .global, call: bench.call())
                case "banned": try await bench.write(user) { $0.bannedUntil = User.forever }
                case "deleted": try await bench.write(user) { $0.deletedAt = bench.now }
                default:
                    try await bench.write(user) { $0.passwordHash = try CountingPasswords.form("Newer-Horse-9") }
                }
            }
            let error = await bench.error {
                _ = try await ChangePassword(bench.ports)(
                    authenticated, current: Secret(PasswordBench.password), new: Secret("Another-Horse-8"),
                    call: bench.call())
            }
            #expect(error?.code == expected, "\(name)")
            #expect(try await !CountingPasswords.matches(bench.base.reload(user).passwordHash, "Another-Horse-8"))
        }
    }

    @Test("G-10.4 a user deletes their account: nothing of it can be used, the address is free, and they are told")
    func deletion() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user { $0.username = try Username("ada") }
        let issued = try await bench.signIn()
        let authenticated = try await bench.authenticated(issued)
        try await DeleteAccount(bench.ports)(authenticated, asksForProof: false, call: bench.call())
        let left = try await bench.base.reload(user)
        #expect(left.deletedAt == bench.now && left.email == nil && left.username == nil && left.passwordHash == nil)
        #expect(try await bench.session(issued).revocation == .deleted)
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await PasswordSignIn(bench.ports)(
                .user(user.id), password: Secret(PasswordBench.password), call: bench.call())
        }
        #expect(try await bench.base.events(.userDeleted).first?.details["by"] == "user")
        #expect(try await bench.base.messages(to: "a@example.com").map(\.kind) == ["account_deleted"])
        await #expect(throws: AuthError(.userNotFound)) {
            try await DeleteAccount(bench.ports)(authenticated, asksForProof: false, call: bench.call())
        }
        try await bench.user { $0.username = try Username("Ada") }
    }
}
