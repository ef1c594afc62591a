// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An attempt at somebody's password, of which whatever is not a session is written down in the transaction that it
/// ends, so a refusal leaves the transaction as a value.
struct SignInAttempt {
    private let step: FlowStep
    private let way: String
    private let email: EmailAddress?

    /// - Parameters:
    ///   - way: what the audit log calls it.
    ///   - email: the address that was typed, if one was.
    init(_ step: FlowStep, by way: String, email: EmailAddress? = nil) {
        self.step = step
        self.way = way
        self.email = email
    }

    /// What follows the proof: see ``SessionIssuer/conclude(_:of:_:identities:)``.
    func conclude(
        _ proof: SignInProof, of user: User, _ standing: UserStanding
    ) throws -> Result<SignInStep, AuthError> {
        let conclusion = try SessionIssuer(step).conclude(proof, of: user, standing)
        switch conclusion {
        case .success(let next):
            // A factor that is still to be shown is no failure.
            if next.pendingStep == .newPassword { _ = try refuse(SignInTicket.Step.newPassword.refusal, user: user.id) }
        case .failure(let error): _ = try refuse(error.code, user: user.id)
        }
        return conclusion
    }

    /// Asks the operator's programs about an attempt at a password, right or wrong; of nobody they are not asked. What
    /// they refuse is committed with what was counted.
    ///
    /// - Returns: what is said in place of what would be.
    func heard(_ isRight: Bool, of user: User?) throws -> AuthError? {
        guard let user else { return nil }
        let decision = try step.decision(.passwordAttempt(HookQuestion.Subject(user), isRight: isRight))
        guard let refusal = decision.refusal else { return nil }
        if decision.endsSessions { try SessionEnding(step).endAll(of: user.id, because: .administrator) }
        return try refuse(refusal, reason: refusal.code, user: user.id)
    }

    func refuse(_ code: AuthErrorCode, user: UserID?) throws -> AuthError {
        try step.record(
            .signInFailed, user: user, email: email,
            details: ["method": .string(way), "reason": .string(code.rawValue)])
        return AuthError(code)
    }

    /// - Parameter reason: what the audit log says, where the caller is told another thing.
    func refuse(_ error: AuthError, reason: AuthErrorCode, user: UserID?) throws -> AuthError {
        _ = try refuse(reason, user: user)
        return error
    }
}
