// SPDX-License-Identifier: Apache-2.0

/// Lower-case base16 (RFC 4648, section 8).
public enum Hex {
    /// Two digits a byte, in lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    /// The same of an array: not generic, since each octet of a sequence of another module's costs several calls.
    public static func encode(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2)
        for byte in bytes { append(byte, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The two digits of `byte`, as ASCII.
    static func append(_ byte: UInt8, to digits: inout [UInt8]) {
        digits.append(digit(byte >> 4))
        digits.append(digit(byte & 0x0F))
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 48 + nibble : 87 + nibble }

    /// `nil` for an odd length or any character that is not a hexadecimal digit of either case.
    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    static func decode(_ utf8: [UInt8]) -> [UInt8]? {
        guard utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count / 2)
        for index in stride(from: 0, to: utf8.count, by: 2) {
            guard let octet = octet(utf8[index], utf8[index + 1]) else { return nil }
            bytes.append(octet)
        }
        return bytes
    }

    /// What two digits are, as ASCII.
    static func octet(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = nibble(high), let low = nibble(low) else { return nil }
        return high << 4 | low
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
