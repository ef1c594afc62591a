// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct UpdateUserTests {
    private let new = Secret(PasswordBench.newPassword)

    @Test("V8.2.3 metadata is laid over what there is; a null removes a member, and what the operator wrote stays")
    func metadata() async throws {
        let bench = try await PasswordBench()
        try await bench.user { user in
            user.userMetadata = ["name": "A", "old": 1, "kept": true]
            user.appMetadata["plan"] = "basic"
        }
        let record = try await bench.update(bench.signIn()) {
            $0.userMetadata = ["name": "B", "old": .null, "new": []]
        }
        #expect(record.user.userMetadata == ["name": "B", "kept": true, "new": []])
        #expect(record.user.appMetadata["plan"] == "basic")
        #expect(try await bench.base.events(.userModified).count == 1)
        #expect(bench.passwords.hashed == 0 && bench.passwords.verified == 1)
    }

    @Test("G-4 a new address counts once it is confirmed, and both mailboxes are asked")
    func emailChange() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let record = try await bench.update(bench.signIn()) { $0.email = try EmailAddress("new@example.com") }
        #expect(record.user.email?.rawValue == "a@example.com")
        #expect(record.user.pendingEmail?.rawValue == "new@example.com")
        #expect(try await bench.base.messages(to: "a@example.com").map(\.kind) == ["email_change_current"])
        #expect(try await bench.base.messages(to: "new@example.com").map(\.kind) == ["email_change_new"])
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn("new@example.com") }
        try await bench.signIn()
    }

    @Test(
        "V6.3.8 asking for another's address is answered as for a free one; its owner gets a mail, and no proof exists")
    func takenEmail() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        try await bench.user("taken@example.com")
        let mine = try await bench.signIn()
        let call = bench.call { $0.oneTime.resendInterval = 0 }
        let free = try await bench.update(mine, at: call) { $0.email = try EmailAddress("free@example.com") }
        let taken = try await bench.update(mine, at: call) { $0.email = try EmailAddress("taken@example.com") }
        #expect(free.user.pendingEmail?.rawValue == "free@example.com")
        #expect(taken.user.pendingEmail?.rawValue == "taken@example.com")
        #expect(free.user.sent == taken.user.sent && free.user.email == taken.user.email)
        #expect(try await bench.base.messages(to: "taken@example.com").map(\.kind) == ["account_exists"])
        #expect(try await bench.base.messages(to: "a@example.com").count == 2)
        #expect(try await bench.base.token(.emailChangeNew, of: user) == nil)
    }

    @Test(
        "F24 the same change asked for twice sends its mails once",
        arguments: ["new@example.com", "taken@example.com"])
    func doubleTap(address: String) async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        try await bench.user("taken@example.com")
        let mine = try await bench.signIn()
        let email = try EmailAddress(address)
        try await bench.update(mine) { $0.email = email }
        let first = try await bench.base.messages().count
        try await bench.update(mine, at: bench.call(after: .seconds(59))) { $0.email = email }
        #expect(try await bench.base.messages().count == first)
        try await bench.update(mine, at: bench.call(after: .seconds(60))) { $0.email = email }
        #expect(try await bench.base.messages().count == 2 * first)
    }

    @Test("V7.5.1 where the present mailbox has no say, an old session needs the code for a new address too")
    func emailNeedsNonce() async throws {
        let bench = try await PasswordBench { $0.oneTime.secureEmailChange = false }
        try await bench.user()
        let mine = try await bench.signIn()
        let old = bench.call(after: .hours(25))
        let email = try EmailAddress("new@example.com")
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await bench.update(mine, at: old) { $0.email = email }
        }
        #expect(try await bench.base.messages().isEmpty)
        let secure = bench.call(after: .hours(25)) { $0.oneTime.secureEmailChange = true }
        try await bench.update(mine, at: secure) { $0.email = try EmailAddress("other@example.com") }
        let nonce = try await bench.nonce(mine, at: old)
        let record = try await bench.update(mine, at: bench.call(after: .seconds(25 * 3600 + 61))) {
            $0.email = email
            $0.nonce = nonce
        }
        #expect(record.user.pendingEmail == email)
        // What is no way in needs no code.
        try await bench.update(mine, at: old) { $0.userMetadata = ["name": "A"] }
    }

    @Test("R8.8 an old session needs the code or the password for a number and for an address nobody else confirms")
    func addressNeedsProof() async throws {
        let bench = try await PasswordBench { $0.oneTime.secureEmailChange = false }
        try await bench.user()
        let mine = try await bench.signIn()
        let phone = try PhoneNumber("+491702222222")
        let email = try EmailAddress("new@example.com")
        let old = bench.call(after: .minutes(61))
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await bench.update(mine, at: old) { $0.phone = phone }
        }
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await bench.update(mine, at: old) { $0.email = email }
        }
        await #expect(throws: AuthError(.currentPasswordInvalid)) {
            try await bench.update(mine, at: old) {
                $0.phone = phone
                $0.currentPassword = Secret("Wrong-Horse-7")
            }
        }
        #expect(try await bench.base.messages().isEmpty)
        // A young session has just shown as much.
        try await bench.update(mine, at: bench.call(after: .minutes(60))) {
            $0.phone = try PhoneNumber("+491703333333")
        }
        let byPassword = try await bench.update(mine, at: old) {
            $0.phone = phone
            $0.currentPassword = Secret(PasswordBench.password)
        }
        #expect(byPassword.user.pendingPhone == phone)
        let nonce = try await bench.nonce(mine, at: old)
        let byCode = try await bench.update(mine, at: old) {
            $0.email = email
            $0.nonce = nonce
        }
        #expect(byCode.user.pendingEmail == email)
        // What is no way in needs nothing.
        try await bench.update(mine, at: old) { $0.userMetadata = ["name": "A"] }
    }

    @Test("R8.8 an address that nobody proved has no say: it does not stand in for a fresh session")
    func unprovedAddressHasNoSay() async throws {
        let bench = try await PasswordBench()
        try await bench.user("a@example.com", phone: "+491701234567") { $0.emailVerifiedAt = nil }
        let mine = try await PasswordSignIn(bench.ports)(
            .phone(PhoneNumber("+491701234567")), password: Secret(PasswordBench.password), call: bench.call()
        ).session()
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await bench.update(mine, at: bench.call(after: .minutes(61))) {
                $0.email = try EmailAddress("new@example.com")
            }
        }
    }

    @Test("G-4 a new number is pending until its code is typed; another's is answered alike and sent nothing")
    func phoneChange() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        try await bench.user("o@example.com", phone: "+491701111111")
        let mine = try await bench.signIn()
        let free = try await bench.update(mine) { $0.phone = try PhoneNumber("+491702222222") }
        #expect(free.user.phone == nil && free.user.pendingPhone?.e164 == "+491702222222")
        #expect(try await bench.base.messages(to: "+491702222222").count == 1)
        try await bench.update(mine) { $0.phone = try PhoneNumber("+491702222222") }
        #expect(try await bench.base.messages(to: "+491702222222").count == 1)
        let taken = try await bench.update(mine, at: bench.call { $0.oneTime.resendInterval = 0 }) {
            $0.phone = try PhoneNumber("+491701111111")
        }
        #expect(taken.user.pendingPhone?.e164 == "+491701111111" && taken.user.sent == free.user.sent)
        #expect(try await bench.base.messages(to: "+491701111111").isEmpty)
        #expect(try await bench.base.token(.phoneChange, of: user) == nil)
    }

    @Test("G-4 where numbers confirm themselves a new one counts at once, unless it is another's")
    func phoneAutoConfirm() async throws {
        let bench = try await PasswordBench { $0.signUp.phoneAutoConfirm = true }
        let user = try await bench.user()
        try await bench.user("o@example.com", phone: "+491701111111")
        let mine = try await bench.signIn()
        // All or nothing: the password that came with it is not changed either.
        await #expect(throws: AuthError(.phoneExists)) {
            try await bench.update(mine) {
                $0.password = new
                $0.phone = try PhoneNumber("+491701111111")
            }
        }
        #expect(try CountingPasswords.matches(await bench.base.reload(user).passwordHash, PasswordBench.password))
        let record = try await bench.update(mine) { $0.phone = try PhoneNumber("+491702222222") }
        #expect(record.user.phoneVerifiedAt == bench.now)
        #expect(record.identities.map(\.provider).sorted() == ["email", "phone"])
    }

    @Test("R67 whoever is signed out, banned or deleted while the password is hashed has not set it", arguments: 0..<4)
    func meanwhile(what: Int) async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let mine = try await bench.signIn()
        bench.passwords.meanwhile {
            switch what {
            case 0: try await SignOut(bench.ports)(bench.authenticated(mine), scope: .local, call: bench.call())
            case 1: try await bench.write(user) { $0.bannedUntil = bench.now + .hours(1) }
            case 2: try await bench.write(user) { $0.deletedAt = bench.now }
            default: try await bench.write(user) { $0.passwordHash = try CountingPasswords.form("Theirs-Horse-9") }
            }
        }
        let expected: [AuthErrorCode] = [.sessionNotFound, .userBanned, .userNotFound, .conflict]
        let error = await bench.error { try await bench.update(mine) { $0.password = new } }
        #expect(error?.code == expected[what])
        #expect(!(try CountingPasswords.matches(await bench.base.reload(user).passwordHash, PasswordBench.newPassword)))
        #expect(try await bench.base.messages().isEmpty)
    }

    @Test("When the store fails nothing is half done, and a malformed challenge is refused before anything")
    func failures() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let mine = try await bench.signIn()
        let store = FailingStore(bench.store)
        store.refusesWrites = true
        await #expect(throws: AuthError(.unavailable)) {
            try await bench.update(mine, over: store) {
                $0.password = new
                $0.email = try EmailAddress("new@example.com")
            }
        }
        let hashed = bench.passwords.all
        await #expect(throws: AuthError(.invalidRequest)) {
            try await bench.update(mine) {
                $0.password = new
                $0.codeChallenge = "short"
            }
        }
        #expect(bench.passwords.all == hashed)
        #expect(try await bench.base.reload(user).pendingEmail == nil)
        #expect(try await bench.base.messages().isEmpty)
        try await bench.signIn()
    }
}
