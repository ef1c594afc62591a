// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What the values of a ``Setting`` may be.
public enum SettingForm: Sendable, Equatable {
    case flag
    case whole(ClosedRange<Int64>)
    /// One of these numbers.
    case size([Int64])
    /// At most so many octets.
    case text(Int)
    /// One of these words.
    case choice([String])
    /// Texts, at most so many.
    case list(Int)
    /// Names or addresses of hosts, at most so many.
    case hosts(Int)
    /// Texts by name, each of at most so many octets.
    case texts(Int)
    /// An operator's own words on pages: see ``PageWording``.
    case wording
    /// `#rrggbb`, readable where it stands.
    case colour(PageColour)
    /// A place that a page leads people to.
    case link
    /// An image as a `data:` URL of at most so many octets.
    case image(Int)
    /// A text that is never shown.
    case secret

    /// The octets of one text in a list, of a URL or of a name.
    public static let textLimit = 2048
    public static let listLimit = 1000

    /// Completes "expected …", and names the type in the documentation.
    public var description: String {
        switch self {
        case .flag: "true or false"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .size(let sizes): Self.alternatives(sizes.map(String.init))
        case .text(let limit): "a text of at most \(limit) octets"
        case .choice(let names): Self.alternatives(names)
        case .list(let limit): "at most \(limit) texts, with commas between them"
        case .hosts(let limit):
            "at most \(limit) names or addresses of hosts, without scheme, port or brackets, with commas between them"
        case .texts(let limit): "texts by name, each of at most \(limit) octets"
        case .wording: PageWording.description
        case .colour(let colour): colour.description
        case .link: "a URL that begins with https://, http:// or mailto:"
        case .image(let limit):
            "a data: URL of a PNG, JPEG, WebP or SVG image in base64, of at most \(limit) octets"
        case .secret: "a secret"
        }
    }

    /// Whether a value is of this form and in its range.
    public func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.flag, .bool), (.secret, .string): true
        case (.whole(let range), .integer(let number)): range.contains(number)
        case (.size(let sizes), .integer(let number)): sizes.contains(number)
        case (.text(let limit), .string(let text)): text.utf8.count <= limit
        case (.choice(let names), .string(let text)): names.contains(text)
        case (.list(let limit), .array(let values)):
            values.count <= limit && values.allSatisfy { ($0.stringValue?.utf8.count ?? .max) <= Self.textLimit }
        case (.hosts(let limit), .array(let values)):
            values.count <= limit && values.allSatisfy { $0.stringValue.map(Self.isHost) ?? false }
        case (.texts(let limit), .object(let object)):
            object.members.allSatisfy { ($0.value.stringValue?.utf8.count ?? .max) <= limit }
        case (.wording, .object): fault(in: value) == nil
        case (.colour(let colour), .string(let text)): colour.accepts(text)
        case (.link, .string(let text)):
            text.utf8.count <= Self.textLimit && Self.hasPrefix(text, ["https://", "http://", "mailto:"])
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        case (.image(let limit), .string(let text)):
            text.utf8.count <= limit && Self.hasPrefix(text, Self.images)
                && text.utf8.drop { $0 != UInt8(ascii: ",") }.dropFirst().allSatisfy(Self.isBase64)
        default: false
        }
    }

    /// What is the matter with a value that is not accepted, where more can be said than what is expected.
    func fault(in value: JSONValue) -> String? {
        guard case .wording = self, let members = value.objectValue?.members else { return nil }
        return members.lazy.compactMap { member in
            guard let text = member.value.stringValue else { return "\(member.name.prefix(60)) is no text" }
            return PageWording.fault(member.name, text)
        }.first
    }

    private static let images = ["png", "jpeg", "webp", "svg+xml"].map { "data:image/\($0);base64," }

    private static func hasPrefix(_ text: String, _ prefixes: [String]) -> Bool {
        prefixes.contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }

    /// Letters, digits, hyphens and dots (RFC 1123, section 2.1), or an IPv6 address: what a host in a URL can be
    /// compared with.
    private static func isHost(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        let isAddress = text.utf8.count { $0 == UInt8(ascii: ":") } >= 2
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            case UInt8(ascii: ":"): isAddress
            case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                !isAddress
            default: false
            }
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Reads a value as it is written in a variable or at the command line; `nil` for what can't be one. Whether it is
    /// in the range is not asked.
    public func parse(_ text: String) -> JSONValue? {
        switch self {
        case .flag: Bool(text).map { .bool($0) }
        case .whole, .size: Int64(text).map { .integer($0) }
        case .text, .choice, .colour, .link, .image, .secret: .string(text)
        case .list, .hosts: .array(text.split(separator: ",").map { .string(Self.trimmed($0)) })
        case .texts, .wording: try? JSONValue(parsing: Array(text.utf8))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    private static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
