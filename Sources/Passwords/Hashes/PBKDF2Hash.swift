// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras
import Foundation

/// PBKDF2 with HMAC-SHA-256 or HMAC-SHA-1 (RFC 8018, section 5.2). Only imported hashes are of this kind.
///
/// In text `$pbkdf2-sha256$i=600000$salt$hash`, or `pbkdf2-sha1`, with salt and hash in Base64 without padding.
struct PBKDF2Hash: Sendable, Hashable {
    let isSHA1: Bool
    let rounds: Int
    let salt: [UInt8]
    let tag: [UInt8]

    /// Octets that each cost all the rounds.
    var blockLength: Int { isSHA1 ? 20 : 32 }

    /// - Parameter parts: the text's parts, its name first.
    init?(_ parts: ArraySlice<String>) {
        guard let name = parts.first else { return nil }
        let parts = parts.dropFirst()
        guard parts.count == 3, let parameters = parts.first, let tagText = parts.last,
            let saltText = parts.dropFirst().first, let numbers = PasswordHash.numbers(parameters, ["i"]),
            // Two million take about a second. Old systems made do with few.
            (1...2_000_000).contains(numbers[0]),
            let salt = Base64.decodeUnpadded(saltText), salt.count <= 64,
            // Two blocks at most, four of SHA-1: each costs all the rounds.
            let tag = Base64.decodeUnpadded(tagText), (16...64).contains(tag.count)
        else { return nil }
        isSHA1 = name.hasSuffix("-sha1")
        rounds = numbers[0]
        self.salt = salt
        self.tag = tag
    }

    /// `nil` when the library refuses, for want of memory above all.
    func matches(_ password: [UInt8]) -> Bool? {
        let key = try? KDF.Insecure.PBKDF2.deriveKey(
            from: password, salt: salt, using: isSHA1 ? .insecureSHA1 : .sha256, outputByteCount: tag.count,
            unsafeUncheckedRounds: rounds)
        return key.map { key in constantTimeEqual(key.withUnsafeBytes { Array($0) }, tag) }
    }
}
