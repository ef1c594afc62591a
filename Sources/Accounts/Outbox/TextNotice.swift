// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// What a text message says that only tells something, where the operator has no words of their own for it. It names no
/// address: a telephone shows it to whoever looks at it.
struct TextNotice {
    let kind: MailKind
    /// What the site is called.
    let name: String
    /// The identity provider that it is about; empty where it is about none.
    let provider: String
    /// Until when or from when on, where it says so; else empty.
    let time: String

    func text(in language: MessageLanguage) -> String {
        switch language {
        case .en: "\(english) If that was not you, contact \(name) at once."
        case .de: "\(german) Waren Sie das nicht, wenden Sie sich sofort an \(name)."
        }
    }

    private var english: String {
        switch kind {
        case .passwordChanged: "The password of your \(name) account was changed."
        case .emailChanged: "The email address of your \(name) account was changed."
        case .phoneChanged: "The phone number of your \(name) account was changed."
        case .emailRemoved: "The email address of your \(name) account was removed."
        case .phoneRemoved: "The phone number of your \(name) account was removed."
        case .identityLinked: "\(provider) was linked to your \(name) account."
        case .identityUnlinked: "\(provider) was removed from your \(name) account."
        case .factorAdded: "A second factor was added to your \(name) account."
        case .factorRemoved: "A second factor was removed from your \(name) account."
        case .passkeyAdded: "A passkey was added to your \(name) account."
        case .passkeyRemoved: "A passkey was removed from your \(name) account."
        case .backupCodesMade: "New backup codes were made for your \(name) account."
        case .backupCodeUsed: "A backup code of your \(name) account was used."
        case .factorLocked: "There were too many wrong security codes for your \(name) account."
        case .accountDeleted: "Your \(name) account was deleted."
        case .deletionScheduled: "Your \(name) account will be deleted on \(time). Signing in before then keeps it."
        case .deletionCancelled: "Somebody signed in: your \(name) account will not be deleted."
        case .factorRecoveryBegun:
            "Somebody says that they have lost the second factors of your \(name) account, which a sign-in removes "
                + "from \(time) on. Signing in with one stops it."
        case .factorRecoveryReady: "Until \(time) a sign-in removes the second factors of your \(name) account."
        case .factorRecoveryStopped: "The second factors of your \(name) account stay: nobody removes them."
        case .factorRecoveryDone: "The second factors of your \(name) account were removed."
        default: "Your \(name) account was changed."
        }
    }

    private var german: String {
        switch kind {
        case .passwordChanged: "Das Passwort Ihres Kontos bei \(name) wurde geändert."
        case .emailChanged: "Die E-Mail-Adresse Ihres Kontos bei \(name) wurde geändert."
        case .phoneChanged: "Die Telefonnummer Ihres Kontos bei \(name) wurde geändert."
        case .emailRemoved: "Die E-Mail-Adresse Ihres Kontos bei \(name) wurde entfernt."
        case .phoneRemoved: "Die Telefonnummer Ihres Kontos bei \(name) wurde entfernt."
        case .identityLinked: "\(provider) wurde mit Ihrem Konto bei \(name) verknüpft."
        case .identityUnlinked: "\(provider) wurde von Ihrem Konto bei \(name) entfernt."
        case .factorAdded: "Ihrem Konto bei \(name) wurde ein zweiter Faktor hinzugefügt."
        case .factorRemoved: "Ein zweiter Faktor wurde von Ihrem Konto bei \(name) entfernt."
        case .passkeyAdded: "Ihrem Konto bei \(name) wurde ein Passkey hinzugefügt."
        case .passkeyRemoved: "Ein Passkey wurde von Ihrem Konto bei \(name) entfernt."
        case .backupCodesMade: "Für Ihr Konto bei \(name) wurden neue Ersatzcodes erzeugt."
        case .backupCodeUsed: "Ein Ersatzcode Ihres Kontos bei \(name) wurde benutzt."
        case .factorLocked: "Für Ihr Konto bei \(name) wurden zu viele falsche Sicherheitscodes eingegeben."
        case .accountDeleted: "Ihr Konto bei \(name) wurde gelöscht."
        case .deletionScheduled: "Ihr Konto bei \(name) wird am \(time) gelöscht. Wer sich vorher anmeldet, behält es."
        case .deletionCancelled: "Jemand hat sich angemeldet: Ihr Konto bei \(name) wird nicht gelöscht."
        case .factorRecoveryBegun:
            "Jemand gibt an, die zweiten Faktoren Ihres Kontos bei \(name) verloren zu haben. Ab \(time) entfernt "
                + "sie eine Anmeldung. Wer sich mit einem anmeldet, verhindert das."
        case .factorRecoveryReady: "Bis \(time) entfernt eine Anmeldung die zweiten Faktoren Ihres Kontos bei \(name)."
        case .factorRecoveryStopped: "Die zweiten Faktoren Ihres Kontos bei \(name) bleiben: Niemand entfernt sie."
        case .factorRecoveryDone: "Die zweiten Faktoren Ihres Kontos bei \(name) wurden entfernt."
        default: "Ihr Konto bei \(name) wurde geändert."
        }
    }
}
