// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A request in the one spelling that both sides sign (IAM User Guide, "Create a signed AWS API request", step 1).
struct CanonicalRequest: Sendable {
    let text: String

    /// - Parameters:
    ///   - target: path and query as they were sent.
    ///   - headers: the signed ones, in the order of their names; several values of one name in the order sent.
    ///   - payloadHash: SHA-256 of the body, in lower-case hexadecimal digits.
    init(method: String, target: String, headers: [(name: String, values: [String])], payloadHash: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var lines = [method, Self.path(parts.first ?? ""), Self.query(parts.count > 1 ? parts[1] : "")]
        lines += headers.map { "\($0.name):\($0.values.map(Self.trimmed).joined(separator: ","))" }
        lines += ["", headers.map(\.name).joined(separator: ";"), payloadHash]
        text = lines.joined(separator: "\n")
    }

    /// SHA-256, in lower-case hexadecimal digits.
    var hash: String { Self.hash(Array(text.utf8)) }

    static func hash(_ bytes: [UInt8]) -> String { Hex.encode(SHA256.hash(data: bytes)) }

    // MARK: Parts

    /// Without dot segments (RFC 3986, section 5.2.4) and repeated slashes, then encoded once more: every service but
    /// one encodes a path twice.
    private static func path(_ path: Substring) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") {
            switch segment {
            case ".": break
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        let ending = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
        return "/" + segments.map { PercentEncoding.encode($0.utf8) }.joined(separator: "/") + ending
    }

    /// Each name and value encoded, in the order of the encoded names and then values.
    private static func query(_ query: Substring) -> String {
        let pairs = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                name: PercentEncoding.encode(decoded(parts[0])),
                value: parts.count > 1 ? PercentEncoding.encode(decoded(parts[1])) : ""
            )
        }
        let sorted = pairs.sorted { left, right in
            left.name == right.name
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return sorted.map { $0.name + "=" + $0.value }.joined(separator: "&")
    }

    /// Without blanks at either end, and one blank for several.
    private static func trimmed(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" || $0.isNewline }.joined(separator: " ")
    }

    /// A percent sign that begins no encoded byte stands for itself.
    private static func decoded(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let octet = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))?.first
            {
                bytes.append(octet)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
