// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension User {
    /// Hash and salt of a password whose hash is still the one that was brought along, where it is scrypt with a signer
    /// key; `nil` for any other form and for no password.
    public var broughtHash: (hash: [UInt8], salt: [UInt8])? {
        let parts = passwordHash?.encoded.split(separator: "$", omittingEmptySubsequences: false).map(String.init) ?? []
        guard parts.count == 5, parts[1] == "fbscrypt", let salt = Self.octets(parts[3]),
            let hash = Self.octets(parts[4])
        else { return nil }
        return (hash, salt)
    }

    private static func octets(_ text: String) -> [UInt8]? { Base64.decode(text) ?? Base64.decodeUnpadded(text) }
}
