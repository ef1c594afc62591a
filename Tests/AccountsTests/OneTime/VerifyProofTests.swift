// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct VerifyProofTests {
    private static let signIns: [OneTimeToken.Purpose] = [.signUpConfirmation, .invitation, .magicLink, .recovery]

    private func email(_ text: String) throws -> SignInIdentifier { .email(try EmailAddress(text)) }

    @Test("G-4.2 a link of each purpose confirms the address and signs in, once", arguments: signIns)
    func link(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: "a@example.com")
        let proof = try await bench.proof(purpose, for: user)
        let verify = VerifyProof(bench.ports)
        let outcome = try await verify(
            .link(token: proof.linkToken), purposes: [purpose], call: bench.call(after: .minutes(1)))
        let session = try #require(outcome.session)
        #expect(session.user.id == user.id)
        let after = try await bench.reload(user)
        #expect(after.emailVerifiedAt == bench.now + .minutes(1))
        let identity = try #require(session.identities.first)
        #expect(identity.data["email_verified"] == true)
        // R75: used.
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: proof.linkToken), purposes: [purpose], call: bench.call(after: .minutes(1)))
        }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.code(email("a@example.com"), proof.code), purposes: [purpose], call: bench.call())
        }
        #expect(try await bench.sessions(of: user).count == 1)
    }

    @Test("G-4.2 a code of each purpose does what its link does, and is spent with it", arguments: signIns)
    func code(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: "a@example.com")
        let proof = try await bench.proof(purpose, for: user)
        let verify = VerifyProof(bench.ports)
        let outcome = try await verify(
            .code(email("A@Example.com"), proof.code), purposes: [.signUpConfirmation, purpose], call: bench.call())
        #expect(outcome.session?.user.id == user.id)
        #expect(try await bench.reload(user).emailVerifiedAt != nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.linkToken(proof.linkToken), purposes: [purpose], call: bench.call())
        }
    }

    @Test("A phone code signs in and confirms the number")
    func phone() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(phone: "+491701234567")
        let proof = try await bench.proof(.phoneSignIn, for: user)
        let outcome = try await VerifyProof(bench.ports)(
            .code(.phone(try PhoneNumber("491701234567")), proof.code), purposes: [.phoneSignIn], call: bench.call())
        #expect(outcome.session != nil)
        #expect(try await bench.reload(user).phoneVerifiedAt == bench.now)
    }

    @Test("A sign-up by number is confirmed with the purpose that its dialect knows, and keeps its password")
    func phoneSignUp() async throws {
        let bench = try await ProofBench()
        let hash = try await bench.confirmedUser("x@example.com").passwordHash
        let user = try await bench.user(phone: "+491701234567") { $0.passwordHash = hash }
        let proof = try await bench.proof(.signUpConfirmation, for: user)
        _ = try await VerifyProof(bench.ports)(
            .code(.phone(try PhoneNumber("491701234567")), proof.code), purposes: [.phoneSignIn], call: bench.call())
        let after = try await bench.reload(user)
        #expect(after.phoneVerifiedAt != nil && after.emailVerifiedAt == nil && after.passwordHash == hash)
    }

    @Test("R75 G-3.5 an expired link and an expired code open nothing")
    func expired() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.recovery, for: user)
        let verify = VerifyProof(bench.ports)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(
                .code(email("a@example.com"), proof.code), purposes: [.recovery],
                call: bench.call(after: .minutes(10)))
        }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: proof.linkToken), purposes: [.recovery], call: bench.call(after: .hours(1)))
        }
        // The link outlives the code.
        let outcome = try await verify(
            .link(token: proof.linkToken), purposes: [.recovery], call: bench.call(after: .minutes(59)))
        #expect(outcome.session != nil)
    }

    @Test("A proof is good for its own purpose only", arguments: signIns)
    func otherPurpose(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(purpose, for: user)
        let others = OneTimeToken.Purpose.allCases.filter { $0 != purpose }
        let verify = VerifyProof(bench.ports)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.link(token: proof.linkToken), purposes: others, call: bench.call())
        }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await verify(.code(email("a@example.com"), proof.code), purposes: others, call: bench.call())
        }
        #expect(try await bench.token(purpose, of: user) != nil)
    }

    @Test("A reauthentication code never signs in")
    func reauthenticationDoesNotSignIn() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.reauthentication, for: user)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(bench.ports)(
                .code(email("a@example.com"), proof.code), purposes: OneTimeToken.Purpose.allCases, call: bench.call())
        }
        #expect(try await bench.sessions(of: user).isEmpty)
    }

    @Test("V6.3.8 wrong, unknown, malformed and foreign proofs give one error after one transaction and one event")
    func oneError() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        let verify = VerifyProof(bench.ports)
        let proofs: [Proof] = [
            .code(try email("a@example.com"), ProofBench.wrong(proof.code)),
            .code(try email("nobody@example.com"), proof.code), .code(try email("a@example.com"), ""),
            .code(try email("a@example.com"), String(repeating: "1", count: 100_000)),
            .code(try email("a@example.com"), proof.code + "\u{0}"),
            .link(token: ""), .link(token: "unknown"), .link(token: proof.linkToken.uppercased() + "x"),
            .linkToken(String(repeating: "a", count: 1_000_000)), .linkToken(proof.code),
        ]
        for wrong in proofs {
            let writes = bench.store.writes
            let events = try await bench.events().count
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await verify(wrong, purposes: [.signUpConfirmation, .magicLink], call: bench.call())
            }
            #expect(bench.store.writes == writes + 1)
            #expect(try await bench.events().count == events + 1)
        }
        for event in try await bench.events(.verificationFailed) {
            #expect(!event.details.text.contains(proof.code))
            #expect(!event.details.text.contains("example.com"))
        }
    }

    @Test("A banned user's proof is right and of no use: nothing is confirmed, nothing spent")
    func banned() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(email: "a@example.com") { $0.bannedUntil = Instant(seconds: 1_900_000_000) }
        let proof = try await bench.proof(.magicLink, for: user)
        await #expect(throws: AuthError(.userBanned)) {
            try await VerifyProof(bench.ports)(
                .link(token: proof.linkToken), purposes: [.magicLink], call: bench.call())
        }
        #expect(try await bench.reload(user).emailVerifiedAt == nil)
        #expect(try await bench.token(.magicLink, of: user) != nil)
        #expect(try await bench.sessions(of: user).isEmpty)
    }

    @Test("A proof that went to an address which is no longer the user's opens nothing")
    func movedOn() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("old@example.com")
        let proof = try await bench.proof(.recovery, for: user)
        try await bench.store.write { tx in
            var changed = try #require(try tx.user(user.id, in: user.directoryID))
            changed.email = try EmailAddress("new@example.com")
            try tx.update(changed)
        }
        let verify = VerifyProof(bench.ports)
        for wrong in [Proof.code(try email("new@example.com"), proof.code), .link(token: proof.linkToken)] {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await verify(wrong, purposes: [.recovery], call: bench.call())
            }
        }
    }

    @Test("One Directory's proof is unknown to another")
    func otherDirectory() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        var other = bench.directory
        other.id = DirectoryID("another")
        other.name = "another"
        let inserted = other
        try await bench.store.write { try $0.insert(inserted) }
        var call = bench.call()
        call.directory = other
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(bench.ports)(.link(token: proof.linkToken), purposes: [.magicLink], call: call)
        }
    }

    @Test("R25 of 50 parallel verifications of one code or link exactly one succeeds", arguments: [true, false])
    func race(byCode: Bool) async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        let shown: Proof = byCode ? .code(try email("a@example.com"), proof.code) : .link(token: proof.linkToken)
        let verify = VerifyProof(bench.ports)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await verify(shown, purposes: [.magicLink], call: bench.call()).session) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
        #expect(try await bench.sessions(of: user).count == 1)
    }
}
