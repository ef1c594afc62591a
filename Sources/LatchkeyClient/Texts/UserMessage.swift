// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Something to be shown to a user, before it is in a language: an app that has texts of its own looks them up by `key`
/// and fills in `values`; all others ask for ``text(in:)``.
public struct UserMessage: Sendable, Hashable {
    /// Which text of the catalog.
    public var key: MessageKey
    /// What takes the place of `{name}` in the text.
    public var values: [String: String]

    /// A text with what is filled into it.
    public init(_ key: MessageKey, _ values: [String: String] = [:]) {
        self.key = key
        self.values = values
    }

    /// The catalog's text. Never empty: a key that the catalog does not have speaks for itself.
    public func text(in language: MessageLanguage) -> String {
        MessageCatalog.text(key, in: language, values: values) ?? key.rawValue
    }
}
