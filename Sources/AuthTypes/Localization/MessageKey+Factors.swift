// SPDX-License-Identifier: Apache-2.0

/// The keys of what an app shows about second factors, passkeys, and the end of an account.
extension MessageKey {
    /// Asks for the code of an authenticator app.
    public static let factorOfApp = Self(rawValue: "auth.factor_of_app")
    /// Needs the value `destination`.
    public static let factorSent = Self(rawValue: "auth.factor_sent")
    /// Asks for a code that was sent, where nothing says to where.
    public static let factorSentPlain = Self(rawValue: "auth.factor_sent_plain")
    /// Asks for a passkey or a security key.
    public static let factorOfKey = Self(rawValue: "auth.factor_of_key")
    /// Asks which factor is to be shown.
    public static let factorChoice = Self(rawValue: "auth.factor_choice")
    /// A second factor must be set up first.
    public static let factorDemanded = Self(rawValue: "auth.factor_demanded")
    /// How an authenticator app is set up.
    public static let factorSetUpApp = Self(rawValue: "auth.factor_set_up_app")
    /// A factor is there from now on.
    public static let factorAdded = Self(rawValue: "auth.factor_added")
    /// A factor is gone.
    public static let factorRemoved = Self(rawValue: "auth.factor_removed")
    /// In the place of a list without factors.
    public static let factorNone = Self(rawValue: "auth.factor_none")
    /// One of the user's factors must be shown first.
    public static let factorProveFirst = Self(rawValue: "auth.factor_prove_first")
    /// The button for a backup code.
    public static let factorUseBackupCode = Self(rawValue: "auth.factor_use_backup_code")
    /// Asks for a backup code.
    public static let factorEnterBackupCode = Self(rawValue: "auth.factor_enter_backup_code")
    /// What backup codes are good for, above a list of them.
    public static let backupCodesLead = Self(rawValue: "auth.backup_codes_lead")
    /// Needs the value `count`.
    public static let backupCodesLeft = Self(rawValue: "auth.backup_codes_left")
    /// What an authenticator app is called.
    public static let factorAuthenticator = Self(rawValue: "auth.factor_authenticator")
    /// What a code by text message is called.
    public static let factorPhone = Self(rawValue: "auth.factor_phone")
    /// What a code by mail is called.
    public static let factorEmail = Self(rawValue: "auth.factor_email")
    /// What a security key is called.
    public static let factorSecurityKey = Self(rawValue: "auth.factor_security_key")
    /// What a passkey is called.
    public static let factorPasskey = Self(rawValue: "auth.factor_passkey")
    /// What a backup code is called.
    public static let factorBackupCode = Self(rawValue: "auth.factor_backup_code")
    /// What a password is called.
    public static let factorPassword = Self(rawValue: "auth.factor_password")
    /// In the place of a list without passkeys.
    public static let passkeysNone = Self(rawValue: "auth.passkeys_none")
    /// A passkey is there from now on.
    public static let passkeyAdded = Self(rawValue: "auth.passkey_added")
    /// A passkey is gone.
    public static let passkeyRemoved = Self(rawValue: "auth.passkey_removed")
    /// What the user gets who asks for what is held about them.
    public static let exportLead = Self(rawValue: "auth.export_lead")
    /// The link to it is on its way.
    public static let exportSent = Self(rawValue: "auth.export_sent")
    /// Needs the value `date`.
    public static let deleteDue = Self(rawValue: "auth.delete_due")
    /// There are terms to be agreed to before a sign-in.
    public static let termsLead = Self(rawValue: "auth.terms_lead")
    /// The button that leads to the terms.
    public static let wayTerms = Self(rawValue: "auth.way_terms")

    /// Every key above, for the test that no text is without a use.
    package static let allOfFactors: [MessageKey] = [
        .factorOfApp, .factorSent, .factorSentPlain, .factorOfKey, .factorChoice, .factorDemanded, .factorSetUpApp,
        .factorAdded, .factorRemoved, .factorNone, .factorProveFirst, .factorUseBackupCode, .factorEnterBackupCode,
        .backupCodesLead, .backupCodesLeft, .factorAuthenticator, .factorPhone, .factorEmail, .factorSecurityKey,
        .factorPasskey, .factorBackupCode, .factorPassword, .passkeysNone, .passkeyAdded, .passkeyRemoved,
        .exportLead, .exportSent, .deleteDue, .termsLead, .wayTerms,
    ]
}
