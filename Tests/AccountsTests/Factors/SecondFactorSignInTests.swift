// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Testing

@testable import Accounts

@Suite("Signing in with a second factor")
struct SecondFactorSignInTests {
    @Test("G-9.4 who has a second factor has no session before it is shown, and then one at aal2 that names both")
    func asked() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let pending = try await bench.pending()
        #expect(pending.choices.factors.map(\.id) == [owner.factor.id])
        #expect(await bench.refusal { _ = try await bench.next().session() } == .secondFactorRequired)
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .secondFactor, call: call)
        let issued = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: call), call: call).session()
        #expect(issued.session.assurance == .aal2)
        #expect(issued.session.methods.map(\.name) == [.password, .totp])
    }

    @Test("R14.2 a code is spent once: of 50 sign-ins that show one, one gets in, and none later")
    func raced() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        var tickets: [SignInTicket] = []
        for _ in 0..<50 { tickets.append(try await bench.ticket()) }
        let proof = owner.proof(at: call)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for ticket in tickets {
                group.addTask {
                    await bench.refusal {
                        _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session()
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .factorCodeUsed })
        // Within the time in which the code would be taken for the drift of a clock.
        let later = bench.call(after: .seconds(29))
        let ticket = try await bench.ticket(at: later)
        let refusal = await bench.refusal {
            _ = try await AnswerFactor(bench.ports)(ticket, proof, call: later).session()
        }
        #expect(refusal == .factorCodeUsed)
    }

    @Test("R14.2 a ticket is spent once, whichever codes are shown with it")
    func ticketOnce() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let ticket = try await bench.ticket()
        _ = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: call), call: call).session()
        let refusal = await bench.refusal {
            _ = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: call, drift: 1), call: call)
        }
        #expect(refusal == .invalidCredentials)
        // Thrown, so that the second code is not spent.
        let next = try await bench.ticket()
        _ = try await AnswerFactor(bench.ports)(next, owner.proof(at: call, drift: 1), call: call).session()
    }

    @Test("G-9.4 another's factor, one that is being set up and one of a kind that is switched off prove nothing")
    func others() async throws {
        let bench = try await FactorBench()
        let (owner, other) = (try await bench.owner(), try await bench.owner("b@example.com"))
        let call = bench.call()
        let pending = try await EnrolFactor(bench.ports)(.totp(issuer: nil), for: owner.session, call: call)
        guard case .totp(let secret) = pending.factor.credential else { return }
        let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now), of: secret)
        for proof in [other.proof(at: call), .code(code, of: pending.factor.id, challenge: nil)] {
            let ticket = try await bench.ticket()
            #expect(
                await bench.refusal { _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call) }
                    == .factorNotFound)
        }
        let off = call.with { $0.directory.settings.factors.totp = .off }
        #expect(try await bench.next(at: off).session().session.assurance == .aal1)
    }

    @Test("G-9.4 a Directory, or a group, may demand a factor: it is set up in the sign-in, and counts at once")
    func enrolment() async throws {
        let bench = try await FactorBench { $0.factors.demand = .all }
        let user = try await bench.base.user()
        let call = bench.call()
        let pending = try await bench.pending()
        #expect(pending.choices.enrollable == [.totp, .phone, .email])
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .enrolment, call: call)
        let enrolled = try await EnrolFactor(bench.ports)(.totp(issuer: nil), for: ticket, call: call)
        guard case .totp(let secret) = enrolled.factor.credential else { return }
        let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now), of: secret)
        let proved = try await AnswerFactor(bench.ports).proving(
            ticket, .code(code, of: enrolled.factor.id, challenge: nil), call: call)
        #expect(proved.proved.isNew)
        #expect(try await bench.factors(of: user).map(\.isVerified) == [true])
        // In a protocol that asks for what follows in another call.
        let last = try SignInTicket(proved.ticket.reveal(), for: .conclusion, call: call)
        let issued = try await ConcludeSignIn(bench.ports)(last, call: call).session()
        #expect(issued.session.assurance == .aal2)
        #expect(
            await bench.refusal { _ = try await ConcludeSignIn(bench.ports)(last, call: call) } == .invalidCredentials)
        #expect(try await bench.next().pendingStep == .secondFactor)
    }

    @Test("G-9.4 a group may demand it of its members alone")
    func group() async throws {
        let bench = try await FactorBench { $0.factors.demandedGroups = ["staff"] }
        let (staff, guest) = (try await bench.base.user(), try await bench.base.user("b@example.com"))
        try await bench.base.store.write { tx in
            try tx.insert(
                Group(
                    id: GroupID("staff"), directoryID: staff.directoryID, name: "staff", createdAt: bench.base.now,
                    updatedAt: bench.base.now))
            _ = try tx.addMember(staff.id, to: GroupID("staff"), in: staff.directoryID, at: bench.base.now)
        }
        #expect(try await bench.next().pendingStep == .enrolment)
        #expect(try await bench.next("b@example.com").pendingStep == nil)
        _ = guest
    }

    @Test("R14.2 a restart in the middle loses nothing: a ticket and a code that was sent are good in another process")
    func restart() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let added = try await FactorAdministration(bench.ports).add(
            .phone(try PhoneNumber("+4915112345678")), named: nil, to: owner.user.id,
            call: call.with { $0.actor = .commandLine })
        let ticket = try await bench.ticket()
        _ = try await ChallengeFactor(bench.ports)(added.id, for: ticket, call: call)
        let code = try await bench.sentCode(to: "+4915112345678")
        // Nothing of it is in memory: everything that another process has is the store.
        let other = bench.base.ports(over: bench.base.store)
        let issued = try await AnswerFactor(other)(
            ticket, .code(code, of: added.id, challenge: nil), call: call
        ).session()
        #expect(issued.session.methods.map(\.name) == [.password, .phoneFactor])
    }

    @Test("R14.2 a code that was sent is spent once, is of its sign-in alone, and dies with its time")
    func sent() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let added = try await FactorAdministration(bench.ports).add(
            .email(try EmailAddress("second@example.com")), named: nil, to: owner.user.id,
            call: call.with { $0.actor = .commandLine })
        let (mine, another) = (try await bench.ticket(), try await bench.ticket())
        let challenge = try await ChallengeFactor(bench.ports)(added.id, for: mine, call: call)
        let code = try await bench.sentCode(to: "second@example.com")
        let proof = FactorProof.code(code, of: added.id, challenge: challenge.id)
        func refusal(_ ticket: SignInTicket, _ call: CallContext) async -> AuthErrorCode? {
            await bench.refusal { _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session() }
        }
        #expect(await refusal(another, call) == .factorChallengeNotFound)
        let late = call.with { $0.directory.settings.factors.challengeLifetime = 30 }
        let shortLived = try await bench.ticket()
        let early = await bench.refusal {
            _ = try await ChallengeFactor(bench.ports)(added.id, for: shortLived, call: late)
        }
        #expect(early == .mailRateLimited)
        #expect(await refusal(mine, call) == nil)
        #expect(await refusal(mine, call) == .invalidCredentials)
        #expect(await refusal(another, call) == .factorChallengeNotFound)
    }

    @Test("R8.13 a code that was answered weighs on nothing, and strangers' sign-ups keep nobody from the next one")
    func answeredCodes() async throws {
        let address = "second@example.com"
        let bench = try await FactorBench {
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
            $0.limits.mailSent = .init(count: 8, seconds: 3600)
        }
        let owner = try await bench.owner()
        let added = try await FactorAdministration(bench.ports).add(
            .email(try EmailAddress(address)), named: nil, to: owner.user.id,
            call: bench.call().with { $0.actor = .commandLine })
        for minute in Int64(0)..<3 {
            try await bench.base.signUp(bench.base.email(address), at: bench.call(after: .minutes(2 * minute)))
        }
        for minute in Int64(0)..<9 {
            let call = bench.call(after: .minutes(6 + 2 * minute))
            let ticket = try await bench.ticket(at: call)
            let challenge = try await ChallengeFactor(bench.ports)(added.id, for: ticket, call: call)
            let proof = FactorProof.code(
                try await bench.sentCode(to: address), of: added.id, challenge: challenge.id)
            _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session()
        }
    }

    @Test("R8.13 R14.2 who sets up a factor with an address that is another's keeps no code from whose it is")
    func anothersAddress() async throws {
        let address = try EmailAddress("second@example.com")
        let bench = try await FactorBench { $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600) }
        let owner = try await bench.owner()
        let added = try await FactorAdministration(bench.ports).add(
            .email(address), named: nil, to: owner.user.id, call: bench.call().with { $0.actor = .commandLine })
        try await bench.base.user("stranger@example.com")
        let stranger = try await bench.signedIn("stranger@example.com", at: bench.open())
        let begun = try await EnrolFactor(bench.ports)(.email(address), for: stranger, call: bench.open()).factor
        func ask(after minutes: Int64) async throws {
            _ = try await ChallengeFactor(bench.ports)(
                begun.id, of: stranger, call: bench.open(after: .minutes(minutes)))
        }
        for minutes in [Int64(0), 2] { try await ask(after: minutes) }
        #expect(await bench.refusal { try await ask(after: 4) } == .mailRateLimited)
        let call = bench.call(after: .minutes(5))
        let ticket = try await bench.ticket(at: call)
        let challenge = try await ChallengeFactor(bench.ports)(added.id, for: ticket, call: call)
        let proof = FactorProof.code(
            try await bench.sentCode(to: address.rawValue), of: added.id, challenge: challenge.id)
        _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session()
    }

    @Test("R8.13 codes that are answered by text message come as often as they are wanted, up to the Directory's brake")
    func answeredTexts() async throws {
        let number = try PhoneNumber("+4915112345678")
        let bench = try await FactorBench {
            $0.limits.messagesPerRecipient = .init(count: 2, seconds: 3600)
            $0.limits.messagesSent = .init(count: 4, seconds: 3600)
        }
        let owner = try await bench.owner()
        let added = try await FactorAdministration(bench.ports).add(
            .phone(number), named: nil, to: owner.user.id, call: bench.call().with { $0.actor = .commandLine })
        var refusals: [AuthErrorCode?] = []
        for minute in Int64(0)..<5 {
            let call = bench.call(after: .minutes(2 * minute))
            let ticket = try await bench.ticket(at: call)
            refusals.append(
                await bench.refusal {
                    let challenge = try await ChallengeFactor(bench.ports)(added.id, for: ticket, call: call)
                    let proof = FactorProof.code(
                        try await bench.sentCode(to: number.e164), of: added.id, challenge: challenge.id)
                    _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session()
                })
        }
        #expect(refusals == [nil, nil, nil, nil, .messageRateLimited])
    }
}
