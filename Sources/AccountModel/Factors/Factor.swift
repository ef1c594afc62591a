// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Something by which a user proves who they are beside what they sign in with.
public struct Factor: Sendable {
    /// Stored, so the names never change.
    public enum Kind: String, Sendable, CaseIterable {
        /// Codes of an authenticator app (RFC 6238).
        case totp
        /// Codes by text message.
        case phone
        /// Codes by mail.
        case email
        /// A security key, or what a device has in place of one.
        case webAuthn = "webauthn"
    }

    /// What it is proved by.
    public enum Credential: Sendable {
        case totp(Secret<[UInt8]>)
        case phone(PhoneNumber)
        case email(EmailAddress)
        case webAuthn(WebAuthnCredential)
        /// A public key that its authenticator is yet to make: of one that is being set up.
        case newWebAuthn
        /// What is stored can't be read. It is there, so it is asked for, and nothing proves it.
        case unreadable(Kind)

        public var kind: Kind {
            switch self {
            case .totp: .totp
            case .phone: .phone
            case .email: .email
            case .webAuthn, .newWebAuthn: .webAuthn
            case .unreadable(let kind): kind
            }
        }
    }

    /// The most that a user has of all kinds, whatever the Directory says.
    public static let mostOfUser = 30
    /// Octets of a name.
    public static let longestName = 128

    public var id: FactorID
    public var directoryID: DirectoryID
    public var userID: UserID
    public var credential: Credential
    /// What its user calls it, unlike any other of theirs. An empty one is a name like any other; `nil` for a factor
    /// without.
    public var name: String?
    /// When it was proved for the first time; `nil` for one that is being set up, which counts for nothing.
    public var verifiedAt: Instant?
    /// When one that is being set up is over; `nil` once it was proved.
    public var expiresAt: Instant?
    /// Off for one that its user has put aside without giving it up: it is not asked for.
    public var isEnabled: Bool
    /// Whether it is the one that is asked for first.
    public var isPreferred: Bool
    public var createdAt: Instant
    public var updatedAt: Instant
    public var lastUsedAt: Instant?
    public var lastChallengedAt: Instant?
    /// Of an app.
    public var spentCodes: SpentCodes
    /// What can't be read of it: see ``Credential/unreadable(_:)``.
    public var damage: [StoredDamage]

    public init(
        id: FactorID, directoryID: DirectoryID, userID: UserID, credential: Credential, name: String? = nil,
        verifiedAt: Instant? = nil, expiresAt: Instant? = nil, isEnabled: Bool = true, isPreferred: Bool = false,
        createdAt: Instant, updatedAt: Instant? = nil, lastUsedAt: Instant? = nil, lastChallengedAt: Instant? = nil,
        spentCodes: SpentCodes = SpentCodes(), damage: [StoredDamage] = []
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.credential = credential
        self.name = name
        self.verifiedAt = verifiedAt
        self.expiresAt = expiresAt
        self.isEnabled = isEnabled
        self.isPreferred = isPreferred
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.lastUsedAt = lastUsedAt
        self.lastChallengedAt = lastChallengedAt
        self.spentCodes = spentCodes
        self.damage = damage
    }

    public var kind: Kind { credential.kind }
    public var isVerified: Bool { verifiedAt != nil }

    /// The public key that it is proved by; `nil` for another kind, and for one that is yet to be made.
    public var webAuthn: WebAuthnCredential? {
        if case .webAuthn(let credential) = credential { credential } else { nil }
    }

    /// Whether it is a way in by itself, and no second factor.
    public var isPasskey: Bool { webAuthn?.use == .signIn }

    /// The address or number that its codes go to.
    public var recipient: String? {
        switch credential {
        case .phone(let number): number.e164
        case .email(let address): address.rawValue
        case .totp, .webAuthn, .newWebAuthn, .unreadable: nil
        }
    }

    /// How a session was authenticated that it was proved in.
    package var method: AuthenticationMethod.Name {
        switch kind {
        case .totp: .totp
        case .phone: .phoneFactor
        case .email: .emailFactor
        case .webAuthn: .webAuthnFactor
        }
    }
}

extension [Factor] {
    /// Those that are asked for beside something else.
    package var secondFactors: [Factor] { filter { !$0.isPasskey } }
    /// Those that are ways in by themselves.
    package var passkeys: [Factor] { filter(\.isPasskey) }
}
