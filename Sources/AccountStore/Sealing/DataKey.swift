// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A key that values are sealed with, and how it is kept: wrapped by a master key.
///
/// Each cell of a table is sealed under a key of its own, derived from this one and the cell's place, with AES-256-GCM
/// (NIST SP 800-38D) and a random nonce of 96 bits. What bounds the number of random nonces under one key (2^32,
/// section 8.3) thus bounds how often one cell is written, and never the number of users. A value that was moved to
/// another row, column or Directory does not open.
struct DataKey: Sendable {
    /// Counted up from 1.
    let id: UInt32
    private let bytes: Secret<[UInt8]>
    /// Keyed once: the key of each cell is drawn from a copy.
    private let derivation: Secret<HMAC<SHA256>>

    static let nonceLength = 12

    init(id: UInt32, _ bytes: Secret<[UInt8]>) {
        self.id = id
        self.bytes = bytes
        derivation = Secret(HMAC(key: SymmetricKey(data: bytes.reveal())))
    }

    // MARK: Values

    func seal(_ value: [UInt8], in cell: Cell, random: any RandomSource) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: random.bytes(Self.nonceLength))
        let box = try AES.GCM.seal(value, using: cellKey(cell), nonce: nonce, authenticating: cell.context)
        var stored = StoredValue.header(of: id)
        stored.reserveCapacity(stored.count + Self.nonceLength + value.count + 16)
        stored += nonce
        stored += box.ciphertext
        stored += box.tag
        return stored
    }

    /// - Throws: `CryptoKitError` for what was not sealed with this key for this cell, or is damaged.
    func open(_ sealed: ArraySlice<UInt8>, in cell: Cell) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(combined: sealed)
        return Array(try AES.GCM.open(box, using: cellKey(cell), authenticating: cell.context))
    }

    private func cellKey(_ cell: Cell) -> SymmetricKey {
        var derivation = derivation.reveal()
        derivation.update(data: cell.context)
        return SymmetricKey(data: derivation.finalize())
    }

    // MARK: Wrapping

    func wrapped(by master: MasterKey, random: any RandomSource) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: random.bytes(Self.nonceLength))
        let box = try AES.GCM.seal(
            bytes.reveal(), using: master.key.reveal(), nonce: nonce, authenticating: Self.context(id))
        return Array(nonce) + box.ciphertext + box.tag
    }

    /// - Throws: `CryptoKitError` for what was not wrapped by `master` under this number.
    init(id: UInt32, unwrapping wrapped: [UInt8], by master: MasterKey) throws {
        let box = try AES.GCM.SealedBox(combined: wrapped)
        let bytes = try AES.GCM.open(box, using: master.key.reveal(), authenticating: Self.context(id))
        self.init(id: id, Secret(Array(bytes)))
    }

    private static func context(_ id: UInt32) -> [UInt8] { Array("latchkey data key 1\0\(id)".utf8) }
}
