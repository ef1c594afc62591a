// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE

/// `at_hash` (OpenID Connect Core 1.0, section 3.1.3.6): binds an access token to the ID token that it came with.
enum AccessTokenHash {
    /// Whether `token` is the one that an ID token speaks of. `false` where the hash is one that nobody can compute
    /// here: what can't be judged is not good.
    static func matches(_ hash: JSONValue, _ token: Secret<String>, signedWith algorithm: JWSAlgorithm) -> Bool {
        guard let hash = hash.stringValue, let half = half(of: token.reveal(), algorithm) else { return false }
        return constantTimeEqual(Array(hash.utf8), Array(Base64URL.encode(half).utf8))
    }

    /// The left half of the hash that the algorithm's name says; of Ed25519 that is SHA-512 (RFC 8032, section 5.1).
    private static func half(of token: String, _ algorithm: JWSAlgorithm) -> [UInt8]? {
        let bytes = Array(token.utf8)
        switch algorithm {
        case .rs256, .ps256, .es256: return Array(SHA256.hash(data: bytes).prefix(16))
        case .rs384, .ps384, .es384: return Array(SHA384.hash(data: bytes).prefix(24))
        case .rs512, .ps512, .es512, .edDSA: return Array(SHA512.hash(data: bytes).prefix(32))
        default: return nil
        }
    }
}
