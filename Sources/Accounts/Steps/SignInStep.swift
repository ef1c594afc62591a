// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What follows a proof: a session, or what the user has still to do before there is one. Every sign-in of every
/// dialect ends in one (ADR 0019).
public enum SignInStep: Sendable {
    case session(IssuedSession)
    /// An administrator chose the password: the user chooses their own by ``ReplaceTemporaryPassword``.
    case newPassword(PendingSignIn)
    /// The user proves one of ``PendingSignIn/choices`` by ``AnswerFactor``; ``ChallengeFactor`` sends a code that is
    /// to be sent.
    case secondFactor(PendingSignIn)
    /// The user sets a second factor up, by ``EnrolFactor`` and ``AnswerFactor``.
    case enrolment(PendingSignIn)
    /// The device that the caller has named proves its secret, by ``DeviceSignIn``.
    case device(PendingSignIn)
    /// The user agrees to ``PendingSignIn/terms``, by ``AgreeToTerms``.
    case terms(PendingSignIn)

    /// Whose sign-in it is.
    public var user: User {
        switch self {
        case .session(let issued): issued.user
        case .newPassword(let pending), .secondFactor(let pending), .enrolment(let pending), .device(let pending),
            .terms(let pending):
            pending.record.user
        }
    }

    /// What is to be done first; `nil` for a session.
    public var pendingStep: SignInTicket.Step? {
        switch self {
        case .session: nil
        case .newPassword: .newPassword
        case .secondFactor: .secondFactor
        case .enrolment: .enrolment
        case .device: .device
        case .terms: .terms
        }
    }

    /// The session that was opened; `nil` where a step comes first.
    var issued: IssuedSession? { if case .session(let issued) = self { issued } else { nil } }

    /// The session, for callers whose protocol knows no steps in between.
    ///
    /// - Throws: ``AuthErrorCode/passwordChangeRequired``, ``AuthErrorCode/secondFactorRequired``,
    ///   ``AuthErrorCode/factorEnrolmentRequired``; ``AuthErrorCode/termsNotAgreed`` with the page where to agree.
    public func session() throws(AuthError) -> IssuedSession {
        if let issued { return issued }
        var page: String?
        if case .terms(let pending) = self { page = pending.agreementPage }
        throw AuthError(pendingStep?.refusal ?? .internalFailure, page: page)
    }
}

/// Somebody who has proved who they are and has a step to take.
public struct PendingSignIn: Sendable {
    public var record: UserRecord
    /// A ``SignInTicket``, sealed: goes back to the flow that the step is taken by.
    public var ticket: Secret<String>
    /// By what they may take it, where it is about a second factor.
    public var choices = FactorChoices()
    /// The device that proves its secret, where it is about that.
    public var device: RememberedDeviceID?
    /// What they must agree to, where it is about that.
    public var terms: [Terms] = []
    /// The address of a page of this server's where they can (``AgreementLink``), for protocols that know no such step.
    /// It is for nobody but whoever has proved who they are.
    public var agreementPage: String?
}
