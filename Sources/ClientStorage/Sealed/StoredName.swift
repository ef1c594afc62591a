// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a key's files are called. Two keys never share one, on file systems that don't tell upper from lower case
/// either: every byte but `a`–`z`, `0`–`9`, `.`, `_` and `-` is written as `%` and two digits.
struct StoredName: Sendable, Hashable {
    let value: String
    let lock: String

    /// - Throws: `unavailable` for a key that no file system takes as a name.
    init(_ key: SecureStoreKey) throws(SecureStoreError) {
        var name: [UInt8] = []
        for byte in key.rawValue.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "-"):
                name.append(byte)
            default:
                name.append(UInt8(ascii: "%"))
                name += Hex.encode([byte]).utf8
            }
        }
        // NAME_MAX is 255, and the longest suffix is `.sealed.damaged`.
        guard name.count <= 200 else { throw .unavailable(reason: "a key's name is too long") }
        let text = String(decoding: name, as: UTF8.self)
        value = text + ".sealed"
        lock = text + ".lock"
    }
}
