// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Five wrong passwords lock what somebody signs in as, whether anybody has it or not.
@Suite struct LockoutTests {
    private static let unknown = "nobody@example.com"
    private static let refused = AuthError(.invalidCredentials)

    @Test(
        "G-8.1 G-8.3 G-8.6 five wrong passwords lock a name, known or not: the right one is answered as a wrong one")
    func locks() async throws {
        for disclosure in [DirectorySettings.LockoutSettings.Disclosure.generic, .minutes] {
            let bench = try await LockoutBench { $0.lockout.disclosure = disclosure }
            try await bench.base.user()
            var answers: [[AuthError?]] = [[], []]
            for (index, address) in ["a@example.com", Self.unknown].enumerated() {
                let name = try bench.base.email(address)
                for _ in 0..<5 { answers[index].append(try await bench.wrong(by: name)) }
                for client in ["203.0.113.5", "198.51.100.7"] {
                    for minute in [0, 7, 14] as [Int64] {
                        let call = bench.call(client, after: .minutes(minute))
                        answers[index].append(try await bench.right(by: name, call))
                        answers[index].append(try await bench.wrong(by: name, call))
                    }
                }
            }
            #expect(answers[0] == answers[1], "\(disclosure)")
            #expect(answers[0].prefix(4).allSatisfy { $0 == Self.refused })
            let waits: [Int64] = [15, 15, 15, 8, 8, 1, 1, 15, 15, 8, 8, 1, 1]
            let locked = waits.map { AuthError(.accountLocked, retryAfter: .minutes($0)) }
            let told = disclosure == .minutes ? locked : [AuthError](repeating: Self.refused, count: waits.count)
            #expect(Array(answers[0].dropFirst(4)) == told, "\(disclosure)")
            #expect(try await bench.right(bench.call(after: .minutes(15))) == nil)
        }
    }

    @Test(
        "R14.2 only whoever answers where the owner is known to be lifts a lock, not at an address that is merely wanted"
    )
    func answeredElsewhere() async throws {
        let bench = try await LockoutBench()
        let user = try await bench.base.user()
        let number = try PhoneNumber("+491709999999")
        try await bench.base.write(user) {
            $0.pendingEmail = try EmailAddress("thief@example.com")
            $0.pendingPhone = number
        }
        try await bench.lock()
        let mail = try await bench.base.base.proof(
            .emailChangeNew, for: user, to: .email(EmailAddress("thief@example.com")))
        _ = try await ConfirmAddress(bench.ports)(
            .linkToken(mail.linkToken), purposes: [.emailChangeNew], call: bench.call())
        #expect(try await bench.right() == Self.refused)
        let text = try await bench.base.base.proof(.phoneChange, for: user, to: .phone(number))
        _ = try await ConfirmAddress(bench.ports)(
            .code(.phone(number), text.code), purposes: [.phoneChange], call: bench.call())
        #expect(try await bench.right() == Self.refused)
        #expect(try await bench.events(.accountUnlocked).isEmpty)
        let link = try await bench.base.base.proof(.magicLink, for: user)
        _ = try await VerifyProof(bench.ports)(
            .linkToken(link.linkToken), purposes: [.magicLink], call: bench.call())
        #expect(try await bench.right() == nil)
    }

    @Test("R14.2 who is signed in and changes a password tries none out that no lock counts")
    func changes() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        try await bench.base.user("b@example.com", phone: "+491709999999")
        let issued = try await bench.base.signIn(at: bench.call())
        func change(_ password: String, _ further: (inout UserChanges) throws -> Void) async throws -> AuthErrorCode? {
            await bench.base.error {
                try await bench.base.update(issued, at: bench.call { $0.signUp.phoneAutoConfirm = true }) {
                    $0.password = Secret(password)
                    try further(&$0)
                }
            }?.code
        }
        let compared = bench.base.passwords.verified
        for password in [PasswordBench.password, LockoutBench.wrong] {
            let refusal = try await change(password) {
                $0.userMetadata = ["a": .string(String(repeating: "a", count: 70_000))]
            }
            #expect(refusal == .metadataTooLarge)
        }
        #expect(bench.base.passwords.verified == compared)
        for _ in 0..<4 {
            #expect(
                try await change(LockoutBench.wrong) { $0.phone = try PhoneNumber("+491709999999") } == .phoneExists)
        }
        let last = try await change(LockoutBench.wrong) { $0.phone = try PhoneNumber("+491709999999") }
        #expect(last == .phoneExists)
        // The right one is answered as none.
        #expect(try await change(PasswordBench.password) { _ in } == .currentPasswordInvalid)
    }

    @Test(
        "R8.13 a change that others refuse, or a fault, is no wrong password and locks nothing; it is counted all the same",
        arguments: [AuthErrorCode.changeRefused, .hookRefused, .hookFailed, .internalFailure])
    func refusedByOthers(code: AuthErrorCode) async throws {
        let bench = try await LockoutBench { $0.limits.signInPerIdentifier = .init(count: 6, seconds: 900) }
        try await bench.base.user()
        let issued = try await bench.base.signIn(at: bench.call("192.0.2.9"))
        func change() async -> AuthErrorCode? {
            await bench.base.error {
                try await bench.base.update(issued, at: bench.call()) {
                    $0.password = Secret(PasswordBench.newPassword)
                }
            }?.code
        }
        for _ in 0..<6 {
            bench.base.passwords.meanwhile { throw AuthError(code) }
            #expect(await change() == code)
        }
        #expect(await change() == .rateLimited)
        #expect(try await bench.right(bench.call("192.0.2.9")) == nil)
    }

    @Test("G-8.4 a success forgets what was wrong before, and right passwords never count")
    func success() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        for round in 0..<3 {
            for _ in 0..<4 { #expect(try await bench.wrong() == Self.refused, "round \(round)") }
            for _ in 0..<8 { #expect(try await bench.right() == nil, "round \(round)") }
        }
    }

    @Test("G-8.1 every name, protocol and dialect of an account is counted together")
    func together() async throws {
        let bench = try await LockoutBench()
        let user = try await bench.base.user(phone: "+491701234567") {
            $0.username = try Username("ada")
            $0.srpVerifier = try SRPVerifier(
                of: Secret(PasswordBench.password), for: $0.id, in: bench.base.base.directory,
                random: bench.ports.random)
        }
        let names: [SignInIdentifier] = [
            try bench.base.email(), .phone(try PhoneNumber("+491701234567")), .username(try Username("ADA")),
            .user(user.id),
        ]
        for (index, name) in names.enumerated() {
            var call = bench.call()
            call.dialect = DialectName(["supabase", "cognito", "firebase", "openid"][index])
            #expect(try await bench.wrong(by: name, call) == Self.refused)
        }
        #expect(try await bench.events(.accountLocked).isEmpty)
        #expect(try await answerChallenge(bench, isRight: false) == Self.refused)
        #expect(try await bench.events(.accountLocked).count == 1)
        for name in names { #expect(try await bench.right(by: name) == Self.refused) }
        #expect(try await answerChallenge(bench, isRight: true) == Self.refused)
        let late = bench.call(after: .minutes(15))
        #expect(try await answerChallenge(bench, isRight: true, late) == nil)
    }

    private func answerChallenge(_ bench: LockoutBench, isRight: Bool, _ call: CallContext? = nil) async throws
        -> AuthError?
    {
        let (call, flow) = (call ?? bench.call(), SRPSignIn(bench.ports))
        let challenge = try await flow.begin(
            bench.base.email(), clientPublic: try SRPClient().publicValue, call: call)
        return await bench.base.error { _ = try await flow.finish(state: challenge.state, call: call) { _ in isRight } }
    }

    @Test("G-8.1 with 0 nothing locks, and a setting that changes holds at once")
    func settings() async throws {
        let bench = try await LockoutBench { $0.lockout.attempts = 0 }
        try await bench.base.user()
        for _ in 0..<9 { #expect(try await bench.wrong() == Self.refused) }
        #expect(try await bench.right() == nil)
        let strict = bench.call { $0.lockout.attempts = 2 }
        for _ in 0..<2 { #expect(try await bench.wrong(strict) == Self.refused) }
        #expect(try await bench.right(strict) == Self.refused)
        #expect(try await bench.right(bench.call(after: .seconds(60)) { $0.lockout.duration = 60 }) == nil)
    }

    @Test("G-8.6 R8.12 each attempt costs one hash and the same statements, known or not, locked or not yet")
    func cost() async throws {
        enum Person: CaseIterable { case unknown, known, unproved, byPhone, banned, passwordless }
        var traces: [[[String]]] = []
        for person in Person.allCases {
            let bench = try await LockoutBench()
            // Somebody whose password gives the Directory's form of one, with or without whom is meant.
            try await bench.base.user("bob@example.com")
            if person != .unknown {
                try await bench.base.user(phone: "+491701234567") {
                    $0.username = try Username("ada")
                    switch person {
                    case .unproved: $0.emailVerifiedAt = nil
                    case .byPhone: ($0.email, $0.emailVerifiedAt) = (nil, nil)
                    case .banned: $0.bannedUntil = bench.base.now + .hours(1)
                    case .passwordless: $0.passwordHash = nil
                    default: break
                    }
                }
            }
            let store = RecordingStore(bench.base.store)
            let ports = bench.base.ports(over: store)
            // Somebody whom nobody knows was locked out before.
            for _ in 0..<5 {
                _ = try await bench.attempt("Other", by: .username(try Username("someone")), over: ports)
            }
            _ = store.taken()
            var trace: [[String]] = []
            for number in 0..<8 {
                let before = bench.base.passwords.all
                let password = number == 6 ? PasswordBench.password : LockoutBench.wrong
                let answer = try await bench.attempt(password, by: .username(try Username("ada")), over: ports)
                #expect(answer == Self.refused, "\(person), \(number)")
                #expect(bench.base.passwords.all - before == 1, "\(person), \(number)")
                let steps = store.taken().filter { !$0.sql.contains("data_keys") }
                trace.append(
                    steps.map { step in
                        // What is made anew and what takes the place of something differ in the rows that are gone.
                        let isGone = step.sql.hasPrefix("DELETE") || step.sql.hasPrefix("UPDATE one_time_tokens")
                        return (isGone ? "" : "\(step.changed ?? 0) ") + step.sql
                    })
            }
            traces.append(trace)
        }
        for (person, trace) in zip(Person.allCases, traces) {
            for number in 0..<8 { #expect(trace[number] == traces[0][number], "\(person), attempt \(number)") }
        }
        // One look-up by a key, on the way to what an attempt asks in any case.
        for number in [0, 6, 7] {
            let asked = traces[0][number].filter { $0.contains("FROM lockouts") }
            #expect(asked.count == 1, "\(asked)")
        }
    }

    @Test("G-8.7 the audit log has the lock, of a known name and of one that nobody has, and each attempt under it")
    func audit() async throws {
        let bench = try await LockoutBench()
        let user = try await bench.base.user()
        try await bench.lock()
        _ = try await bench.right()
        try await bench.lock(by: try bench.base.email(Self.unknown))
        // All of one moment, in no order.
        let locks = try await bench.events(.accountLocked)
        #expect(locks.count == 2 && Set(locks.map(\.userID)) == [nil, user.id])
        #expect(locks.allSatisfy { $0.truncatedAddress == "203.0.113.0" })
        let reasons = try await bench.events(.signInFailed).filter { $0.userID == user.id }
            .map { $0.details["reason"]?.stringValue }
        #expect(reasons.filter { $0 == "account_locked" }.count == 1 && reasons.count == 6)
        #expect(reasons.filter { $0 == "invalid_credentials" }.count == 5)
    }

    @Test("G-8.3 the reaper takes what has ended, and nothing that holds")
    func reaped() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        try await bench.lock()
        _ = try await bench.wrong(by: try bench.base.email(Self.unknown))
        let reaper = Reaper(store: bench.base.store)
        #expect(try await reaper.pass(at: bench.base.now + .minutes(14)).lockouts == 0)
        #expect(try await bench.right(bench.call(after: .minutes(14))) == Self.refused)
        #expect(try await reaper.pass(at: bench.base.now + .minutes(16)).lockouts == 2)
    }

    @Test("G-8.1 a server that dies around its commits locks whole or not at all", arguments: UInt64(1)...8)
    func crash(seed: UInt64) async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        let store = CrashingStore(bench.base.store, random: SeededRandom(seed: seed), percent: 25)
        for _ in 0..<30 { _ = try? await bench.attempt(LockoutBench.wrong, over: bench.base.ports(over: store)) }
        #expect(try await bench.right() == Self.refused, "seed \(seed)")
        #expect(try await bench.events(.accountLocked).count == 1, "seed \(seed)")
        #expect(try await bench.mails().count == 1, "seed \(seed)")
    }
}
