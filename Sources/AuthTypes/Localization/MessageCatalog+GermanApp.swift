// SPDX-License-Identifier: Apache-2.0

extension MessageCatalog {
    /// What only an app says. The codes of its errors are the app's, so that they stand here by their keys.
    static let germanOfApp: [MessageKey: String] = [
        MessageKey(rawValue: "auth.error_cancelled"):
            "Die Anmeldung wurde abgebrochen.",
        MessageKey(rawValue: "auth.error_insecure_transport"):
            "Diese Verbindung ist nicht sicher, daher wurde nichts gesendet.",
        MessageKey(rawValue: "auth.error_untrusted_server"):
            "Der Dienst konnte sich nicht ausweisen. Möglicherweise liest jemand in diesem Netz mit.",
        MessageKey(rawValue: "auth.error_store_unavailable"):
            "Ihre gespeicherte Anmeldung ist derzeit nicht lesbar. Bitte entsperren Sie das Gerät.",
        MessageKey(rawValue: "auth.error_not_signed_in"):
            "Bitte melden Sie sich zuerst an.",
        MessageKey(rawValue: "auth.error_superseded"):
            "In der Zwischenzeit hat sich jemand anders an- oder abgemeldet.",
        MessageKey(rawValue: "auth.error_offline_read_only"):
            "Stellen Sie eine Verbindung her, um Änderungen vorzunehmen",
        MessageKey(rawValue: "auth.error_offline_blocked"):
            "Sitzung abgelaufen - bitte stellen Sie eine Verbindung her, um fortzufahren",

        .neverSignedIn: "Bitte melden Sie sich an.",
        .userSignedOut: "Sie haben sich abgemeldet.",
        .signedOutExpired: "Ihre Sitzung ist abgelaufen. Bitte melden Sie sich erneut an.",
        .signedOutRevoked: "Ihre Sitzung wurde anderswo beendet. Bitte melden Sie sich erneut an.",
        .signedOutDeleted: "Ihr Konto wurde gelöscht.",
        .signedOutDisabled: "Ihr Konto wurde deaktiviert. Bitte wenden Sie sich an den Support.",
        .signedOutCorrupted:
            "Ihre gespeicherte Anmeldung konnte nicht gelesen werden. Bitte melden Sie sich erneut an.",
        .wayRetry: "Erneut versuchen",
        .waySignIn: "Anmelden",
        .wayReconnect: "Stellen Sie eine Internetverbindung her und versuchen Sie es erneut",
        .wayCorrect: "Bitte überprüfen Sie Ihre Eingabe",
        .wayConfirm: "Nachricht erneut senden",
        .wayNewOne: "Neu anfordern",
        .wayWait: "Bitte warten Sie {minutes} Min., bevor Sie es erneut versuchen",
        .wayAnother: "Auf andere Weise anmelden",
        .waySupport: "Support kontaktieren: {address}",
        .unknownError: "Ein Fehler ist aufgetreten ({code}). Bitte versuchen Sie es später erneut.",
        .offlineReadOnlyBanner: "Offline - Änderungen werden später übertragen",
        .offlineBlockedBanner: "Sitzung abgelaufen - bitte stellen Sie eine Verbindung her, um fortzufahren",
        .offlineTooltip: "Stellen Sie eine Verbindung her, um Änderungen vorzunehmen",
        .confirmationSent: "Wir haben eine Nachricht an {destination} gesendet.",
        .confirmationSentAgain:
            "Falls die Adresse noch auf ihre Bestätigung wartet, haben wir die Nachricht erneut gesendet.",
        .confirmedSignIn: "Ihre Adresse wurde bestätigt. Bitte melden Sie sich an.",
        .recoverySent: "Falls es ein Konto mit dieser Adresse gibt, haben wir eine Anleitung dorthin gesendet.",
        .passwordChanged: "Ihr Passwort wurde geändert.",
        .passwordsDiffer: "Die beiden Passwörter stimmen nicht überein.",
        .fieldMissing: "Bitte füllen Sie dieses Feld aus.",
        .verifyBanner: "Bitte bestätigen Sie Ihre E-Mail-Adresse {email}.",
        .verifyBannerPlain: "Bitte bestätigen Sie Ihre E-Mail-Adresse.",
        .verifyResend: "Bestätigungsmail erneut senden",
        .activitiesEmpty: "Hier ist noch nichts. Beginnen Sie Ihre erste Einheit: Jede Übung zählt!",
        .signOutTitle: "Abmelden?",
        .signOutLead: "Auf diesem Gerät müssen Sie sich danach erneut anmelden.",
        .signOutUnsynced: "{count} Änderungen sind noch nicht übertragen und gehen verloren.",
        .signOutKeep: "Meine Daten auf diesem Gerät behalten",
        .signOutKeepWarning: "Wer dieses Gerät benutzen kann, kann die Daten sehen, die darauf bleiben.",
        .signOutConfirm: "Abmelden",
        .cancel: "Abbrechen",
        .deleteTitle: "Konto löschen?",
        .deleteLead: "Ihr Konto und alles darin wird endgültig gelöscht. Das lässt sich nicht rückgängig machen.",
        .deleteGrace:
            "Sie werden überall abgemeldet, und Ihr Konto wird mit allem darin gelöscht, sobald die Frist abgelaufen ist. "
            + "Wenn Sie sich vorher anmelden, behalten Sie es.",
        .deleteProof: "Bitte weisen Sie noch einmal nach, dass Sie es sind.",
        .deleteConfirm: "Konto löschen",
        .sessionCurrent: "Dieses Gerät",
        .sessionUnknown: "Unbekanntes Gerät",
        .sessionRevoke: "Dieses Gerät abmelden",
        .sessionRevokeOthers: "Alle anderen Geräte abmelden",
        .consentAnalytics: "Den Herstellern dieser App mitteilen, wie sie benutzt wird",
        .consentCrashReporting: "Abstürze und Fehler melden",
        .consentTelemetry: "Melden, wie gut die App funktioniert",
        .consentPersonalizedData: "In diesen Berichten stehen lassen, was mich kenntlich macht",
    ]
}
