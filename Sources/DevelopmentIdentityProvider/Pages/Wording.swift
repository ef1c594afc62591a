// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What the pages say. It stands here and not in the catalog of all pages: no user of an app in production ever reads
/// it.
enum Wording: CaseIterable {
    case chooseTitle, chooseLead, notReal
    case behaviour, normal, slow, unavailable, garbled
    case noAddress, verified, unverified
    case typedTitle, subject, email, name, isVerified, claims, claimsHint, typedButton
    case cancel, fail
    case overviewTitle, overviewLead, scripts, vendors, settings, consents, noConsents, revoke, revokeHint, revoked

    func text(in language: MessageLanguage) -> String {
        switch language {
        case .en: english
        case .de: german
        }
    }

    private var english: String {
        switch self {
        case .chooseTitle: "Choose an account"
        case .chooseLead: "to go on to {client}"
        case .notReal: "This is not {vendor}. It plays it, for development. Nobody is asked for a password."
        case .behaviour: "What the provider does next"
        case .normal: "Answers at once"
        case .slow: "Answers after five seconds"
        case .unavailable: "Is down when the code is redeemed"
        case .garbled: "Answers with nonsense when the code is redeemed"
        case .noAddress: "no email address"
        case .verified: "verified"
        case .unverified: "not verified"
        case .typedTitle: "Another account"
        case .subject: "Subject"
        case .email: "Email address"
        case .name: "Name"
        case .isVerified: "The provider vouches for the address"
        case .claims: "Further claims"
        case .claimsHint: "JSON. Replaces what the ID token would say; null takes a claim away."
        case .typedButton: "Go on with this account"
        case .cancel: "Cancel"
        case .fail: "Fail"
        case .overviewTitle: "Identity providers"
        case .overviewLead:
            "This development server plays them, so that signing in with them needs no internet and no console."
        case .scripts: "Scripts get an ID token without a page:"
        case .vendors: "Who is played"
        case .settings: "Settings"
        case .consents: "Who has agreed"
        case .noConsents: "Nobody yet. Sign in to an app by one of the providers."
        case .revoke: "Revoke"
        case .revokeHint: "The app's tokens end there, and its server is told where the provider does that."
        case .revoked: "Revoked."
        }
    }

    private var german: String {
        switch self {
        case .chooseTitle: "Konto auswählen"
        case .chooseLead: "und weiter zu {client}"
        case .notReal:
            "Das ist nicht {vendor}. Es spielt {vendor}, für die Entwicklung. Nach einem Passwort wird niemand gefragt."
        case .behaviour: "Was der Anbieter dann tut"
        case .normal: "Antwortet sofort"
        case .slow: "Antwortet nach fünf Sekunden"
        case .unavailable: "Ist nicht erreichbar, wenn der Code eingelöst wird"
        case .garbled: "Antwortet mit Unsinn, wenn der Code eingelöst wird"
        case .noAddress: "keine E-Mail-Adresse"
        case .verified: "bestätigt"
        case .unverified: "nicht bestätigt"
        case .typedTitle: "Ein anderes Konto"
        case .subject: "Kennung (Subject)"
        case .email: "E-Mail-Adresse"
        case .name: "Name"
        case .isVerified: "Der Anbieter bürgt für die Adresse"
        case .claims: "Weitere Angaben (Claims)"
        case .claimsHint: "JSON. Ersetzt, was im ID-Token stünde; null nimmt eine Angabe weg."
        case .typedButton: "Mit diesem Konto weiter"
        case .cancel: "Abbrechen"
        case .fail: "Fehlschlagen"
        case .overviewTitle: "Identitätsanbieter"
        case .overviewLead:
            "Dieser Entwicklungsserver spielt sie, damit man sich ohne Internet und ohne Konsole mit ihnen anmelden kann."
        case .scripts: "Skripte bekommen ein ID-Token ohne Seite:"
        case .vendors: "Wer gespielt wird"
        case .settings: "Einstellungen"
        case .consents: "Wer zugestimmt hat"
        case .noConsents: "Noch niemand. Melden Sie sich mit einem der Anbieter bei einer App an."
        case .revoke: "Widerrufen"
        case .revokeHint:
            "Die Token der App enden dort, und ihr Server erfährt es, wo der Anbieter das tut."
        case .revoked: "Widerrufen."
        }
    }
}
