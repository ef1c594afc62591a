// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A code that is written down beforehand, for the day on which the second factor is lost.
///
/// Sixteen of 32 characters are 80 random bits: nobody finds one that is kept as a hash, however fast they hash
/// (NIST SP 800-63B, section 3.1.2.2 asks for a slow hash below 112 bits where the hashes can be stolen; ours are under
/// a key besides, and each is of one user).
public enum BackupCode {
    /// How many a user is given at a time.
    public static let count = 10
    /// Characters that count.
    public static let length = 16
    /// As typed, with whatever divides the groups.
    public static let longest = 64

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Four groups of four, such as `k3wq-7zfa-m2xd-pq6h`.
    public static func draw(by random: any RandomSource) -> Secret<String> {
        // 32 divides 256: each character is equally likely.
        let characters = random.bytes(length).map { alphabet[Int($0 & 31)] }
        let groups = stride(from: 0, to: length, by: 4).map { start in
            String(decoding: characters[start..<(start + 4)], as: UTF8.self)
        }
        return Secret(groups.joined(separator: "-"))
    }

    /// The characters that count, in small letters; `nil` for what is no code. Case, hyphens and spaces do not matter.
    public static func normalized(_ text: String) -> String? {
        guard text.utf8.count <= longest else { return nil }
        var characters: [UInt8] = []
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): characters.append(character + 32)
            case _ where alphabet.contains(character): characters.append(character)
            default: return nil
            }
        }
        return characters.count == length ? String(decoding: characters, as: UTF8.self) : nil
    }
}
