// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// A stranger signs up with somebody's address and waits for its owner to come.
@Suite struct UnprovenAccountTests {
    @Test(
        "R47 R48 the mailbox's owner gets in by a link of their own, and all that the stranger left is gone",
        arguments: [OneTimeToken.Purpose.magicLink, .recovery])
    func ownerTakesOver(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: "victim@example.com") {
            $0.passwordHash = try PasswordHash(ProofBench.hash)
            $0.pendingEmail = try EmailAddress("evil@evil.test")
            $0.pendingPhone = try PhoneNumber("+491701234567")
        }
        let stranger = try await bench.ports.write(bench.call()) {
            try $0.issue(for: user, by: .magicLink)
        }
        let change = try await bench.proof(.emailChangeNew, for: user, to: .email(EmailAddress("evil@evil.test")))
        let phone = try await bench.proof(.phoneChange, for: user, to: .phone(PhoneNumber("+491701234567")))
        let proof = try await bench.proof(purpose, for: user)
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [purpose], call: bench.call(after: .minutes(1)))
        let owner = try #require(outcome.session)
        let after = try await bench.reload(user)
        #expect(after.passwordHash == nil)
        #expect(after.pendingEmail == nil && after.pendingPhone == nil)
        #expect(after.emailVerifiedAt != nil)
        #expect(try await bench.sessions(of: user).map(\.id) == [owner.session.id])
        #expect(stranger.session.id != owner.session.id)
        let verify = VerifyProof(bench.ports)
        for token in [change.linkToken, phone.linkToken] {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await verify(
                    .link(token: token), purposes: OneTimeToken.Purpose.allCases, call: bench.call(after: .minutes(2)))
            }
        }
    }

    @Test("R47 the same for a number")
    func phone() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(phone: "+491701234567") {
            $0.passwordHash = try PasswordHash(ProofBench.hash)
        }
        let proof = try await bench.proof(.phoneSignIn, for: user)
        _ = try await VerifyProof(bench.ports)(
            .code(.phone(PhoneNumber("+491701234567")), proof.code), purposes: [.phoneSignIn], call: bench.call())
        #expect(try await bench.reload(user).passwordHash == nil)
    }

    @Test("Who confirms their own sign-up keeps their password")
    func confirmation() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: "a@example.com") { $0.passwordHash = try PasswordHash(ProofBench.hash) }
        let proof = try await bench.proof(.signUpConfirmation, for: user)
        _ = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.signUpConfirmation], call: bench.call())
        #expect(try await bench.reload(user).passwordHash != nil)
    }

    @Test("A confirmed user keeps their password and sessions through a magic link and a recovery")
    func confirmedKeeps() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        for purpose in [OneTimeToken.Purpose.magicLink, .recovery] {
            let proof = try await bench.proof(purpose, for: user)
            _ = try await VerifyProof(bench.ports)(
                .link(token: proof.linkToken), purposes: [purpose], call: bench.call())
        }
        #expect(try await bench.reload(user).passwordHash != nil)
        #expect(try await bench.sessions(of: user).count == 2)
    }

    @Test("R47 a magic link for an account that has an unproven password is a magic link, not a welcome")
    func requestKeepsPurposeApart() async throws {
        let bench = try await ProofBench()
        _ = try await bench.user(email: "victim@example.com") { $0.passwordHash = try PasswordHash(ProofBench.hash) }
        try await RequestMagicLink(bench.ports)(EmailAddress("victim@example.com"), call: bench.call())
        #expect(try await bench.messages(to: "victim@example.com").map(\.kind) == ["magic_link"])
    }
}
