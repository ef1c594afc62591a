// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A second factor that a user wants to set up.
public struct NewSecondFactor: Sendable, Hashable {
    /// What it is to be.
    public var kind: FactorKind
    /// What the user calls it. Services that know names take each once.
    public var name: String?
    /// The number (E.164) or address that codes are to go to. `nil` for the account's own, where the service takes
    /// that.
    public var destination: String?
    /// What an authenticator app is to show beside the code: the app's name, and whose account it is.
    public var label: AuthenticatorLabel?

    /// What a user has chosen.
    public init(
        _ kind: FactorKind, name: String? = nil, destination: String? = nil, label: AuthenticatorLabel? = nil
    ) {
        self.kind = kind
        self.name = name
        self.destination = destination
        self.label = label
    }
}

/// A factor that is being set up: it counts once its first code has come.
public struct FactorEnrolment: Sendable {
    /// What it is to be.
    public var kind: FactorKind
    /// What an authenticator app is told, in Base32 (RFC 4648): for who can't read a QR code.
    public var secret: Secret<String>?
    /// The same as an address that authenticator apps open and QR codes hold: `otpauth://totp/…`.
    public var uri: Secret<String>?
    /// Where the code went, as far as the service shows it.
    public var destination: String?
    /// The service's own ticket for going on. Never shown.
    public var ticket: Secret<[String: String]>

    /// Made by backends.
    public init(
        kind: FactorKind, secret: Secret<String>? = nil, uri: Secret<String>? = nil, destination: String? = nil,
        ticket: Secret<[String: String]> = Secret([:])
    ) {
        self.kind = kind
        self.secret = secret
        self.uri = uri
        self.destination = destination
        self.ticket = ticket
    }
}

/// What follows the wish for a factor.
public enum EnrolmentStep: Sendable {
    /// It counts once its first code has come.
    case awaiting(FactorEnrolment)
    /// It counts, with the tokens that came with it where some did.
    case done(SessionGrant?)
}
