// SPDX-License-Identifier: Apache-2.0

extension MessageCatalog {
    /// What only an app says about second factors, passkeys, and the end of an account.
    static let germanOfFactors: [MessageKey: String] = [
        .factorOfApp:
            "Geben Sie den Code ein, den Ihre Authenticator-App zeigt.",
        .factorSent:
            "Geben Sie den Code ein, der an {destination} gesendet wurde.",
        .factorSentPlain:
            "Geben Sie den Code ein, der Ihnen gesendet wurde.",
        .factorOfKey:
            "Bestätigen Sie mit Ihrem Passkey oder Sicherheitsschlüssel.",
        .factorChoice:
            "Wie möchten Sie zeigen, dass Sie es sind?",
        .factorDemanded:
            "Hier wird ein zweiter Faktor verlangt. Wählen Sie, welchen Sie einrichten.",
        .factorSetUpApp:
            "Scannen Sie den Code mit einer Authenticator-App oder tippen Sie den Schlüssel ein. "
            + "Geben Sie dann den Code ein, den sie zeigt.",
        .factorAdded:
            "Er wird künftig bei der Anmeldung verlangt.",
        .factorRemoved:
            "Er wird nicht mehr verlangt.",
        .factorNone:
            "Sie haben noch keinen zweiten Faktor. Mit einem kommt niemand allein mit Ihrem "
            + "Passwort hinein.",
        .factorProveFirst:
            "Bitte weisen Sie zuerst einen Ihrer zweiten Faktoren nach.",
        .factorUseBackupCode:
            "Einen Ersatzcode verwenden",
        .factorEnterBackupCode:
            "Geben Sie einen Ihrer Ersatzcodes ein. Jeder gilt einmal.",
        .backupCodesLead:
            "Bewahren Sie diese Codes sicher auf. Jeder gilt einmal, und sie werden nicht noch "
            + "einmal gezeigt.",
        .backupCodesLeft:
            "Übrige Ersatzcodes: {count}",
        .factorAuthenticator:
            "Authenticator-App",
        .factorPhone:
            "Code per SMS",
        .factorEmail:
            "Code per E-Mail",
        .factorSecurityKey:
            "Sicherheitsschlüssel",
        .factorPasskey:
            "Passkey (Gesicht, Finger oder PIN)",
        .factorBackupCode:
            "Ersatzcode",
        .factorPassword:
            "Passwort",
        .passkeysNone:
            "Sie haben noch keine Passkeys. Mit einem melden Sie sich ohne Passwort an.",
        .passkeyAdded:
            "Ab jetzt können Sie sich mit diesem Passkey anmelden.",
        .passkeyRemoved:
            "Mit diesem Passkey meldet sich niemand mehr an.",
        .exportLead:
            "Sie erhalten per E-Mail einen Link zu allem, was über Sie gespeichert ist. Er gilt "
            + "einmal und nur kurze Zeit.",
        .exportSent:
            "Ein Link zu Ihren Daten ist unterwegs in Ihr Postfach.",
        .deleteDue:
            "Ihr Konto wird am {date} gelöscht. Wenn Sie sich vorher anmelden, bleibt es bestehen.",
        .termsLead:
            "Bitte lesen Sie dies und stimmen Sie zu, und melden Sie sich dann an.",
        .wayTerms:
            "Lesen und zustimmen",
    ]
}
