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

    /// What follows the proof: see ``SessionIssuer/conclude(_:of:)``.
    func conclude(_ proof: SignInProof, of user: User) throws -> Result<SignInStep, AuthError> {
        let conclusion = try SessionIssuer(step).conclude(proof, of: user)
        switch conclusion {
        case .success(let next):
            // A factor that is still to be shown is no failure.
            if next.pendingStep == .newPassword { _ = try refuse(SignInTicket.Step.newPassword.refusal, user: user.id) }
        case .failure(let error): _ = try refuse(error.code, user: user.id)
        }
        return conclusion
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
