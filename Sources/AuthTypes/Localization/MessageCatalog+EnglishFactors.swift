// SPDX-License-Identifier: Apache-2.0

extension MessageCatalog {
    /// What only an app says about second factors, passkeys, and the end of an account.
    static let englishOfFactors: [MessageKey: String] = [
        .factorOfApp:
            "Enter the code that your authenticator app shows.",
        .factorSent:
            "Enter the code that was sent to {destination}.",
        .factorSentPlain:
            "Enter the code that was sent to you.",
        .factorOfKey:
            "Confirm with your passkey or security key.",
        .factorChoice:
            "How would you like to show that it is you?",
        .factorDemanded:
            "A second factor is needed here. Choose one to set up.",
        .factorSetUpApp:
            "Scan the code with an authenticator app, or type the key into it. Then enter the "
            + "code that it shows.",
        .factorAdded:
            "It will be asked for when you sign in.",
        .factorRemoved:
            "It is not asked for any more.",
        .factorNone:
            "You have no second factor yet. With one, nobody gets in by your password alone.",
        .factorProveFirst:
            "Please show one of your second factors first.",
        .factorUseBackupCode:
            "Use a backup code",
        .factorEnterBackupCode:
            "Enter one of your backup codes. Each works once.",
        .backupCodesLead:
            "Keep these codes in a safe place. Each works once, and they are not shown again.",
        .backupCodesLeft:
            "Backup codes left: {count}",
        .factorAuthenticator:
            "Authenticator app",
        .factorPhone:
            "Code by text message",
        .factorEmail:
            "Code by email",
        .factorSecurityKey:
            "Security key",
        .factorPasskey:
            "Passkey (face, finger or PIN)",
        .factorBackupCode:
            "Backup code",
        .factorPassword:
            "Password",
        .passkeysNone:
            "You have no passkeys yet. With one you sign in without a password.",
        .passkeyAdded:
            "You can sign in with this passkey from now on.",
        .passkeyRemoved:
            "This passkey signs nobody in any more.",
        .exportLead:
            "You get a link by email to everything that is held about you. It works once and for "
            + "a short time.",
        .exportSent:
            "A link to your data is on its way to your mailbox.",
        .deleteDue:
            "Your account will be deleted on {date}. Signing in before then keeps it.",
        .termsLead:
            "Please read this and agree to it, then sign in.",
        .wayTerms:
            "Read and agree",
    ]
}
