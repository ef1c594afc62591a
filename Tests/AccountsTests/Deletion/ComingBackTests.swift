// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// By what an account is kept whose deletion is due.
@Suite("G-10.4 Signing in keeps an account, by whichever way") struct ComingBackTests {
    private func leave(_ user: User, _ store: any AccountStoring, until due: Instant) async throws {
        try await store.write { tx in
            var leaving = try tx.liveUser(user.id, in: user.directoryID)
            leaving.deletionDueAt = due
            try tx.update(leaving)
        }
    }

    private func due(_ user: User, _ store: any AccountStoring) async throws -> Instant? {
        try await store.read { try $0.user(user.id, in: user.directoryID)?.deletionDueAt }
    }

    @Test(
        "G-10.4 a mailed link, its code and the code of a text message keep it, and to ask for one does not",
        arguments: [OneTimeToken.Purpose.magicLink, .recovery, .phoneSignIn])
    func messages(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await ProofBench()
        let phone = purpose == .phoneSignIn ? "+491701234567" : nil
        let user = try await bench.user(email: phone == nil ? "a@example.com" : nil, phone: phone)
        try await leave(user, bench.store, until: bench.now + .days(1))
        let proof = try await bench.proof(purpose, for: user)
        #expect(try await due(user, bench.store) != nil)
        let outcome =
            if let phone {
                try await VerifyProof(bench.ports)(
                    .code(.phone(try PhoneNumber(phone)), proof.code), purposes: [purpose], call: bench.call())
            } else {
                try await VerifyProof(bench.ports)(
                    .link(token: proof.linkToken), purposes: [purpose], call: bench.call())
            }
        #expect(outcome.session != nil)
        #expect(try await due(user, bench.store) == nil)
        #expect(try await bench.events(.deletionCancelled).count == 1)
    }

    @Test("G-10.4 an identity provider's word and an operator's program keep it")
    func vouched() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        for method in [AuthenticationMethod.Name.federated, .assertion, .passkey] {
            try await leave(user, bench.store, until: bench.now + .days(1))
            let call = bench.call()
            let next = try await bench.ports.write(call) { step in
                let user = try step.tx.liveUser(user.id, in: step.directory)
                return try SessionIssuer(step).conclude(SignInProof(method, at: call.now), of: user).get()
            }
            #expect(next.issued?.user.deletionDueAt == nil && next.issued != nil)
            #expect(try await due(user, bench.store) == nil, "\(method)")
        }
    }

    @Test("G-10.4 a password keeps nothing where a second factor is due, and the factor does")
    func halfway() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let until = bench.base.now + .days(1)
        try await leave(owner.user, bench.base.store, until: until)
        let call = bench.call()
        let ticket = try await bench.ticket(at: call)
        #expect(try await due(owner.user, bench.base.store) == until)
        _ = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: call), call: call).session()
        #expect(try await due(owner.user, bench.base.store) == nil)
    }

    @Test("G-10.4 whoever may not sign in keeps nothing, and is deleted when it is due")
    func banned() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        try await leave(user, bench.store, until: bench.now + .days(1))
        try await bench.write(user) { $0.bannedUntil = bench.now + .days(9) }
        await #expect(throws: AuthError(.userBanned)) { _ = try await bench.signIn() }
        #expect(try await due(user, bench.store) != nil)
        let done = try await DueDeletions(bench.ports, links: bench.call().links).pass(at: bench.now + .days(1))
        #expect(done == 1)
        let left = try await bench.store.read { try $0.user(user.id, in: user.directoryID) }
        #expect(left?.deletedAt != nil && left?.email == nil)
    }
}
