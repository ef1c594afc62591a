// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One sign-in on one device.
public struct Session: Sendable {
    public var id: SessionID
    public var directoryID: DirectoryID
    public var userID: UserID
    public var device: DeviceMetadata
    /// How and when the user proved who they are (RFC 8176 names where it has them).
    public var methods: [AuthenticationMethod]
    public var assurance: AssuranceLevel
    public var createdAt: Instant
    public var lastActiveAt: Instant
    /// When the session ends whatever happens; `nil` for never.
    public var notAfter: Instant?
    public var revokedAt: Instant?
    public var revocation: SessionRevocation?
    public var family: RefreshTokenFamily
    /// The client that the session was opened through: only it may refresh it.
    public var clientID: ClientID?
    /// Whether its refresh tokens rotate; `nil` takes the Directory's setting.
    public var rotates: Bool?
    /// What the operator's program that vouched for the sign-in said beside the user's name: for the tokens of this
    /// session, in the dialect that it signed in by. Empty for every other sign-in.
    public var claims: JSONObject
    /// The browser's session that a client was given this one in: it ends with it, unless its ``grant`` is offline.
    public var parentID: SessionID?
    /// The device that it is on, by which it is renewed: one that has confirmed itself or may yet
    /// (``RememberedDevice``). `nil` where devices are not tracked.
    public var rememberedDevice: RememberedDeviceID?
    /// What a client was given it for; `nil` for one that a user opened by signing in.
    public var grant: ClientGrant?

    public init(
        id: SessionID, directoryID: DirectoryID, userID: UserID, device: DeviceMetadata,
        methods: [AuthenticationMethod], assurance: AssuranceLevel, createdAt: Instant, lastActiveAt: Instant,
        notAfter: Instant?, revokedAt: Instant? = nil, revocation: SessionRevocation? = nil, family: RefreshTokenFamily,
        clientID: ClientID? = nil, rotates: Bool? = nil, claims: JSONObject = [:],
        parentID: SessionID? = nil, rememberedDevice: RememberedDeviceID? = nil, grant: ClientGrant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.device = device
        self.methods = methods
        self.assurance = assurance
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
        self.notAfter = notAfter
        self.revokedAt = revokedAt
        self.revocation = revocation
        self.family = family
        self.clientID = clientID
        self.rotates = rotates
        self.claims = claims
        self.parentID = parentID
        self.rememberedDevice = rememberedDevice
        self.grant = grant
    }

    /// When the user last proved who they are: `auth_time` (OpenID Connect Core, section 2). Neither signing in at
    /// another client nor a refresh moves it.
    public var authenticatedAt: Instant { methods.map(\.at).max() ?? createdAt }
}

/// How the user proved who they are, and when.
public struct AuthenticationMethod: Sendable, Hashable {
    public struct Name: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let password = Self(rawValue: "password")
        public static let oneTimeCode = Self(rawValue: "otp")
        /// A code that came by text message, where the dialect tells it from others (RFC 8176, section 2).
        public static let textMessage = Self(rawValue: "sms")
        public static let magicLink = Self(rawValue: "magiclink")
        public static let emailConfirmation = Self(rawValue: "email/signup")
        public static let recovery = Self(rawValue: "recovery")
        public static let invitation = Self(rawValue: "invite")
        public static let emailChange = Self(rawValue: "email_change")
        public static let anonymous = Self(rawValue: "anonymous")
        /// A program of the operator's said who it is (RFC 7521): the user showed nothing to this server.
        public static let assertion = Self(rawValue: "assertion")
        /// A program of the operator's has judged answers of the user's.
        public static let custom = Self(rawValue: "custom")
        /// Somebody else's identity provider vouched for the user.
        public static let federated = Self(rawValue: "oauth")
        // Second factors, by the names that tokens have said them by elsewhere.
        public static let totp = Self(rawValue: "totp")
        public static let phoneFactor = Self(rawValue: "mfa/phone")
        public static let emailFactor = Self(rawValue: "mfa/email")
        public static let webAuthnFactor = Self(rawValue: "mfa/webauthn")
        public static let backupCode = Self(rawValue: "mfa/recovery_code")
        /// A secret that a device keeps, and that was confirmed in a session which had shown a second factor.
        public static let rememberedDevice = Self(rawValue: "device")
        /// A discoverable credential whose user was verified: two factors in one (NIST SP 800-63B, section 3.1.7).
        public static let passkey = Self(rawValue: "passkey")
        /// A discoverable credential whose user was there, and was not verified: one factor, something that they have.
        public static let passkeyPresence = Self(rawValue: "passkey/presence")
    }

    public var name: Name
    public var at: Instant
    /// Of ``Name/federated``: which of the Directory's identity providers vouched for the user
    /// (``IdentityProvider/name``).
    public var provider: String?
    /// Of a second factor or a passkey: which of the user's it was; `nil` for a backup code.
    public var factor: FactorID?
    /// Of a message that was answered as the first factor: where it went, as ``mark(of:under:)``.
    public var recipient: String?

    public init(
        _ name: Name, at: Instant, provider: String? = nil, factor: FactorID? = nil, recipient: String? = nil
    ) {
        self.name = name
        self.at = at
        self.provider = provider
        self.factor = factor
        self.recipient = recipient
    }

    /// Whether both are of one kind and, where that says so, by one factor: shown twice, it counts once.
    package func isSame(as other: Self) -> Bool { name == other.name && factor == other.factor }
}

/// NIST SP 800-63B, section 2: how sure a session is of who the user is.
public enum AssuranceLevel: Int, Sendable, Comparable, CaseIterable {
    case aal1 = 1
    case aal2 = 2
    case aal3 = 3
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Why a session ended before its time.
public enum SessionRevocation: String, Sendable, CaseIterable {
    case signedOut = "signed_out"
    case replaced
    case replay
    case passwordChanged = "password_changed"
    case banned
    case deleted
    case administrator
    /// The user has taken back what they had agreed that the client may be given.
    case consentRevoked = "consent_revoked"
    /// The user's identity provider has ended what it vouched for.
    case identityRevoked = "identity_revoked"
    /// The store was put back to what it was at some earlier time.
    case restored
}
