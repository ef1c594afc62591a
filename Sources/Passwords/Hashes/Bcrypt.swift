// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CCrypt
import Foundation

/// bcrypt by crypt(3), to verify imported hashes. New hashes are never made with it: it reads 72 octets and no more.
enum Bcrypt {
    /// Characters of the hash itself, at the end of the text.
    private static let hashLength = 31

    /// Whether `password` gives `encoded`. Octets beyond the 72nd don't count, as they did not when the hash was made.
    static func verify(_ password: [UInt8], _ encoded: String) -> Bool {
        // A C string ends at its first zero: the password before it must not do for the whole one. The work is done
        // all the same, so that the answer takes as long.
        let isWhole = !password.contains(0)
        // crypt(3) refuses phrases of 512 octets and more, which bcrypt would have cut at 72 like all others.
        let phrase = (isWhole ? Array(password.prefix(72)) : Array("x".utf8)) + [0]
        var data = crypt_data()
        let computed: [UInt8] = phrase.withUnsafeBufferPointer { phrase in
            phrase.baseAddress?.withMemoryRebound(to: CChar.self, capacity: phrase.count) { phrase in
                guard let result = crypt_rn(phrase, encoded, &data, Int32(MemoryLayout<crypt_data>.size)) else {
                    return []
                }
                return UnsafeBufferPointer(start: result, count: strnlen(result, 128)).map { UInt8(bitPattern: $0) }
            } ?? []
        }
        // The last character of the salt holds four bits that don't count, and that crypt(3) sets to zero where others
        // did not: so only what follows the salt is compared.
        let stored = Array(encoded.utf8)
        guard computed.count == stored.count, computed.count > hashLength else { return false }
        return constantTimeEqual(Array(computed.suffix(hashLength)), Array(stored.suffix(hashLength))) && isWhole
    }
}
