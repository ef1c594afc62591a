// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AuthTypes

@Suite("MessageCatalog")
struct MessageCatalogTests {
    private static func placeholders(_ text: String) -> Set<String> {
        Set(text.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first.map(String.init) })
    }

    @Test("G-15.7 every error code has a text of its own or a shared one in every language")
    func everyCode() {
        for language in MessageLanguage.allCases {
            for code in AuthErrorCode.allKnown {
                let text = MessageCatalog.text(code.messageKey, in: language)
                #expect(text?.isEmpty == false, "\(code.rawValue)")
                #expect(MessageCatalog.text(for: code, in: language) == text)
            }
        }
    }

    @Test("G-15.7 every key is in both languages, with the same placeholders and with texts of its own language")
    func sameKeys() {
        let english = MessageCatalog.texts(in: .en)
        let german = MessageCatalog.texts(in: .de)
        #expect(Set(english.keys) == Set(german.keys))
        for (key, text) in english {
            let other = german[key] ?? ""
            #expect(Self.placeholders(text) == Self.placeholders(other), "\(key.rawValue)")
            #expect(text != other, "\(key.rawValue)")
            #expect(key.rawValue.hasPrefix("auth."))
            for line in [text, other] { #expect(!line.isEmpty && !line.contains("\n") && line.first != " ") }
        }
    }

    @Test("No text is there that no key or code leads to")
    func nothingUnused() {
        let codes = Set(AuthErrorCode.allKnown.map(\.messageKey))
        let others: Set<MessageKey> = [
            .accountNotConfirmed, .network, .offlineLogin, .invalidRedirect, .accountLocked, .passwordMinimumLength,
            .passwordMaximumLength,
            .passwordUppercase, .passwordLowercase, .passwordNumber, .passwordSymbol, .passwordCharacters,
            .passwordCommon, .passwordContext, .emailVerified, .linkConfirm, .linkInvitation, .linkSignIn,
            .linkRecovery, .linkUnlock, .linkExport, .linkEmailChange, .linkStopRecovery, .linkSent, .linkNewAddress,
            .linkSignedUp,
            .linkSignedUpFrom,
            .linkButton, .linkExportButton, .linkExportNote, .linkStopRecoveryButton,
            .linkNote,
        ]
        // The codes that only an app meets are named in its own room; their texts stand here.
        let ofApp = [
            "cancelled", "insecure_transport", "untrusted_server", "store_unavailable", "not_signed_in", "superseded",
            "offline_read_only", "offline_blocked",
        ].map { AuthErrorCode(rawValue: $0).messageKey }
        let known = codes.union(others).union(ofApp).union(MessageKey.allOfApp)
            .union(MessageKey.allOfFactors)
        #expect(Set(MessageCatalog.texts(in: .en).keys).symmetricDifference(known) == [])
    }

    @Test("A text of an app's has one place: none stands among the server's too")
    func once() {
        #expect(Set(MessageCatalog.english.keys).isDisjoint(with: MessageCatalog.englishOfApp.keys))
        #expect(Set(MessageCatalog.german.keys).isDisjoint(with: MessageCatalog.germanOfApp.keys))
        let factors = Set(MessageKey.allOfFactors)
        #expect(factors.isDisjoint(with: MessageCatalog.english.keys))
        #expect(factors.isDisjoint(with: MessageCatalog.englishOfApp.keys))
        #expect(Set(MessageCatalog.englishOfFactors.keys) == Set(MessageCatalog.germanOfFactors.keys))
    }

    @Test(
        "The texts that the requirements give are exactly these",
        arguments: [
            ("auth.error_invalid_credentials", "Invalid email or password", "Ungültige E-Mail oder Passwort"),
            (
                "auth.error_network", "Unable to connect. Please check your internet connection.",
                "Verbindung fehlgeschlagen. Bitte überprüfen Sie Ihre Internetverbindung."
            ),
            (
                "auth.error_server", "Something went wrong. Please try again later.",
                "Ein Fehler ist aufgetreten. Bitte versuchen Sie es später erneut."
            ),
            (
                "auth.error_email_exists", "An account with this email already exists",
                "Ein Konto mit dieser E-Mail existiert bereits"
            ),
            ("auth.error_offline_login", "Authentication requires internet connection", nil),
            ("auth.error_account_locked", "Too many failed attempts. Try again in {minutes} minutes", nil),
            ("auth.error_rate_limit", "Too many requests. Please try again later", nil),
            (
                "auth.error_invalid_token", "This link is invalid or has expired. Please request a new one.", nil
            ),
            ("auth.offline_read_only", "Offline - changes will sync later", nil),
            ("auth.offline_blocked", "Session expired - please reconnect to continue", nil),
            ("auth.offline_tooltip", "Reconnect to make changes", nil),
        ] as [(String, String, String?)])
    func givenTexts(_ key: String, _ english: String, _ german: String?) {
        let texts = [MessageLanguage.en, .de].map { MessageCatalog.texts(in: $0)[MessageKey(rawValue: key)] }
        #expect(texts[0] == english)
        if let german { #expect(texts[1] == german) }
    }

    @Test("G-15.7 G-8.2 One minute, change or code is spoken of as one, in each language, and more as more")
    func one() {
        func texts(_ key: MessageKey, _ values: [String: String]) -> [String?] {
            MessageLanguage.allCases.map { MessageCatalog.text(key, in: $0, values: values) }
        }
        #expect(
            texts(.accountLocked, ["minutes": "1"]) == [
                "Too many failed attempts. Try again in 1 minute",
                "Zu viele Fehlversuche. Versuchen Sie es in 1 Minute erneut",
            ])
        #expect(texts(.accountLocked, ["minutes": "11"])[0]?.hasSuffix("11 minutes") == true)
        #expect(texts(.signOutUnsynced, ["count": "1"])[0] == "1 change has not been synced yet and will be lost.")
        #expect(
            MessageCatalog.text(PageText.backupCodesLeft, in: .de, values: ["count": "1"]) == "Sie haben noch 1 Code.")
        // A value that is missing is missing all the same.
        #expect(texts(.signOutUnsynced, ["minutes": "1"]) == [nil, nil])
    }

    @Test("The other keys of the requirements are there")
    func givenKeys() {
        for key in [
            "auth.error_email_not_verified", "auth.error_password_min_length", "auth.error_password_uppercase",
            "auth.error_password_number", "auth.error_invalid_redirect", "auth.email_verified",
        ] { #expect(MessageCatalog.texts(in: .en)[MessageKey(rawValue: key)] != nil, "\(key)") }
    }

    @Test("Placeholders are filled once: a value is not read for placeholders, and without a value there is no text")
    func filling() {
        let key = MessageKey.accountLocked
        #expect(
            MessageCatalog.text(key, in: .de, values: ["minutes": "15"])
                == "Zu viele Fehlversuche. Versuchen Sie es in 15 Minuten erneut")
        #expect(
            MessageCatalog.text(key, in: .en, values: ["minutes": "{minutes}"])
                == "Too many failed attempts. Try again in {minutes} minutes")
        #expect(MessageCatalog.text(key, in: .en, values: ["hours": "1"]) == nil)
        #expect(MessageCatalog.text(key, in: .en) == nil)
        let plain = MessageCatalog.text(.network, in: .en)
        #expect(plain != nil && MessageCatalog.text(.network, in: .en, values: ["x": "y"]) == plain)
    }

    @Test("An unknown key has no text; an unknown code reads as a server error")
    func unknown() {
        #expect(MessageCatalog.text(MessageKey(rawValue: "auth.error_nonsense"), in: .en) == nil)
        let code = AuthErrorCode(rawValue: "nonsense")
        #expect(MessageCatalog.text(for: code, in: .en) == "Something went wrong. Please try again later.")
        #expect(MessageCatalog.text(for: .emailExists, in: .de) == "Ein Konto mit dieser E-Mail existiert bereits")
    }
}
