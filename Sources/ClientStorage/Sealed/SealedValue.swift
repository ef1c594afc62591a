// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A value as it lies in a file: AES-256-GCM (NIST SP 800-38D) with a random nonce.
///
/// `LKSV`, the version 1, the key's identifier (8 bytes), the nonce (12), the encrypted value, the tag (16). What
/// stands before the nonce and the name that the value is kept under are authenticated with it: no value can be put in
/// another's place.
enum SealedValue {
    enum Fault: Error, Hashable {
        case damaged
        /// Another key sealed it, or the key's name in it is damaged.
        case otherKey
        case newerVersion(UInt8)
    }

    private static let magic = Array("LKSV".utf8)
    private static let version: UInt8 = 1
    private static let headerLength = 4 + 1 + 8
    private static let nonceLength = 12
    /// How much longer it is than what is in it.
    static let overhead = headerLength + nonceLength + 16

    /// - Throws: ``Fault/damaged`` if the library refuses the lengths, which never change.
    static func sealed(
        _ value: [UInt8], as name: String, with key: StoreKey, random: any RandomSource
    ) throws(Fault) -> [UInt8] {
        let header = magic + [version] + key.identifier
        do {
            let nonce = try AES.GCM.Nonce(data: random.bytes(nonceLength))
            let box = try AES.GCM.seal(
                value, using: key.key.reveal(), nonce: nonce, authenticating: header + Array(name.utf8))
            return header + nonce + box.ciphertext + box.tag
        } catch {
            throw .damaged
        }
    }

    static func opened(_ text: [UInt8], as name: String, with key: StoreKey) throws(Fault) -> [UInt8] {
        guard text.count > magic.count, text.starts(with: magic), text[magic.count] > 0 else { throw .damaged }
        guard text[magic.count] == version else {
            // This version's with a damaged byte would else pass for a later one's, and never be put aside.
            var repaired = text
            repaired[magic.count] = version
            if (try? opened(repaired, as: name, with: key)) != nil { throw .damaged }
            throw .newerVersion(text[magic.count])
        }
        guard text.count >= overhead else { throw .damaged }
        let header = Array(text[..<headerLength])
        guard header.suffix(8).elementsEqual(key.identifier) else { throw .otherKey }
        do {
            let box = try AES.GCM.SealedBox(combined: text[headerLength...])
            return Array(try AES.GCM.open(box, using: key.key.reveal(), authenticating: header + Array(name.utf8)))
        } catch {
            throw .damaged
        }
    }
}
