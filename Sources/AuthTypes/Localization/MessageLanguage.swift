// SPDX-License-Identifier: Apache-2.0

/// A language that people are addressed in: in mails, on pages, and in the texts of errors.
public enum MessageLanguage: String, Sendable, CaseIterable {
    /// English.
    case en
    /// German.
    case de

    /// The first of the reader's languages that there is; English where there is none.
    ///
    /// - Parameter tags: BCP 47 tags, the preferred first.
    public init(matching tags: [String]) {
        self = tags.lazy.compactMap(MessageLanguage.init(tag:)).first ?? .en
    }

    /// The language of a BCP 47 tag, whatever the region; `nil` where there is none such.
    public init?(tag: String) {
        self.init(rawValue: tag.prefix { $0 != "-" && $0 != "_" }.lowercased())
    }

    /// Reads an `Accept-Language` field (RFC 9110, section 12.5.4): tags by their weight, those of weight zero left
    /// out.
    public init(acceptLanguage field: String?) {
        guard let field, field.utf8.count <= 1000 else {
            self = .en
            return
        }
        var ranges: [(tag: String, weight: Double)] = []
        for range in field.split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first, !tag.isEmpty else { continue }
            var weight = 1.0
            if let field = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) {
                weight = Double(field.dropFirst(2)) ?? 0
            }
            if (0...1).contains(weight), weight > 0 { ranges.append((tag, weight)) }
        }
        // Stable: of equal weights, the one written first.
        let ordered = ranges.enumerated().sorted {
            $0.element.weight != $1.element.weight ? $0.element.weight > $1.element.weight : $0.offset < $1.offset
        }
        self.init(matching: ordered.map(\.element.tag))
    }

    /// What its speakers call it.
    public var ownName: String {
        switch self {
        case .en: "English"
        case .de: "Deutsch"
        }
    }
}
