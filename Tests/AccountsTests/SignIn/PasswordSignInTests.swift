// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

@Suite struct PasswordSignInTests {
    @Test("R79 the real pool computes exactly one hash for each attempt, whoever it is about")
    func oneRealHash() async throws {
        let bench = try await PasswordBench()
        let now = bench.now
        let pool = PasswordHashingPool(
            parameters: Argon2Parameters(memoryKiB: 64, iterations: 1, parallelism: 1), threads: 1,
            random: bench.ports.random, clock: { now })
        let hash = try await pool.hash(Secret(PasswordBench.password))
        try await bench.user("known@example.com") { $0.passwordHash = hash }
        try await bench.user("none@example.com") { $0.passwordHash = nil }
        try await bench.user("banned@example.com") {
            $0.passwordHash = hash
            $0.bannedUntil = bench.now + .hours(1)
        }
        let ports = AccountPorts(
            store: bench.store, passwords: pool, random: bench.ports.random, messages: bench.ports.messages)
        var computed = pool.hashesComputed
        for name in ["known", "none", "banned", "nobody"] {
            for password in [PasswordBench.password, "wrong", ""] {
                let error = await bench.error {
                    _ = try await PasswordSignIn(ports)(
                        bench.email("\(name)@example.com"), password: Secret(password), call: bench.call())
                }
                #expect((error == nil) == (name == "known" && password == PasswordBench.password))
                #expect(pool.hashesComputed == computed + 1, "\(name)")
                computed = pool.hashesComputed
            }
        }
    }

    @Test("G-1 a hash of an older cost is replaced after a sign-in, once, and the password stays right")
    func rehash() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
        }
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn(password: "wrong") }
        #expect(CountingPasswords.isOld(try await bench.base.reload(user).passwordHash) == true)
        #expect(bench.passwords.hashed == 0)
        try await bench.signIn()
        #expect(CountingPasswords.isOld(try await bench.base.reload(user).passwordHash) == false)
        try await bench.signIn()
        #expect(bench.passwords.hashed == 1)
        #expect(try await bench.base.sessions(of: user).count == 2)
    }

    @Test("G-1 a password changed while the old one's new hash is computed is not overwritten by it")
    func rehashLosesToChange() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
        }
        let changed = try CountingPasswords.form("Other-Horse-8")
        bench.passwords.meanwhile {
            // During the comparison: arm the hook for the hash that follows it.
            bench.passwords.meanwhile { try await bench.write(user) { $0.passwordHash = changed } }
        }
        try await bench.signIn()
        #expect(bench.passwords.hashed == 1)
        #expect(try await bench.base.reload(user).passwordHash == changed)
    }

    @Test("G-1 an old hash is no reason to refuse: where no hash can be computed the sign-in still holds")
    func rehashFails() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
        }
        bench.passwords.meanwhile { bench.passwords.meanwhile { throw AuthError(.overloaded) } }
        try await bench.signIn()
        #expect(CountingPasswords.isOld(try await bench.base.reload(user).passwordHash) == true)
    }

    @Test("G-1 a password that is changed while it is compared opens nothing")
    func changedMeanwhile() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        bench.passwords.meanwhile {
            try await bench.write(user) { $0.passwordHash = try CountingPasswords.form("Other-Horse-8") }
        }
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        #expect(try await bench.base.sessions(of: user).isEmpty)
        #expect(try await bench.base.events(.signInFailed).count == 1)
    }

    @Test("G-1 a user deleted or banned while the password is compared gets no session", arguments: [true, false])
    func endedMeanwhile(isDeleted: Bool) async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        bench.passwords.meanwhile {
            try await bench.write(user) { user in
                if isDeleted { user.deletedAt = bench.now } else { user.bannedUntil = bench.now + .hours(1) }
            }
        }
        await #expect(throws: AuthError(isDeleted ? .invalidCredentials : .userBanned)) { try await bench.signIn() }
        #expect(try await bench.base.sessions(of: user).isEmpty)
    }

    @Test("G-1.2 twenty sign-ins at once with an imported hash all succeed, though the first replaces it")
    func concurrentRehash() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
        }
        let sessions = try await withThrowingTaskGroup(of: SessionID.self) { group in
            for _ in 0..<20 { group.addTask { try await bench.signIn().session.id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sessions.count == 20)
        #expect(CountingPasswords.isOld(try await bench.base.reload(user).passwordHash) == false)
    }

    @Test("G-1 a hash replaced by one of the same password meanwhile is compared once more, not refused")
    func replacedMeanwhile() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        bench.passwords.meanwhile {
            let other = try CountingPasswords.form(PasswordBench.password, salt: 9)
            try await bench.write(user) { $0.passwordHash = other }
        }
        try await bench.signIn()
        #expect(bench.passwords.verified == 2)
    }

    @Test("G-1 an overloaded pool is said to be one, and nothing is written", arguments: [true, false])
    func overloaded(isKnown: Bool) async throws {
        let bench = try await PasswordBench()
        if isKnown { try await bench.user() }
        bench.passwords.fail(AuthError(.overloaded, retryAfter: .seconds(2)))
        let writes = bench.store.writes
        let error = await bench.error { try await bench.signIn() }
        #expect(error?.code == .overloaded && error?.retryAfter == .seconds(2))
        #expect(bench.store.writes == writes)
    }

    @Test("Y-FR12 the audit log holds neither the address nor the password of an attempt")
    func audit() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        _ = await bench.error { try await bench.signIn(password: "Leaky-Horse-7") }
        let later = bench.call(after: .seconds(1))
        _ = await bench.error { try await bench.signIn("nobody@example.com", password: "Leaky-Horse-7", at: later) }
        let events = try await bench.base.events(.signInFailed)
        #expect(events.map(\.userID) == [nil, user.id])
        #expect(Set(events.compactMap(\.emailHash)).count == 2)
        for event in events {
            let shown = String(describing: event)
            #expect(!shown.contains("example.com") && !shown.contains("Leaky"))
        }
    }

    @Test("G-1 when the store fails nothing is left of a sign-in")
    func storeFails() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let store = FailingStore(bench.store)
        store.refusesWrites = true
        await #expect(throws: AuthError(.unavailable)) {
            try await PasswordSignIn(bench.ports(over: store))(
                bench.email(), password: Secret(PasswordBench.password), call: bench.call())
        }
        #expect(try await bench.base.sessions(of: user).isEmpty)
        #expect(try await bench.base.reload(user).lastSignInAt == nil)
    }
}
