// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Testing

@testable import Accounts

@Suite("Raising a session")
struct StepUpTests {
    @Test("G-9.4 a code raises the session in place: its identifier stays, its former refresh token is dead")
    func raises() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        let issued = try await bench.base.signIn(at: call)
        #expect(issued.session.assurance == .aal1)
        #expect(issued.factors.map(\.id) == [owner.factor.id])
        let session = try await bench.base.authenticated(issued, at: call)
        let raised = try await StepUp(bench.ports)(owner.proof(at: call), of: session, call: call)
        #expect(raised.session.id == issued.session.id)
        #expect(raised.session.methods.map(\.name) == [.password, .totp])
        let refreshed = try await bench.base.refresh(raised.refreshToken, at: call)
        #expect(refreshed.session.assurance == .aal2)
        #expect(refreshed.session.methods == raised.session.methods)
        // Whoever has the former token may be the owner, whom the answer has not reached: nobody is signed out for it.
        #expect(
            await bench.refusal { _ = try await bench.base.refresh(issued.refreshToken, at: call) }
                == .refreshTokenNotFound)
        #expect(try await bench.stored(raised.session).revokedAt == nil)
        _ = try await bench.base.refresh(refreshed.refreshToken, at: call)
    }

    @Test("G-9.4 a step-up ends the user's sessions that show no factor, where sessions begin without; others stay")
    func others() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        let low = try await bench.base.signIn(at: call)
        let mine = try await bench.signedIn(at: call)
        _ = try await StepUp(bench.ports)(owner.proof(at: call), of: mine, call: call)
        #expect(try await bench.stored(low.session).revokedAt != nil)
        #expect(try await bench.stored(owner.issued.session).revokedAt == nil)
    }

    @Test(
        "G-9.4 with a first factor goes what was wished for before it, which nobody confirms without it; later wishes stay"
    )
    func wishes() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user("a@example.com")
        func stored() async throws -> User? {
            try await bench.base.store.read { try $0.user(user.id, in: user.directoryID) }
        }
        func wish() async throws {
            try await bench.base.store.write { tx in
                guard var current = try tx.user(user.id, in: user.directoryID) else { return }
                current.pendingPhone = try PhoneNumber("+4917012345678")
                current.pendingEmail = try EmailAddress("new@example.com")
                try tx.update(current)
            }
        }
        func prove(_ session: AuthenticatedUser, named name: String, at call: CallContext) async throws -> IssuedSession
        {
            let enrolled = try await EnrolFactor(bench.ports)(.totp(issuer: nil), named: name, for: session, call: call)
            guard case .totp(let secret) = enrolled.factor.credential else { throw AuthError(.conflict) }
            let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now), of: secret)
            return try await StepUp(bench.ports)(
                .code(code, of: enrolled.factor.id, challenge: nil), of: session, call: call)
        }
        let call = bench.open()
        let session = try await bench.signedIn(at: call)
        try await wish()
        let raised = try await prove(session, named: "first", at: call)
        #expect(raised.user.pendingPhone == nil && raised.user.pendingEmail == nil)
        let ended = try await stored()
        #expect(ended?.pendingPhone == nil && ended?.pendingEmail == nil)
        try await wish()
        let again = try await prove(try await bench.base.authenticated(raised, at: call), named: "second", at: call)
        #expect(again.user.pendingPhone != nil)
        #expect(try await stored()?.pendingEmail != nil)
    }

    @Test("G-9.2 R14.2 what an app was asked is answered once, by that app, in the session that asked, and in time")
    func challenges() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        let (session, other) = (try await bench.signedIn(at: call), try await bench.signedIn(at: call))
        func refusal(
            _ asked: FactorChallengeID, _ session: AuthenticatedUser, drift: Int64 = 0, at call: CallContext
        ) async -> AuthErrorCode? {
            let proof = FactorProof.code(owner.code(at: call, drift: drift), of: owner.factor.id, challenge: asked)
            return await bench.refusal { _ = try await StepUp(bench.ports)(proof, of: session, call: call) }
        }
        let asked = try await ChallengeFactor(bench.ports)(owner.factor.id, of: session, call: call).id
        #expect(await refusal(asked, other, at: call) == .factorChallengeNotFound)
        let late = bench.open(after: .seconds(300))
        #expect(await refusal(asked, session, at: late) == .factorChallengeExpired)
        try await bench.base.store.write { tx in
            let foreign = FactorChallenge(
                id: FactorChallengeID("foreign"), directoryID: owner.user.directoryID, userID: owner.user.id,
                factorID: nil, holder: FactorHolder.session(try #require(session.session).id).name, createdAt: call.now,
                expiresAt: late.now)
            try tx.insert(foreign)
        }
        #expect(await refusal(FactorChallengeID("foreign"), session, at: call) == .factorChallengeNotFound)
        #expect(await refusal(asked, session, at: call) == nil)
        // Another code is as good, but has been asked for nothing.
        #expect(await refusal(asked, session, drift: 1, at: call) == .factorCodeUsed)
        let again = try await ChallengeFactor(bench.ports)(owner.factor.id, of: session, call: call).id
        #expect(await refusal(again, session, drift: 1, at: call) == nil)
    }

    @Test(
        "G-9.2 a code that names no app is taken, and spent, for as many steps as the setting says", arguments: [0, 2])
    func unnamed(drift: Int64) async throws {
        let bench = try await FactorBench { $0.factors.totpDrift = Int(drift) }
        let owner = try await bench.owner()
        func answer(_ offset: Int64, at call: CallContext) async throws -> AuthErrorCode? {
            let ticket = try await bench.ticket(at: call)
            return await bench.refusal {
                _ = try await AnswerFactor(bench.ports)(
                    ticket, .app(owner.code(at: call, drift: offset), named: nil), call: call)
            }
        }
        let (now, next) = (bench.call(), bench.call(after: .seconds(30)))
        #expect(try await answer(-drift - 1, at: now) == .factorCodeInvalid)
        #expect(try await answer(drift, at: now) == nil)
        // The same code, a step later.
        #expect(try await answer(drift - 1, at: next) == (drift == 0 ? .factorCodeInvalid : .factorCodeUsed))
    }

    @Test("G-9.2 R14.2 codes of steps beside each other are each good once, in whichever order they are shown")
    func steps() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        func refusal(_ drift: Int64, at call: CallContext) async throws -> AuthErrorCode? {
            let session = try await bench.signedIn(at: call)
            return await bench.refusal {
                _ = try await StepUp(bench.ports)(owner.proof(at: call, drift: drift), of: session, call: call)
            }
        }
        let now = bench.open()
        for drift: Int64 in [1, -1, 0] { #expect(try await refusal(drift, at: now) == nil) }
        for drift: Int64 in [-1, 0, 1] { #expect(try await refusal(drift, at: now) == .factorCodeUsed) }
        // The one that was ahead is the present one by then; what is over is kept no longer.
        let next = bench.open(after: .seconds(30))
        #expect(try await refusal(0, at: next) == .factorCodeUsed)
        #expect(try await refusal(0, at: bench.open(after: .minutes(10))) == nil)
        #expect(try await bench.factors(of: owner.user).first?.spentCodes.steps.count == 1)
    }

    @Test("R14.2 a second factor is not set up in a session that does not show the first, nor proved there")
    func enrolledAtLow() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        let low = try await bench.signedIn(at: call)
        let begun = await bench.refusal {
            _ = try await EnrolFactor(bench.ports)(.totp(issuer: nil), for: low, call: call)
        }
        #expect(begun == .insufficientAssurance)
        let pending = try await EnrolFactor(bench.ports)(.totp(issuer: nil), for: owner.session, call: call)
        guard case .totp(let secret) = pending.factor.credential else { return }
        let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now), of: secret)
        let proved = await bench.refusal {
            _ = try await StepUp(bench.ports)(.code(code, of: pending.factor.id, challenge: nil), of: low, call: call)
        }
        #expect(proved == .insufficientAssurance)
    }

    @Test("G-9.6 what only a raised session may do where its user has a factor, and any may where they have none")
    func rule() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        _ = try await bench.base.user("b@example.com")
        let call = bench.open()
        func refusals(_ session: AuthenticatedUser) async throws -> [String: AuthErrorCode?] {
            var found: [String: AuthErrorCode?] = [:]
            var changes = UserChanges()
            changes.email = try EmailAddress("new-\(session.user.id.rawValue)@example.com")
            let email = changes
            found["email"] = await bench.refusal {
                _ = try await UpdateUser(bench.ports)(email, of: session, call: call)
            }
            found["password"] = await bench.refusal {
                _ = try await ChangePassword(bench.ports)(
                    session, current: Secret(PasswordBench.password), new: Secret("Another-Horse-8"), call: call)
            }
            var names = UserChanges()
            names.userMetadata = ["name": "x"]
            let metadata = names
            found["metadata"] = await bench.refusal {
                _ = try await UpdateUser(bench.ports)(metadata, of: session, call: call)
            }
            if let factor = try await bench.factors(of: session.user).first {
                found["factor"] = await bench.refusal {
                    _ = try await UserFactors(bench.ports).remove(factor.id, of: session, call: call)
                }
            }
            found["deletion"] = await bench.refusal {
                try await DeleteAccount(bench.ports)(session, asksForProof: false, call: call)
            }
            return found
        }
        let low = try await refusals(try await bench.signedIn(at: call))
        #expect(low["metadata"] == .some(nil))
        for name in ["email", "password", "factor", "deletion"] {
            #expect(low[name] == .insufficientAssurance, "\(name)")
        }
        let without = try await refusals(try await bench.signedIn("b@example.com", at: call))
        #expect(without.values.allSatisfy { $0 == nil }, "\(without)")
        let raised = try await refusals(owner.session)
        #expect(raised.values.allSatisfy { $0 == nil }, "\(raised)")
    }

    @Test("R14.2 once a factor is gone, sessions that it alone has raised are low again; the owner is told")
    func removed() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        _ = try await UserBackupCodes(bench.ports).make(for: owner.session, call: call)
        _ = try await UserFactors(bench.ports).remove(owner.factor.id, of: owner.session, call: call)
        let stored = try await bench.stored(owner.issued.session)
        #expect(stored.assurance == .aal1)
        #expect(stored.methods.map(\.name) == [.password])
        #expect(try await UserBackupCodes(bench.ports).find(of: owner.user.id, call: call) == nil)
        let kinds = try await bench.base.base.messages(to: "a@example.com").map(\.kind)
        #expect(kinds.contains("factor_added") && kinds.contains("factor_removed"))
        #expect(try await bench.next().pendingStep == nil)
    }

    @Test("R14.2 a factor that is being set up counts for nothing, expires, and makes room")
    func expires() async throws {
        let bench = try await FactorBench { $0.factors.maximum = 1 }
        let user = try await bench.base.user()
        let call = bench.open()
        let session = try await bench.signedIn(at: call)
        let first = try await EnrolFactor(bench.ports)(.totp(issuer: nil), named: "a", for: session, call: call)
        #expect(try await bench.next().pendingStep == nil)
        func again(_ call: CallContext) async -> AuthErrorCode? {
            await bench.refusal {
                _ = try await EnrolFactor(bench.ports)(.totp(issuer: nil), named: "a", for: session, call: call)
            }
        }
        #expect(await again(call) == .tooManyFactors)
        let late = bench.open(after: .minutes(15))
        guard case .totp(let secret) = first.factor.credential else { return }
        let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: late.now), of: secret)
        let proved = await bench.refusal {
            _ = try await StepUp(bench.ports)(
                .code(code, of: first.factor.id, challenge: nil), of: session, call: late)
        }
        #expect(proved == .factorNotFound)
        #expect(await again(late) == nil)
        #expect(try await bench.factors(of: user).count == 1)
        let report = try await Reaper(store: bench.base.store).pass(at: bench.base.now + .hours(1))
        #expect(report.factors == 1)
        #expect(try await bench.factors(of: user).isEmpty)
    }

    @Test("R14.2 two factors of one user have not one name, and a name is bounded")
    func names() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        func enrol(_ name: String?) async -> AuthErrorCode? {
            await bench.refusal {
                _ = try await EnrolFactor(bench.ports)(.totp(issuer: nil), named: name, for: owner.session, call: call)
            }
        }
        #expect(await enrol("app") == .factorNameExists)
        #expect(await enrol("") == nil)
        #expect(await enrol("") == .factorNameExists)
        #expect(await enrol(nil) == nil)
        #expect(await enrol(nil) == nil)
        for name in [String(repeating: "a", count: 129), "a\u{0}b", "a\nb"] {
            #expect(await enrol(name) == .invalidRequest)
        }
    }

    @Test(
        "R14.2 a code by text message that nothing can carry is refused when the factor is set up and when it is asked")
    func unreachable() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        let ports = AccountPorts(
            store: bench.base.store, passwords: bench.base.passwords, random: bench.ports.random,
            messages: bench.ports.messages, reachesPhones: false)
        let number = try PhoneNumber("+4915112345678")
        let enrolled = await bench.refusal {
            _ = try await EnrolFactor(ports)(.phone(number), for: owner.session, call: call)
        }
        #expect(enrolled == .textMessagesUnavailable)
        let factor = try await EnrolFactor(bench.ports)(.phone(number), for: owner.session, call: call).factor
        let asked = await bench.refusal {
            _ = try await ChallengeFactor(ports)(factor.id, of: owner.session, call: call)
        }
        #expect(asked == .textMessagesUnavailable)
        #expect(try await bench.base.base.messages(to: number.e164).allSatisfy { $0.kind != "factor_code" })
    }

    @Test("G-9.1 whose account a stranger had opened has no factor of the stranger's once they prove the address")
    func takeover() async throws {
        let bench = try await FactorBench()
        let user = try await bench.base.user { $0.emailVerifiedAt = nil }
        let call = bench.open().with { $0.confirmation = .nothing }
        let stranger = try await bench.signedIn(at: call)
        _ = try await EnrolFactor(bench.ports)(.totp(issuer: nil), for: stranger, call: call)
        try await bench.ports.write(call) { step in
            var owner = try step.tx.liveUser(user.id, in: step.directory)
            try AccountTakeover(step, by: .identity).apply(to: &owner)
            try step.tx.update(owner)
        }
        #expect(try await bench.factors(of: user).isEmpty)
    }
}
