// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Passwords

/// A person's account in one Directory.
public struct User: Sendable {
    public var id: UserID
    public var directoryID: DirectoryID
    /// What the user was called elsewhere. No update changes it.
    public let externalIdentifiers: ExternalIdentifiers
    public var email: EmailAddress?
    public var emailVerifiedAt: Instant?
    /// Whether the address is no name of the user's, who is called otherwise: it may be others' too, and names whoever
    /// alone has proved it. See ``AddressHolders``.
    public var sharesEmail: Bool
    public var phone: PhoneNumber?
    public var phoneVerifiedAt: Instant?
    /// The same of the number.
    public var sharesPhone: Bool
    /// When an operator confirmed the account, or its user took it over by a password that an operator gave them. Says
    /// nothing of who has its address: that only ``emailVerifiedAt`` and ``phoneVerifiedAt`` do.
    public var confirmedAt: Instant?
    /// The name the user chose to sign in by; one without is called by their identifier.
    public var username: Username?
    /// Whatever changes it clears what belonged to the password before: see ``srpVerifier`` and ``temporaryPassword``.
    public var passwordHash: PasswordHash? {
        didSet {
            guard passwordHash != oldValue else { return }
            srpVerifier = nil
            temporaryPassword = nil
            if passwordHash == nil { passwordChangedAt = nil }
        }
    }
    /// When the password was chosen, where that is known: a hash made anew of the same words is no change.
    public var passwordChangedAt: Instant?
    /// Of the same password as the hash; `nil` until the password was at hand in a Directory that has SRP enabled.
    public var srpVerifier: SRPVerifier?
    /// Set where an administrator chose the password, until the user has replaced it.
    public var temporaryPassword: TemporaryPassword?
    /// Tokens issued before this second are revoked, whatever their session.
    public var tokensValidSince: Instant?
    /// The address the user has asked to change to, until it is confirmed.
    public var pendingEmail: EmailAddress?
    /// Whether the current address has already agreed to the change.
    public var pendingEmailHalfConfirmed: Bool
    public var pendingPhone: PhoneNumber?
    /// What only the operator writes: providers, roles, plans.
    public var appMetadata: JSONObject
    /// What the user writes, ``SharedField`` among it.
    public var userMetadata: JSONObject
    /// What dialects keep of the user, each in a place of its own.
    public var dialectData: DialectData
    /// What can't be read of the stored row. Such an account may be listed, exported, banned and deleted, and not used.
    public var damage: [StoredDamage]
    /// The role that tokens carry when it is not the dialect's own default.
    public var role: String?
    public var isAnonymous: Bool
    public var bannedUntil: Instant?
    public var invitedAt: Instant?
    public var lastSignInAt: Instant?
    /// What the user's last sign-in was answered in: a guess at what they read.
    public var language: MessageLanguage?
    /// When the last message of each kind went out.
    public var sent: MessageTimes
    public var createdAt: Instant
    public var updatedAt: Instant
    /// When the account is deleted, as its user has asked for; signing in before then undoes it.
    public var deletionDueAt: Instant?
    /// Set by a soft deletion: the account can no longer be found by its address, and is purged later.
    public var deletedAt: Instant?
    /// How the account came to be: see ``Origin``.
    public var origin: Origin
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64
    /// How often the user's authorization codes were ended (``OneTimeWriting/deleteAuthorizationCodes(of:in:)``, which
    /// alone raises it; an update does not write it): a code that the server does not keep says what it was when the
    /// code was given.
    public var endedCodes: Int64 = 0

    /// How an account came to be, and so who answers for what is in it while nobody has proved to own its address.
    public enum Origin: String, Sendable, CaseIterable {
        /// Somebody named an address, a number or nothing at all. Until it is proved, it may have been anybody.
        case signUp = "sign_up"
        /// An operator made it, or has since given it its password, before anybody had proved anything.
        case administrator
        /// An operator asked a certain person in.
        case invitation
        /// An operator brought it along from elsewhere.
        case transfer = "import"
    }

    public struct MessageTimes: Sendable, Equatable {
        public var confirmation: Instant?
        public var recovery: Instant?
        public var emailChange: Instant?
        public var phoneChange: Instant?
        public var reauthentication: Instant?
        public init() {}
    }

    public init(
        id: UserID, directoryID: DirectoryID, externalIdentifiers: ExternalIdentifiers = ExternalIdentifiers(),
        createdAt: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.externalIdentifiers = externalIdentifiers
        self.createdAt = createdAt
        updatedAt = createdAt
        pendingEmailHalfConfirmed = false
        sharesEmail = false
        sharesPhone = false
        appMetadata = [:]
        userMetadata = [:]
        dialectData = DialectData()
        damage = []
        isAnonymous = false
        sent = MessageTimes()
        origin = .signUp
        version = 1
    }

    /// Gives up every change of address or number that has still to be confirmed.
    package mutating func dropPendingChanges() {
        pendingEmail = nil
        pendingEmailHalfConfirmed = false
        pendingPhone = nil
    }

    /// Takes back what was issued up to now. Whole seconds, rounded down, as a token's `iat` is: what is issued from
    /// now on holds.
    public mutating func revokeTokens(at now: Instant) {
        let second = Instant(seconds: now.seconds)
        tokensValidSince = tokensValidSince.map { second.orLater($0) } ?? second
    }

    /// From when on the user's tokens are good; `nil` for always. What was taken back at a time that lies ahead is of
    /// sessions that ended then: what is issued since the clock was set back is not.
    public func tokensValidSince(at now: Instant) -> Instant? {
        tokensValidSince.flatMap { $0.liesAhead(of: now) ? nil : $0 }
    }

    /// Whether a token with this `iat` (seconds since 1970) is still one of the user's.
    public func acceptsTokens(issuedAt seconds: Int64, at now: Instant) -> Bool {
        tokensValidSince(at: now).map { seconds >= $0.seconds } ?? true
    }

    /// 9999-12-31T23:59:59Z: the last moment that every date format can say, for what has no end.
    package static let forever = Instant(seconds: 253_402_300_799)

    /// Whether an address or a number of the user's was proved, the account was confirmed without, or there is none to
    /// prove and an operator made it. An anonymous user has nothing to confirm.
    public var isConfirmed: Bool {
        isProved || confirmedAt != nil || email == nil && phone == nil && (origin != .signUp || isAnonymous)
    }

    /// Whether somebody proved to own an address or a number of the user's.
    public var isProved: Bool { emailVerifiedAt != nil || phoneVerifiedAt != nil }

    /// Whether the account is a sign-up's that nobody has answered yet, and nobody has come in by.
    package var waitsForProof: Bool {
        origin == .signUp && !isConfirmed && !isAnonymous && passwordHash == nil && lastSignInAt == nil
    }

    /// Whether the account names an address or a number that nobody has proved to be its user's; where it names none,
    /// whether nobody has confirmed it. Whatever opened a session in it, there is much that it may not do (ADR 0028).
    public var isUnverified: Bool { email == nil && phone == nil ? !isConfirmed : !isProved }

    /// An operator who gives its password to what nobody has proved takes it into their hands: see
    /// ``Origin/administrator``.
    package mutating func adopt() {
        if origin == .signUp, !isProved { origin = .administrator }
    }

    /// Whether the account began by an identity provider's word, and has no password: its user is the provider's.
    public var isFederated: Bool { passwordHash == nil && Self.isFederated(appMetadata) }

    /// The same, of a user without a password of whom the metadata is all that is at hand.
    public static func isFederated(_ appMetadata: JSONObject) -> Bool {
        guard let provider = appMetadata["provider"]?.stringValue else { return false }
        return !["email", "phone", "anonymous"].contains(provider)
    }

    public var isDamaged: Bool { !damage.isEmpty }

    /// Whether the account may not be used at `now`. A damaged one may not: nobody knows what it says of its user.
    public func isBanned(at now: Instant) -> Bool { isDamaged || bannedUntil.map { $0 > now } ?? false }
}
