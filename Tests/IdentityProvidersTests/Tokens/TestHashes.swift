// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The left half of the SHA-2 whose half has so many octets, as `at_hash` holds it.
func hash(_ token: String, _ half: Int) -> String {
    let bytes = Array(token.utf8)
    let digest: [UInt8] =
        switch half {
        case 16: Array(SHA256.hash(data: bytes))
        case 24: Array(SHA384.hash(data: bytes))
        default: Array(SHA512.hash(data: bytes))
        }
    return Base64URL.encode(digest.prefix(half))
}

func sha256(_ text: String) -> String { Hex.encode(SHA256.hash(data: Array(text.utf8))) }
