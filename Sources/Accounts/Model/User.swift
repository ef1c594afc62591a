// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Passwords

/// A person's account in one Directory.
public struct User: Sendable {
    public var id: UserID
    public var directoryID: DirectoryID
    public var email: EmailAddress?
    public var emailVerifiedAt: Instant?
    public var phone: PhoneNumber?
    public var phoneVerifiedAt: Instant?
    public var passwordHash: PasswordHash?
    /// The address the user has asked to change to, until it is confirmed.
    public var pendingEmail: EmailAddress?
    /// Whether the current address has already agreed to the change.
    public var pendingEmailHalfConfirmed: Bool
    public var pendingPhone: PhoneNumber?
    /// What only the operator writes: providers, roles, plans.
    public var appMetadata: JSONObject
    /// What the user writes.
    public var userMetadata: JSONObject
    /// The role that tokens carry when it is not the dialect's own default.
    public var role: String?
    public var isAnonymous: Bool
    public var bannedUntil: Instant?
    public var invitedAt: Instant?
    public var lastSignInAt: Instant?
    /// When the last message of each kind went out.
    public var sent: MessageTimes
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Set by a soft deletion: the account can no longer be found by its address, and is purged later.
    public var deletedAt: Instant?
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public struct MessageTimes: Sendable, Equatable {
        public var confirmation: Instant?
        public var recovery: Instant?
        public var emailChange: Instant?
        public var phoneChange: Instant?
        public var reauthentication: Instant?
        public init() {}
    }

    public init(id: UserID, directoryID: DirectoryID, createdAt: Instant) {
        self.id = id
        self.directoryID = directoryID
        self.createdAt = createdAt
        updatedAt = createdAt
        pendingEmailHalfConfirmed = false
        appMetadata = [:]
        userMetadata = [:]
        isAnonymous = false
        sent = MessageTimes()
        version = 1
    }

    /// Whether the account may not be used at `now`.
    public func isBanned(at now: Instant) -> Bool { bannedUntil.map { $0 > now } ?? false }
}
