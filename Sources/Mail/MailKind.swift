// SPDX-License-Identifier: Apache-2.0

/// What a mail is about. The raw value is the name in settings and in the development outbox.
public struct MailKind: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    // Mails that carry a proof.
    public static let confirmation = Self("confirmation")
    public static let recovery = Self("recovery")
    public static let magicLink = Self("magic_link")
    public static let invite = Self("invite")
    public static let emailChangeCurrent = Self("email_change_current")
    public static let emailChangeNew = Self("email_change_new")
    public static let reauthentication = Self("reauthentication")
    /// The password that an administrator's program made, for a user who is to replace it at once.
    public static let temporaryPassword = Self("temporary_password")

    /// A code that is a second factor.
    public static let factorCode = Self("factor_code")

    // Mails that only tell.
    public static let accountExists = Self("account_exists")
    public static let passwordChanged = Self("password_changed")
    public static let emailChanged = Self("email_changed")
    public static let phoneChanged = Self("phone_changed")
    /// That there is none any more, where nothing has taken its place.
    public static let emailRemoved = Self("email_removed")
    public static let phoneRemoved = Self("phone_removed")
    /// That somebody is known by an identity provider from now on, and that they no longer are.
    public static let identityLinked = Self("identity_linked")
    public static let identityUnlinked = Self("identity_unlinked")
    /// That a second factor was set up, or is gone.
    public static let factorAdded = Self("factor_added")
    public static let factorRemoved = Self("factor_removed")
    /// That somebody signs in by a passkey from now on, and that they no longer do by one.
    public static let passkeyAdded = Self("passkey_added")
    public static let passkeyRemoved = Self("passkey_removed")
    /// That codes were made for when factors are lost, and that one of them was used.
    public static let backupCodesMade = Self("backup_codes_made")
    public static let backupCodeUsed = Self("backup_code_used")
    /// That wrong codes have locked the second factors for a while.
    public static let factorLocked = Self("factor_locked")
    /// That the account will be deleted unless its user signs in, and that somebody has.
    public static let deletionScheduled = Self("deletion_scheduled")
    public static let deletionCancelled = Self("deletion_cancelled")
    /// That somebody signed in from a device that the account was never used on.
    public static let newDevice = Self("new_device")
    public static let accountDeleted = Self("account_deleted")
    public static let accountLocked = Self("account_locked")
    /// The link to everything that is held about somebody.
    public static let accountExport = Self("account_export")

    /// That second factors will be removed whose user says that they are lost, with the link that stops it; that a
    /// sign-in removes them from now on, that nobody does any more, and that they are gone.
    public static let factorRecoveryBegun = Self("factor_recovery_begun")
    public static let factorRecoveryReady = Self("factor_recovery_ready")
    public static let factorRecoveryStopped = Self("factor_recovery_stopped")
    public static let factorRecoveryDone = Self("factor_recovery_done")

    /// Not a mail of its own: in an operator's wording, both ``emailChangeCurrent`` and ``emailChangeNew``.
    public static let emailChange = Self("email_change")

    /// Every kind of mail there is.
    public static let allKnown: [MailKind] = [
        confirmation, recovery, magicLink, invite, emailChangeCurrent, emailChangeNew, reauthentication,
        temporaryPassword, accountExists, passwordChanged, emailChanged, phoneChanged, emailRemoved, phoneRemoved,
        identityLinked, identityUnlinked, factorCode, factorAdded, factorRemoved, passkeyAdded, passkeyRemoved,
        backupCodesMade, backupCodeUsed, factorLocked, accountDeleted, deletionScheduled, deletionCancelled, newDevice,
        accountLocked, accountExport, factorRecoveryBegun, factorRecoveryReady, factorRecoveryStopped,
        factorRecoveryDone,
    ]
}
