// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// The brake holds for calls that have all found room before any of them sends.
@Suite struct MessageBurstTests {
    private static let calls = 8

    enum Way: CaseIterable, Sendable {
        case number, address, name

        var refusal: AuthErrorCode { self == .number ? .messageRateLimited : .mailRateLimited }
    }

    /// Two messages to people who have proved nothing, and two to others.
    private func bench() async throws -> PasswordBench {
        try await PasswordBench {
            $0.limits.mailSent = .init(count: 4, seconds: 3600)
            $0.limits.messagesSent = .init(count: 4, seconds: 3600)
        }
    }

    private func held(_ bench: PasswordBench) -> AccountPorts {
        AccountPorts(
            store: bench.store,
            passwords: GatheringPasswords(base: bench.passwords, gathering: Gathering(of: Self.calls)),
            random: bench.ports.random, messages: bench.ports.messages)
    }

    private func heldAtWriting(_ bench: PasswordBench) -> AccountPorts {
        bench.ports(over: GatheringStore(base: bench.store, gathering: Gathering(of: Self.calls)))
    }

    /// What each of the calls was refused with, in no order.
    private func atOnce(
        _ bench: PasswordBench, _ call: @Sendable @escaping (Int) async throws -> Void
    ) async -> [AuthError?] {
        await withTaskGroup(of: AuthError?.self) { group in
            for number in 0..<Self.calls { group.addTask { await bench.error { try await call(number) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func number(_ index: Int) throws -> PhoneNumber { try PhoneNumber("+49170000000\(index)") }

    private static func command(_ way: Way, _ index: Int) throws -> SignUpCommand {
        let email = try EmailAddress("new\(index)@example.com")
        let identifier: SignInIdentifier =
            switch way {
            case .number: .phone(try number(index))
            case .address: .email(email)
            case .name: .username(try Username("name\(index)"))
            }
        var command = SignUpCommand(identifier: identifier, password: Secret(PasswordBench.password))
        if way == .name { command.email = email }
        return command
    }

    @Test(
        "R8.13 of sign-ups at the same moment as many send as the brake says; the others are refused and leave nothing",
        arguments: Way.allCases)
    func signUps(way: Way) async throws {
        let bench = try await bench()
        let ports = held(bench)
        let answers = await atOnce(bench) { index in
            _ = try await SignUp(ports)(Self.command(way, index), call: bench.call())
        }
        #expect(try await bench.base.messages().count == 2)
        #expect(try await bench.userCount() == 2)
        let refusals = answers.compactMap(\.self)
        #expect(refusals.count == Self.calls - 2)
        // As whoever comes later is told, before anything is hashed.
        let hashed = bench.passwords.all
        let early = await bench.error { _ = try await SignUp(bench.ports)(Self.command(way, 9), call: bench.call()) }
        #expect(early?.code == way.refusal && early?.retryAfter != nil && bench.passwords.all == hashed)
        #expect(refusals.allSatisfy { $0 == early })
    }

    @Test(
        "R8.13 a sign-up that finds the brake full once its password is hashed is refused alike for known and unknown")
    func alike() async throws {
        for way in [Way.number, .address] {
            var refusals: [AuthError?] = []
            for isKnown in [true, false] {
                let bench = try await bench()
                if isKnown { try await bench.user("new0@example.com", phone: Self.number(0).e164) }
                bench.passwords.meanwhile {
                    for index in 1...2 {
                        _ = try await SignUp(bench.ports)(Self.command(way, index), call: bench.call())
                    }
                }
                let users = try await bench.userCount()
                refusals.append(
                    await bench.error {
                        _ = try await SignUp(bench.ports)(Self.command(way, 0), call: bench.call())
                    })
                #expect(try await bench.userCount() == users + 2)
                #expect(try await bench.base.messages().count == 2)
            }
            #expect(refusals[0]?.code == way.refusal && refusals[0] == refusals[1])
        }
    }

    @Test("R8.13 of changes of number at the same moment as many send as the brake says; the others change nothing")
    func changes() async throws {
        let bench = try await bench()
        var sessions: [AuthenticatedUser] = []
        for index in 0..<Self.calls {
            let email = "owner\(index)@example.com"
            try await bench.user(email)
            sessions.append(try await bench.authenticated(bench.signIn(email)))
        }
        let (users, ports) = (sessions, held(bench))
        let answers = await atOnce(bench) { index in
            var changes = UserChanges()
            changes.phone = try Self.number(index)
            changes.currentPassword = Secret(PasswordBench.password)
            changes.password = Secret(PasswordBench.newPassword)
            _ = try await UpdateUser(ports)(changes, of: users[index], call: bench.call())
        }
        #expect(try await bench.base.messages().count { $0.kind == "phone_change" } == 2)
        #expect(answers.count { $0?.code == .messageRateLimited } == Self.calls - 2)
        #expect(answers.count { $0 == nil } == 2)
        var changed = 0
        for owner in users {
            let stored = try await bench.base.reload(owner.user)
            let isChanged = try CountingPasswords.matches(stored.passwordHash, PasswordBench.newPassword)
            #expect(isChanged == (stored.pendingPhone != nil))
            changed += isChanged ? 1 : 0
        }
        #expect(changed == 2)
    }

    /// A new password and a number, once a minute, whose message the brake has no room for any more when it is to be
    /// sent.
    private func unsentChange(
        _ bench: PasswordBench, of session: AuthenticatedUser, minute: Int
    ) async throws -> AuthError? {
        let call = bench.call(after: .minutes(Int64(minute)))
        bench.passwords.meanwhile { _ = try await SignUp(bench.ports)(Self.command(.number, minute), call: call) }
        var changes = UserChanges()
        changes.password = Secret(PasswordBench.newPassword)
        changes.phone = try Self.number(9)
        return await bench.error { [changes] in
            _ = try await UpdateUser(bench.ports)(changes, of: session, call: call)
        }
    }

    @Test("R8.13 a change that the brake refuses locks no password: nothing was guessed wrong")
    func noLock() async throws {
        let bench = try await PasswordBench { $0.limits.messagesSent = .init(count: 2, seconds: 60) }
        try await bench.user()
        let session = try await bench.authenticated(bench.signIn())
        for minute in 1...6 {
            let refusal = try await unsentChange(bench, of: session, minute: minute)
            #expect(refusal?.code == .messageRateLimited && refusal?.retryAfter != nil)
        }
        var changes = UserChanges()
        changes.password = Secret(PasswordBench.newPassword)
        changes.currentPassword = Secret(PasswordBench.password)
        let changed = try await UpdateUser(bench.ports)(changes, of: session, call: bench.call(after: .minutes(7)))
        #expect(try CountingPasswords.matches(changed.user.passwordHash, PasswordBench.newPassword))
        #expect(changed.user.pendingPhone == nil)
    }

    @Test("R8.13 what a change that the brake refuses has said of the password is counted towards the limits")
    func isCounted() async throws {
        let bench = try await PasswordBench {
            $0.limits.messagesSent = .init(count: 2, seconds: 60)
            $0.limits.signInPerIdentifier = .init(count: 3, seconds: 900)
            $0.limits.signInPerAccount = .init(count: 3, seconds: 900)
        }
        try await bench.user()
        let session = try await bench.authenticated(bench.signIn())
        var codes: [AuthErrorCode?] = []
        for minute in 1...4 { codes.append(try await unsentChange(bench, of: session, minute: minute)?.code) }
        #expect(codes == [.messageRateLimited, .messageRateLimited, .messageRateLimited, .rateLimited])
    }

    @Test(
        "R8.13 R8.12 of codes that are asked for at the same moment as many go out as the brake says, and all are answered"
    )
    func codes() async throws {
        // Whoever proved their number has the whole of it, and a number that nobody has half, with an account for each.
        for (isKnown, texts) in [(true, 4), (false, 2)] {
            let bench = try await bench()
            if isKnown {
                for index in 0..<Self.calls { try await bench.user(nil, phone: Self.number(index).e164) }
            }
            let ports = heldAtWriting(bench)
            let answers = await atOnce(bench) { index in
                try await RequestPhoneCode(ports)(Self.number(index), call: bench.call())
            }
            #expect(answers.allSatisfy { $0 == nil })
            #expect(try await bench.base.messages().count == texts)
            #expect(try await bench.userCount() == (isKnown ? Self.calls : texts))
        }
    }

    @Test("R8.13 who may be told hears that there was no room for their code when it was to be sent")
    func told() async throws {
        let bench = try await bench()
        var sessions: [AuthenticatedUser] = []
        for index in 0..<Self.calls {
            let email = "owner\(index)@example.com"
            try await bench.user(email)
            sessions.append(try await bench.authenticated(bench.signIn(email)))
        }
        let (users, ports) = (sessions, heldAtWriting(bench))
        let answers = await atOnce(bench) { index in
            try await RequestReauthentication(ports)(users[index], call: bench.call())
        }
        #expect(try await bench.base.messages().count { $0.kind == "reauthentication" } == 4)
        #expect(answers.count { $0?.code == .mailRateLimited && $0?.retryAfter != nil } == Self.calls - 4)
    }

    @Test("R8.13 of a change's two messages both go out once more, or neither is sent and counted")
    func bothOrNone() async throws {
        let bench = try await PasswordBench { $0.limits.mailSent = .init(count: 2, seconds: 3600) }
        try await bench.user {
            $0.emailVerifiedAt = nil
            $0.pendingEmail = try EmailAddress("wanted@example.com")
        }
        #expect(try await !ResendMessage(bench.ports)(.emailChange, to: bench.email(), call: bench.call()))
        #expect(try await bench.base.messages().isEmpty)
        // The one that there was room for is there still.
        try await bench.signUp(bench.email("new@example.com"))
        #expect(try await bench.base.messages(to: "new@example.com").count == 1)
    }
}
