// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What a client carries for the server until its next call, so that the server keeps nothing of what may never be
/// finished: AES-256-GCM (NIST SP 800-38D) under a key that is the Directory's and of one purpose (HKDF, RFC 5869).
/// Each has a key of its own, by a salt that stands before it, so that however many there are no nonce meets its like
/// under one key.
struct SealedFields: Equatable {
    /// Octets that are taken at most, where nobody says otherwise.
    static let maximumLength = 4096
    private static let saltLength = 12
    private static let ivLength = 12

    var fields: [[UInt8]]

    init(_ fields: [[UInt8]]) {
        self.fields = fields
    }

    /// `nil` unless ``sealed(for:in:random:)`` made it for the same purpose in the same Directory.
    ///
    /// - Parameter limit: octets.
    init?(_ sealed: [UInt8], for purpose: String, in directory: Directory, upTo limit: Int = maximumLength) {
        guard sealed.count <= limit, sealed.count > Self.saltLength,
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(Self.saltLength)),
            let opened = try? AES.GCM.open(
                box, using: Self.key(purpose, directory, salt: sealed.prefix(Self.saltLength)),
                authenticating: Self.context(purpose, directory))
        else { return nil }
        self.init(joined: Array(opened))
    }

    /// The fields that ``joined`` wrote.
    init?(joined octets: [UInt8]) {
        var rest = octets[...]
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

    /// Each field behind its length in two octets.
    var joined: [UInt8] {
        fields.flatMap { field in
            [UInt8(truncatingIfNeeded: field.count >> 8), UInt8(truncatingIfNeeded: field.count)] + field
        }
    }

    /// Salt, nonce, ciphertext, tag.
    func sealed(
        for purpose: String, in directory: Directory, random: any RandomSource
    ) throws(AuthError) -> [UInt8] {
        do {
            let salt = random.bytes(Self.saltLength)
            let nonce = try AES.GCM.Nonce(data: random.bytes(Self.ivLength))
            let box = try AES.GCM.seal(
                joined, using: Self.key(purpose, directory, salt: salt[...]), nonce: nonce,
                authenticating: Self.context(purpose, directory))
            return salt + Array(nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw AuthError(.internalFailure, reason: "\(purpose) could not be sealed")
        }
    }

    /// The first block of HKDF-Expand. What would go before it makes a key of what is none yet, and the Directory's is
    /// one (RFC 5869, section 3.3).
    private static func key(_ purpose: String, _ directory: Directory, salt: ArraySlice<UInt8>) -> SymmetricKey {
        let info = Array("sealed fields\u{0}\(purpose)\u{0}".utf8) + salt
        return SymmetricKey(data: directory.authenticationCode(of: info + [1]))
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

extension Array<[UInt8]> {
    /// Five of each method: its name, when, whose word it was, which factor, and where it was answered.
    init(methods: [AuthenticationMethod]) {
        self = methods.flatMap {
            [
                [UInt8]($0.name.rawValue.utf8), [UInt8](field: $0.at.microseconds), [UInt8](($0.provider ?? "").utf8),
                [UInt8](($0.factor?.rawValue ?? "").utf8), [UInt8](($0.recipient ?? "").utf8),
            ]
        }
    }

    /// What ``init(methods:)`` wrote; `nil` for what it did not.
    var methods: [AuthenticationMethod]? {
        guard count.isMultiple(of: 5) else { return nil }
        var methods: [AuthenticationMethod] = []
        for index in stride(from: 0, to: count, by: 5) {
            guard let at = self[index + 1].fieldNumber else { return nil }
            methods.append(
                AuthenticationMethod(
                    .init(rawValue: self[index].fieldText), at: Instant(microseconds: at),
                    provider: self[index + 2].isEmpty ? nil : self[index + 2].fieldText,
                    factor: self[index + 3].isEmpty ? nil : FactorID(self[index + 3].fieldText),
                    recipient: self[index + 4].isEmpty ? nil : self[index + 4].fieldText))
        }
        return methods
    }
}
