// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The key that everything in a store is encrypted with: 32 bytes, for AES-256 (FIPS 197).
public struct StoreKey: Sendable {
    /// Bytes of a key of AES-256.
    public static let length = 32
    /// Names the key without telling anything of it: the first eight bytes of a hash over it. Whoever meets a value
    /// that another key sealed knows so before trying.
    public let identifier: [UInt8]
    let key: Secret<SymmetricKey>
    let bytes: Secret<[UInt8]>

    /// - Returns: `nil` for any other length than ``length``.
    public init?(_ bytes: Secret<[UInt8]>) {
        guard bytes.reveal().count == Self.length else { return nil }
        self.init(of: bytes)
    }

    /// A new one.
    public init(random: any RandomSource) {
        self.init(of: Secret(random.bytes(Self.length)))
    }

    private init(of bytes: Secret<[UInt8]>) {
        self.bytes = bytes
        key = Secret(SymmetricKey(data: bytes.reveal()))
        identifier = Array(SHA256.hash(data: Array("latchkey store key".utf8) + bytes.reveal()).prefix(8))
    }
}
