// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What an operator's list of a user's second factors does to what the user has.
@Suite("Factors that an operator gives")
struct FactorReplacementTests {
    private func give(_ factors: [GivenFactor], to user: User, _ bench: FactorBench) async throws -> User {
        var attributes = UserAttributes()
        attributes.factors = factors
        let call = bench.call().with { $0.actor = .commandLine }
        return try await UserAdministration(bench.ports).update(user.id, attributes, call: call).user
    }

    @Test("R14.2 with a first factor goes what was wished for before it, also where an operator gives it")
    func wishes() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user()
        func wish() async throws {
            try await bench.base.store.write { tx in
                guard var current = try tx.user(user.id, in: user.directoryID) else { return }
                current.pendingPhone = try PhoneNumber("+4917012345678")
                current.pendingEmail = try EmailAddress("new@example.com")
                try tx.update(current)
            }
        }
        try await wish()
        let given = try await give([GivenFactor(name: "work", phone: PhoneNumber("+4915112345678"))], to: user, bench)
        #expect(given.pendingPhone == nil && given.pendingEmail == nil)
        let ended = try await bench.base.base.reload(user)
        #expect(ended.pendingPhone == nil && ended.pendingEmail == nil && ended.version == given.version)
        // What is wished for beside a factor is its owner's.
        try await wish()
        let known = try #require(try await bench.factors(of: user).first)
        let more = [GivenFactor(id: known.id), GivenFactor(name: "home", phone: try PhoneNumber("+4915112345679"))]
        let again = try await give(more, to: user, bench)
        #expect(again.pendingPhone != nil && again.pendingEmail != nil)
        #expect(try await bench.factors(of: user).count == 2)
    }

    @Test("R14.2 a number that an operator's list puts in a factor's place is asked anew, and the owner is told")
    func moved() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user()
        let call = bench.call()
        let (old, new) = (try PhoneNumber("+4915112345678"), try PhoneNumber("+4915112345679"))
        _ = try await give([GivenFactor(name: "work", phone: old)], to: user, bench)
        let factor = try #require(try await bench.factors(of: user).first)
        func answer(_ ticket: SignInTicket) async throws -> SignInStep {
            let proof = FactorProof.code(try await bench.sentCode(to: old.e164), of: factor.id, challenge: nil)
            return try await AnswerFactor(bench.ports)(ticket, proof, call: call)
        }
        let first = try await bench.ticket()
        _ = try await ChallengeFactor(bench.ports)(factor.id, for: first, call: call)
        let raised = try await answer(first).session()
        let second = try await bench.ticket()
        _ = try await ChallengeFactor(bench.ports)(factor.id, for: second, call: bench.call(after: .minutes(2)))
        // Another name alone ends nothing.
        _ = try await give([GivenFactor(id: factor.id, name: "renamed")], to: user, bench)
        #expect(try await bench.stored(raised.session).assurance == .aal2)
        _ = try await give([GivenFactor(id: factor.id, phone: new)], to: user, bench)
        #expect(await bench.refusal { _ = try await answer(second) } == .factorChallengeNotFound)
        #expect(try await bench.stored(raised.session).assurance == .aal1)
        let moved = try #require(try await bench.factors(of: user).first)
        #expect(moved.id == factor.id && moved.name == "renamed" && moved.recipient == new.e164)
        let kinds = try await bench.base.base.messages(to: "a@example.com").map(\.kind)
        #expect(kinds.contains("factor_removed"))
    }
}
