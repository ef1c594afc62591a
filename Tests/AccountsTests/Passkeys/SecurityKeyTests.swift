// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("Security keys as second factors")
struct SecurityKeyTests {
    @Test("G-9.2 a security key is set up, raises sessions, and is asked for beside a password in every dialect")
    func whole() async throws {
        let bench = try await PasskeyBench()
        let user = try await bench.base.user()
        let call = bench.open()
        var session = try await bench.factors.signedIn(at: call)
        var authenticator = bench.authenticator()
        let factor = try await bench.key(&authenticator, for: &session, at: call)
        #expect(session.session?.methods.map(\.name) == [.password, .webAuthnFactor])
        let stored = try #require(try await bench.factors.factors(of: user).first)
        #expect(stored.isVerified && !stored.isPasskey && stored.webAuthn?.relyingParty == "app.example")
        // In a dialect that asks before there is a session.
        let before = bench.call()
        let ticket = try await bench.factors.ticket(at: before)
        let question = try await ChallengeFactor(bench.ports).webAuthn(factor.id, for: ticket, call: before)
        #expect(!question.isRegistration)
        let answer = try authenticator.get(question.options)
        let issued = try await AnswerFactor(bench.ports)(
            ticket, .webAuthn(answer, of: factor.id, challenge: question.challenge.id), call: before
        ).session()
        #expect(issued.session.assurance == .aal2)
        // It is no way in by itself.
        let asked = try await PasskeySignIn(bench.ports).begin(call: before)
        let alone = try authenticator.get(asked.options)
        #expect(
            await bench.refusal { _ = try await PasskeySignIn(bench.ports)(asked.challenge.id, alone, call: before) }
                == .passkeyRefused)
    }

    @Test("G-9.2 who must have a second factor sets a security key up in the sign-in that asks for it")
    func enrolment() async throws {
        let bench = try await PasskeyBench { $0.factors.demand = .all }
        _ = try await bench.base.user()
        let call = bench.call()
        let ticket = try await bench.factors.ticket("a@example.com", .enrolment, at: call)
        let enrolled = try await EnrolFactor(bench.ports)(.webAuthn, for: ticket, call: call)
        let question = try await ChallengeFactor(bench.ports).webAuthn(enrolled.factor.id, for: ticket, call: call)
        var authenticator = bench.authenticator()
        let proof = FactorProof.webAuthn(
            try authenticator.create(question.options), of: enrolled.factor.id, challenge: question.challenge.id)
        let issued = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session()
        #expect(issued.session.assurance == .aal2)
    }

    @Test(
        "R14.2 another's key and another session's challenge are refused; of 50 answers at once one counts"
    )
    func strangers() async throws {
        let bench = try await PasskeyBench()
        _ = try await bench.base.user()
        let call = bench.open()
        var session = try await bench.factors.signedIn(at: call)
        var authenticator = bench.authenticator()
        let factor = try await bench.key(&authenticator, for: &session, at: call)
        _ = try await bench.base.user("b@example.com")
        var bens = try await bench.factors.signedIn("b@example.com", at: call)
        var bensKey = bench.authenticator()
        _ = try await bench.key(&bensKey, for: &bens, at: call)
        let low = try await bench.factors.signedIn(at: call)
        let question = try await ChallengeFactor(bench.ports).webAuthn(factor.id, of: low, call: call)
        let right = try authenticator.get(question.options)
        let stepUp = StepUp(bench.ports)
        func refusal(_ answer: JSONObject, _ session: AuthenticatedUser) async -> AuthErrorCode? {
            await bench.refusal {
                _ = try await stepUp(
                    .webAuthn(answer, of: factor.id, challenge: question.challenge.id), of: session, call: call)
            }
        }
        #expect(await refusal(right, bens) == .factorNotFound)
        #expect(await refusal(right, session) == .factorChallengeNotFound)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<50 { group.addTask { await refusal(right, low) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        let raised = try await bench.factors.stored(try #require(low.session))
        #expect(raised.assurance == .aal2)
        let next = try await bench.factors.signedIn(at: call)
        let again = try await ChallengeFactor(bench.ports).webAuthn(factor.id, of: next, call: call)
        let wrong = try bensKey.get(again.options, by: bensKey.credentials[0])
        #expect(
            await bench.refusal {
                _ = try await stepUp(
                    .webAuthn(wrong, of: factor.id, challenge: again.challenge.id), of: next, call: call)
            } == .factorCodeInvalid)
    }

    @Test(
        "R14.2 an export carries passkeys, with the handle by which authenticators know whose they are"
    )
    func transferred() async throws {
        let bench = try await PasskeyBench()
        let owner = try await bench.owner()
        let record = TransferRecord.encode(owner.passkey)
        let read = try TransferRecord.factors([.object(record)], of: owner.user, bench.ports.random)
        #expect(read.first?.webAuthn == owner.passkey.webAuthn)
        #expect(read.first?.isPasskey == true)
    }
}
