// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// A mailed link gives its address to a user who has none.
@Suite struct LinkAddressTests {
    private func anonymous(_ bench: ProofBench) async throws -> AuthenticatedUser {
        let call = bench.call { $0.signUp.anonymousEnabled = true }
        let issued = try await AnonymousSignUp(bench.ports)(userMetadata: [:], call: call).session()
        return AuthenticatedUser(user: issued.user, identities: [], session: issued.session)
    }

    @Test("R10.5 the account that a link was sent to goes, and its address is the signed-in user's")
    func taken() async throws {
        let bench = try await ProofBench()
        let user = try await anonymous(bench)
        let holder = try await bench.user(email: "ada@example.com")
        let proof = try await bench.proof(.magicLink, for: holder)
        let issued = try await LinkAddress(bench.ports)(.linkToken(proof.linkToken), to: user, call: bench.call())
        #expect(issued.user.id == user.user.id && issued.user.email == holder.email)
        #expect(issued.user.emailVerifiedAt != nil && !issued.user.isAnonymous)
        #expect(try await bench.sessions(of: user.user).map(\.id) == [issued.session.id])
        #expect(try await bench.store.read { try $0.user(holder.id, in: holder.directoryID) } == nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await LinkAddress(bench.ports)(.linkToken(proof.linkToken), to: user, call: bench.call())
        }
    }

    @Test("R14.2 a session that has ended links nothing, and the link goes on working")
    func ended() async throws {
        let bench = try await ProofBench()
        let user = try await anonymous(bench)
        let holder = try await bench.user(email: "ada@example.com")
        let proof = try await bench.proof(.magicLink, for: holder)
        let id = try #require(user.session?.id)
        try await bench.ports.write(bench.call()) { _ = try SessionEnding($0).end(id, because: .signedOut) }
        await #expect(throws: AuthError(.sessionNotFound)) {
            try await LinkAddress(bench.ports)(.linkToken(proof.linkToken), to: user, call: bench.call())
        }
        await #expect(throws: AuthError(.sessionNotFound)) {
            try await UnlinkIdentity(bench.ports)(IdentityID("i"), of: user, call: bench.call())
        }
        #expect(try await bench.reload(user.user).isAnonymous)
        #expect(try await bench.token(.magicLink, of: holder) != nil)
    }

    @Test("R10.2 an account that is more than an address keeps it, and the link goes on working", arguments: 0..<6)
    func kept(index: Int) async throws {
        let bench = try await ProofBench()
        let user = try await anonymous(bench)
        let holder = try await bench.user(email: "ada@example.com") {
            switch index {
            case 0: $0.username = try Username("ada")
            case 1: $0.passwordHash = try PasswordHash(ProofBench.hash)
            case 2: $0.emailVerifiedAt = bench.now
            case 3: $0.origin = .administrator
            case 4: $0.lastSignInAt = bench.now
            default: $0.phoneVerifiedAt = bench.now
            }
        }
        let proof = try await bench.proof(.magicLink, for: holder)
        await #expect(throws: AuthError(.emailExists, field: "email")) {
            try await LinkAddress(bench.ports)(.linkToken(proof.linkToken), to: user, call: bench.call())
        }
        #expect(try await bench.reload(user.user).isAnonymous)
        #expect(try await bench.sessions(of: user.user).count == 1)
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(proof.linkToken), purposes: [.magicLink], call: bench.call())
        // Of an account whose number is proved the address is nobody's yet: its owner has one of their own.
        #expect((outcome.session?.user.id == holder.id) == (index != 5))
    }
}
