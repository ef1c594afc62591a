// SPDX-License-Identifier: Apache-2.0

/// The texts behind each ``MessageKey``, in every ``MessageLanguage``.
public enum MessageCatalog {
    /// The text of `key`, with each `{name}` in it replaced by the value of that name.
    ///
    /// - Returns: `nil` for a key that is not in the catalog, and where a value that the text needs is missing.
    public static func text(
        _ key: MessageKey, in language: MessageLanguage, values: [String: String] = [:]
    ) -> String? {
        texts(in: language)[key].flatMap { fill($0, values) }
    }

    /// The text for an error's code. One that has no text of its own is spoken of as a fault of the server's.
    public static func text(for code: AuthErrorCode, in language: MessageLanguage) -> String {
        text(code.messageKey, in: language) ?? text(.server, in: language) ?? code.rawValue
    }

    /// A text of a page, filled likewise.
    ///
    /// - Returns: empty where a value that the text needs is missing.
    public static func text(
        _ text: PageText, in language: MessageLanguage, values: [String: String] = [:]
    ) -> String {
        pageTexts(in: language)[text].flatMap { fill($0, values) } ?? ""
    }

    static func pageTexts(in language: MessageLanguage) -> [PageText: String] {
        switch language {
        case .en: englishPages
        case .de: germanPages
        }
    }

    static func texts(in language: MessageLanguage) -> [MessageKey: String] {
        switch language {
        case .en: english
        case .de: german
        }
    }

    /// In one pass: a value that looks like a placeholder is not read again.
    private static func fill(_ text: String, _ values: [String: String]) -> String? {
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            guard let value = values[String(rest[rest.index(after: open)..<close])] else { return nil }
            result += rest[..<open] + value
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
