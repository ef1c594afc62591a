// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// A flood stops at the brake, and people who have proved to be reached still get their messages.
@Suite struct MessageLimitTests {
    private static let owner = "owner@example.com"

    private func bench(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws -> PasswordBench {
        try await PasswordBench {
            $0.limits.mailSent = .init(count: 8, seconds: 3600)
            $0.limits.messagesSent = .init(count: 4, seconds: 3600)
            change(&$0)
        }
    }

    private func recover(_ email: String, _ bench: PasswordBench, after span: TimeSpan = .zero) async -> AuthErrorCode?
    {
        await bench.error {
            try await RequestRecovery(bench.ports)(EmailAddress(email), call: bench.call(after: span))
        }?.code
    }

    private func mails(_ recipient: String, _ bench: PasswordBench) async throws -> Int {
        try await bench.base.messages(to: recipient).count
    }

    @Test("R8.13 asking on behalf of addresses that nobody has uses nothing up")
    func unknown() async throws {
        let bench = try await bench()
        try await bench.user(Self.owner)
        for number in 0..<50 { #expect(await recover("nobody\(number)@example.com", bench) == nil) }
        #expect(await recover(Self.owner, bench) == nil)
        #expect(try await mails(Self.owner, bench) == 1)
    }

    @Test("R8.13 a flood of sign-ups stops at half of the brake, for everybody alike, and leaves the owner's recovery")
    func signUps() async throws {
        let bench = try await bench()
        try await bench.user(Self.owner)
        var answers: [AuthErrorCode?] = []
        for number in 0..<6 {
            answers.append(
                await bench.error { try await bench.signUp(bench.email("new\(number)@example.com")) }?.code)
        }
        #expect(answers == [nil, nil, nil, nil, .mailRateLimited, .mailRateLimited])
        // Whether there is an account does not show in the refusal.
        let known = await bench.error { try await bench.signUp(bench.email(Self.owner)) }
        let unknown = await bench.error { try await bench.signUp(bench.email("nobody@example.com")) }
        #expect(known == unknown && known?.code == .mailRateLimited && known?.retryAfter != nil)
        for address in [Self.owner, "nobody@example.com"] { #expect(await recover(address, bench) == nil) }
        #expect(try await mails(Self.owner, bench) == 1)
        // An unknown address that would get an account by a link gets none while there is no room for its mail.
        let users = try await bench.userCount()
        try await RequestMagicLink(bench.ports)(EmailAddress("late@example.com"), call: bench.call())
        #expect(try await bench.userCount() == users)
        #expect(try await mails("late@example.com", bench) == 0)
    }

    @Test("R8.13 when not even proven people can be sent anything, everybody is told so alike")
    func exhausted() async throws {
        let bench = try await bench()
        for number in 0..<8 {
            try await bench.user("p\(number)@example.com")
            #expect(await recover("p\(number)@example.com", bench) == nil)
        }
        for address in ["p0@example.com", "nobody@example.com"] {
            #expect(await recover(address, bench) == .mailRateLimited)
        }
    }

    @Test("R8.13 messages that are answered weigh on nothing")
    func answered() async throws {
        let bench = try await bench { $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600) }
        try await bench.user(Self.owner)
        for round in Int64(0)..<30 {
            let call = bench.call(after: .minutes(2 * round))
            #expect(await recover(Self.owner, bench, after: .minutes(2 * round)) == nil)
            let messages = try await bench.base.messages(to: Self.owner).filter { $0.kind == "recovery" }
            let mail = try #require(messages.first)
            #expect(messages.count == Int(round) + 1)
            _ = try await VerifyProof(bench.ports)(
                .linkToken(try #require(mail.tokenHash)), purposes: [.recovery], call: call)
        }
    }

    @Test("R8.13 so are codes of a fresh authentication, which are given with what needs them")
    func answeredReauthentications() async throws {
        let bench = try await bench {
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
            $0.limits.messagesSent.count = 1000
        }
        try await bench.user(Self.owner)
        let issued = try await bench.signIn(Self.owner)
        for round in Int64(0)..<9 {
            let call = bench.call(after: .minutes(1500 + 2 * round))
            let code = try #require(try await bench.nonce(issued, at: call))
            try await bench.update(issued, at: call) {
                $0.phone = try PhoneNumber("+491511234567\(round)")
                $0.nonce = code
            }
        }
    }

    @Test("R8.13 nobody's mailbox is filled: an unanswered recipient gets so many an hour, and the last link works")
    func perRecipient() async throws {
        let bench = try await bench { $0.limits.mailSent.count = 1000 }
        try await bench.user(Self.owner)
        for minute in Int64(0)..<30 { #expect(await recover(Self.owner, bench, after: .minutes(2 * minute)) == nil) }
        let mails = try await bench.base.messages(to: Self.owner)
        #expect((6...12).contains(mails.count))
        let last = try #require(mails.first?.tokenHash)
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(last), purposes: [.recovery], call: bench.call(after: .minutes(59)))
        #expect(outcome.session != nil)
    }

    @Test(
        "R8.13 however often strangers sign up with an owner's address or ask for its links, the owner's recovery is sent"
    )
    func strangersMessages() async throws {
        let bench = try await bench {
            $0.limits.mailSent.count = 1000
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
        }
        try await bench.user(Self.owner)
        for minute in Int64(0)..<6 {
            let call = bench.call(after: .minutes(2 * minute))
            try await bench.signUp(bench.email(Self.owner), at: call)
            try await RequestMagicLink(bench.ports)(EmailAddress(Self.owner), call: call)
        }
        #expect(await recover(Self.owner, bench, after: .minutes(12)) == nil)
        let kinds = try await bench.base.messages(to: Self.owner).map(\.kind)
        // Of each kind two, and what comes back of them in twelve minutes; the sign-ups are answered all the same.
        #expect(kinds.count { $0 == "account_exists" } == 2 && kinds.count { $0 == "magic_link" } == 2, "\(kinds)")
        let recovery = try #require(
            try await bench.base.messages(to: Self.owner).first { $0.kind == "recovery" }?.tokenHash)
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(recovery), purposes: [.recovery], call: bench.call(after: .minutes(13)))
        #expect(outcome.session != nil)
    }

    @Test("R8.13 a sign-up that is told of an owner, and sends them nothing, is not counted as a message")
    func toldAtOnce() async throws {
        let bench = try await bench()
        try await bench.user(Self.owner)
        var command = try SignUpCommand(
            identifier: bench.email(Self.owner), password: Secret(PasswordBench.password))
        command.conceals = false
        for _ in 0..<9 { #expect(try await SignUp(bench.ports)(command, call: bench.call()).isConcealed) }
        #expect(try await mails(Self.owner, bench) == 1)
        // Four of sign-ups, of which one was sent.
        for number in 0..<3 { try await bench.signUp(bench.email("new\(number)@example.com")) }
        let refused = await bench.error { try await bench.signUp(bench.email("new3@example.com")) }
        #expect(refused?.code == .mailRateLimited)
    }

    @Test("R8.13 with numbers of their own nobody has texts sent without end, however many they answer")
    func answeredChanges() async throws {
        let bench = try await bench()
        try await bench.user(Self.owner)
        var refusals: [AuthErrorCode?] = []
        for round in Int64(0)..<3 {
            let number = try PhoneNumber("+49170000000\(round)")
            let call = bench.call(after: .minutes(2 * round))
            refusals.append(
                await bench.error {
                    try await bench.update(bench.signIn(Self.owner, at: call), at: call) { $0.phone = number }
                    let code = try await bench.base.messages(to: number.e164).first { $0.kind == "phone_change" }?.code
                    _ = try await VerifyProof(bench.ports)(
                        .code(.phone(number), #require(code)), purposes: [.phoneChange], call: call)
                }?.code)
        }
        #expect(refusals == [nil, nil, .messageRateLimited])
    }

    @Test("R8.13 sign-ups by number are messages, and so are numbers asked for by users")
    func texts() async throws {
        let bench = try await bench()
        try await bench.user(Self.owner)
        let mine = try await bench.signIn(Self.owner)
        for number in 1...2 {
            _ = try await bench.signUp(.phone(PhoneNumber("+4917000000\(number)0")))
        }
        let refused = await bench.error { try await bench.signUp(.phone(PhoneNumber("+491700000090"))) }
        #expect(refused?.code == .messageRateLimited)
        let changed = await bench.error {
            try await bench.update(mine) { $0.phone = try PhoneNumber("+491700000091") }
        }
        #expect(changed?.code == .messageRateLimited)
    }
}
