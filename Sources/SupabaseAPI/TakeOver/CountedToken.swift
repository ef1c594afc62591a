// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A refresh token of the platform's second kind (supabase/auth, `internal/crypto/refresh_tokens.go`): nothing of it is
/// stored, it says which of its session's it is, and the session's key vouches for that.
enum CountedToken {
    /// Those before the live one that are known again as left behind.
    static let remembered: Int64 = 16
    private static let version: UInt8 = 0
    private static let signatureLength = 16
    private static let checksumLength = 4

    /// - Parameter session: the 16 octets of its identifier.
    static func text(session: [UInt8], count: UInt64, key: Secret<[UInt8]>) -> String {
        var bytes = [version] + session + variable(count)
        bytes += HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key.reveal()))
            .prefix(signatureLength)
        return Base64URL.encode(bytes + SHA256.hash(data: bytes).prefix(checksumLength))
    }

    /// Seven bits an octet, the lowest first; the highest bit says that there are more.
    private static func variable(_ number: UInt64) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: rest)]
    }
}
