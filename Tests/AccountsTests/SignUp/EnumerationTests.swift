// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Whether a stranger can tell from a sign-up who has an account.
@Suite struct EnumerationTests {
    enum Account: CaseIterable, Sendable { case none, unconfirmed, unconfirmedOld, confirmed, invited, banned }

    private func make(_ account: Account, in bench: PasswordBench) async throws {
        switch account {
        case .none: break
        case .unconfirmed: try await bench.signUp(metadata: ["theirs": 1], at: bench.call(after: .seconds(-61)))
        case .unconfirmedOld: try await bench.signUp(metadata: ["theirs": 1], at: bench.call(after: .days(-3)))
        case .confirmed: try await bench.user { $0.userMetadata = ["theirs": 1] }
        case .invited:
            try await bench.user {
                ($0.emailVerifiedAt, $0.passwordHash, $0.origin) = (nil, nil, .invitation)
            }
        case .banned: try await bench.user { $0.bannedUntil = bench.now + .days(1) }
        }
    }

    @Test("G-1.3 a sign-up looks the same whatever account the address has, after one hash and one write")
    func alike() async throws {
        var appearances: [[String]] = []
        for account in Account.allCases {
            let bench = try await PasswordBench()
            try await make(account, in: bench)
            let (hashes, writes) = (bench.passwords.all, bench.store.writes)
            let events = try await bench.base.events().count
            let outcome = try await bench.signUp(metadata: ["mine": true])
            appearances.append(try #require(outcome.record).appearance)
            #expect(bench.passwords.all == hashes + 1, "\(account)")
            #expect(bench.store.writes == writes + 1, "\(account)")
            #expect(try await bench.base.events().count == events + 1, "\(account)")
            #expect(outcome.isConcealed == [.confirmed, .invited, .banned].contains(account), "\(account)")
        }
        for (account, appearance) in zip(Account.allCases, appearances) {
            #expect(appearance == appearances[0], "\(account)")
        }
    }

    @Test(
        "R8.7 a sign-up repeated at once is told to wait, whatever account the address has, after one hash and nothing sent"
    )
    func repeatedAtOnce() async throws {
        for account in Account.allCases {
            let bench = try await PasswordBench()
            try await make(account, in: bench)
            try await bench.signUp(metadata: ["first": true])
            let (hashes, writes) = (bench.passwords.all, bench.store.writes)
            let mails = try await bench.base.messages().count
            for seconds in [Int64(0), 59] {
                let later = bench.call(after: .seconds(seconds))
                let error = await bench.error { try await bench.signUp(metadata: ["second": true], at: later) }
                #expect(error?.code == .mailRateLimited && error?.retryAfter == .seconds(60 - seconds), "\(account)")
            }
            #expect(bench.passwords.all == hashes + 2 && bench.store.writes == writes + 2, "\(account)")
            #expect(try await bench.base.messages().count == mails, "\(account)")
            // Somebody elsewhere is answered like the first.
            #expect(try await bench.signUp(at: bench.call(from: "192.0.2.0/24")).record != nil, "\(account)")
        }
    }

    @Test("G-1.3 two sign-ups in a row name one user, whatever account there is", arguments: Account.allCases)
    func repeated(account: Account) async throws {
        let bench = try await PasswordBench()
        try await make(account, in: bench)
        var ids: Set<[String]> = []
        for minutes in Int64(0)..<4 {
            let record = try #require(try await bench.signUp(at: bench.call(after: .minutes(minutes))).record)
            ids.insert([record.user.id.rawValue] + record.identities.map(\.id.rawValue))
        }
        #expect(ids.count == 1)
        let real = try #require(try await bench.found())
        let isReal = ids.first?.first == real.id.rawValue
        #expect(isReal == ![.confirmed, .invited, .banned].contains(account))
    }

    @Test("G-1.3 a made-up user is another one in each Directory and for each address")
    func decoys() async throws {
        var ids: Set<UserID> = []
        for _ in 0..<2 {
            let bench = try await PasswordBench()
            for address in ["a@example.com", "b@example.com"] {
                try await bench.user(address)
                ids.insert(try #require(try await bench.signUp(bench.email(address)).record).user.id)
            }
        }
        #expect(ids.count == 4)
    }

    @Test("G-1.3 the owner of a confirmed address is told once in the interval, and nothing of theirs is changed")
    func ownerIsTold() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user { $0.userMetadata = ["theirs": 1] }
        try await bench.signUp(password: PasswordBench.newPassword)
        for seconds in [Int64(0), 1, 59] {
            let later = bench.call(after: .seconds(seconds))
            await #expect(throws: AuthError(.mailRateLimited)) {
                try await bench.signUp(password: PasswordBench.newPassword, at: later)
            }
        }
        #expect(try await bench.base.messages(to: "a@example.com").map(\.kind) == ["account_exists"])
        try await bench.signUp(at: bench.call(after: .seconds(61)))
        #expect(try await bench.base.messages().count == 2)
        let after = try await bench.base.reload(user)
        #expect("\(after)" == "\(user)")
        let tokens = try await bench.store.read {
            try $0.oneTimeTokens(of: user.id, purpose: .signUpConfirmation, in: user.directoryID)
        }
        #expect(tokens.isEmpty)
        try await bench.signIn()
    }

    @Test("G-1.3 the owner of a confirmed number gets no message that costs, and the answer is the same")
    func phone() async throws {
        let number = SignInIdentifier.phone(try PhoneNumber("+491701234567"))
        let bench = try await PasswordBench()
        try await bench.user(nil, phone: "+491701234567")
        let concealed = try #require(try await bench.signUp(number).record)
        #expect(try await bench.base.messages().isEmpty)
        let other = try await PasswordBench()
        let fresh = try #require(try await other.signUp(number).record)
        #expect(concealed.appearance == fresh.appearance)
    }

    @Test("R47 who answers the message of their sign-up has the account; what anybody else left there is gone")
    func takeOver() async throws {
        let bench = try await PasswordBench()
        try await bench.signUp(metadata: ["planted": 1])
        let user = try #require(try await bench.found())
        let planted = try await bench.base.proof(.magicLink, for: user)
        let confirmation = try #require(try await bench.base.messages().first { $0.kind == "confirmation" }?.tokenHash)
        try await bench.write(user) {
            $0.pendingEmail = try EmailAddress("evil@evil.test")
            $0.dialectData = try DialectData(["one": ["user": ["planted": 1]]])
        }
        let later = bench.call(after: .hours(1))
        let own = try await bench.signUpMessage(PasswordBench.newPassword, ["mine": 1], at: later)
        #expect(try await bench.found()?.userMetadata == ["planted": 1])
        try await bench.answer(own, at: later)
        let after = try await bench.base.reload(user)
        #expect(try CountingPasswords.matches(after.passwordHash, PasswordBench.newPassword))
        #expect(after.userMetadata == ["mine": 1] && after.dialectData == DialectData())
        #expect(after.pendingEmail == nil)
        for proof in [Proof.link(token: planted.linkToken), .linkToken(confirmation)] {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await VerifyProof(bench.ports)(
                    proof, purposes: OneTimeToken.Purpose.allCases, call: bench.call(after: .minutes(61)))
            }
        }
    }

    @Test("R48 an account that is somebody's, though not confirmed, is not taken over", arguments: 0..<6)
    func claimed(how: Int) async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(phone: how == 0 ? "+491701234567" : nil) { user in
            user.emailVerifiedAt = nil
            switch how {
            case 1: user.origin = .invitation
            case 2: user.origin = .administrator
            case 3: user.origin = .transfer
            case 5: user.confirmedAt = bench.now
            default: break
            }
        }
        if how == 4 {
            let identity = Identity(
                id: bench.ports.random.identifier(), directoryID: user.directoryID, userID: user.id,
                provider: "google", subject: "1", data: [:], createdAt: bench.now, updatedAt: bench.now)
            try await bench.store.write { try $0.insert(identity) }
        }
        let outcome = try await bench.signUp(password: PasswordBench.newPassword, at: bench.call(after: .days(1)))
        #expect(outcome.isConcealed)
        #expect(try CountingPasswords.matches(await bench.base.reload(user).passwordHash, PasswordBench.password))
    }
}
