// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an identity service wants of the user before it gives a session, with what it takes to go on. It holds no
/// password (C-13): who wants to sign in after confirming asks for the password again.
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
    }

    /// What the app shows a screen for.
    public var kind: Kind
    /// Whom the step is about, as the user wrote it.
    public var identifier: String?
    /// Where a code went, as far as the service shows it (`j***@e***`).
    public var destination: String?
    /// The service's own ticket for going on. Never shown, and never stored.
    public var ticket: Secret<[String: String]>

    /// Made by backends.
    public init(
        kind: Kind, identifier: String? = nil, destination: String? = nil,
        ticket: Secret<[String: String]> = Secret([:])
    ) {
        self.kind = kind
        self.identifier = identifier
        self.destination = destination
        self.ticket = ticket
    }
}
