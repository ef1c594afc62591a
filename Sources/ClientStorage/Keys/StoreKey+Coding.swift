// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Crypto

// `LKSK`, the version 1, 32 bytes of key, the first eight bytes of SHA-256 over all before.
extension StoreKey {
    static let encodedLength = 4 + 1 + length + 8
    private static let magic = Array("LKSK".utf8)
    private static let version: UInt8 = 1

    func encoded() -> [UInt8] {
        let text = Self.magic + [Self.version] + bytes.reveal()
        return text + SHA256.hash(data: text).prefix(8)
    }

    /// - Returns: `nil` for a damaged one.
    /// - Throws: `unavailable` for one of a later version, which is not damaged.
    init?(decoding text: [UInt8]) throws(SecureStoreError) {
        guard text.count > Self.magic.count, text.starts(with: Self.magic), text[Self.magic.count] > 0 else {
            return nil
        }
        guard text[Self.magic.count] == Self.version else {
            // This version's with a damaged byte would else pass for a later one's, and never be put aside.
            var repaired = text
            repaired[Self.magic.count] = Self.version
            if try Self(decoding: repaired) != nil { return nil }
            throw .unavailable(reason: "the store's key is of a later version (\(text[Self.magic.count]))")
        }
        guard text.count == Self.encodedLength,
            SHA256.hash(data: text.dropLast(8)).prefix(8).elementsEqual(text.suffix(8))
        else { return nil }
        self.init(Secret(Array(text[5..<(5 + Self.length)])))
    }
}
