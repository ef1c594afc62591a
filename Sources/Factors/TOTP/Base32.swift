// SPDX-License-Identifier: Apache-2.0

/// Base32 (RFC 4648, section 6): the form in which people type an authenticator's secret.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    /// Characters that are read at most.
    private static let longest = 1024

    /// Without padding, as authenticators want it.
    public static func encode(_ octets: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for octet in octets {
            bits = bits << 8 | UInt32(octet)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= 1 << count - 1
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Takes small letters, spaces and padding too: people copy it from wherever they can. `nil` for anything else, for
    /// what ends in the middle of an octet, and for more than 1024 characters.
    public static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        var octets: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        var isPadding = false
        for character in text.utf8 where character != UInt8(ascii: " ") {
            if character == UInt8(ascii: "=") {
                isPadding = true
                continue
            }
            guard !isPadding, let value = value(of: character) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            octets.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= 1 << count - 1
        }
        // What is left of the last character is no part of an octet.
        return count < 5 && bits == 0 ? octets : nil
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}
