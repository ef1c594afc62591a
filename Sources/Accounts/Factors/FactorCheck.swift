// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Mail

/// Judges what somebody shows to prove a second factor: the one place where that is done. What is right is spent, and what is
/// wrong is counted; so the caller's transaction commits in both cases, and a refusal is a value.
struct FactorCheck {
    /// Which of the user's factors may answer.
    enum Scope {
        /// Those that count already.
        case verified
        /// Those that are being set up.
        case pending
        case any
    }

    /// The parameters that authenticator apps know.
    static let totp = TOTP()
    private static let longestCode = 16

    let step: FlowStep
    private let judged: RegistrationJudgement?

    /// - Parameter judged: what was judged of the proof before the transaction began: ``FactorProof/judged(in:_:_:)``.
    init(_ step: FlowStep, _ judged: RegistrationJudgement? = nil) {
        self.step = step
        self.judged = judged
    }

    /// - Parameters:
    ///   - user: who has proved a first factor.
    ///   - holder: in what they were asked.
    ///   - admit: throws where they may not prove the factor that they name, before what they show is looked at.
    /// - Returns: ``AuthErrorCode/factorLocked`` with the time to wait, whatever code of a few digits was shown;
    ///   ``AuthErrorCode/factorNotFound``, ``AuthErrorCode/factorDisabled``, ``AuthErrorCode/factorCodeInvalid``,
    ///   ``AuthErrorCode/factorCodeUsed``, ``AuthErrorCode/factorChallengeNotFound``,
    ///   ``AuthErrorCode/factorChallengeExpired``.
    func judge(
        _ proof: FactorProof, of user: User, in holder: FactorHolder, scope: Scope = .verified,
        admit: (Factor) throws -> Void = { _ in }
    ) throws -> Result<ProvedFactor, AuthError> {
        var guesses = FactorGuesses(step, of: user.id)
        // What nobody finds by trying is heard under a lock too: strangers' wrong codes must not keep the owner out.
        if proof.isGuessable, let refusal = try guesses.refusal() { return .failure(refusal) }
        let verdict: Verdict
        /// Of which an answer was compared; `nil` for a backup code.
        var asked: Factor?
        var factors: [Factor]?
        switch proof {
        case .code(let code, let id, let challenge):
            // All of them: what follows shows them too.
            let all = try step.tx.factors(of: user.id, in: step.directory)
            guard let factor = all.first(where: { $0.id == id }), try admitted(factor, scope, admit) else {
                return .failure(AuthError(.factorNotFound))
            }
            // A security key answers by no code.
            guard factor.kind != .webAuthn else { return .failure(AuthError(.factorNotFound)) }
            guard step.settings.factors.use(of: factor.kind) != .off else {
                return .failure(AuthError(.factorDisabled, field: factor.kind.rawValue))
            }
            // An app's says more than whatever was shown.
            guard try factor.recipient == nil || factor.adds(to: holder.methods(step), in: step.call.directory) else {
                return .failure(AuthError(.factorDisabled, field: factor.kind.rawValue))
            }
            verdict = try judge(code, of: factor, asked: challenge, in: holder)
            (asked, factors) = (factor, all)
        case .webAuthn(let answer, let id, let challenge):
            guard let factor = try factor(id, of: user, scope, admit) else {
                return .failure(AuthError(.factorNotFound))
            }
            guard step.settings.factors.use(of: factor.kind) != .off else {
                return .failure(AuthError(.factorDisabled, field: factor.kind.rawValue))
            }
            verdict = try judge(answer, of: factor, asked: challenge, in: holder)
            asked = factor
        case .app(let code, let name):
            try FactorNames.require(name)
            guard step.settings.factors.use(of: .totp) != .off else {
                return .failure(AuthError(.factorDisabled, field: Factor.Kind.totp.rawValue))
            }
            let apps = try apps(of: user, scope)
            guard !apps.isEmpty else { return .failure(AuthError(.factorNotFound)) }
            verdict = try judge(code, ofAny: apps)
            // A wrong one says of none which it is of: to that protocol they are one.
            asked = apps.first?.factor
        case .backupCode(let code):
            guard step.settings.factors.backupCodes != .off else {
                return .failure(AuthError(.factorDisabled, field: "backup_codes"))
            }
            verdict = try judge(backupCode: code, of: user)
        }
        if let refusal = try heard(verdict, proof, of: asked, user) { return .failure(refusal) }
        switch verdict {
        case .right(let factor):
            try guesses.forgive()
            // Before a new one takes the place of others: what is lost does not answer.
            if guesses.mayBeRecovering { try FactorRecoveryEnd(step).stop(of: user, because: "factor") }
            var proved = try note(factor, of: user)
            // A new one takes others away.
            if !proved.isNew, let noted = proved.factor {
                proved.factors = factors.map { $0.map { $0.id == noted.id ? noted : $0 } }
            }
            guard case .app(_, let name) = proof, proved.isNew else { return .success(proved) }
            return .success(try takePlace(proved, named: name, of: user))
        case .refused(let code): return .failure(AuthError(code))
        case .wrong:
            let isLocked = try proof.isGuessable && guesses.countWrong()
            try step.record(.factorFailed, user, details: ["reason": "wrong_code"])
            if isLocked { try noteLock(of: user) }
            return .failure(AuthError(.factorCodeInvalid))
        }
    }

    /// Asks the operator's programs about an answer that was compared, right or wrong; who is refused by them is signed out
    /// everywhere, and the attempt counts as a wrong one.
    ///
    /// - Parameter asked: of which factor it was; of a backup code none is asked, which is no factor that a program could know.
    private func heard(
        _ verdict: Verdict, _ proof: FactorProof, of asked: Factor?, _ user: User
    ) throws -> AuthError? {
        guard step.run != nil else { return nil }
        let isRight: Bool
        switch verdict {
        case .right: isRight = true
        case .wrong: isRight = false
        case .refused: return nil
        }
        var factor = asked
        if case .right(let proved?) = verdict { factor = proved }
        guard let factor else { return nil }
        let decision = try step.decision(
            .factorAttempt(HookQuestion.Subject(user), factor: factor.id, kind: factor.kind, isRight: isRight))
        guard let refusal = decision.refusal else { return nil }
        if proof.isGuessable, !isRight, try FactorGuesses(step, of: user.id).countWrong() { try noteLock(of: user) }
        if decision.endsSessions { try SessionEnding(step).endAll(of: user.id, because: .administrator) }
        try step.record(.factorFailed, user, details: ["reason": .string(refusal.code.rawValue)])
        return refusal
    }

    /// Whoever types wrong codes here has proved a first factor: that is for the owner to know.
    private func noteLock(of user: User) throws {
        try step.record(.factorLocked, user)
        guard try step.ports.limits.mayTellOfFactorLock(of: user.id, call: step.call, in: step.tx) else { return }
        try OwnerNotice(step).tell(.factorLocked, of: user)
    }

    private enum Verdict {
        case right(Factor?)
        case wrong
        /// There was nothing that a guess could have met.
        case refused(AuthErrorCode)
    }

    private func factor(
        _ id: FactorID, of user: User, _ scope: Scope, _ admit: (Factor) throws -> Void
    ) throws -> Factor? {
        guard let factor = try step.tx.factor(id, in: step.directory), factor.userID == user.id else { return nil }
        return try admitted(factor, scope, admit) ? factor : nil
    }

    private func admitted(_ factor: Factor, _ scope: Scope, _ admit: (Factor) throws -> Void) throws -> Bool {
        try admit(factor)
        return mayAnswer(factor, scope)
    }

    private func mayAnswer(_ factor: Factor, _ scope: Scope) -> Bool {
        guard factor.isEnabled, !factor.isPasskey, factor.expiresAt.map({ step.now < $0 }) ?? true else { return false }
        return switch scope {
        case .verified: factor.isVerified
        case .pending: !factor.isVerified
        case .any: true
        }
    }

    /// With their secrets: of those that can't be read none is right.
    private func apps(of user: User, _ scope: Scope) throws -> [(factor: Factor, secret: Secret<[UInt8]>)] {
        try step.tx.factors(of: user.id, in: step.directory).compactMap { factor in
            guard case .totp(let secret) = factor.credential, mayAnswer(factor, scope) else { return nil }
            return (factor, secret)
        }
    }

    private func judge(_ code: String, ofAny apps: [(factor: Factor, secret: Secret<[UInt8]>)]) throws -> Verdict {
        for (factor, secret) in apps {
            guard let matching = Self.totp.step(of: code, secret: secret, at: step.now, drift: drift) else {
                continue
            }
            return try spend(matching, of: factor, answering: nil).map { .right($0) } ?? .refused(.factorCodeUsed)
        }
        return .wrong
    }

    private func judge(
        app code: String, _ secret: Secret<[UInt8]>, of factor: Factor, asked id: FactorChallengeID?,
        in holder: FactorHolder
    ) throws -> Verdict {
        switch try challenge(id, of: factor, in: holder) {
        case .failure(let refusal): return .refused(refusal.code)
        case .success(let challenge):
            guard let matching = Self.totp.step(of: code, secret: secret, at: step.now, drift: drift) else {
                return .wrong
            }
            return try spend(matching, of: factor, answering: challenge).map { .right($0) }
                ?? .refused(.factorCodeUsed)
        }
    }

    private func judge(
        _ code: String, of factor: Factor, asked id: FactorChallengeID?, in holder: FactorHolder
    ) throws -> Verdict {
        if case .totp(let secret) = factor.credential {
            return try judge(app: code, secret, of: factor, asked: id, in: holder)
        }
        let challenge: FactorChallenge?
        switch try self.challenge(id, of: factor, in: holder) {
        case .success(let found): challenge = found
        case .failure(let refusal): return .refused(refusal.code)
        }
        switch factor.credential {
        case .phone, .email:
            guard let challenge, !challenge.codeHash.isEmpty else { return .refused(.factorChallengeNotFound) }
            let typed = code.utf8.count <= Self.longestCode ? code : ""
            let hash = FactorChallenge.hash(typed, for: challenge.id, under: step.call.directory.tokenKey)
            guard constantTimeEqual(hash, challenge.codeHash) else { return .wrong }
        case .totp, .webAuthn, .newWebAuthn, .unreadable: return .refused(.factorNotFound)
        }
        if let challenge, try !step.tx.use(challenge.id, in: step.directory, at: step.now) {
            return .refused(.factorCodeUsed)
        }
        return .right(factor)
    }

    private func judge(
        _ answer: JSONObject, of factor: Factor, asked id: FactorChallengeID, in holder: FactorHolder
    ) throws -> Verdict {
        switch try challenge(id, of: factor, in: holder) {
        case .failure(let refusal): return .refused(refusal.code)
        case .success(nil): return .refused(.factorChallengeNotFound)
        case .success(let challenge?):
            // Whatever comes of it: an authenticator is asked anew.
            guard try step.tx.use(challenge.id, in: step.directory, at: step.now) else {
                return .refused(.factorCodeUsed)
            }
            switch try WebAuthnProof(step, judged).take(answer, of: factor, to: challenge) {
            case .failure(let refusal): return .refused(refusal.code)
            case .success(let proved): return .right(proved)
            }
        }
    }

    /// A code that was sent is of a challenge; an app's is of one where its dialect asks so.
    private func challenge(
        _ id: FactorChallengeID?, of factor: Factor, in holder: FactorHolder
    ) throws -> Result<FactorChallenge?, AuthError> {
        let found: FactorChallenge?
        if let id {
            found = try step.tx.factorChallenge(id, in: step.directory)
        } else if factor.recipient != nil {
            found = try step.tx.latestChallenge(of: factor.id, in: step.directory)
        } else {
            return .success(nil)
        }
        guard let found, found.factorID == factor.id, found.holder == holder.name else {
            return .failure(AuthError(.factorChallengeNotFound))
        }
        guard found.usedAt == nil, !factor.spentCodes.contains(found.id) else {
            return .failure(AuthError(.factorCodeUsed))
        }
        guard step.now < found.expiresAt else { return .failure(AuthError(.factorChallengeExpired)) }
        return .success(found)
    }

    /// One for all that judge and spend a code: what is spent for a shorter time than it is taken for could be shown again.
    private var drift: Int64 { Int64(step.settings.factors.totpDrift) }

    /// An app's code is good once (RFC 6238, section 5.2), for as long as its time step would be taken, and so is what it answers:
    /// one row says both.
    ///
    /// - Returns: the factor as now stored; `nil` where it was shown before.
    private func spend(
        _ matching: Int64, of factor: Factor, answering challenge: FactorChallenge?
    ) throws -> Factor? {
        guard !factor.spentCodes.contains(matching) else { return nil }
        var used = factor
        used.lastUsedAt = step.now
        used.spentCodes = factor.spentCodes.adding(
            matching, challenge.map { SpentCodes.Answer(to: $0.id, until: $0.expiresAt) }, at: step.now
        ) { Self.totp.end(of: $0 + drift) <= step.now }
        return try step.tx.noteUse(of: used, after: factor.spentCodes) ? used : nil
    }

    private func judge(backupCode text: String, of user: User) throws -> Verdict {
        let code = BackupCode.normalized(text) ?? ""
        let hash = BackupCodes.hash(code, of: user.id, under: step.call.directory.tokenKey)
        return try step.tx.useBackupCode(hash, of: user.id, in: step.directory, at: step.now) ? .right(nil) : .wrong
    }
}
