// SPDX-License-Identifier: Apache-2.0

/// The texts behind each ``MessageKey``, in every ``MessageLanguage``.
package enum MessageCatalog {
    /// The text of `key`, with each `{name}` in it replaced by the value of that name.
    ///
    /// - Returns: `nil` for a key that is not in the catalog, and where a value that the text needs is missing.
    package static func text(
        _ key: MessageKey, in language: MessageLanguage, values: [String: String] = [:]
    ) -> String? {
        if isOne(values), let one = ofOne(key, in: language) { return fill(one, values) }
        return texts(in: language)[key].flatMap { fill($0, values) }
    }

    /// The text for an error's code. One that has no text of its own is spoken of as a fault of the server's.
    package static func text(for code: AuthErrorCode, in language: MessageLanguage) -> String {
        text(code.messageKey, in: language) ?? text(.server, in: language) ?? code.rawValue
    }

    /// The text for an error, with the time left where it is about one; of a refusal by a program of the operator's,
    /// its own.
    package static func text(for error: AuthError, in language: MessageLanguage) -> String {
        if error.code == .hookRefused, let said = error.message, !said.isEmpty { return said }
        guard error.code == .accountLocked, let minutes = error.minutesToWait else {
            return text(for: error.code, in: language)
        }
        return text(.accountLocked, in: language, values: ["minutes": String(minutes)])
            ?? text(for: error.code, in: language)
    }

    /// A text of a page, filled likewise.
    ///
    /// - Returns: empty where a value that the text needs is missing.
    package static func text(
        _ text: PageText, in language: MessageLanguage, values: [String: String] = [:]
    ) -> String {
        if isOne(values), let one = ofOne(text, in: language) { return fill(one, values) ?? "" }
        return pageTexts(in: language)[text].flatMap { fill($0, values) } ?? ""
    }

    /// A text of a page with the values set off in it, each as ``HTML/name(_:)``.
    package static func html(_ text: PageText, in language: MessageLanguage, values: [String: String]) -> HTML {
        HTML(pageTexts(in: language)[text] ?? "", filling: values.mapValues(HTML.name))
    }

    /// The same of a text that has a key.
    package static func html(_ key: MessageKey, in language: MessageLanguage, values: [String: String]) -> HTML {
        HTML(texts(in: language)[key] ?? "", filling: values.mapValues(HTML.name))
    }

    static func pageTexts(in language: MessageLanguage) -> [PageText: String] {
        switch language {
        case .en: allEnglishPages
        case .de: allGermanPages
        }
    }

    static func texts(in language: MessageLanguage) -> [MessageKey: String] {
        switch language {
        case .en: allEnglish
        case .de: allGerman
        }
    }

    // Once: every error that is answered looks a text up.
    private static let allEnglish = english.merging(englishOfApp) { text, _ in text }
        .merging(englishOfFactors) { text, _ in text }
    private static let allEnglishPages = englishPages.merging(englishAccount) { text, _ in text }
    private static let allGermanPages = germanPages.merging(germanAccount) { text, _ in text }
    private static let allGerman = german.merging(germanOfApp) { text, _ in text }
        .merging(germanOfFactors) { text, _ in text }

    /// A text with each `{name}` in it replaced by the value of that name. In one pass: a value that looks like a
    /// placeholder is not read again.
    ///
    /// - Returns: `nil` where a value is missing.
    package static func fill(_ text: String, _ values: [String: String]) -> String? {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var result = ""
        var rest = Substring(text).utf8
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            guard let value = values[String(Substring(rest[rest.index(after: open)..<close]))] else { return nil }
            result += Substring(rest[..<open])
            result += value
            rest = rest[rest.index(after: close)...]
        }
        return result + Substring(rest)
    }
}
