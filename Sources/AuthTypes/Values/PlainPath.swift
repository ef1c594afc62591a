// SPDX-License-Identifier: Apache-2.0

/// Tells paths that everyone reads alike from those that a proxy in front and the router behind could read as two
/// different ones: `//admin`, `/a/../admin`, `/a%2fadmin`, `/a;admin`, `/admin#a` (RFC 3986, sections 3.3 and 5.2.4).
///
/// The router skips empty segments and decodes nothing. Without this a rule of a proxy for `/admin` would not see
/// `//admin`, which the router would answer.
public enum PlainPath {
    /// Whether `path` (without a query) is one that everyone reads alike.
    public static func accepts(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.allSatisfy(isPlain), StreamSafeText.accepts(path) else {
            return false
        }
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
            guard let octet = Hex.decode(String(decoding: bytes[(index + 1)...].prefix(2), as: UTF8.self))?.first,
                isPlain(octet), !ambiguous.contains(octet)
            else { return false }
        }
        // A single slash at the end is a habit, and names the same thing to everyone.
        let segments = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return segments.dropLast().allSatisfy { !$0.isEmpty } && segments.allSatisfy { !isDots($0) }
    }

    /// What must not be hidden behind a percent sign: slash, dot, and the percent sign itself.
    private static let ambiguous: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "%")]

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 32 && byte != 127 && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ";")
            // The router takes a fragment for a part of the path; others cut it off.
            && byte != UInt8(ascii: "#")
    }

    private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
    }
}
