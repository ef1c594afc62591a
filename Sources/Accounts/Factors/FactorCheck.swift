// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Mail

/// Judges what somebody shows to prove a second factor: the one place where that is done. What is right is spent, and
/// what is wrong is counted; so the caller's transaction commits in both cases, and a refusal is a value.
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

    let step: FlowStep
    let judged: RegistrationJudgement?

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
        let compared: Comparison
        switch try compare(proof, of: user, in: holder, scope, admit) {
        case .success(let found): compared = found
        case .failure(let refusal): return .failure(refusal)
        }
        let (verdict, asked, factors) = compared
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

    /// Asks the operator's programs about an answer that was compared, right or wrong; who is refused by them is signed
    /// out everywhere, and the attempt counts as a wrong one.
    ///
    /// - Parameter asked: of which factor it was; of a backup code none is asked, which is no factor that a program
    ///   could know.
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
}
