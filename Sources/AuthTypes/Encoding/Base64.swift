// SPDX-License-Identifier: Apache-2.0

/// Base64 with the standard alphabet (RFC 4648, section 4).
public enum Base64 {
    /// With padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = encodeUnpadded(bytes)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// Without padding, as password hashes in PHC form are written.
    public static func encodeUnpadded(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: Base64Alphabet.standard.encode(bytes), as: UTF8.self)
    }

    /// `nil` unless padded as section 4 says, with no blanks, and no stray bits in the last digit.
    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// The same of digits as ASCII bytes.
    public static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var digits = text
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        return Base64Alphabet.standard.decode(digits)
    }

    /// `nil` for padding, blanks, a length of 4n+1, or stray bits in the last digit.
    public static func decodeUnpadded(_ text: String) -> [UInt8]? { Base64Alphabet.standard.decode(text.utf8) }
}
