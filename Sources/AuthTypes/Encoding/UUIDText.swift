// SPDX-License-Identifier: Apache-2.0

/// The text of a UUID (RFC 9562, section 4).
public enum UUIDText {
    /// Lower case with hyphens, from 16 bytes.
    public static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { digits.append(UInt8(ascii: "-")) }
            Hex.append(byte, to: &digits)
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// `nil` unless there are 32 hexadecimal digits beside the hyphens.
    public static func decode(_ text: String) -> [UInt8]? {
        let bytes = Hex.decode(text.utf8.filter { $0 != UInt8(ascii: "-") })
        return bytes?.count == 16 ? bytes : nil
    }
}
