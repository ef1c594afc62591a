// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Testing

@testable import Accounts

/// What a session is worth that shows a second factor, and for how long.
@Suite("Assurance of sessions")
struct AssuranceTests {
    private func admin(_ call: CallContext) -> CallContext { call.with { $0.actor = .commandLine } }

    @Test("R14.2 a number is linked in a session alone that shows the factor, which goes on at its level")
    func number() async throws {
        let bench = try await FactorBench { $0.oneTime.testCodes = ["15555550100": "123456", "15555550101": "123456"] }
        let owner = try await bench.owner()
        let call = bench.call()
        let number = try PhoneNumber("+15555550100")
        let low = try await bench.signedIn(at: bench.open())
        let asked = try await PhoneSignIn(bench.ports).ask(number, call: call)
        let flow = PhoneSignIn(bench.ports)
        #expect(
            await bench.refusal {
                _ = try await flow(.code(session: asked, "123456"), linkingTo: low, call: call)
            } == .insufficientAssurance)
        #expect(try await bench.base.base.reload(owner.user).phone == nil)
        let outcome = try await flow(.code(session: asked, "123456"), linkingTo: owner.session, call: call)
        guard case .signedIn(let next, isNew: false) = outcome else { return #expect(Bool(false), "\(outcome)") }
        let issued = try next.session()
        #expect(issued.session.assurance == .aal2 && issued.user.phone == number)
        #expect(issued.session.methods.map(\.name) == [.textMessage, .totp])
        #expect(try await bench.stored(owner.issued.session).revokedAt != nil)
        // The session that has ended links nothing more.
        let again = try await flow.ask(try PhoneNumber("+15555550101"), call: call)
        #expect(
            await bench.refusal {
                _ = try await flow(.code(session: again, "123456"), linkingTo: owner.session, call: call)
            } == .sessionNotFound)
    }

    @Test("R14.2 what was proved in a session counts for no token of before it")
    func formerToken() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let (before, call) = (bench.open(after: .seconds(-90)), bench.open())
        let issued = try await bench.base.signIn(at: before)
        let session = try await bench.base.authenticated(issued, at: call)
        let raised = try await StepUp(bench.ports)(owner.proof(at: call), of: session, call: call)
        let known = try await bench.base.authenticated(raised, at: call)
        func remove(_ issuedAt: Instant) async -> AuthErrorCode? {
            await bench.refusal {
                _ = try await UserFactors(bench.ports).change(
                    owner.factor.id, of: known.with { $0.tokenIssuedAt = issuedAt }, name: "x", call: call)
            }
        }
        #expect(await remove(before.now) == .insufficientAssurance)
        #expect(await remove(Instant(seconds: call.now.seconds)) == nil)
    }

    @Test("R14.2 a session that goes on in another's place is worth what that one is now, not when it was read")
    func replaced() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        _ = try await FactorAdministration(bench.ports).removeAll(of: owner.user.id, call: admin(call))
        #expect(owner.session.session?.assurance == .aal2)
        let issued = try await ReplaceSession(bench.ports)(owner.session, call: call)
        #expect(issued.session.assurance == .aal1)
        #expect(issued.session.methods.map(\.name) == [.password])
    }

    @Test("R14.2 who has been anybody sets up the factor that is demanded of all before they are somebody")
    func anonymous() async throws {
        let bench = try await FactorBench {
            $0.factors.demand = .all
            $0.signUp.anonymousEnabled = true
        }
        let call = bench.call()
        let issued = try await AnonymousSignUp(bench.ports)(userMetadata: [:], call: call).session()
        let again = try await ReplaceSession(bench.ports)(
            try await bench.base.authenticated(issued, at: call), call: call)
        try await bench.base.write(issued.user) {
            $0.isAnonymous = false
            $0.email = try EmailAddress("a@example.com")
            $0.emailVerifiedAt = bench.base.now
        }
        let upgraded = try await bench.base.authenticated(again, at: call)
        #expect(
            await bench.refusal { _ = try await ReplaceSession(bench.ports)(upgraded, call: call) }
                == .factorEnrolmentRequired)
        #expect(try await bench.stored(again.session).revokedAt == nil)
    }

    @Test("R14.2 a factor that is put aside raises nothing any more")
    func disabled() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        _ = try await FactorAdministration(bench.ports).add(
            .phone(PhoneNumber("+4915112345678")), named: "phone", to: owner.user.id, call: admin(call))
        _ = try await UserFactors(bench.ports).change(
            owner.factor.id, of: owner.session, isEnabled: false, call: call)
        #expect(try await bench.stored(owner.issued.session).assurance == .aal1)
    }

    @Test("R14.2 a factor that is taken up again counts as one that is set up, and the last put aside as one removed")
    func takenUpAgain() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let (factors, codes) = (UserFactors(bench.ports), UserBackupCodes(bench.ports))
        _ = try await codes.make(for: owner.session, call: call)
        _ = try await factors.change(owner.factor.id, of: owner.session, isEnabled: false, call: call)
        #expect(try await codes.find(of: owner.user.id, call: call) == nil)
        let other = try #require(try await bench.signedIn(at: call).session)
        try await bench.base.write(owner.user) { $0.pendingEmail = try EmailAddress("thief@example.com") }
        _ = try await factors.change(owner.factor.id, of: owner.session, isEnabled: true, call: call)
        #expect(try await bench.stored(other).revocation == .replaced)
        #expect(try await bench.stored(owner.issued.session).revokedAt == nil)
        #expect(try await bench.base.base.reload(owner.user).pendingEmail == nil)
    }

    @Test("R14.2 who exchanges one kind of factor for another in one call keeps the backup codes")
    func exchanged() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let codes = UserBackupCodes(bench.ports)
        _ = try await codes.make(for: owner.session, call: call)
        try await FactorPreferences(bench.ports)(
            [FactorPreference(.totp, isEnabled: false), FactorPreference(.email, isEnabled: true)],
            of: owner.session, call: call)
        #expect(try await bench.factors(of: owner.user).filter(\.isEnabled).map(\.kind) == [.email])
        #expect(try await codes.find(of: owner.user.id, call: call) != nil)
    }

    @Test("R14.2 a sign-in under way is worth no factor that has gone meanwhile: what follows is decided without it")
    func goneUnderWay() async throws {
        for isOneLeft in [false, true] {
            let bench = try await FactorBench()
            let owner = try await bench.owner()
            let call = bench.call()
            let (_, text) = try await AnswerFactor(bench.ports).proving(
                try await bench.ticket(at: call), owner.proof(at: call), call: call)
            let operators = FactorAdministration(bench.ports)
            if isOneLeft {
                _ = try await operators.add(
                    .phone(PhoneNumber("+4915112345678")), named: "phone", to: owner.user.id, call: admin(call))
            }
            _ = try await operators.remove(owner.factor.id, of: owner.user.id, call: admin(call))
            let ticket = try SignInTicket(text.reveal(), for: .conclusion, call: call)
            let next = try await ConcludeSignIn(bench.ports)(ticket, call: call)
            #expect(next.pendingStep == (isOneLeft ? .secondFactor : nil))
            if let session = next.issued?.session {
                #expect(session.assurance == .aal1 && session.methods.map(\.name) == [.password])
            }
        }
    }

    @Test("R14.2 a number that an operator puts in a factor's place is asked anew, and the owner is told")
    func moved() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user()
        let call = bench.call()
        let (old, new) = (try PhoneNumber("+4915112345678"), try PhoneNumber("+4915112345679"))
        let operators = FactorAdministration(bench.ports)
        let factor = try await operators.add(.phone(old), named: "phone", to: user.id, call: admin(call))
        func answer(_ ticket: SignInTicket, _ number: PhoneNumber) async throws -> SignInStep {
            let proof = FactorProof.code(
                try await bench.sentCode(to: number.e164), of: factor.id, challenge: nil)
            return try await AnswerFactor(bench.ports)(ticket, proof, call: call)
        }
        let first = try await bench.ticket()
        _ = try await ChallengeFactor(bench.ports)(factor.id, for: first, call: call)
        let raised = try await answer(first, old).session()
        let second = try await bench.ticket()
        let later = bench.call(after: .minutes(2))
        _ = try await ChallengeFactor(bench.ports)(factor.id, for: second, call: later)
        _ = try await operators.change(factor.id, of: user.id, phone: new, call: admin(call))
        #expect(await bench.refusal { _ = try await answer(second, old) } == .factorChallengeNotFound)
        #expect(try await bench.stored(raised.session).assurance == .aal1)
        let kinds = try await bench.base.base.messages(to: "a@example.com").map(\.kind)
        #expect(kinds.contains("factor_removed"))
    }

    @Test("R14.2 who begins anew to set a number up is sent no code sooner for it")
    func interval() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let number = try PhoneNumber("+4915112345678")
        func ask(after span: TimeSpan) async throws {
            let call = bench.open(after: span)
            let factor = try await EnrolFactor(bench.ports)(.phone(number), for: owner.session, call: call).factor
            _ = try await ChallengeFactor(bench.ports)(factor.id, of: owner.session, call: call)
        }
        try await ask(after: .zero)
        #expect(await bench.refusal { try await ask(after: .seconds(10)) } == .messageRateLimited)
        #expect(await bench.refusal { try await ask(after: .seconds(50)) } == .messageRateLimited)
        try await ask(after: .seconds(61))
        #expect(try await bench.base.base.messages(to: number.e164).count { $0.kind == "factor_code" } == 2)
    }

    @Test("R14.2 an old session sets up nobody's first factor, but where the Directory says so")
    func enrolment() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        try await bench.base.user("b@example.com")
        let session = try await bench.signedIn("b@example.com", at: bench.open())
        func enrol(_ session: AuthenticatedUser, _ call: CallContext) async -> AuthErrorCode? {
            await bench.refusal { _ = try await EnrolFactor(bench.ports)(.totp(issuer: nil), for: session, call: call) }
        }
        let late = bench.open(after: .minutes(61))
        #expect(await enrol(session, late) == .reauthenticationNeeded)
        #expect(
            await enrol(session, late.with { $0.directory.settings.factors.enrolmentNeedsReauthentication = false })
                == nil)
        #expect(await enrol(session, bench.open(after: .minutes(60))) == nil)
        // Whoever has one shows it.
        #expect(await enrol(owner.session, late) == nil)
    }

    @Test("R14.2 what ends the user's tokens and codes ends the sign-ins under way", arguments: 0..<4)
    func tickets(index: Int) async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let proof = try await bench.base.base.proof(.magicLink, for: owner.user)
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(proof.linkToken), purposes: [.magicLink], call: call)
        guard case .signedIn(.secondFactor(let pending)) = outcome else { return #expect(Bool(false), "\(outcome)") }
        let later = bench.call(after: .seconds(2))
        switch index {
        case 0: try await SignOut(bench.ports)(owner.session, scope: .global, call: later)
        case 1:
            _ = try await ChangePassword(bench.ports)(
                owner.session, current: Secret(PasswordBench.password), new: Secret(PasswordBench.newPassword),
                call: later)
        case 2:
            try await bench.ports.write(later) { step in
                try AccountEnding(step).endProofs(of: try step.tx.liveUser(owner.user.id, in: step.directory))
            }
        default: break
        }
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .secondFactor, call: later)
        let refusal = await bench.refusal {
            _ = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: later), call: later).session()
        }
        #expect(refusal == (index < 3 ? .invalidCredentials : nil))
    }

    @Test(
        "R14.2 whoever has a factor is given today's form of an older hash, an SRP verifier, and goes on with the ticket"
    )
    func completed() async throws {
        let bench = try await FactorBench { $0.password.srpEnabled = true }
        let owner = try await bench.owner()
        try await bench.base.write(owner.user) {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
            $0.srpVerifier = nil
        }
        let call = bench.call()
        let ticket = try await bench.ticket()
        let stored = try await bench.base.base.reload(owner.user)
        #expect(CountingPasswords.isOld(stored.passwordHash) == false)
        #expect(stored.srpVerifier != nil)
        _ = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: call), call: call).session()
    }
}
