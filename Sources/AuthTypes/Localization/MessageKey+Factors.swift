// SPDX-License-Identifier: Apache-2.0

/// The keys of what an app shows about second factors, passkeys, and the end of an account.
extension MessageKey {
    public static let factorOfApp = Self(rawValue: "auth.factor_of_app")
    /// Needs the value `destination`.
    public static let factorSent = Self(rawValue: "auth.factor_sent")
    public static let factorSentPlain = Self(rawValue: "auth.factor_sent_plain")
    public static let factorOfKey = Self(rawValue: "auth.factor_of_key")
    public static let factorChoice = Self(rawValue: "auth.factor_choice")
    public static let factorDemanded = Self(rawValue: "auth.factor_demanded")
    public static let factorSetUpApp = Self(rawValue: "auth.factor_set_up_app")
    public static let factorAdded = Self(rawValue: "auth.factor_added")
    public static let factorRemoved = Self(rawValue: "auth.factor_removed")
    public static let factorNone = Self(rawValue: "auth.factor_none")
    public static let factorProveFirst = Self(rawValue: "auth.factor_prove_first")
    public static let factorUseBackupCode = Self(rawValue: "auth.factor_use_backup_code")
    public static let factorEnterBackupCode = Self(rawValue: "auth.factor_enter_backup_code")
    public static let backupCodesLead = Self(rawValue: "auth.backup_codes_lead")
    /// Needs the value `count`.
    public static let backupCodesLeft = Self(rawValue: "auth.backup_codes_left")
    public static let factorAuthenticator = Self(rawValue: "auth.factor_authenticator")
    public static let factorPhone = Self(rawValue: "auth.factor_phone")
    public static let factorEmail = Self(rawValue: "auth.factor_email")
    public static let factorSecurityKey = Self(rawValue: "auth.factor_security_key")
    public static let factorPasskey = Self(rawValue: "auth.factor_passkey")
    public static let factorBackupCode = Self(rawValue: "auth.factor_backup_code")
    public static let factorPassword = Self(rawValue: "auth.factor_password")
    public static let passkeysNone = Self(rawValue: "auth.passkeys_none")
    public static let passkeyAdded = Self(rawValue: "auth.passkey_added")
    public static let passkeyRemoved = Self(rawValue: "auth.passkey_removed")
    public static let exportLead = Self(rawValue: "auth.export_lead")
    public static let exportSent = Self(rawValue: "auth.export_sent")
    /// Needs the value `date`.
    public static let deleteDue = Self(rawValue: "auth.delete_due")
    public static let termsLead = Self(rawValue: "auth.terms_lead")
    public static let wayTerms = Self(rawValue: "auth.way_terms")

    /// Every key above, for the test that no text is without a use.
    public static let allOfFactors: [MessageKey] = [
        .factorOfApp, .factorSent, .factorSentPlain, .factorOfKey, .factorChoice, .factorDemanded, .factorSetUpApp,
        .factorAdded, .factorRemoved, .factorNone, .factorProveFirst, .factorUseBackupCode, .factorEnterBackupCode,
        .backupCodesLead, .backupCodesLeft, .factorAuthenticator, .factorPhone, .factorEmail, .factorSecurityKey,
        .factorPasskey, .factorBackupCode, .factorPassword, .passkeysNone, .passkeyAdded, .passkeyRemoved,
        .exportLead, .exportSent, .deleteDue, .termsLead, .wayTerms,
    ]
}
