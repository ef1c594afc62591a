// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras
import Foundation

/// scrypt whose 32 octets serve as an AES-256 key: the hash is a key of the whole installation, the signer key,
/// encrypted with it in counter mode from a counter of zero. Only imported hashes are of this kind.
///
/// In text `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=…$salt$hash`, with `n` as log2 of N, `ss` a separator that follows
/// the salt, `sk` the signer key, all octets in Base64.
struct SignerKeyScrypt: Sendable, Hashable {
    let cost: ScryptParameters
    let salt: [UInt8]
    let signerKey: [UInt8]
    let tag: [UInt8]

    /// - Parameter parts: the text's three parts behind its name.
    init?(_ parts: ArraySlice<String>) {
        guard parts.count == 3, let parameters = parts.first, let tagText = parts.last,
            let saltText = parts.dropFirst().first
        else { return nil }
        var fields = PasswordHash.fields(parameters, UInt8(ascii: ","))
        guard fields.count == 6,
            let numbers = PasswordHash.numbers(fields.prefix(4), ["v", "n", "r", "p"]),
            numbers[0] == 1,
            let cost = ScryptParameters(logN: numbers[1], blockSize: numbers[2], parallelism: numbers[3]),
            let signerKey = Self.octets(fields.removeLast(), named: "sk="), (16...128).contains(signerKey.count),
            let separator = Self.octets(fields.removeLast(), named: "ss="), separator.count <= 64,
            let salt = Self.octets(saltText), salt.count <= 64,
            let tag = Self.octets(tagText), tag.count == signerKey.count
        else { return nil }
        self.cost = cost
        self.salt = salt + separator
        self.signerKey = signerKey
        self.tag = tag
    }

    /// `nil` when the library refuses, for want of memory above all.
    func matches(_ password: [UInt8]) -> Bool? {
        guard let key = cost.tag(of: password, salt: salt, length: 32),
            let counter = try? AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16)),
            let computed = try? AES._CTR.encrypt(signerKey, using: SymmetricKey(data: key), nonce: counter)
        else { return nil }
        return constantTimeEqual(Array(computed), tag)
    }

    /// With or without padding: both are seen.
    private static func octets(_ text: String, named name: String = "") -> [UInt8]? {
        guard text.utf8.starts(with: name.utf8) else { return nil }
        let digits = String(Substring(text.utf8.dropFirst(name.utf8.count)))
        return Base64.decode(digits) ?? Base64.decodeUnpadded(digits)
    }
}
