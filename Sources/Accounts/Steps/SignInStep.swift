// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What follows a proof: a session, or what the user has still to do before there is one. Every sign-in of every
/// dialect ends in one (ADR 0019).
public enum SignInStep: Sendable {
    case session(IssuedSession)
    /// An administrator chose the password: the user chooses their own by ``ReplaceTemporaryPassword``.
    case newPassword(PendingSignIn)

    /// Whose sign-in it is.
    public var user: User {
        switch self {
        case .session(let issued): issued.user
        case .newPassword(let pending): pending.record.user
        }
    }

    /// The session that was opened; `nil` where a step comes first.
    var issued: IssuedSession? { if case .session(let issued) = self { issued } else { nil } }

    /// The session, for callers whose protocol knows no steps in between.
    ///
    /// - Throws: ``AuthErrorCode/passwordChangeRequired``.
    public func session() throws(AuthError) -> IssuedSession {
        switch self {
        case .session(let issued): return issued
        case .newPassword: throw AuthError(SignInTicket.Step.newPassword.refusal)
        }
    }
}

/// Somebody who has proved who they are and has a step to take.
public struct PendingSignIn: Sendable {
    public var record: UserRecord
    /// A ``SignInTicket``, sealed: goes back to the flow that the step is taken by.
    public var ticket: Secret<String>
}
