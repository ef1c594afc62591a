// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app is shown of an account: nothing of how its user signs in.
public struct AccountSummary: Sendable, Equatable {
    public var id: UserID
    public var email: EmailAddress?
    public var emailVerifiedAt: Instant?
    public var phone: PhoneNumber?
    public var isAnonymous: Bool
    /// What the user writes.
    public var userMetadata: JSONObject
    public var createdAt: Instant

    public init(
        id: UserID, email: EmailAddress?, emailVerifiedAt: Instant?, phone: PhoneNumber?, isAnonymous: Bool,
        userMetadata: JSONObject, createdAt: Instant
    ) {
        self.id = id
        self.email = email
        self.emailVerifiedAt = emailVerifiedAt
        self.phone = phone
        self.isAnonymous = isAnonymous
        self.userMetadata = userMetadata
        self.createdAt = createdAt
    }

    public init(_ user: User) {
        self.init(
            id: user.id, email: user.email, emailVerifiedAt: user.emailVerifiedAt, phone: user.phone,
            isAnonymous: user.isAnonymous, userMetadata: user.userMetadata, createdAt: user.createdAt)
    }
}

/// Whose a live session is, and what tells whether it may still be used.
public struct SessionHolder: Sendable, Equatable {
    public var account: AccountSummary
    public var externalIdentifiers: ExternalIdentifiers
    public var profile: Profile?
    public var bannedUntil: Instant?
    /// When the session ends whatever happens; `nil` for never.
    public var notAfter: Instant?
    /// Whether something of the account can't be read: see ``User/damage``.
    public var isDamaged: Bool

    public init(
        account: AccountSummary, externalIdentifiers: ExternalIdentifiers = ExternalIdentifiers(), profile: Profile?,
        bannedUntil: Instant?, notAfter: Instant?, isDamaged: Bool = false
    ) {
        self.account = account
        self.externalIdentifiers = externalIdentifiers
        self.profile = profile
        self.bannedUntil = bannedUntil
        self.notAfter = notAfter
        self.isDamaged = isDamaged
    }

    /// Whether a token's subject is what some dialect calls the user.
    public func isCalled(_ subject: String) -> Bool {
        account.id.rawValue == subject || externalIdentifiers.contains(subject)
    }

    /// Whether the session may be used at `now`.
    public func mayUse(at now: Instant) -> Bool {
        !isDamaged && (bannedUntil.map { $0 <= now } ?? true) && (notAfter.map { now < $0 } ?? true)
    }
}
