// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension User {
    /// Hash and salt of a password whose hash is still the one that was brought along, where it is scrypt with a signer
    /// key; `nil` for any other form and for no password.
    public var broughtHash: (hash: [UInt8], salt: [UInt8])? {
        // By octets: a list asks it of a thousand users.
        guard let text = passwordHash?.encoded, text.utf8.starts(with: "$fbscrypt$".utf8) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 5, let salt = Self.octets(String(Substring(parts[3]))),
            let hash = Self.octets(String(Substring(parts[4])))
        else { return nil }
        return (hash, salt)
    }

    private static func octets(_ text: String) -> [UInt8]? { Base64.decode(text) ?? Base64.decodeUnpadded(text) }
}
