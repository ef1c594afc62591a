// SPDX-License-Identifier: Apache-2.0

/// The texts that name a number, where it is one: a language says "1 minute", and not "1 minutes".
extension MessageCatalog {
    static func isOne(_ values: [String: String]) -> Bool { values["count"] == "1" || values["minutes"] == "1" }

    static func ofOne(_ key: MessageKey, in language: MessageLanguage) -> String? {
        switch language {
        case .en: englishOfOne[key]
        case .de: germanOfOne[key]
        }
    }

    static func ofOne(_ text: PageText, in language: MessageLanguage) -> String? {
        switch language {
        case .en: englishPagesOfOne[text]
        case .de: germanPagesOfOne[text]
        }
    }

    private static let englishOfOne: [MessageKey: String] = [
        .accountLocked: "Too many failed attempts. Try again in {minutes} minute",
        .signOutUnsynced: "{count} change has not been synced yet and will be lost.",
    ]
    private static let germanOfOne: [MessageKey: String] = [
        .accountLocked: "Zu viele Fehlversuche. Versuchen Sie es in {minutes} Minute erneut",
        .signOutUnsynced: "{count} Änderung ist noch nicht übertragen und geht verloren.",
    ]
    private static let englishPagesOfOne: [PageText: String] = [
        .factorLocked: "There were too many wrong codes. Please try again in {minutes} minute.",
        .backupCodesLeft: "You have {count} code left.",
        .timeLimit: "Please do this within {minutes} minute; after that, sign in once more.",
    ]
    private static let germanPagesOfOne: [PageText: String] = [
        .factorLocked: "Es waren zu viele falsche Codes. Bitte versuchen Sie es in {minutes} Minute noch einmal.",
        .backupCodesLeft: "Sie haben noch {count} Code.",
        .timeLimit: "Bitte erledigen Sie das innerhalb von {minutes} Minute; danach melden Sie sich noch einmal an.",
    ]
}
