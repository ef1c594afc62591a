// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct PasswordChangeTests {
    private let new = Secret(PasswordBench.newPassword)

    @Test("V6.2.2 V6.3.7 V7.4.3 a new password takes the old one's place, ends every other session and says so by mail")
    func change() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let (mine, other) = (try await bench.signIn(), try await bench.signIn())
        let hashes = bench.passwords.hashed
        try await bench.update(mine) { $0.password = new }
        #expect(bench.passwords.hashed == hashes + 1)
        #expect(try await bench.base.sessions(of: user).map(\.id) == [mine.session.id])
        #expect(try await bench.session(other).revocation == .passwordChanged)
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        try await bench.signIn(password: PasswordBench.newPassword)
        #expect(try await bench.base.messages(to: "a@example.com").map(\.kind) == ["password_changed"])
        #expect(try await bench.base.events(.passwordChanged).map(\.userID) == [user.id])
    }

    @Test("R33 no link and no code under way outlives a password change", arguments: OneTimeToken.Purpose.allCases)
    func proofsDie(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let mine = try await bench.signIn()
        let proof = try await bench.base.proof(purpose, for: user)
        try await bench.update(mine) { $0.password = new }
        #expect(try await bench.base.token(purpose, of: user) == nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(bench.ports)(
                .link(token: proof.linkToken), purposes: [purpose], call: bench.call(after: .seconds(1)))
        }
    }

    @Test("R48 a change of address that a thief began ends with the password they knew, and can't be sent again")
    func pendingEnds() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(phone: "+491701234567")
        let thief = try await bench.signIn()
        try await bench.update(thief) {
            $0.email = try EmailAddress("evil@evil.test")
            $0.phone = try PhoneNumber("+491709999999")
        }
        let owner = try await bench.signIn()
        try await bench.update(owner) { $0.password = new }
        let after = try await bench.base.reload(user)
        #expect(after.pendingEmail == nil && after.pendingPhone == nil)
        let sent = try await bench.base.messages(to: "evil@evil.test").count
        try await ResendMessage(bench.ports)(.emailChange, to: bench.email(), call: bench.call(after: .hours(1)))
        #expect(try await bench.base.messages(to: "evil@evil.test").count == sent)
    }

    @Test("V6.2.2 one call may set a password and ask for another address: the new change is kept")
    func passwordAndEmail() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let record = try await bench.update(bench.signIn()) {
            $0.password = new
            $0.email = try EmailAddress("new@example.com")
        }
        #expect(record.user.pendingEmail?.rawValue == "new@example.com")
        #expect(try await bench.base.token(.emailChangeNew, of: user) != nil)
    }

    @Test("G-1.4 a password that is the same or too weak is refused, and nothing is changed")
    func refused() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let mine = try await bench.signIn()
        await #expect(throws: AuthError(.samePassword)) {
            try await bench.update(mine) { $0.password = Secret(PasswordBench.password) }
        }
        let hashed = bench.passwords.all
        for weak in ["", "short", "alllowercase1", "NODIGITSHERE", "Password1"] {
            let error = await bench.error { try await bench.update(mine) { $0.password = Secret(weak) } }
            #expect(error?.code == .weakPassword && error?.field == "password", "\(weak)")
            #expect(error?.violations.isEmpty == false, "\(weak)")
        }
        #expect(bench.passwords.all == hashed)
        #expect(try CountingPasswords.matches(await bench.base.reload(user).passwordHash, PasswordBench.password))
    }

    @Test("V6.2.3 where the current password is asked for, only it or a recovery lets a new one be set")
    func currentPassword() async throws {
        let bench = try await PasswordBench { $0.password.changeNeedsCurrentPassword = true }
        let user = try await bench.user()
        let mine = try await bench.signIn()
        await #expect(throws: AuthError(.currentPasswordRequired)) {
            try await bench.update(mine) { $0.password = new }
        }
        await #expect(throws: AuthError(.currentPasswordInvalid)) {
            try await bench.update(mine) {
                $0.password = new
                $0.currentPassword = Secret("Wrong-Horse-7")
            }
        }
        try await bench.update(mine) {
            $0.password = new
            $0.currentPassword = Secret(PasswordBench.password)
        }
        let proof = try await bench.base.proof(.recovery, for: user)
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.recovery], call: bench.call())
        try await bench.update(try #require(outcome.session)) { $0.password = Secret("Third-Horse-9") }
        try await bench.signIn(password: "Third-Horse-9")
    }

    @Test("V6.2.3 a user without a password sets their first one, whatever is asked of others")
    func firstPassword() async throws {
        let bench = try await PasswordBench { $0.password.changeNeedsCurrentPassword = true }
        let user = try await bench.user { $0.passwordHash = nil }
        let proof = try await bench.base.proof(.magicLink, for: user)
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.magicLink], call: bench.call())
        try await bench.update(try #require(outcome.session)) { $0.password = new }
        try await bench.signIn(password: PasswordBench.newPassword)
    }

    @Test("V6.2.3 a session older than a day sets a password only with the code from the mail, which works once")
    func reauthentication() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let mine = try await bench.signIn()
        let old = bench.call(after: TimeSpan(microseconds: TimeSpan.hours(24).microseconds + 1))
        let hashed = bench.passwords.all
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await bench.update(mine, at: old) { $0.password = new }
        }
        #expect(bench.passwords.all == hashed)
        let nonce = try #require(try await bench.nonce(mine, at: old))
        let writes = bench.store.writes
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await bench.update(mine, at: old) {
                $0.password = new
                $0.nonce = ProofBench.wrong(nonce)
            }
        }
        // A refusal is committed: the wrong code was counted, and in the same transaction what it said of the password.
        #expect(bench.store.writes == writes + 1)
        #expect(try await bench.base.token(.reauthentication, of: user)?.ownAttempts == 1)
        try await bench.update(mine, at: old) {
            $0.password = new
            $0.nonce = nonce
        }
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await bench.update(mine, at: old) {
                $0.password = Secret("Third-Horse-9")
                $0.nonce = nonce
            }
        }
        try await bench.signIn(password: PasswordBench.newPassword)
    }

    @Test("V6.2.3 a session of exactly a day is young enough, and a Directory may ask for no code at all")
    func fresh() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        try await bench.update(bench.signIn(), at: bench.call(after: .hours(24))) { $0.password = new }
        let again = try await bench.signIn(password: PasswordBench.newPassword)
        let lenient = bench.call(after: .days(20)) { $0.password.changeNeedsReauthentication = false }
        try await bench.update(again, at: lenient) { $0.password = Secret("Third-Horse-9") }
    }

    @Test("V15.4.2 of ten password changes at once by one session, one is made and the others are told")
    func concurrent() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let mine = try await bench.authenticated(bench.signIn())
        let errors = await withTaskGroup(of: AuthError?.self) { group in
            for index in 0..<10 {
                group.addTask {
                    var changes = UserChanges()
                    changes.password = Secret("Number-Horse-\(index)")
                    return await bench.error { [changes] in
                        _ = try await UpdateUser(bench.ports)(changes, of: mine, call: bench.call())
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count { $0 == nil } == 1)
        #expect(errors.count { $0?.code == .conflict } == 9)
        #expect(try await bench.base.messages().count == 1)
    }
}
