// SPDX-License-Identifier: Apache-2.0

/// Tells paths that everyone reads alike from those that a proxy in front and the router behind could read as two
/// different ones: `//admin`, `/a/../admin`, `/a%2fadmin`, `/a;admin`, `/admin#a` (RFC 3986, sections 3.3 and 5.2.4).
///
/// The router skips empty segments and decodes nothing. Without this a rule of a proxy for `/admin` would not see
/// `//admin`, which the router would answer.
package enum PlainPath {
    /// Whether `path` (without a query) is one that everyone reads alike.
    package static func accepts(_ path: String) -> Bool {
        guard StreamSafeText.accepts(path) else { return false }
        // Each request is looked at: where its text lies, and nothing is copied.
        return path.utf8.withContiguousStorageIfAvailable { isReadAlike($0) } ?? isReadAlike(Array(path.utf8))
    }

    private static func isReadAlike<Octets: RandomAccessCollection<UInt8>>(_ bytes: Octets) -> Bool
    where Octets.Index == Int {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        var start = 1
        for index in bytes.indices.dropFirst() {
            let byte = bytes[index]
            guard isPlain(byte) else { return false }
            if byte == UInt8(ascii: "/") {
                guard index > start, !isDots(bytes[start..<index]) else { return false }
                start = index + 1
            } else if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let octet = Hex.octet(bytes[index + 1], bytes[index + 2]),
                    isPlain(octet), !ambiguous.contains(octet)
                else { return false }
            }
        }
        // A single slash at the end is a habit, and names the same thing to everyone.
        return !isDots(bytes[start...])
    }

    /// What must not be hidden behind a percent sign: slash, dot, and the percent sign itself.
    private static let ambiguous: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "%")]

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 32 && byte != 127 && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ";")
            // The router takes a fragment for a part of the path; others cut it off.
            && byte != UInt8(ascii: "#")
    }

    private static func isDots(_ segment: some Sequence<UInt8>) -> Bool {
        segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
    }
}
