// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The key that the data keys of a store are wrapped with. It is never in the database.
public struct MasterKey: Sendable {
    public static let length = 32

    /// 16 hexadecimal digits that follow from the key and tell nothing of it: what the database and the operator call
    /// it.
    public let id: String
    let key: Secret<SymmetricKey>

    /// - Throws: `AuthErrorCode.invalidRequest` for another length than 32 octets, or for one octet repeated.
    public init(_ bytes: Secret<[UInt8]>) throws(AuthError) {
        let octets = bytes.reveal()
        guard octets.count == Self.length else {
            throw AuthError(.invalidRequest, reason: "a master key has \(Self.length) octets, in Base64")
        }
        guard Set(octets).count > 1 else { throw AuthError(.invalidRequest, reason: "a master key is random") }
        let key = SymmetricKey(data: octets)
        self.key = Secret(key)
        let mark = HMAC<SHA256>.authenticationCode(for: Array("latchkey master key id".utf8), using: key)
        id = Hex.encode(mark.prefix(8))
    }

    /// A new one in the form in which it is kept.
    public static func generate(random: any RandomSource) -> Secret<String> {
        Secret(Base64.encode(random.bytes(length)))
    }
}

/// The master keys that a program was given: the first is current, and the others open what it was not used for yet.
public struct MasterKeys: Sendable {
    public let all: [MasterKey]

    /// - Parameter text: a key in Base64 a line, the current one first. Blank lines and those that begin with `#` are
    ///   left out.
    /// - Throws: `AuthErrorCode.invalidRequest` with a reason that names the line, never what stands in it.
    public init(parsing text: Secret<String>) throws(AuthError) {
        var keys: [MasterKey] = []
        for (number, line) in text.reveal().split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !word.isEmpty, !word.hasPrefix("#") else { continue }
            do {
                let octets = Base64.decode(word) ?? Base64URL.decode(word) ?? []
                keys.append(try MasterKey(Secret(octets)))
            } catch {
                throw AuthError(.invalidRequest, reason: "line \(number + 1): \(error.reason ?? "not a key")")
            }
        }
        guard !keys.isEmpty else { throw AuthError(.invalidRequest, reason: "there is no key in it") }
        all = keys
    }

    public var current: MasterKey? { all.first }

    func key(_ id: String) -> MasterKey? { all.first { $0.id == id } }
}
