// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One line of the audit log, written in the transaction of what it records. It holds no secret, no address and no
/// full IP address.
public struct AuditEvent: Sendable {
    public struct Action: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let signedUp = Self(rawValue: "user_signedup")
        public static let signUpRepeated = Self(rawValue: "user_repeated_signup")
        public static let confirmationRequested = Self(rawValue: "user_confirmation_requested")
        public static let signedIn = Self(rawValue: "login")
        public static let signInFailed = Self(rawValue: "login_failed")
        public static let signedOut = Self(rawValue: "logout")
        public static let refreshTokenReplayed = Self(rawValue: "token_replayed")
        public static let sessionRevoked = Self(rawValue: "token_revoked")
        public static let recoveryRequested = Self(rawValue: "user_recovery_requested")
        public static let magicLinkRequested = Self(rawValue: "user_magiclink_requested")
        public static let invited = Self(rawValue: "user_invited")
        public static let invitationAccepted = Self(rawValue: "invite_accepted")
        public static let userModified = Self(rawValue: "user_modified")
        public static let passwordChanged = Self(rawValue: "user_updated_password")
        public static let emailChangeRequested = Self(rawValue: "user_email_change_requested")
        public static let emailChanged = Self(rawValue: "user_email_changed")
        public static let phoneChanged = Self(rawValue: "user_phone_changed")
        public static let verificationFailed = Self(rawValue: "verification_failed")
        /// A wrong code from somebody who had not asked for one, in a network that the account was never used from.
        public static let codeGuessed = Self(rawValue: "code_guessed")
        public static let reauthenticationRequested = Self(rawValue: "user_reauthenticate_requested")
        /// Wrong passwords have locked what somebody signs in as, whether anybody has it or not.
        public static let accountLocked = Self(rawValue: "user_locked")
        public static let accountUnlocked = Self(rawValue: "user_unlocked")
        public static let userBanned = Self(rawValue: "user_banned")
        public static let userUnbanned = Self(rawValue: "user_unbanned")
        public static let userDeleted = Self(rawValue: "user_deleted")
        /// A user has asked for everything that is held about them, and has got it.
        public static let exportRequested = Self(rawValue: "export_requested")
        public static let dataExported = Self(rawValue: "data_exported")
        /// A user has asked to be deleted, and has a time in which signing in undoes it.
        public static let deletionRequested = Self(rawValue: "user_deletion_requested")
        public static let deletionCancelled = Self(rawValue: "user_deletion_cancelled")
        public static let groupChanged = Self(rawValue: "group_changed")
        public static let clientChanged = Self(rawValue: "client_changed")
        public static let resourceServerChanged = Self(rawValue: "resource_server_changed")
        public static let domainChanged = Self(rawValue: "domain_changed")
        public static let keyChanged = Self(rawValue: "key_changed")
        public static let backupRestored = Self(rawValue: "backup_restored")
        public static let profileChanged = Self(rawValue: "profile_changed")
        /// A client was given a session in one that its user's browser has.
        public static let clientSignedIn = Self(rawValue: "client_login")
        /// A client was given a token by which it, or another that it named, acts for a user.
        public static let tokenExchanged = Self(rawValue: "token_exchanged")
        public static let consentGiven = Self(rawValue: "consent_given")
        public static let consentRevoked = Self(rawValue: "consent_revoked")
        public static let identityLinked = Self(rawValue: "identity_linked")
        public static let identityUnlinked = Self(rawValue: "identity_unlinked")
        /// A provider has said that what it vouched for has ended.
        public static let identityRevoked = Self(rawValue: "identity_revoked")
        public static let identityProviderChanged = Self(rawValue: "identity_provider_changed")
        public static let identityPoolChanged = Self(rawValue: "identity_pool_changed")
        /// Identities of a pool were merged or deleted, or logins taken from one.
        public static let poolIdentityChanged = Self(rawValue: "pool_identity_changed")
        public static let factorEnrolled = Self(rawValue: "factor_in_progress")
        public static let factorVerified = Self(rawValue: "factor_verified")
        public static let factorRemoved = Self(rawValue: "factor_deleted")
        public static let factorChanged = Self(rawValue: "factor_updated")
        public static let factorChallenged = Self(rawValue: "challenge_created")
        /// A session was raised by a second factor.
        public static let steppedUp = Self(rawValue: "verification_attempted")
        public static let factorFailed = Self(rawValue: "factor_failed")
        /// There were too many wrong codes: none is heard for a while.
        public static let factorLocked = Self(rawValue: "factor_locked")
        public static let backupCodesMade = Self(rawValue: "backup_codes_made")
        public static let backupCodeUsed = Self(rawValue: "backup_code_used")
        public static let backupCodesRemoved = Self(rawValue: "backup_codes_removed")
        /// A passkey was added, changed or removed.
        public static let passkeyAdded = Self(rawValue: "passkey_created")
        public static let passkeyChanged = Self(rawValue: "passkey_updated")
        public static let passkeyRemoved = Self(rawValue: "passkey_deleted")
        /// A device keeps a secret by which it is known, is remembered or is not, and is forgotten.
        public static let deviceConfirmed = Self(rawValue: "device_confirmed")
        public static let deviceChanged = Self(rawValue: "device_updated")
        public static let deviceForgotten = Self(rawValue: "device_forgotten")
        /// A user has agreed to a version of terms, or consented to a purpose, or does no more.
        public static let termsAgreed = Self(rawValue: "terms_agreed")
        public static let agreementWithdrawn = Self(rawValue: "terms_withdrawn")
        public static let termsChanged = Self(rawValue: "terms_changed")
        public static let authenticationFailed = Self(rawValue: "authentication_failed")
        /// Somebody without their second factors waits for them to be removed; it was stopped; they were removed.
        public static let factorRecoveryRequested = Self(rawValue: "factor_recovery_requested")
        public static let factorRecoveryStopped = Self(rawValue: "factor_recovery_stopped")
        public static let factorsRecovered = Self(rawValue: "factor_recovery_done")

        /// Every action above, for lists that are narrowed by a part of the name.
        public static let allKnown: [Self] = [
            .signedUp, .signUpRepeated, .confirmationRequested, .signedIn, .signInFailed, .signedOut,
            .refreshTokenReplayed, .sessionRevoked, .recoveryRequested, .magicLinkRequested, .invited,
            .invitationAccepted, .userModified, .passwordChanged, .emailChangeRequested, .emailChanged, .phoneChanged,
            .verificationFailed, .codeGuessed, .reauthenticationRequested, .accountLocked, .accountUnlocked,
            .userBanned, .userUnbanned, .userDeleted, .deletionRequested, .deletionCancelled,
            .groupChanged, .clientChanged, .resourceServerChanged, .domainChanged, .keyChanged, .backupRestored,
            .profileChanged, .clientSignedIn,
            .tokenExchanged, .consentGiven, .consentRevoked, .identityLinked, .identityUnlinked, .identityRevoked,
            .identityProviderChanged, .identityPoolChanged, .poolIdentityChanged, .authenticationFailed,
            .factorEnrolled, .factorVerified, .factorRemoved, .factorChanged, .factorChallenged, .steppedUp,
            .exportRequested, .dataExported, .factorFailed, .factorLocked, .backupCodesMade, .backupCodeUsed,
            .backupCodesRemoved, .passkeyAdded, .passkeyChanged, .passkeyRemoved,
            .factorRecoveryRequested, .factorRecoveryStopped, .factorsRecovered,
            .deviceConfirmed, .deviceChanged, .deviceForgotten, .termsAgreed, .agreementWithdrawn, .termsChanged,
        ]
    }

    public enum Actor: Sendable, Hashable {
        case user(UserID)
        /// An administrative caller: the role or the API key's identifier.
        case administrator(String)
        /// Someone at the server's command line.
        case commandLine
        case unknown
    }

    public var id: AuditEventID
    public var directoryID: DirectoryID
    public var action: Action
    public var actor: Actor
    public var userID: UserID?
    /// HMAC-SHA256 of the address under the Directory's token key, so that one address can be followed but not read.
    public var emailHash: String?
    public var truncatedAddress: String?
    public var userAgent: String?
    public var details: JSONObject
    public var at: Instant

    public init(
        id: AuditEventID, directoryID: DirectoryID, action: Action, actor: Actor, userID: UserID? = nil,
        emailHash: String? = nil, truncatedAddress: String? = nil, userAgent: String? = nil, details: JSONObject = [:],
        at: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.action = action
        self.actor = actor
        self.userID = userID
        self.emailHash = emailHash
        self.truncatedAddress = truncatedAddress
        self.userAgent = userAgent
        self.details = details
        self.at = at
    }
}
