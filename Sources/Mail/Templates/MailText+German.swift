// SPDX-License-Identifier: Apache-2.0

extension MailText {
    static let german: [MailKind: MailText] = [
        .confirmation: MailText(
            subject: "Bestätigen Sie Ihre E-Mail-Adresse für {{siteName}}", heading: "E-Mail-Adresse bestätigen",
            paragraphs: ["Willkommen bei {{siteName}}. Bitte bestätigen Sie, dass {{email}} Ihre Adresse ist."],
            button: "Adresse bestätigen", code: "Oder geben Sie diesen Code ein:",
            footer: "Falls Sie sich nicht bei {{siteName}} registriert haben, können Sie diese E-Mail ignorieren."),
        .recovery: MailText(
            subject: "Setzen Sie Ihr Passwort für {{siteName}} zurück", heading: "Passwort zurücksetzen",
            paragraphs: ["Jemand, hoffentlich Sie, möchte das Passwort von {{email}} zurücksetzen."],
            button: "Neues Passwort wählen", code: "Oder geben Sie diesen Code ein:",
            footer: "Falls Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist."),
        .magicLink: MailText(
            subject: "Ihr Anmeldelink für {{siteName}}", heading: "Bei {{siteName}} anmelden",
            paragraphs: ["Folgen Sie dem Link, um sich als {{email}} anzumelden."], button: "Anmelden",
            code: "Oder geben Sie diesen Code ein:",
            footer: "Falls Sie sich nicht anmelden wollten, können Sie diese E-Mail ignorieren. "
                + "Geben Sie den Code niemandem."),
        .invite: MailText(
            subject: "Sie wurden zu {{siteName}} eingeladen", heading: "Sie wurden eingeladen",
            paragraphs: ["Sie wurden eingeladen, {{siteName}} als {{email}} beizutreten."],
            button: "Einladung annehmen", code: "Oder geben Sie diesen Code ein:",
            footer: "Falls Sie {{siteName}} nicht kennen, können Sie diese E-Mail ignorieren."),
        .emailChangeCurrent: MailText(
            subject: "Bestätigen Sie die Änderung Ihrer Adresse bei {{siteName}}", heading: "Änderung der Adresse",
            paragraphs: [
                "Jemand, hoffentlich Sie, möchte die Adresse Ihres Kontos von {{email}} zu {{newEmail}} ändern.",
                "Die Änderung gilt, sobald beide Adressen sie bestätigt haben.",
            ], button: "Änderung bestätigen", code: "Oder geben Sie diesen Code ein:",
            footer: "Falls Sie das nicht waren, bestätigen Sie nicht, und ändern Sie Ihr Passwort."),
        .emailChangeNew: MailText(
            subject: "Bestätigen Sie Ihre neue Adresse bei {{siteName}}", heading: "Neue Adresse bestätigen",
            paragraphs: [
                "Bitte bestätigen Sie, dass {{newEmail}} die Adresse Ihres Kontos bei {{siteName}} sein soll."
            ],
            button: "Adresse bestätigen", code: "Oder geben Sie diesen Code ein:",
            footer: "Falls Sie das nicht wollten, können Sie diese E-Mail ignorieren."),
        .reauthentication: MailText(
            subject: "Ihr Bestätigungscode für {{siteName}}", heading: "Bestätigen Sie, dass Sie es sind",
            paragraphs: ["Jemand, hoffentlich Sie, ist dabei, etwas Wichtiges an Ihrem Konto zu ändern."], button: nil,
            code: "Geben Sie diesen Code ein, um fortzufahren:",
            footer: "Falls Sie das nicht waren, ändern Sie Ihr Passwort. Geben Sie den Code niemandem."),
        .temporaryPassword: MailText(
            subject: "Ihr Konto bei {{siteName}}", heading: "Für Sie wurde ein Konto angelegt",
            paragraphs: [
                "Sie können sich jetzt bei {{siteName}} anmelden{{#username}}: als {{username}}{{/username}}.",
                "Dabei werden Sie gebeten, ein eigenes Passwort zu wählen.",
            ], button: nil, code: "Ihr vorläufiges Passwort:",
            footer: "Falls Sie {{siteName}} nicht kennen, können Sie diese E-Mail ignorieren."),
        .accountExists: MailText(
            subject: "Sie haben schon ein Konto bei {{siteName}}", heading: "Sie haben schon ein Konto",
            paragraphs: [
                "Jemand, hoffentlich Sie, wollte sich bei {{siteName}} mit {{email}} registrieren; dafür gibt es schon "
                    + "ein Konto.",
                "Melden Sie sich mit Ihrem Passwort an, oder setzen Sie es zurück, falls Sie es vergessen haben.",
            ], button: nil, code: nil, footer: "Falls Sie das nicht waren, brauchen Sie nichts zu tun."),
        .passwordChanged: MailText(
            subject: "Ihr Passwort für {{siteName}} wurde geändert", heading: "Ihr Passwort wurde geändert",
            paragraphs: [
                "Das Passwort von {{email}} wurde soeben geändert. Alle anderen Geräte wurden abgemeldet."
            ], button: nil, code: nil,
            footer:
                "Falls Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und wenden Sie sich an {{siteName}}."
        ),
        .emailChanged: MailText(
            subject: "Ihre Adresse bei {{siteName}} wurde geändert", heading: "Ihre Adresse wurde geändert",
            paragraphs: ["Die Adresse Ihres Kontos wurde von {{email}} zu {{newEmail}} geändert."], button: nil,
            code: nil, footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .accountDeleted: MailText(
            subject: "Ihr Konto bei {{siteName}} wurde gelöscht", heading: "Ihr Konto wurde gelöscht",
            paragraphs: ["Das Konto von {{email}} wurde soeben gelöscht. Alle Geräte wurden abgemeldet."],
            button: nil, code: nil, footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .deletionScheduled: MailText(
            subject: "Ihr Konto bei {{siteName}} wird gelöscht", heading: "Ihr Konto wird gelöscht",
            paragraphs: [
                "Das Konto von {{email}} wird mit allem darin gelöscht{{#time}}, am {{time}}{{/time}}. Alle Geräte wurden "
                    + "abgemeldet.",
                "Wenn Sie es behalten wollen, melden Sie sich vorher bei {{siteName}} an. Mehr ist nicht zu tun.",
            ], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, melden Sie sich an, ändern Sie Ihr Passwort und wenden Sie sich sofort "
                + "an {{siteName}}."),
        .deletionCancelled: MailText(
            subject: "Ihr Konto bei {{siteName}} bleibt", heading: "Ihr Konto wird nicht gelöscht",
            paragraphs: ["Jemand, hoffentlich Sie, hat sich als {{email}} angemeldet. Das Konto wird nicht gelöscht."],
            button: nil, code: nil,
            footer:
                "Falls Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und wenden Sie sich an {{siteName}}."
        ),
        .newDevice: MailText(
            subject: "Eine neue Anmeldung bei Ihrem Konto bei {{siteName}}", heading: "Anmeldung von einem neuen Gerät",
            paragraphs: [
                "Jemand, hoffentlich Sie, hat sich als {{email}} von einem Gerät angemeldet, das bisher nicht benutzt wurde.",
                "Das war{{#time}} am {{time}}{{/time}}{{#network}}, aus dem Netz {{network}}{{/network}}"
                    + "{{#device}}, mit {{device}}{{/device}}.",
            ], button: nil, code: nil,
            footer:
                "Falls Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und wenden Sie sich an {{siteName}}."
        ),
        .phoneChanged: MailText(
            subject: "Ihre Telefonnummer bei {{siteName}} wurde geändert", heading: "Ihre Telefonnummer wurde geändert",
            paragraphs: ["Die Telefonnummer von {{email}} wurde soeben geändert."], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .emailRemoved: MailText(
            subject: "Ihre Adresse bei {{siteName}} wurde entfernt", heading: "Ihre Adresse wurde entfernt",
            paragraphs: ["Die Adresse {{email}} wurde soeben von Ihrem Konto entfernt."], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .phoneRemoved: MailText(
            subject: "Ihre Telefonnummer bei {{siteName}} wurde entfernt",
            heading: "Ihre Telefonnummer wurde entfernt",
            paragraphs: ["Die Telefonnummer von {{email}} wurde soeben entfernt."], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .identityLinked: MailText(
            subject: "{{provider}} wurde mit Ihrem Konto bei {{siteName}} verknüpft",
            heading: "{{provider}} wurde mit Ihrem Konto verknüpft",
            paragraphs: ["Wer sich bei {{provider}} als Sie anmeldet, kommt von nun an in das Konto von {{email}}."],
            button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .identityUnlinked: MailText(
            subject: "{{provider}} wurde von Ihrem Konto bei {{siteName}} entfernt",
            heading: "{{provider}} wurde von Ihrem Konto entfernt",
            paragraphs: ["Mit {{provider}} kommt niemand mehr in das Konto von {{email}}."], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .factorCode: MailText(
            subject: "Ihr Sicherheitscode für {{siteName}}", heading: "Ihr Sicherheitscode",
            paragraphs: [
                "Jemand, hoffentlich Sie, meldet sich als {{email}} an und wurde nach dem zweiten Faktor gefragt."
            ],
            button: nil, code: "Geben Sie diesen Code ein:",
            footer:
                "Falls Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es. Geben Sie den Code an niemanden weiter."
        ),
        .factorAdded: MailText(
            subject: "Ihrem Konto bei {{siteName}} wurde ein zweiter Faktor hinzugefügt",
            heading: "Ein zweiter Faktor wurde hinzugefügt",
            paragraphs: ["Wer sich als {{email}} anmeldet, wird von nun an auch danach gefragt."],
            button: "Das war ich nicht", code: nil,
            footer:
                "{{#link}}Waren Sie das, ist nichts zu tun. Der Link nimmt es wieder fort, meldet alle ab und führt zu einem "
                + "neuen Passwort.{{/link}}{{^link}}Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."
                + "{{/link}}"),
        .factorRemoved: MailText(
            subject: "Ein zweiter Faktor Ihres Kontos bei {{siteName}} wurde entfernt",
            heading: "Ein zweiter Faktor wurde entfernt",
            paragraphs: ["Ein zweiter Faktor von {{email}} wurde soeben entfernt."], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .passkeyAdded: MailText(
            subject: "Ihrem Konto bei {{siteName}} wurde ein Passkey hinzugefügt",
            heading: "Ein Passkey wurde hinzugefügt",
            paragraphs: ["Mit ihm kann man sich von nun an ohne Passwort als {{email}} anmelden."],
            button: "Das war ich nicht", code: nil,
            footer:
                "{{#link}}Waren Sie das, ist nichts zu tun. Der Link nimmt es wieder fort, meldet alle ab und führt zu einem "
                + "neuen Passwort.{{/link}}{{^link}}Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."
                + "{{/link}}"),
        .passkeyRemoved: MailText(
            subject: "Ein Passkey Ihres Kontos bei {{siteName}} wurde entfernt",
            heading: "Ein Passkey wurde entfernt",
            paragraphs: ["Ein Passkey von {{email}} wurde soeben entfernt."], button: nil, code: nil,
            footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .backupCodesMade: MailText(
            subject: "Neue Ersatzcodes für Ihr Konto bei {{siteName}}", heading: "Es gibt neue Ersatzcodes",
            paragraphs: ["Für {{email}} wurden soeben neue Ersatzcodes erzeugt. Die bisherigen gelten nicht mehr."],
            button: nil, code: nil, footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .backupCodeUsed: MailText(
            subject: "Ein Ersatzcode Ihres Kontos bei {{siteName}} wurde benutzt",
            heading: "Ein Ersatzcode wurde benutzt",
            paragraphs: ["Einer der Ersatzcodes von {{email}} wurde soeben benutzt. Er gilt nicht noch einmal."],
            button: nil, code: nil, footer: "Falls Sie das nicht waren, wenden Sie sich sofort an {{siteName}}."),
        .accountExport: MailText(
            subject: "Ihre Daten bei {{siteName}}", heading: "Ihre Daten",
            paragraphs: [
                "Sie haben alles angefordert, was {{siteName}} über {{email}} gespeichert hat. Der Link gibt es einmal als "
                    + "Datei. Wer die Datei hat, kann alles darin lesen."
            ], button: "Daten herunterladen", code: nil,
            footer: "Falls Sie das nicht waren, öffnen Sie den Link nicht, ändern Sie Ihr Passwort und wenden Sie sich "
                + "sofort an {{siteName}}."),
        .factorLocked: MailText(
            subject: "Falsche Sicherheitscodes für Ihr Konto bei {{siteName}}",
            heading: "Zu viele falsche Sicherheitscodes",
            paragraphs: [
                "Jemand, der Ihr Passwort kennt oder Ihre Nachrichten liest, hat für {{email}} zu viele falsche "
                    + "Sicherheitscodes eingegeben. Eine Weile lang wird keiner angenommen. Ein Ersatzcode gilt."
            ],
            button: nil, code: nil, footer: "Falls Sie das nicht waren, ändern Sie Ihr Passwort."),
        .accountLocked: MailText(
            subject: "Ihr Konto bei {{siteName}} wurde vorübergehend gesperrt",
            heading: "Ihr Konto wurde vorübergehend gesperrt",
            paragraphs: [
                "Für {{email}} wurden zu viele falsche Passwörter eingegeben. Eine Weile lang meldet kein Passwort an. "
                    + "Angemeldete Geräte bleiben angemeldet.",
                "Der letzte Versuch{{#time}}: {{time}}{{/time}}{{#network}}, aus dem Netz {{network}}{{/network}}"
                    + "{{#device}}, mit {{device}}{{/device}}.",
            ],
            button: "Entsperren und neues Passwort wählen", code: nil,
            footer: "Falls Sie das nicht waren: Ihr Passwort hat gehalten. Der Link lässt Sie sofort hinein, was auch "
                + "immer andere versuchen."),
        .factorRecoveryBegun: MailText(
            subject: "Ihre zweiten Faktoren bei {{siteName}} werden entfernt",
            heading: "Ihre zweiten Faktoren werden entfernt",
            paragraphs: [
                "Jemand, der den ersten Schritt der Anmeldung als {{email}} geschafft hat, gibt an, die zweiten Faktoren "
                    + "verloren zu haben{{#network}}, aus dem Netz {{network}}{{/network}}{{#device}}, mit "
                    + "{{device}}{{/device}}.",
                "Waren Sie das, warten Sie. {{#time}}Ab {{time}}{{/time}} entfernt eine Anmeldung sie, und Sie richten neue "
                    + "ein.",
                "Waren Sie das nicht, verhindern Sie es über die Schaltfläche, oder melden Sie sich mit einem zweiten Faktor "
                    + "an. Ändern Sie dann Ihr Passwort.",
            ], button: "Meine zweiten Faktoren behalten", code: nil,
            footer: "Falls Sie das nicht waren, kennt jemand Ihr Passwort oder liest Ihre Nachrichten: Ändern Sie es "
                + "sofort."),
        .factorRecoveryReady: MailText(
            subject: "Ihre zweiten Faktoren bei {{siteName}}: die Wartezeit ist um", heading: "Die Wartezeit ist um",
            paragraphs: [
                "Die nächste Anmeldung als {{email}} entfernt die zweiten Faktoren{{#time}}, bis {{time}}{{/time}}. Der Link "
                    + "der ersten Nachricht darüber verhindert das, und eine Anmeldung mit einem von ihnen auch."
            ], button: nil, code: nil,
            footer: "Falls Sie das nicht gewünscht haben, verhindern Sie es jetzt und ändern Sie Ihr Passwort."),
        .factorRecoveryStopped: MailText(
            subject: "Ihre zweiten Faktoren bei {{siteName}} bleiben", heading: "Ihre zweiten Faktoren bleiben",
            paragraphs: ["Die zweiten Faktoren von {{email}} werden nicht entfernt. Jemand hat es verhindert."],
            button: nil, code: nil,
            footer: "Falls auch nicht Sie es gewünscht hatten, ändern Sie Ihr Passwort."),
        .factorRecoveryDone: MailText(
            subject: "Ihre zweiten Faktoren bei {{siteName}} wurden entfernt",
            heading: "Ihre zweiten Faktoren wurden entfernt",
            paragraphs: [
                "Die Wartezeit war um, und jemand, hoffentlich Sie, hat sich als {{email}} angemeldet. Die zweiten Faktoren "
                    + "und Ersatzcodes sind entfernt, und alle anderen Geräte wurden abgemeldet. Richten Sie einen neuen ein."
            ], button: nil, code: nil,
            footer:
                "Falls Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück und wenden Sie sich an {{siteName}}."
        ),
    ]

    static let germanFrame = Frame(
        linkExpiry: "Der Link gilt einmal und {{expiry}} lang.",
        codeExpiry: "Der Code gilt einmal und {{codeExpiry}} lang.",
        plainLink: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:")
}
