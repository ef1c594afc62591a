// SPDX-License-Identifier: Apache-2.0

/// Base64 with the URL-safe alphabet and no padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
    /// Without padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encodedBytes(bytes), as: UTF8.self)
    }

    /// The digits as ASCII bytes.
    public static func encodedBytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Base64Alphabet.urlSafe.encode(bytes)
    }

    /// `nil` for padding, blanks, the other alphabet's `+` and `/`, a length of 4n+1, or stray bits in the last digit.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// The same of digits as ASCII bytes.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? { Base64Alphabet.urlSafe.decode(text) }

    /// The same of digits where they lie.
    public static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? { Base64Alphabet.urlSafe.decode(text) }
}
