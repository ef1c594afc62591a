// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What a device without a keyboard shows, and its user types elsewhere: eight consonants, which spell no words and are
/// not taken for digits (RFC 8628, section 6.1); 34.5 bits, which stand for ten minutes and behind limits on guesses.
public struct DeviceUserCode: Sendable, Hashable {
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 8
    /// As much as anybody types or pastes.
    private static let maximumTyped = 64

    private let letters: [UInt8]

    /// A new one, each letter equally likely.
    public init(random: any RandomSource) {
        var letters: [UInt8] = []
        while letters.count < Self.length {
            // 240 is the largest multiple of twenty in a byte.
            for byte in random.bytes(Self.length) where byte < 240 && letters.count < Self.length {
                letters.append(Self.alphabet[Int(byte) % Self.alphabet.count])
            }
        }
        self.letters = letters
    }

    /// Reads what somebody typed: in either case, with whatever stands between the letters. `nil` for what no device
    /// has shown.
    public init?(typed text: String) {
        guard text.utf8.count <= Self.maximumTyped else { return nil }
        let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            .map { $0.isASCII ? UInt8(truncatingIfNeeded: $0.value) & 0xDF : 0 }
        guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.letters = letters
    }

    /// In groups, as it is shown: `WDJB-MJHT`.
    public var text: String {
        String(decoding: letters.prefix(4), as: UTF8.self) + "-" + String(decoding: letters.dropFirst(4), as: UTF8.self)
    }

    /// HMAC under the Directory's key, by which the store knows the code: all that there are can be tried against a
    /// plain hash.
    public func hash(under key: Secret<[UInt8]>) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(
                for: Array("device code\u{0}".utf8) + letters, using: SymmetricKey(data: key.reveal())))
    }
}
