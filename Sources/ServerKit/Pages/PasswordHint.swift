// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The rules that a new password is held to, said before one is chosen.
struct PasswordHint: Sendable {
    let length: Int
    private let kinds: [Kind]

    private enum Kind: String {
        case lower
        case upper
        case digit
        case special

        /// Of a set of characters of which one is required.
        init(_ characters: String) {
            if characters.utf8.allSatisfy({ (97...122).contains($0) }) {
                self = .lower
            } else if characters.utf8.allSatisfy({ (65...90).contains($0) }) {
                self = .upper
            } else if characters.utf8.allSatisfy({ (48...57).contains($0) }) {
                self = .digit
            } else {
                self = .special
            }
        }

        var text: PageText {
            switch self {
            case .lower: .hintLowercase
            case .upper: .hintUppercase
            case .digit: .hintNumber
            case .special: .hintSymbol
            }
        }
    }

    init(_ rules: DirectorySettings.Password) {
        length = rules.minimumLength
        kinds = rules.requiredCharacters.map(Kind.init)
    }

    func text(in language: MessageLanguage) -> String {
        ([MessageCatalog.text(.hintLength, in: language, values: ["count": String(length)])]
            + kinds.map { MessageCatalog.text($0.text, in: language) }).joined(separator: ", ")
    }

    /// As password managers read it (the `passwordrules` attribute).
    var machine: String {
        "minlength: \(length);" + kinds.map { " required: \($0.rawValue);" }.joined()
    }
}
