// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A backend whose vendor lets a signed-in user see to their second factors.
///
/// A factor that a sign-in asks for is answered by ``IdentityBackend/answer(_:with:)``, of every backend that has such
/// sign-ins.
public protocol SecondFactorBackend: IdentityBackend {
    /// Those there are, also ones that are not confirmed yet.
    func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors
    /// Begins to set one up. Throws `unsupported` for a kind that the vendor does not have, `insufficientAssurance`
    /// where a factor that is there is to be shown first, `reauthenticationNeeded` where the sign-in is too long ago.
    func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep
    /// Shows the first code. A wrong one may be followed by another.
    func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant?
    /// Takes one away, by its ``SecondFactor/id``.
    func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant?
}

/// A backend whose vendor raises a session that is there by a second factor. With the others the user signs in anew
/// (``AccountBackend/reauthenticate(_:with:)``).
public protocol StepUpBackend: IdentityBackend {
    /// What to ask the user, where there is something. Throws `factorNotFound` for who has no factor.
    func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep
    /// Answers it.
    ///
    /// - Returns: the same session's next tokens, or what is asked next, such as the code of another factor that was
    ///   chosen.
    func stepUp(
        _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
    ) async throws(AuthError) -> SignInStep
}

/// A backend whose vendor has codes for who has lost their other factors.
public protocol BackupCodeBackend: IdentityBackend {
    /// Makes a new set, and the one before is worth nothing. They are shown once.
    func makeBackupCodes(_ tokens: TokenSet) async throws(AuthError) -> [Secret<String>]
}
