// SPDX-License-Identifier: Apache-2.0

/// The text of a UUID (RFC 9562, section 4).
package enum UUIDText {
    /// Lower case with hyphens, from 16 bytes.
    package static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { digits.append(UInt8(ascii: "-")) }
            Hex.append(byte, to: &digits)
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The random form (section 5.4), from 16 bytes of which all but six bits are kept.
    package static func random(_ bytes: [UInt8]) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return encode(bytes[...])
    }

    /// Whether a text is a UUID as they are written: 32 hexadecimal digits of either case, in five groups.
    package static func accepts(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (place, byte) in text.utf8.enumerated() {
            switch place {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default: guard (48...57).contains(byte) || (97...102).contains(byte | 0x20) else { return false }
            }
        }
        return true
    }

    /// Whether a text may be an identifier of ours: a UUID in lower case that is not the nil UUID (section 5.9).
    package static func isIdentifier(_ text: String) -> Bool {
        accepts(text) && !text.utf8.contains { (65...70).contains($0) }
            && text.utf8.contains { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "-") }
    }

    /// `nil` unless there are 32 hexadecimal digits beside the hyphens.
    package static func decode(_ text: String) -> [UInt8]? {
        let bytes = Hex.decode(text.utf8.filter { $0 != UInt8(ascii: "-") })
        return bytes?.count == 16 ? bytes : nil
    }
}
