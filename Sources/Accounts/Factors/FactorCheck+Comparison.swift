// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

// What an answer is compared with, and what is spent by it.
extension FactorCheck {
    private static let longestCode = 16

    /// What a comparison came to.
    enum Verdict {
        /// With the factor as it is stored now; `nil` for a backup code.
        case right(Factor?)
        case wrong
        /// There was nothing that a guess could have met.
        case refused(AuthErrorCode)
    }

    /// The verdict; of which factor an answer was compared, `nil` for a backup code; and all of the user's, where they
    /// were read.
    typealias Comparison = (verdict: Verdict, asked: Factor?, factors: [Factor]?)

    /// - Returns: a refusal where nothing was compared: as ``judge(_:of:in:scope:admit:)`` has it.
    func compare(
        _ proof: FactorProof, of user: User, in holder: FactorHolder, _ scope: Scope, _ admit: (Factor) throws -> Void
    ) throws -> Result<Comparison, AuthError> {
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
            return .success((try judge(code, of: factor, asked: challenge, in: holder), factor, all))
        case .webAuthn(let answer, let id, let challenge):
            guard let factor = try factor(id, of: user, scope, admit) else {
                return .failure(AuthError(.factorNotFound))
            }
            guard step.settings.factors.use(of: factor.kind) != .off else {
                return .failure(AuthError(.factorDisabled, field: factor.kind.rawValue))
            }
            return .success((try judge(answer, of: factor, asked: challenge, in: holder), factor, nil))
        case .app(let code, let name):
            try FactorNames.require(name)
            guard step.settings.factors.use(of: .totp) != .off else {
                return .failure(AuthError(.factorDisabled, field: Factor.Kind.totp.rawValue))
            }
            let apps = try apps(of: user, scope)
            guard !apps.isEmpty else { return .failure(AuthError(.factorNotFound)) }
            // A wrong one says of none which it is of: to that protocol they are one.
            return .success((try judge(code, ofAny: apps), apps.first?.factor, nil))
        case .backupCode(let code):
            guard step.settings.factors.backupCodes != .off else {
                return .failure(AuthError(.factorDisabled, field: "backup_codes"))
            }
            return .success((try judge(backupCode: code, of: user), nil, nil))
        }
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

    /// One for all that judge and spend a code: what is spent for a shorter time than it is taken for could be shown
    /// again.
    private var drift: Int64 { Int64(step.settings.factors.totpDrift) }

    /// An app's code is good once (RFC 6238, section 5.2), for as long as its time step would be taken, and so is what
    /// it answers: one row says both.
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
