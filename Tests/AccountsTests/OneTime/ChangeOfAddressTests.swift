// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct ChangeOfAddressTests {
    private let old = "old@example.com"
    private let new = "new@example.com"
    private static let both: [OneTimeToken.Purpose] = [.emailChangeCurrent, .emailChangeNew]

    private func start(_ bench: ProofBench, for user: User, call: CallContext? = nil) async throws -> [IssuedProof] {
        let call = call ?? bench.call()
        let wanted = try EmailAddress(new)
        return try await bench.ports.write(call) { step in
            var user = try #require(try step.tx.user(user.id, in: user.directoryID))
            let proofs = try OneTimeIssuer(step).sendEmailChange(
                to: wanted, of: &user, redirectTo: nil, codeChallenge: nil)
            try step.tx.update(user)
            return proofs
        }
    }

    @Test("R8.13 by wanting now one address and now another nobody fills a mailbox, whether it is anybody's or not")
    func alternating() async throws {
        let bench = try await PasswordBench { $0.oneTime.secureEmailChange = false }
        try await bench.user()
        try await bench.user("taken@example.com")
        let issued = try await bench.signIn()
        func want(_ address: String, at call: CallContext) async -> AuthErrorCode? {
            await bench.error { try await bench.update(issued, at: call) { $0.email = try EmailAddress(address) } }?
                .code
        }
        #expect(await want("free@example.com", at: bench.call()) == nil)
        // The same again is a double tap; another address is another message.
        #expect(await want("free@example.com", at: bench.call(after: .seconds(10))) == nil)
        #expect(await want("taken@example.com", at: bench.call(after: .seconds(10))) == .mailRateLimited)
        for turn in 1..<40 {
            let call = bench.call(after: .seconds(Int64(turn) * 61))
            let address = turn.isMultiple(of: 2) ? "free@example.com" : "taken@example.com"
            #expect(await want(address, at: call) == nil, "turn \(turn)")
        }
        // Six, and one every ten minutes.
        for address in ["free@example.com", "taken@example.com"] {
            #expect((6...11).contains(try await bench.base.messages(to: address).count), "\(address)")
        }
    }

    @Test("R8.13 a change that comes too soon tells nothing of the password beside it, and is no wrong one")
    func tooSoon() async throws {
        let bench = try await PasswordBench { $0.oneTime.secureEmailChange = false }
        try await bench.user()
        let issued = try await bench.signIn()
        try await bench.update(issued) {
            ($0.email, $0.phone) = (try EmailAddress("free@example.com"), try PhoneNumber("+4915112345678"))
        }
        let compared = bench.passwords.all
        for index in 0..<4 {
            // The one that the account has, and another.
            for password in [PasswordBench.password, PasswordBench.newPassword] {
                let mail = await bench.error {
                    try await bench.update(issued) {
                        $0.email = try EmailAddress("other\(index)@example.com")
                        $0.password = Secret(password)
                    }
                }
                let text = await bench.error {
                    try await bench.update(issued) {
                        $0.phone = try PhoneNumber("+491511234567\(index)")
                        $0.password = Secret(password)
                    }
                }
                #expect(mail?.code == .mailRateLimited && text?.code == .messageRateLimited)
            }
        }
        #expect(bench.passwords.all == compared)
        let changed = try await bench.update(issued) {
            $0.currentPassword = Secret(PasswordBench.password)
            $0.password = Secret(PasswordBench.newPassword)
        }
        #expect(try CountingPasswords.matches(changed.user.passwordHash, PasswordBench.newPassword))
    }

    @Test(
        "R8.13 a change that is asked for again while it is under way is counted once, whatever its caller knew of it")
    func countedOnce() async throws {
        let bench = try await PasswordBench {
            $0.oneTime.secureEmailChange = false
            $0.limits.mailSent = .init(count: 4, seconds: 3600)
        }
        try await bench.user()
        let before = try await bench.authenticated(bench.signIn())
        var changes = UserChanges()
        changes.email = try EmailAddress("free@example.com")
        for _ in 0..<6 { _ = try await UpdateUser(bench.ports)(changes, of: before, call: bench.call()) }
        #expect(try await bench.base.messages(to: "free@example.com").count == 1)
        // Two are for people who have proved nothing, of which one was sent.
        try await bench.signUp(bench.email("new@example.com"))
    }

    @Test(
        "R32 both addresses must agree, in either order, also where sign-ups confirm themselves",
        arguments: [
            (true, true), (true, false), (false, true), (false, false),
        ])
    func both(currentFirst: Bool, autoConfirm: Bool) async throws {
        let bench = try await ProofBench { $0.signUp.emailAutoConfirm = autoConfirm }
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        #expect(proofs.count == 2)
        let order = currentFirst ? proofs : proofs.reversed()
        let verify = VerifyProof(bench.ports)
        let half = try await verify(.link(token: order[0].linkToken), purposes: Self.both, call: bench.call())
        #expect(half.isHalfConfirmed)
        #expect(try await bench.reload(user).email?.rawValue == old)
        #expect(try await bench.sessions(of: user).isEmpty)
        // The same side again is not the other side.
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: order[0].linkToken), purposes: Self.both, call: bench.call())
        }
        let whole = try await verify(.link(token: order[1].linkToken), purposes: Self.both, call: bench.call())
        #expect(whole.session != nil)
        let after = try await bench.reload(user)
        #expect(after.email?.rawValue == new && after.pendingEmail == nil && !after.pendingEmailHalfConfirmed)
        let identity = try #require(whole.session?.identities.first)
        #expect(identity.data["email"] == .string(new))
        #expect(Set(try await bench.messages(to: old).map(\.kind)) == ["email_change_current", "email_changed"])
    }

    @Test("Both sides can be confirmed by code, each under its own address")
    func byCode() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        let verify = VerifyProof(bench.ports)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.code(.email(EmailAddress(new)), proofs[0].code), purposes: Self.both, call: bench.call())
        }
        let half = try await verify(
            .code(.email(EmailAddress(old)), proofs[0].code), purposes: Self.both, call: bench.call())
        #expect(half.isHalfConfirmed)
        let whole = try await verify(
            .code(.email(EmailAddress(new)), proofs[1].code), purposes: Self.both, call: bench.call())
        #expect(whole.session?.user.email?.rawValue == new)
    }

    @Test("Where one confirmation is enough, it is the new address's")
    func single() async throws {
        let bench = try await ProofBench { $0.oneTime.secureEmailChange = false }
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        #expect(proofs.count == 1)
        #expect(try await bench.messages(to: old).isEmpty)
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proofs[0].linkToken), purposes: Self.both, call: bench.call())
        #expect(outcome.session?.user.email?.rawValue == new)
    }

    @Test("R32 the old address alone never completes a change, even when the setting is relaxed meanwhile")
    func relaxedMeanwhile() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        let relaxed = bench.call { $0.oneTime.secureEmailChange = false }
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proofs[0].linkToken), purposes: Self.both, call: relaxed)
        #expect(outcome.isHalfConfirmed)
        #expect(try await bench.reload(user).email?.rawValue == old)
    }

    @Test("R32 one side asked again does not agree for the other")
    func sameSideTwice() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        let verify = VerifyProof(bench.ports)
        _ = try await verify(.link(token: proofs[0].linkToken), purposes: Self.both, call: bench.call())
        // An operator asks the present address once more.
        let again = try await bench.proof(.emailChangeCurrent, for: user, to: .email(EmailAddress(old)))
        let outcome = try await verify(.link(token: again.linkToken), purposes: Self.both, call: bench.call())
        #expect(outcome.isHalfConfirmed)
        #expect(try await bench.reload(user).email?.rawValue == old)
        let whole = try await verify(.link(token: proofs[1].linkToken), purposes: Self.both, call: bench.call())
        #expect(whole.session != nil)
    }

    @Test("Resending a half-confirmed change asks the other half alone, and a later change starts over")
    func resendHalf() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        let verify = VerifyProof(bench.ports)
        _ = try await verify(.link(token: proofs[0].linkToken), purposes: Self.both, call: bench.call())
        let later = bench.call(after: .minutes(2))
        try await ResendMessage(bench.ports)(.emailChange, to: .email(EmailAddress(old)), call: later)
        #expect(try await bench.messages(to: old).count == 1)
        let resent = try await bench.messages(to: new)
        #expect(resent.count == 2)
        let restarted = try await start(bench, for: user, call: later)
        #expect(try await bench.reload(user).pendingEmailHalfConfirmed == false)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: try #require(resent.first?.tokenHash)), purposes: Self.both, call: later)
        }
        let half = try await verify(.link(token: restarted[1].linkToken), purposes: Self.both, call: later)
        #expect(half.isHalfConfirmed)
    }

    @Test("An address that became another's meanwhile is not taken from them")
    func takenMeanwhile() async throws {
        let bench = try await ProofBench { $0.oneTime.secureEmailChange = false }
        let user = try await bench.confirmedUser(old)
        let proofs = try await start(bench, for: user)
        let other = try await bench.confirmedUser(new)
        await #expect(throws: AuthError(.emailExists)) {
            try await VerifyProof(bench.ports)(
                .link(token: proofs[0].linkToken), purposes: Self.both, call: bench.call())
        }
        #expect(try await bench.reload(user).email?.rawValue == old)
        #expect(try await bench.reload(other).email?.rawValue == new)
    }

    @Test("Two users who want one address are told apart by their codes")
    func twoWantOne() async throws {
        let bench = try await ProofBench { $0.oneTime.secureEmailChange = false }
        let first = try await bench.confirmedUser("first@example.com")
        let second = try await bench.confirmedUser("second@example.com")
        _ = try await start(bench, for: first)
        let proofs = try await start(bench, for: second)
        let outcome = try await VerifyProof(bench.ports)(
            .code(.email(EmailAddress(new)), proofs[0].code), purposes: Self.both, call: bench.call())
        #expect(outcome.session?.user.id == second.id)
        #expect(try await bench.reload(first).email?.rawValue == "first@example.com")
    }

    @Test("R33 every link under way dies with the change")
    func othersDie() async throws {
        let bench = try await ProofBench { $0.oneTime.secureEmailChange = false }
        let user = try await bench.confirmedUser(old)
        let recovery = try await bench.proof(.recovery, for: user)
        let proofs = try await start(bench, for: user)
        let verify = VerifyProof(bench.ports)
        _ = try await verify(.link(token: proofs[0].linkToken), purposes: Self.both, call: bench.call())
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: recovery.linkToken), purposes: [.recovery], call: bench.call())
        }
    }

    @Test("An anonymous user who confirms an address is one no longer, and gets the identity")
    func anonymous() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user { $0.isAnonymous = true }
        let proofs = try await start(bench, for: user)
        #expect(proofs.count == 1)
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proofs[0].linkToken), purposes: Self.both, call: bench.call())
        let session = try #require(outcome.session)
        #expect(!session.user.isAnonymous && session.user.email?.rawValue == new)
        #expect(session.identities.map(\.provider) == ["email"])
        #expect(session.user.appMetadata["provider"] == "email")
    }

    @Test("A new number is confirmed by the code that went to it")
    func phone() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: old, phone: "+491701234567") {
            $0.emailVerifiedAt = bench.now
            $0.phoneVerifiedAt = bench.now
            $0.pendingPhone = try PhoneNumber("+491709999999")
        }
        let proof = try await bench.proof(.phoneChange, for: user, to: .phone(PhoneNumber("+491709999999")))
        let verify = VerifyProof(bench.ports)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(
                .code(.phone(PhoneNumber("+491701234567")), proof.code), purposes: [.phoneChange], call: bench.call())
        }
        let outcome = try await verify(
            .code(.phone(PhoneNumber("+491709999999")), proof.code), purposes: [.phoneChange], call: bench.call())
        #expect(outcome.session?.user.phone?.e164 == "+491709999999")
        #expect(try await bench.messages(to: old).map(\.kind) == ["phone_changed"])
    }
}
