// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A vendor's protocol, and nothing else: it keeps no session and decides nothing about one. What it takes and gives is
/// the same for every vendor, so that who calls can't tell them apart (H-3).
///
/// Everything throws `AuthError` in the domain's codes. A lack of an answer is `network`; an answer nobody of the
/// vendor's could have given (a captive portal's page) is `unavailable`. Only `AuthErrorCode.endsSession` codes are
/// ever thrown for a definite refusal of a refresh.
public protocol IdentityBackend: Sendable {
    /// The vendor, the place and the app, in one word that never changes. A session is only ever continued by the
    /// backend of the same name.
    var name: String { get }
    /// Shows a proof to the service. What the service does not take throws `unsupported`.
    func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep
    /// Goes on with what a service awaited.
    func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep
    /// Asks for new tokens. Throws an error that `AuthErrorCode.endsSession` holds for where the service
    /// says that the session is over, and any other where it can't be asked.
    func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant
    /// Ends the session at the service. Called after the device has forgotten it.
    func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError)
    /// Who the session's user is now, asked of the service.
    func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser
}

/// What the user gives for an ``AwaitedStep``.
public enum StepAnswer: Sendable {
    /// What came by mail or text message, or an authenticator app shows.
    case code(Secret<String>)
    /// In place of one that an operator gave, with the attributes that the service lacks.
    case newPassword(Secret<String>, attributes: [String: String])
    /// One of the ways that ``AwaitedStep/choices`` lists, by its ``FactorChoice/id``.
    case choice(String)
    /// For `linking`: the proof of the account that exists.
    case proof(SignInProof)
    /// In place of a factor's code, where the step takes one (``AwaitedStep/takesBackupCode``).
    case backupCode(Secret<String>)
    /// For `enrolment`: what the user wants to set up.
    case enrolment(NewSecondFactor)
    /// For `passkey`: the backend asks the authenticator that the app gave it.
    case passkey
}
