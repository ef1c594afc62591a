// SPDX-License-Identifier: Apache-2.0

extension MessageCatalog {
    /// Of the pages on which people see to their account, and to its second factors.
    static let germanAccount: [PageText: String] = [
        .secondFactor: "Code eingeben",
        .factorAppLead: "Öffnen Sie Ihre Authenticator-App, und geben Sie den Code ein, den sie zeigt.",
        .factorAppNamedLead: "Öffnen Sie Ihre Authenticator-App ({name}), und geben Sie den Code ein, den sie zeigt.",
        .factorSendLead: "Lassen Sie sich einen Code an {address} senden, und geben Sie ihn hier ein.",
        .factorElsewhere:
            "Ihr zweiter Faktor lässt sich auf dieser Seite nicht verwenden. Bitte melden Sie sich in der "
            + "App an, in der Sie ihn eingerichtet haben.",
        .lostFactor: "Ich habe mein Gerät verloren",
        .lostFactorTitle: "Ohne zweiten Faktor anmelden",
        .lostFactorLead:
            "Falls sich keiner Ihrer zweiten Faktoren wiederfindet, lassen sie sich nach einer Wartezeit entfernen: Ab {time} "
            + "tut das eine Anmeldung.",
        .lostFactorNote:
            "Wir sagen Ihnen das überall, wo wir Sie erreichen. Wer diese Nachricht bekommt oder einen der Faktoren hat, kann "
            + "es bis dahin verhindern.",
        .lostFactorButton: "Wartezeit beginnen",
        .lostFactorElsewhere:
            "Ihre zweiten Faktoren lassen sich so nicht entfernen. Bitte wenden Sie sich an den Betreiber.",
        .lostFactorWaits: "Ihre zweiten Faktoren werden entfernt",
        .lostFactorWaitsLead:
            "Bitte kommen Sie zwischen {time} und {end} wieder und melden Sie sich an: Das entfernt sie. Bis dahin ändert sich "
            + "nichts. Wir haben Ihnen eine Nachricht geschickt, mit der Sie es verhindern können.",
        .lostFactorRipeLead:
            "Die Wartezeit ist um. Bitte melden Sie sich vor {end} noch einmal an: Das entfernt sie, und Sie können neue "
            + "einrichten.",
        .recoveryStopped: "Ihre zweiten Faktoren bleiben",
        .recoveryStoppedLead:
            "Niemand entfernt sie jetzt. Falls Sie es nicht gewünscht haben, kennt jemand Ihr Passwort: Bitte ändern Sie es.",
        .factorLocked: "Es waren zu viele falsche Codes. Bitte versuchen Sie es in {minutes} Minuten noch einmal.",
        .factorUse: "Anders bestätigen: {factor}",
        .factorApp: "Authenticator-App",
        .factorText: "SMS",
        .factorMail: "E-Mail",
        .factorKey: "Sicherheitsschlüssel",
        .factorKeyOrDevice: "Sicherheitsschlüssel oder dieses Gerät",
        .newKeyLead:
            "Außer nach dem Passwort werden Sie dann nach einem Sicherheitsschlüssel gefragt, oder nach dem, was dieses "
            + "Gerät entsperrt: Fingerabdruck, Gesicht oder PIN.",
        .keyMake: "Jetzt einrichten",
        .keyLead:
            "Halten Sie den Sicherheitsschlüssel oder das Gerät bereit, das Sie für Ihr Konto eingerichtet haben.",
        .keyUse: "Schlüssel oder Gerät verwenden",
        .passkey: "Ihr Passkey",
        .passkeys: "Passkeys",
        .passkeysLead:
            "Mit einem Passkey melden Sie sich durch Fingerabdruck, Gesicht oder die PIN Ihres Geräts an. Es gibt kein "
            + "Passwort, das Sie sich merken müssten, und keines, das jemand stehlen könnte.",
        .noPasskeys: "Sie haben keine Passkeys.",
        .passkeysCount: "{count} eingerichtet",
        .passkeySince: "Hinzugefügt {time}",
        .passkeyAdd: "Passkey hinzufügen",
        .passkeyNew: "Passkey hinzufügen",
        .passkeyNewLead:
            "Ihr Browser bittet Sie, dieses Gerät zu entsperren, oder bietet an, ein Telefon oder einen "
            + "Sicherheitsschlüssel zu verwenden. Der Passkey bleibt dort; bei uns liegt nichts, womit sich jemand anderes "
            + "anmelden könnte.",
        .passkeyMake: "Passkey erstellen",
        .passkeyAdded: "Ihr Passkey ist eingerichtet. Sie können sich ab jetzt damit anmelden.",
        .passkeyName: "Passkey umbenennen",
        .passkeyNameLead: "Wählen Sie einen Namen, an dem Sie erkennen, wo der Passkey ist.",
        .passkeyNameLabel: "Name des Passkeys",
        .passkeyNameTaken: "Sie haben bereits einen anderen dieses Namens.",
        .passkeyNamed: "Der Passkey wurde umbenannt.",
        .passkeyRemoveTitle: "Diesen Passkey entfernen?",
        .passkeyRemoveLead:
            "Mit {passkey} kann sich dann niemand mehr anmelden. Ihr Gerät bietet ihn vielleicht noch an: Löschen Sie ihn "
            + "auch dort.",
        .passkeyRemoved: "Der Passkey wurde entfernt.",
        .passkeySignIn: "Mit Passkey anmelden",
        .passkeyUse: "Passkey verwenden",
        .passkeyUseLead: "Melden Sie sich stattdessen mit einem Ihrer Passkeys an.",
        .passkeyNoScript:
            "Hierfür braucht es JavaScript und einen Browser, der Passkeys kennt. Alles andere geht hier auch ohne.",
        .passkeyStopped: "Es wurde nichts bestätigt. Sie können es noch einmal versuchen.",
        .passkeyFailed:
            "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.",
        .passkeyKnown: "Dieses Gerät oder dieser Schlüssel ist für Ihr Konto schon eingerichtet.",
        .passkeyRefused:
            "Das lässt sich hier für Ihr Konto nicht verwenden. Bitte versuchen Sie es noch einmal, oder wählen Sie einen "
            + "anderen Weg.",
        .passkeyLate: "Das hat zu lange gedauert oder wurde schon gesendet. Bitte versuchen Sie es noch einmal.",
        .rename: "Umbenennen",
        .backupCodeLead: "Geben Sie einen der Ersatzcodes ein, die Sie aufgeschrieben haben. Jeder gilt einmal.",
        .backupCodeLabel: "Ersatzcode",
        .backupCodeHint: "Etwa k3wq-7zfa-m2xd-pq6h",
        .backupCodeUse: "Einen Ersatzcode verwenden",
        .newFactor: "Anmeldung in zwei Schritten einrichten",
        .newFactorLead: "Außer nach dem Passwort werden Sie dann nach einem Code gefragt, den nur Sie haben können.",
        .newFactorDemanded: "Ihr Konto braucht zur Anmeldung einen zweiten Schritt.",
        .newAppLead:
            "Sie brauchen eine Authenticator-App auf Ihrem Telefon oder Computer: Sie zeigt alle 30 "
            + "Sekunden einen neuen Code.",
        .newTextLead: "Wir senden bei jeder Anmeldung einen Code per SMS.",
        .newMailLead: "Wir senden bei jeder Anmeldung einen Code per E-Mail.",
        .factorNoKind: "Hier lässt sich kein zweiter Faktor einrichten. Bitte wenden Sie sich an den Betreiber.",
        .scanLead:
            "Lesen Sie dieses Bild mit Ihrer Authenticator-App ein, und geben Sie dann den Code ein, den "
            + "sie zeigt.",
        .scanImage: "QR-Code für Ihre Authenticator-App",
        .openApp: "App auf diesem Gerät öffnen",
        .typeSecret: "Oder tippen Sie diesen Schlüssel in die App:",
        .backupCodes: "Ersatzcodes",
        .backupCodesLead:
            "Schreiben Sie diese Codes auf oder drucken Sie sie aus, und bewahren Sie sie sicher auf. Jeder "
            + "lässt Sie einmal hinein, wenn Sie Ihren zweiten Faktor verlieren. Sie werden nur jetzt "
            + "gezeigt.",
        .backupCodesKept: "Ich habe sie aufbewahrt",
        .backupCodesMake: "Neue Codes erstellen",
        .backupCodesMakeLead: "Sie bekommen zehn Codes für den Tag, an dem Sie Ihren zweiten Faktor verlieren.",
        .backupCodesAnewLead: "Sie bekommen zehn neue Codes. Die bisherigen gelten dann nicht mehr.",
        .backupCodesLeft: "Sie haben noch {count} Codes.",
        .noBackupCodes: "Sie haben keine Ersatzcodes.",
        .factors: "Anmeldung in zwei Schritten",
        .factorsLead: "Wer Ihr Passwort erfährt, kann sich ohne Ihren zweiten Faktor trotzdem nicht anmelden.",
        .noFactors: "Sie haben keinen zweiten Faktor eingerichtet.",
        .factorAdd: "Zweiten Faktor hinzufügen",
        .factorAdded: "Ihr zweiter Faktor ist eingerichtet.",
        .remove: "Entfernen",
        .factorRemoveLabel: "{factor}: Entfernen",
        .factorRemoveTitle: "Diesen zweiten Faktor entfernen?",
        .factorRemoveLead: "{factor} wird bei der Anmeldung nicht mehr verlangt.",
        .factorRemoveLastLead:
            "{factor} ist Ihr einziger: Dann genügt Ihr Passwort, und Ihre Ersatzcodes gelten nicht mehr.",
        .factorRemoved: "Der zweite Faktor wurde entfernt.",
        .profile: "Profil",
        .profileSaved: "Ihr Profil wurde gespeichert.",
        .save: "Speichern",
        .change: "Ändern",
        .changeLabel: "{what}: Ändern",
        .notSet: "Nicht angegeben",
        .notSetUp: "Nicht eingerichtet",
        .notConfirmed: "{address} (noch nicht bestätigt)",
        .localeBrowser: "Wie im Browser",
        .changeEmail: "E-Mail-Adresse ändern",
        .changeEmailLead: "Ihre Adresse jetzt: {address}",
        .changeEmailSent:
            "Wir haben eine Nachricht an {address} gesendet. Öffnen Sie den Link darin, oder geben Sie den "
            + "Code hier ein. Bis dahin bleibt Ihre bisherige Adresse.",
        .changeEmailBoth:
            "Wir haben Nachrichten an {address} und an Ihre bisherige Adresse gesendet. Die Änderung gilt, "
            + "sobald die Links in beiden geöffnet oder beide Codes hier eingegeben wurden.",
        .newEmailLabel: "Neue E-Mail-Adresse",
        .changePhone: "Telefonnummer ändern",
        .changePhoneLead: "Ihre Nummer jetzt: {address}",
        .newPhoneLabel: "Neue Telefonnummer",
        .phoneChanged: "Ihre Telefonnummer ist bestätigt.",
        .identities: "Andere Wege zur Anmeldung",
        .identitiesLead: "Konten anderswo, mit denen Sie sich hier anmelden können.",
        .noIdentities: "Es gibt keine.",
        .identityLink: "{provider} verbinden",
        .identityLinked: "Das Konto ist verbunden.",
        .identityUnlinked: "Das Konto ist nicht mehr verbunden.",
        .identityRemoveTitle: "Dieses Konto trennen?",
        .identityRemoveLead: "Mit {provider} können Sie sich dann nicht mehr anmelden.",
        .signInMethods: "Wie Sie sich anmelden",
        .undoFactor: "Waren das nicht Sie?",
        .undoFactorButton: "Entfernen und neues Passwort wählen",
        .undoPasskeyButton: "Entfernen und neues Passwort wählen",
        .undoFactorLead: "Seit {time} wird bei der Anmeldung als {user} nach {factor} gefragt.",
        .undoPasskeyLead: "Seit {time} gibt es einen Passkey, mit dem man sich als {user} anmelden kann.",
        .undoEffect:
            "War das jemand anderes, so kennt er Ihr Passwort oder hat Ihr Gerät benutzt. Wenn Sie es entfernen, werden alle "
            + "abgemeldet, und Sie wählen ein neues Passwort.",
        .undoNote: "Waren Sie es, ist nichts zu tun: Schließen Sie diese Seite.",
        .undone: "Es wurde entfernt, und alle sind abgemeldet. Wählen Sie jetzt ein neues Passwort.",
        .linkDeadUndo:
            "Er gilt einmal und einen Tag lang, und nur, solange es noch gibt, was er entfernt. Ist jemand anderes in Ihr "
            + "Konto gelangt, wählen Sie ein neues Passwort, und sehen Sie nach, was es dort gibt.",
        .data: "Daten und Privatsphäre",
        .dataSummary: "Eine Kopie Ihrer Daten und das Ende Ihres Kontos",
        .dataOpen: "Daten und Privatsphäre: Öffnen",
        .open: "Öffnen",
        .dataExport: "Ihre Daten",
        .dataExportLead:
            "Alles, was bei uns über Sie gespeichert ist, als Datei. Wir senden einen Link an {address}; er gilt einmal und "
            + "kurze Zeit.",
        .dataExportButton: "Link senden",
        .dataExportNoMailbox: "Wir senden Ihre Daten an Ihre E-Mail-Adresse, sobald Sie eine bestätigt haben.",
        .dataExportSent: "Wir haben Ihnen einen Link gesendet. Bitte sehen Sie in Ihrem Postfach nach.",
        .deleteAccount: "Konto löschen",
        .deleteAccountLead: "Wir zeigen Ihnen vorher, was damit gelöscht wird.",
        .deleteAccountAsk: "Weiter zum Löschen",
        .deleteTitle: "Ihr Konto löschen?",
        .deleteLead: "Es geht um das Konto {user}.",
        .deleteButton: "Mein Konto löschen",
        .deleteWhat: "Gelöscht wird damit:",
        .deleteProfile: "Ihr Profil, Ihre Adressen und was Apps hier über Sie gespeichert haben",
        .deleteSessions: "wo Sie angemeldet sind: {count}",
        .deleteProviders: "die Anmeldung mit {providers}",
        .deleteFactors: "zweite Faktoren: {count}",
        .deleteApps: "was Sie Apps erlaubt haben",
        .deleteRemains: "Es bleibt eine Nummer, die nichts über Sie sagt, und wann das Konto gelöscht wurde.",
        .deleteGrace:
            "Innerhalb von {time} können Sie es sich anders überlegen: Melden Sie sich an, und alles ist wie zuvor.",
        .deleteAtOnce: "Das geschieht sofort und lässt sich nicht zurücknehmen.",
        .deleted: "Ihr Konto ist gelöscht",
        .deletedLead: "Sie sind überall abgemeldet, und was über Sie gespeichert war, ist fort.",
        .deletedDue: "Ihr Konto wird gelöscht",
        .deletedDueLead:
            "Sie sind überall abgemeldet. Sollten Sie es sich anders überlegen, melden Sie sich innerhalb von {time} an: Dann "
            + "bleibt alles, wie es war.",
        .accountKept: "Willkommen zurück: Ihr Konto wird nicht gelöscht.",
        .oneDay: "1 Tag",
        .days: "{count} Tagen",
        .oneHour: "1 Stunde",
        .hours: "{count} Stunden",
        .sessionsLead: "Melden Sie ab, was Sie nicht kennen oder nicht mehr benutzen.",
        .sessionsMore: "Mehr zeigen",
        .sessionsAll: "Alle mit Einzelheiten",
        .sessionRemembered: "Gemerktes Gerät",
        .sessionSince: "Seit {time}",
        .othersEnd: "Überall sonst abmelden",
        .othersEnded: "Sie sind überall sonst abgemeldet.",
        .sessionFrom: "von {place}",
        .agreeTitle: "Bevor es weitergeht",
        .agreeLead: "Es gibt etwas Neues zu lesen. Um sich anzumelden, stimmen Sie zu:",
        .agreeButton: "Ich stimme zu",
        .agreeVersion: "Fassung {version}",
        .agreeReadLabel: "{title} (öffnet ein neues Fenster)",
        .agreeDone: "Vielen Dank",
        .agreeDoneLead: "Sie können zur App zurückkehren und sich anmelden.",
        .consents: "Einwilligungen",
        .consentsLead: "Was Sie erlauben. Sie können es sich jederzeit anders überlegen.",
        .consentsMore: "Mehr lesen",
        .consentsSaved: "Ihre Einwilligungen sind gespeichert.",
        .consentsDocuments: "Wozu Sie Ja gesagt haben",
        .consentsAgreed: "zugestimmt am {time}",
        .consentsAgreedOther: "Fassung {version} zugestimmt am {time}",
        .consentsNotAgreed: "nicht zugestimmt",
    ]
}
