// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What screens about second factors ask for. What a vendor does not have throws `unsupported`.
///
/// What is begun here is its session's: an answer that comes when another session is there throws `superseded`, and
/// nothing of it reaches the service.
public protocol SecondFactorService: AuthenticationService {
    /// The user's second factors, as the service knows them now.
    func secondFactors() async throws(AuthError) -> SecondFactors
    /// Begins to set one up.
    ///
    /// - Returns: what the user is shown until its first code comes. `nil` where it counts already.
    func enrol(_ factor: NewSecondFactor) async throws(AuthError) -> FactorEnrolment?
    /// Shows the first code. A wrong one may be followed by another.
    func confirm(_ enrolment: FactorEnrolment, with code: Secret<String>) async throws(AuthError)
    /// Takes one away, by its ``SecondFactor/id``.
    func removeFactor(_ id: String) async throws(AuthError)
    /// Makes a new set of backup codes, which are shown once; the one before is worth nothing.
    func makeBackupCodes() async throws(AuthError) -> [Secret<String>]
    /// Asks for a second factor in the session that is there, as what the service refused with `insufficient_assurance`
    /// wants.
    ///
    /// - Returns: what to ask the user. Throws `unsupported` where the user signs in anew for it
    ///   (``AuthenticationService/reauthenticate(with:)``).
    func beginStepUp() async throws(AuthError) -> AwaitedStep
    /// Answers what ``beginStepUp()`` or ``AuthenticationService/reauthenticate(with:)`` has asked.
    ///
    /// - Returns: what is asked next; `nil` when it is done, and the session's tokens are the raised ones.
    @discardableResult
    func raise(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> AwaitedStep?
}

/// What screens about passkeys ask for. What a vendor does not have throws `unsupported`.
public protocol PasskeyService: AuthenticationService {
    /// The user's, as the service knows them now.
    func passkeys() async throws(AuthError) -> [Passkey]
    /// Makes one on this device. Throws `cancelled` where the user turned back.
    func addPasskey() async throws(AuthError)
    /// Takes one away, by its ``Passkey/id``.
    func removePasskey(_ id: String) async throws(AuthError)
}
