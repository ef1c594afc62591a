// SPDX-License-Identifier: Apache-2.0

/// A link as it may stand in a log (G-12.7): what it is about, and nothing that opens anything. Where a link can't be
/// read, nothing of it is shown: a token may be anywhere in it.
public struct RedactedLink: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// What of any text, a link or not, can be logged.
    public init(_ link: String) {
        guard let url = LinkURL(link) else {
            description = "[unreadable link of \(link.utf8.count) octets]"
            return
        }
        let path = url.path.split(separator: "/").prefix(8).map { "/" + Self.short(String($0)) }.joined()
        let parameters = url.parameters.map { parameter in
            let value = Self.shown.contains(parameter.name) ? Self.short(parameter.value) : Self.redacted
            return Self.short(parameter.name) + "=" + value
        }
        description =
            Self.short(url.scheme) + "://"
            + url.host.split(separator: ".").map { Self.short(String($0)) }
            .joined(separator: ".") + path + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    static let redacted = "[REDACTED]"
    /// Parameters whose values say what went wrong, and are nobody's secret.
    private static let shown: Set<String> = ["type", "error", "error_code"]

    /// A word that is written by people, or a number as short as a line's. Identifiers, tokens and codes are longer, or
    /// have other characters.
    private static func short(_ text: String) -> String {
        let isWord =
            (1...24).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0 | 0x20) || "-_".utf8.contains($0) }
        let isNumber = (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
        return isWord || isNumber ? text : redacted
    }
}
