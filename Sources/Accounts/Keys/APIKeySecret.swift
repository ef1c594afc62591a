// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The text of an API key: a prefix that says what it is, so that scanners recognise a leaked one, and 256 random
/// bits in BASE64URL.
struct APIKeySecret: Sendable {
    let text: Secret<String>

    /// - Parameter prefix: lower-case letters, digits and underscores.
    init(prefix: String, random: any RandomSource) {
        text = Secret(prefix + Base64URL.encode(random.bytes(32)))
    }

    /// SHA-256 of the whole text. A slow hash would add nothing: nobody guesses 256 bits.
    static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    var hash: [UInt8] { Self.hash(text.reveal()) }

    /// The prefix and four more characters: enough to recognise the key, 24 of 256 bits.
    func visiblePart(prefix: String) -> String { String(text.reveal().prefix(prefix.count + 4)) }
}
