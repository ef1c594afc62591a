// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an identity service wants of the user before it gives a session, with what it takes to go on. It holds no
/// password (C-13): who wants to sign in after confirming asks for the password again.
///
/// One with a ``lifetime`` is kept in the store for so long, since the user goes to another app for a code, and the
/// system may end this one meanwhile.
public struct AwaitedStep: Sendable {
    /// What is awaited.
    public enum Kind: Sendable, Hashable {
        /// A code or link that was sent to `destination` shows that the address is the user's.
        case confirmation
        /// The password was set by somebody else: the user chooses their own.
        case newPassword(requiredAttributes: [String])
        /// A code from an authenticator app (RFC 6238).
        case oneTimePassword
        /// A code that was sent to `destination`.
        case code
        /// The user chooses by which of these to go on.
        case choice([String])
        /// There is an account with the address already: the user shows that it is theirs, by one of these ways.
        case linking(providers: [String])
        /// The service wants a second factor of the user, who has none: they set one of these up
        /// (``StepAnswer/enrolment(_:)``). What is awaited then has an ``AwaitedStep/enrolment``.
        case enrolment([FactorKind])
        /// A passkey or a security key (``StepAnswer/passkey``).
        case passkey
    }

    /// What the app shows a screen for.
    public var kind: Kind
    /// Whom the step is about, as the user wrote it.
    public var identifier: String?
    /// Where a code went, as far as the service shows it (`j***@e***`).
    public var destination: String?
    /// What a ``Kind/choice(_:)`` lists; else the factors by which the user may go on instead
    /// (``StepAnswer/choice(_:)``).
    public var choices: [FactorChoice]
    /// Whether a backup code does as well (``StepAnswer/backupCode(_:)``).
    public var takesBackupCode: Bool
    /// The factor that is being set up, whose first code is awaited: its secret is to be shown.
    public var enrolment: FactorEnrolment?
    /// How long the service's ticket lives from now on. `nil` for a step that is gone with the process.
    public var lifetime: TimeSpan?
    /// The service's own ticket for going on. Never shown.
    public var ticket: Secret<[String: String]>

    /// Made by backends.
    public init(
        kind: Kind, identifier: String? = nil, destination: String? = nil, choices: [FactorChoice] = [],
        takesBackupCode: Bool = false, enrolment: FactorEnrolment? = nil, lifetime: TimeSpan? = nil,
        ticket: Secret<[String: String]> = Secret([:])
    ) {
        self.kind = kind
        self.identifier = identifier
        self.destination = destination
        self.choices = choices
        self.takesBackupCode = takesBackupCode
        self.enrolment = enrolment
        self.lifetime = lifetime
        self.ticket = ticket
    }
}
