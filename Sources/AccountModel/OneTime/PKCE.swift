// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Proof Key for Code Exchange (RFC 7636) with the method `S256`. `plain` is not known here.
public enum PKCE {
    /// RFC 7636, section 4.1: 43 to 128 unreserved characters.
    public static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(isUnreserved)
    }

    /// RFC 7636, section 4.2: the unpadded BASE64URL of a SHA-256, so 43 characters that decode to 32 bytes.
    public static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43 && Base64URL.decode(text)?.count == 32
    }

    /// BASE64URL(SHA256(ASCII(verifier))).
    public static func challenge(for verifier: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    }

    /// Whether `verifier` is well formed and is what `challenge` was made from (RFC 7636, section 4.6).
    public static func verify(_ verifier: String, against challenge: String) -> Bool {
        isVerifier(verifier) && constantTimeEqual(Array(Self.challenge(for: verifier).utf8), Array(challenge.utf8))
    }

    /// A request's challenge as it may be kept. An empty text is no challenge.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` when it is not a challenge.
    package static func checked(_ challenge: String?) throws(AuthError) -> String? {
        guard let challenge, !challenge.isEmpty else { return nil }
        guard isChallenge(challenge) else {
            throw AuthError(.invalidRequest, reason: "not an S256 challenge", field: "code_challenge")
        }
        return challenge
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
