// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// A stranger who guesses keeps no owner out, and does not fill their mailbox.
@Suite struct LockMessageTests {
    private static let owner = "198.51.100.7"
    private static let refused = AuthError(.invalidCredentials)

    @Test("G-8.5 the owner is told once a lock, in both languages: when, and roughly from where and with what")
    func message() async throws {
        for language in MessageLanguage.allCases {
            let bench = try await LockoutBench()
            try await bench.base.user()
            var call = bench.call(language: language)
            call.device.userAgent = "Mozilla/5.0 (X11; Linux x86_64) evil.example Firefox/140.0"
            try await bench.lock(call)
            for _ in 0..<9 { _ = try await bench.wrong(call) }
            let mails = try await bench.mails()
            #expect(mails.count == 1)
            let mail = try #require(mails.first)
            for text in [mail.text, mail.html ?? ""] {
                for part in ["2027-01-15 08:00 UTC", "203.0.113.0", "Firefox, Linux", mail.link ?? "?"] {
                    #expect(
                        text.contains(part.replacing("&", with: "&amp;")) || text.contains(part), "\(part) in \(text)")
                }
                #expect(!text.contains("203.0.113.5") && !text.contains("evil.example") && !text.contains("{{"))
            }
            #expect(mail.text.contains(language == .de ? "falsche" : "wrong passwords") && mail.code == nil)
        }
    }

    @Test("G-8.5 nobody is told of a lock of a name that nobody has, or whose owner has proved no mailbox")
    func untold() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user("unproved@example.com") { $0.emailVerifiedAt = nil }
        try await bench.base.user(nil, phone: "+491701234567")
        for name in [
            try bench.base.email("nobody@example.com"), try bench.base.email("unproved@example.com"),
            .phone(try PhoneNumber("+491701234567")), .username(try Username("nobody")),
        ] { try await bench.lock(by: name) }
        #expect(try await bench.events(.accountLocked).count == 4)
        #expect(try await bench.base.base.messages().isEmpty)
    }

    @Test(
        "G-8.5 R14.1 the link lifts the lock and leads to a new password, once; looking at it does neither")
    func link() async throws {
        let bench = try await LockoutBench()
        let user = try await bench.base.user()
        let session = try await bench.base.signIn()
        try await bench.lock()
        let token = try await bench.mails()[0].linkToken()
        let owner = bench.call(Self.owner, after: .minutes(1))
        for _ in 0..<3 {
            let proof = try await InspectProof(bench.ports)(.link(token: token), purposes: [.unlock], call: owner)
            #expect(proof?.recipient == "a@example.com")
        }
        #expect(try await bench.right(owner) == Self.refused)
        for purposes in [[OneTimeToken.Purpose.recovery], [.magicLink]] {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                _ = try await VerifyProof(bench.ports)(.link(token: token), purposes: purposes, call: owner)
            }
        }
        let proof = try await UnlockAccount(bench.ports)(token, call: owner)
        #expect(try await bench.right(owner) == nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            _ = try await UnlockAccount(bench.ports)(token, call: owner)
        }
        #expect(try await bench.events(.accountUnlocked).map { $0.details["by"]?.stringValue } == ["unlock"])
        #expect(try await bench.base.refresh(session.refreshToken, at: owner).user.id == user.id)
        _ = try await ResetPassword(bench.ports)(
            .link(token: proof.linkToken), password: Secret("Another-Horse-8"), call: owner)
        #expect(try await bench.attempt("Another-Horse-8", owner) == nil)
    }

    @Test("R14.1 of fifty who open the link at once one unlocks")
    func raced() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        try await bench.lock()
        let token = try await bench.mails()[0].linkToken()
        let unlocked = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await UnlockAccount(bench.ports)(token, call: bench.call(Self.owner))) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(unlocked == 1)
    }

    @Test(
        "R14.1 whoever has opened the link is kept out by no stranger where they opened it, and guesses no more there")
    func network() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        try await bench.lock()
        let owner = bench.call(Self.owner)
        _ = try await UnlockAccount(bench.ports)(try await bench.mails()[0].linkToken(), call: owner)
        try await bench.lock()
        #expect(try await bench.right(bench.call("192.0.2.9")) == Self.refused)
        #expect(try await bench.right(owner) == nil)
        // The strangers stay locked out.
        #expect(try await bench.right() == Self.refused)
        for _ in 0..<5 { #expect(try await bench.wrong(owner) == Self.refused) }
        #expect(try await bench.right(owner) == Self.refused)
        // A month later the network is anybody's.
        let later = bench.call(after: .days(31))
        try await bench.lock(later)
        #expect(try await bench.right(bench.call(Self.owner, after: .days(31))) == Self.refused)
    }

    @Test(
        "R14.1 who is signed in changes their password whatever strangers lock, and guesses no more than anybody")
    func session() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        let mine = try await bench.base.authenticated(bench.base.signIn())
        try await bench.lock()
        func change(_ current: String, _ new: String, isUpdate: Bool) async throws -> AuthErrorCode? {
            await bench.base.error {
                if isUpdate {
                    var changes = UserChanges()
                    changes.currentPassword = Secret(current)
                    changes.password = Secret(new)
                    _ = try await UpdateUser(bench.ports)(changes, of: mine, call: bench.call())
                } else {
                    _ = try await ChangePassword(bench.ports)(
                        mine, current: Secret(current), new: Secret(new), call: bench.call())
                }
            }?.code
        }
        #expect(try await change(LockoutBench.wrong, "Another-Horse-8", isUpdate: false) == .invalidCredentials)
        #expect(try await change(LockoutBench.wrong, "Another-Horse-8", isUpdate: true) == .currentPasswordInvalid)
        for _ in 0..<2 { _ = try await change(LockoutBench.wrong, "Another-Horse-8", isUpdate: false) }
        #expect(try await change(LockoutBench.wrong, "Another-Horse-8", isUpdate: true) == .currentPasswordInvalid)
        // Five in this session: a right one is answered as a wrong one, at the cost of one comparison.
        for isUpdate in [false, true] {
            let before = bench.base.passwords.all
            let code = try await change(PasswordBench.password, "Another-Horse-8", isUpdate: isUpdate)
            #expect(code == (isUpdate ? .currentPasswordInvalid : .invalidCredentials))
            #expect(bench.base.passwords.all - before == 1)
        }
        let other = try await LockoutBench()
        try await other.base.user()
        let theirs = try await other.base.authenticated(other.base.signIn())
        try await other.lock()
        _ = try await ChangePassword(other.ports)(
            theirs, current: Secret(PasswordBench.password), new: Secret("Another-Horse-8"), call: other.call())
        #expect(try await other.attempt("Another-Horse-8") == nil)
        #expect(try await other.events(.accountUnlocked).map { $0.details["by"]?.stringValue } == ["password"])
    }

    @Test("G-8.1 five wrong current passwords in a session lock the sign-in too")
    func guessedInSession() async throws {
        let bench = try await LockoutBench()
        try await bench.base.user()
        let mine = try await bench.base.authenticated(bench.base.signIn())
        for _ in 0..<5 {
            _ = await bench.base.error {
                _ = try await ChangePassword(bench.ports)(
                    mine, current: Secret(LockoutBench.wrong), new: Secret("Another-Horse-8"), call: bench.call())
            }
        }
        #expect(try await bench.right() == Self.refused)
        #expect(try await bench.mails().count == 1)
    }

    @Test("R14.1 locked over and over, an owner is sent so many messages a day and no more, and each link works")
    func bounded() async throws {
        let bench = try await LockoutBench { $0.limits.messagesPerRecipient.count = 1000 }
        let user = try await bench.base.user()
        for round in 0..<80 { try await bench.lock(bench.call(after: .minutes(Int64(round) * 16))) }
        #expect(try await bench.events(.accountLocked).count == 80)
        let mails = try await bench.mails().count
        #expect((12...24).contains(mails), "\(mails)")
        let late = bench.call(Self.owner, after: .minutes(80 * 16 - 10))
        #expect(try await bench.right(late) == Self.refused)
        let proof = try await bench.base.base.proof(.recovery, for: user, call: late)
        _ = try await VerifyProof(bench.ports)(.link(token: proof.linkToken), purposes: [.recovery], call: late)
        #expect(try await bench.right(late) == nil)
    }

    @Test("G-8.7 an operator sees what is locked and lifts it, and learns no name that strangers have tried")
    func operators() async throws {
        let bench = try await LockoutBench()
        let user = try await bench.base.user()
        try await bench.lock()
        try await bench.lock(by: try bench.base.email("nobody@example.com"), bench.call(after: .minutes(1)))
        var operation = bench.call(after: .minutes(2))
        operation.actor = .administrator("ops")
        let administration = LockoutAdministration(bench.ports)
        await #expect(throws: AuthError.self) { _ = try await administration.list(call: bench.call()) }
        let listed = try await administration.list(call: operation).locked
        #expect(listed.map(\.user) == [nil, user.id])
        #expect(listed.map(\.until) == [16, 15].map { bench.base.now + .minutes($0) })
        #expect(!"\(listed)".contains("nobody@"))
        let first = try await administration.list(limit: 1, call: operation)
        let rest = try await administration.list(after: first.next, limit: 1, call: operation)
        #expect(first.locked + rest.locked == listed && rest.next == nil)
        #expect(try await administration.lock(of: user.id, call: operation) == listed[1])

        #expect(try await administration.lift(of: user.id, call: operation))
        #expect(try await !administration.lift(of: user.id, call: operation))
        #expect(try await bench.right() == nil)
        try await administration.lift(listed[0].id, call: operation)
        for id in [listed[0].id, "x", String(repeating: "0", count: 32)] {
            await #expect(throws: AuthError(.notFound)) { try await administration.lift(id, call: operation) }
        }
        #expect(try await administration.list(call: operation).locked.isEmpty)
        let events = try await bench.events(.accountUnlocked)
        #expect(events.count == 2 && events.allSatisfy { $0.details["by"] == "administrator" })
        #expect(events.allSatisfy { $0.actor == .administrator("ops") })
        // What an operator lifts makes their network nobody's.
        try await bench.lock(bench.call(after: .minutes(3)))
        #expect(try await bench.right(operation) == Self.refused)
    }
}
