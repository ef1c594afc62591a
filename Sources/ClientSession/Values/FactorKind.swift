// SPDX-License-Identifier: Apache-2.0

/// What a user shows beside, or in place of, a password.
public enum FactorKind: String, Sendable, CaseIterable {
    /// A code of an authenticator app (RFC 6238).
    case authenticator
    /// A code by text message.
    case phone
    /// A code by mail.
    case email
    /// A key that is asked for beside a password (WebAuthn).
    case securityKey
    /// A key that signs in by itself (WebAuthn).
    case passkey
    /// One of the codes for when the others are lost.
    case backupCode
    /// The account's password, where a service lets its user choose by what to sign in.
    case password
}

/// One of the ways by which a user may go on.
public struct FactorChoice: Sendable, Hashable, Identifiable {
    /// The service's own word for it, which ``StepAnswer/choice(_:)`` says.
    public var id: String
    /// `nil` for one that this library does not know.
    public var kind: FactorKind?
    /// As its user called it.
    public var name: String?
    /// Where a code would go, as far as the service shows it.
    public var destination: String?

    /// Made by backends.
    public init(id: String, kind: FactorKind?, name: String? = nil, destination: String? = nil) {
        self.id = id
        self.kind = kind
        self.name = name
        self.destination = destination
    }
}
