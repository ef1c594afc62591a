// SPDX-License-Identifier: Apache-2.0

/// What people are told of an error, in their language: what each dialect writes beside its vendor's own words, where
/// its wire has room for it.
package struct LocalizedMessage: Sendable, Hashable {
    /// By what an app's own translations have it.
    package let key: MessageKey
    package let text: String
    package let language: MessageLanguage

    /// Of a password that is too weak, the text is each rule that it broke; what a program of the operator's has said
    /// stands in place of the text.
    package init(_ error: AuthError, in language: MessageLanguage) {
        let rules = error.violations.compactMap {
            MessageCatalog.text(MessageKey(rawValue: $0.rawValue), in: language)
        }
        let namesMinutes = error.code == .accountLocked && error.minutesToWait != nil
        key = namesMinutes ? .accountLocked : error.code.messageKey
        text =
            error.message
            ?? (rules.isEmpty ? MessageCatalog.text(for: error, in: language) : rules.joined(separator: " "))
        self.language = language
    }
}
