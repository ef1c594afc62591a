// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A link, read strictly (RFC 3986): what two readers could read differently is not read at all. Whoever sends a link
/// chooses every octet of it, and the next reader of the same octets may be a browser.
struct LinkURL: Sendable {
    struct Parameter: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// Lower case.
    var scheme: String
    /// Lower case; letters, digits, hyphens, dots. Never with a user's name before it.
    var host: String
    var hasPort: Bool
    /// As it was written: empty, or beginning with a slash.
    var path: String
    /// Those of the query, then those of the fragment, each name once.
    var parameters: [Parameter]

    static let maximumLength = 8192
    private static let maximumParameters = 64

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength, bytes.allSatisfy(Self.isAllowed),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]),
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()

        let rest = bytes[(colon + 3)...]
        let afterAuthority = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        var authority = rest[..<afterAuthority]
        hasPort = authority.contains(UInt8(ascii: ":"))
        if let port = authority.firstIndex(of: UInt8(ascii: ":")) {
            guard let number = UInt16(String(decoding: authority[(port + 1)...], as: UTF8.self)), number > 0,
                authority[(port + 1)...].allSatisfy({ (48...57).contains($0) })
            else { return nil }
            authority = authority[..<port]
        }
        guard Self.isHost(authority) else { return nil }
        host = String(decoding: authority, as: UTF8.self).lowercased()

        let tail = rest[afterAuthority...]
        let afterPath = tail.firstIndex { "?#".utf8.contains($0) } ?? tail.endIndex
        path = String(decoding: tail[..<afterPath], as: UTF8.self)
        let hash = tail[afterPath...].firstIndex(of: UInt8(ascii: "#")) ?? tail.endIndex
        guard let query = Self.parameters(in: tail[afterPath..<hash].dropFirst()),
            let fragment = Self.parameters(in: tail[hash...].dropFirst())
        else { return nil }
        parameters = query + fragment
        // Of two values of one name, one reader takes the first and another the last.
        guard parameters.count <= Self.maximumParameters, Set(parameters.map(\.name)).count == parameters.count else {
            return nil
        }
    }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Printable ASCII, without what browsers and parsers disagree about (a backslash is a slash to some).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#"\"<>^`{|}"#.utf8.contains(byte)
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first), bytes.count <= 64 else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 253 else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.allSatisfy { isLetter($0) || isDigit($0) || "-_".utf8.contains($0) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    /// As application/x-www-form-urlencoded; `nil` for what is not well-formed, or hides a control character.
    private static func parameters(in bytes: ArraySlice<UInt8>) -> [Parameter]? {
        var found: [Parameter] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = decoded(part[..<equals]), !name.isEmpty, let value = decoded(part[equals...].dropFirst())
            else { return nil }
            found.append(Parameter(name: name, value: value))
        }
        return found
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"): result.append(32)
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex,
                    let octet = Hex.decode(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self))?.first
                else { return nil }
                result.append(octet)
                index += 2
            case let byte: result.append(byte)
            }
            index += 1
        }
        let text = String(decoding: result, as: UTF8.self)
        // What is no UTF-8, overlong forms among it, would come out as something else (RFC 3629, section 10).
        guard text.utf8.elementsEqual(result), text.unicodeScalars.allSatisfy({ !isControl($0) }) else { return nil }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: false
        }
    }
}
