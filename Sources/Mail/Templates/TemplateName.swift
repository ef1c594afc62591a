// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an operator's template is stored by: a kind, or a kind and a language, such as `recovery.de`.
struct TemplateName {
    let kind: String
    /// `nil` for every language.
    let language: MessageLanguage?

    init(_ name: String) {
        for language in MessageLanguage.allCases where name.hasSuffix(".\(language.rawValue)") {
            kind = String(name.dropLast(language.rawValue.count + 1))
            self.language = language
            return
        }
        kind = name
        language = nil
    }
}
