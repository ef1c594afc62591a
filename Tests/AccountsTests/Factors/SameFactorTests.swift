// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import TestBench
import Testing

@testable import Accounts

/// Which factor raised a session, and what is no second one.
@Suite("What one factor is worth") struct SameFactorTests {
    private let secret = Secret(Array(repeating: UInt8(7), count: 20))

    /// A second app beside the owner's.
    private func secondApp(_ bench: FactorBench, of owner: FactorBench.Owner) async throws -> Factor {
        try await FactorAdministration(bench.ports).add(
            .totp(secret), named: "second", to: owner.user.id, call: bench.call().with { $0.actor = .commandLine })
    }

    private func code(of app: Factor, at call: CallContext) -> FactorProof {
        .code(FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now), of: secret), of: app.id, challenge: nil)
    }

    @Test(
        "R14.2 a factor that goes takes the level from the sessions that it raised, and from none of another of its kind"
    )
    func oneOfTwo() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let second = try await secondApp(bench, of: owner)
        let call = bench.open()
        let issued = try await bench.base.signIn(at: call)
        let other = try await StepUp(bench.ports)(
            code(of: second, at: call), of: try await bench.base.authenticated(issued, at: call), call: call)
        // One that has shown both.
        let both = try await StepUp(bench.ports)(
            code(of: second, at: bench.open(after: .seconds(60))), of: owner.session,
            call: bench.open(after: .seconds(60)))
        #expect(both.session.methods.count { $0.name == .totp } == 2)
        _ = try await UserFactors(bench.ports).remove(
            owner.factor.id, of: try await bench.base.authenticated(both, at: call), call: call)
        for session in [other, both] {
            let left = try await bench.stored(session.session)
            #expect(left.assurance == .aal2 && left.methods.compactMap(\.factor) == [second.id])
        }
        _ = try await FactorAdministration(bench.ports).change(
            second.id, of: owner.user.id, isEnabled: false, call: call.with { $0.actor = .commandLine })
        for session in [other, both] {
            let left = try await bench.stored(session.session)
            #expect(left.assurance == .aal1 && left.methods.allSatisfy { !$0.name.isSecondFactor })
        }
    }

    @Test("R14.2 a session whose own app has gone is lowered, also where its user has another")
    func other() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        _ = try await secondApp(bench, of: owner)
        _ = try await FactorAdministration(bench.ports).remove(
            owner.factor.id, of: owner.user.id, call: bench.call().with { $0.actor = .commandLine })
        #expect(try await bench.stored(owner.issued.session).assurance == .aal1)
    }

    // MARK: One mailbox, one number

    private func add(_ credential: Factor.Credential, to user: User, _ bench: FactorBench) async throws -> Factor {
        try await FactorAdministration(bench.ports).add(
            credential, named: nil, to: user.id, call: bench.call().with { $0.actor = .commandLine })
    }

    private func byLink(_ user: User, _ bench: FactorBench, at call: CallContext) async throws -> SignInStep {
        let proof = try await bench.base.base.proof(.magicLink, for: user)
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.magicLink], call: call)
        guard case .signedIn(let step) = outcome else { throw AuthError(.conflict) }
        return step
    }

    @Test(
        "R14.2 who came by a mailed link shows nothing more by a code to that mailbox: they are at aal1, and may do as little"
    )
    func mailbox() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user()
        let factor = try await add(.email(try EmailAddress("a@example.com")), to: user, bench)
        // Before a session none is asked for that says nothing new.
        let open = try #require(try await byLink(user, bench, at: bench.call()).issued)
        #expect(open.session.assurance == .aal1)
        // Nor does it raise one.
        let call = bench.open()
        let low = try #require(try await byLink(user, bench, at: call).issued)
        let session = try await bench.base.authenticated(low, at: call)
        #expect(
            await bench.refusal { _ = try await ChallengeFactor(bench.ports)(factor.id, of: session, call: call) }
                == .factorDisabled)
        #expect(
            await bench.refusal {
                _ = try await StepUp(bench.ports)(
                    .code("123456", of: factor.id, challenge: nil), of: session, call: call)
            } == .factorDisabled)
        #expect(
            await bench.refusal {
                _ = try await ChangePassword(bench.ports)(
                    session, current: Secret(PasswordBench.password), new: Secret("Another-Horse-8"), call: call)
            } == .insufficientAssurance)
        // Beside a password it is a second one.
        let ticket = try await bench.ticket()
        let challenge = try await ChallengeFactor(bench.ports)(factor.id, for: ticket, call: bench.call())
        let code = try await bench.sentCode(to: "a@example.com")
        let raised = try await AnswerFactor(bench.ports)(
            ticket, .code(code, of: factor.id, challenge: challenge.id), call: bench.call()
        ).session()
        #expect(raised.session.assurance == .aal2)
    }

    @Test("R14.2 another mailbox and an app are asked for beside a mailed link, and the same mailbox is not offered")
    func anotherMailbox() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user()
        _ = try await add(.email(try EmailAddress("a@example.com")), to: user, bench)
        let other = try await add(.email(try EmailAddress("other@example.com")), to: user, bench)
        guard case .secondFactor(let pending) = try await byLink(user, bench, at: bench.call()) else {
            Issue.record("not asked")
            return
        }
        #expect(pending.choices.factors.map(\.id) == [other.id])
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .secondFactor, call: bench.call())
        let choices = try await UserFactors(bench.ports).choices(for: ticket, call: bench.call())
        #expect(choices.factors.map(\.id) == [other.id])
    }

    @Test("R14.2 the same of a number; where a factor is demanded, who has none but that number comes another way")
    func number() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user(phone: "+41791234567")
        let factor = try await add(.phone(try PhoneNumber("+41791234567")), to: user, bench)
        func byText(_ call: CallContext) async throws -> SignInStep {
            let proof = try await bench.base.base.proof(
                .phoneSignIn, for: user, to: .phone(try PhoneNumber("+41791234567")))
            let outcome = try await VerifyProof(bench.ports)(
                .code(.phone(try PhoneNumber("+41791234567")), proof.code), purposes: [.phoneSignIn], call: call)
            guard case .signedIn(let step) = outcome else { throw AuthError(.conflict) }
            return step
        }
        #expect(try await byText(bench.call()).issued?.session.assurance == .aal1)
        let demanding = bench.call().with { $0.directory.settings.factors.demand = .all }
        guard case .secondFactor(let pending) = try await byText(demanding) else {
            Issue.record("not asked")
            return
        }
        #expect(pending.choices.factors.isEmpty)
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .secondFactor, call: demanding)
        #expect(
            await bench.refusal { _ = try await ChallengeFactor(bench.ports)(factor.id, for: ticket, call: demanding) }
                == .factorDisabled)
    }
}
