// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Accounts that wish for an address or a number, their own or another's. Here one may be sent two messages an hour.
@Suite struct WishedMessageTests {
    enum Wish: CaseIterable, Sendable {
        case address, number, factor

        var kind: String {
            switch self {
            case .address: "email_change_new"
            case .number: "phone_change"
            case .factor: "factor_code"
            }
        }

        var recipient: String { self == .number ? WishedMessageTests.number : WishedMessageTests.address }
    }

    private static let address = "wanted@example.com"
    private static let number = "+4915112345678"

    private func bench() async throws -> FactorBench {
        try await FactorBench {
            $0.oneTime.secureEmailChange = false
            $0.limits.mailSent.count = 1000
            $0.limits.messagesSent.count = 1000
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
        }
    }

    private func call(from client: String?, _ bench: FactorBench, after minutes: Int64 = 0) -> CallContext {
        bench.open(after: .minutes(minutes)).with { $0.origin = client }
    }

    private func session(_ name: String, _ bench: FactorBench) async throws -> AuthenticatedUser {
        try await bench.base.user("\(name)@example.com")
        return try await bench.signedIn("\(name)@example.com", at: bench.open())
    }

    /// Has an account ask, which may be told that it can't for the moment.
    private func ask(
        _ wish: Wish, _ session: AuthenticatedUser, _ bench: FactorBench, _ call: CallContext
    ) async throws {
        let refusal = await bench.refusal {
            var changes = UserChanges()
            switch wish {
            case .address: changes.email = try EmailAddress(Self.address)
            case .number: changes.phone = try PhoneNumber(Self.number)
            case .factor:
                let factor = try await EnrolFactor(bench.ports)(
                    .email(EmailAddress(Self.address)), afresh: true, for: session, call: call
                ).factor
                _ = try await ChallengeFactor(bench.ports)(factor.id, of: session, call: call)
                return
            }
            _ = try await UpdateUser(bench.ports)(changes, of: session, call: call)
        }
        #expect(refusal == nil || wish == .factor && refusal == .mailRateLimited)
    }

    /// Types a code as an app does that knows no more than the address or the number.
    private func answer(_ wish: Wish, _ code: String, _ bench: FactorBench, _ call: CallContext) async throws -> User? {
        let identifier: SignInIdentifier =
            try wish == .number ? .phone(PhoneNumber(Self.number)) : .email(EmailAddress(Self.address))
        return try await VerifyProof(bench.ports)(
            .code(identifier, code), purposes: [.emailChangeNew, .phoneChange], call: call
        ).session?.user
    }

    private func sent(_ wish: Wish, _ bench: FactorBench) async throws -> [OutboxMessage] {
        try await bench.base.base.messages(to: wish.recipient).filter { $0.kind == wish.kind }
    }

    @Test(
        "R8.13 however many accounts of strangers ask for an address or a number, whose it is can put it on their own",
        arguments: Wish.allCases)
    func strangers(wish: Wish) async throws {
        let bench = try await bench()
        for index in 0..<5 {
            let stranger = try await session("stranger\(index)", bench)
            for minute in [Int64(0), 2, 4] {
                try await ask(wish, stranger, bench, call(from: "10.0.\(index).1", bench, after: minute))
            }
            #expect(try await sent(wish, bench).count == 2 * (index + 1))
        }
        let owner = try await session("owner", bench)
        try await ask(wish, owner, bench, call(from: "192.0.2.1", bench, after: 6))
        #expect(try await sent(wish, bench).count == 11)
    }

    @Test("R8.13 one client fills nobody's mailbox, with however many accounts it asks", arguments: Wish.allCases)
    func oneClient(wish: Wish) async throws {
        let bench = try await bench()
        for index in 0..<4 {
            let stranger = try await session("stranger\(index)", bench)
            try await ask(wish, stranger, bench, call(from: "10.0.0.1", bench))
        }
        #expect(try await sent(wish, bench).count == 2)
        let owner = try await session("owner", bench)
        try await ask(wish, owner, bench, call(from: "192.0.2.1", bench))
        #expect(try await sent(wish, bench).count == 3)
    }

    @Test(
        "R8.13 where clients can't be told apart, an account that was sent nothing is sent one",
        arguments: Wish.allCases)
    func unknownClients(wish: Wish) async throws {
        let bench = try await bench()
        for index in 0..<4 {
            let session = try await session("user\(index)", bench)
            for minute in [Int64(0), 2] {
                try await ask(wish, session, bench, call(from: nil, bench, after: Int64(4 * index) + minute))
            }
            #expect(try await sent(wish, bench).count == 2 + index)
        }
    }

    @Test(
        "R8.13 whoever was sent as many as they may holds one that works, and asking once more does not take it",
        arguments: [Wish.address, .number])
    func lastOneWorks(wish: Wish) async throws {
        let bench = try await bench()
        let owner = try await session("owner", bench)
        for minute in [Int64(0), 2, 4, 6] {
            try await ask(wish, owner, bench, call(from: "192.0.2.1", bench, after: minute))
        }
        let messages = try await sent(wish, bench)
        #expect(messages.count == 2)
        let code = try #require(messages.first?.code)
        let user = try #require(try await answer(wish, code, bench, call(from: "192.0.2.1", bench, after: 7)))
        #expect(user.id == owner.user.id)
        #expect(wish == .number ? user.phone?.e164 == Self.number : user.email?.rawValue == Self.address)
    }

    @Test(
        "R8.13 the code of whoever asked is right, however many accounts of strangers ask after them",
        arguments: [Wish.address, .number])
    func manyWait(wish: Wish) async throws {
        let bench = try await bench()
        let owner = try await session("owner", bench)
        try await ask(wish, owner, bench, call(from: "192.0.2.1", bench))
        let code = try #require(try await sent(wish, bench).first?.code)
        for index in 0..<9 {
            let stranger = try await session("stranger\(index)", bench)
            try await ask(wish, stranger, bench, call(from: "10.0.\(index).1", bench, after: 1))
        }
        #expect(try await sent(wish, bench).count == 10)
        #expect(try await answer(wish, code, bench, call(from: "192.0.2.1", bench, after: 2))?.id == owner.user.id)
    }

    @Test("R8.13 an owner hears of changes to their address apart from sign-ups with it, and of neither without end")
    func told() async throws {
        let bench = try await bench()
        try await bench.base.user(Self.address)
        func heard() async throws -> Int {
            try await bench.base.base.messages(to: Self.address).count { $0.kind == "account_exists" }
        }
        for minute in [Int64(0), 2, 4, 6] {
            try await bench.base.signUp(
                bench.base.email(Self.address), at: call(from: "10.0.0.1", bench, after: minute))
        }
        #expect(try await heard() == 2)
        let stranger = try await session("stranger", bench)
        for minute in [Int64(8), 10, 12, 14] {
            try await ask(.address, stranger, bench, call(from: "10.0.0.1", bench, after: minute))
        }
        #expect(try await heard() == 4)
    }

    @Test("R8.13 however many accounts ask for an owner's address from however many places, the owner hears of few")
    func toldOfMany() async throws {
        let bench = try await bench()
        try await bench.base.user(Self.address)
        for index in 0..<5 {
            let stranger = try await session("stranger\(index)", bench)
            try await ask(.address, stranger, bench, call(from: "10.0.\(index).1", bench))
        }
        #expect(
            try await bench.base.base.messages(to: Self.address).map(\.kind) == ["account_exists", "account_exists"])
    }
}
