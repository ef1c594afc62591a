// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What a client carries for the server until its next call, so that the server keeps nothing of what may never be
/// finished: AES-256-GCM (NIST SP 800-38D) under a key that is the Directory's and of one purpose (HKDF, RFC 5869).
struct SealedFields: Equatable {
    /// Octets that are taken at most, where nobody says otherwise.
    static let maximumLength = 4096
    private static let ivLength = 12

    var fields: [[UInt8]]

    init(_ fields: [[UInt8]]) {
        self.fields = fields
    }

    /// `nil` unless ``sealed(for:in:random:)`` made it for the same purpose in the same Directory.
    ///
    /// - Parameter limit: octets.
    init?(_ sealed: [UInt8], for purpose: String, in directory: Directory, upTo limit: Int = maximumLength) {
        guard sealed.count <= limit, let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(
                box, using: Self.key(purpose, directory), authenticating: Self.context(purpose, directory))
        else { return nil }
        var rest = Array(opened)[...]
        var fields: [[UInt8]] = []
        while !rest.isEmpty {
            let length = rest.prefix(2)
            let field = rest.dropFirst(2).prefix(length.reduce(0) { $0 << 8 | Int($1) })
            guard length.count == 2, field.count == length.reduce(0, { $0 << 8 | Int($1) }) else { return nil }
            fields.append(Array(field))
            rest = rest.dropFirst(2 + field.count)
        }
        self.init(fields)
    }

    /// Nonce, ciphertext, tag. Each field stands behind its length in two octets.
    func sealed(
        for purpose: String, in directory: Directory, random: any RandomSource
    ) throws(AuthError) -> [UInt8] {
        let text = fields.flatMap { field in
            [UInt8(truncatingIfNeeded: field.count >> 8), UInt8(truncatingIfNeeded: field.count)] + field
        }
        do {
            let nonce = try AES.GCM.Nonce(data: random.bytes(Self.ivLength))
            let box = try AES.GCM.seal(
                text, using: Self.key(purpose, directory), nonce: nonce,
                authenticating: Self.context(purpose, directory))
            return Array(nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw AuthError(.internalFailure, reason: "\(purpose) could not be sealed")
        }
    }

    private static func key(_ purpose: String, _ directory: Directory) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: directory.tokenKey.reveal()), info: Array(purpose.utf8),
            outputByteCount: 32)
    }

    private static func context(_ purpose: String, _ directory: Directory) -> [UInt8] {
        Array("\(purpose)\u{0}\(directory.id.rawValue)".utf8)
    }
}

extension Array<UInt8> {
    /// Eight octets, big-endian.
    init(field value: Int64) {
        let bits = UInt64(bitPattern: value)
        self = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    /// The number that ``init(field:)`` wrote.
    var fieldNumber: Int64? {
        count == 8 ? Int64(bitPattern: reduce(0) { $0 << 8 | UInt64($1) }) : nil
    }

    var fieldText: String { String(decoding: self, as: UTF8.self) }
}
