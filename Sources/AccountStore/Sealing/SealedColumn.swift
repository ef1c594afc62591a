// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A column of the schema whose values are sealed where the store has a key. What a reader of the database could use as
/// it is belongs here.
struct SealedColumn: Sendable, Hashable {
    let table: String
    let column: String
    /// The columns that name a row, in the order of the table's index.
    let key: [String]
    /// The column with the row's Directory, and the one with its identifier within it.
    let directory: String
    let row: String

    private init(
        _ table: String, _ column: String, key: [String] = ["id"], directory: String = "directory_id"
    ) {
        self.table = table
        self.column = column
        self.key = key
        self.directory = directory
        row = "id"
    }

    static let tokenKey = SealedColumn("directories", "token_key", directory: "id")
    static let passwordHash = SealedColumn("users", "password_hash", key: ["directory_id", "id"])
    static let verifier = SealedColumn("users", "srp_verifier", key: ["directory_id", "id"])
    /// Of a sign-up that nobody has confirmed yet.
    static let attemptHash = SealedColumn("sign_up_attempts", "password_hash")
    static let attemptVerifier = SealedColumn("sign_up_attempts", "srp_verifier")
    static let privateKey = SealedColumn("signing_keys", "private_jwk", key: ["directory_id", "id"])
    static let clientSecret = SealedColumn("client_secrets", "text")
    static let message = SealedColumn("outbox", "content")
    /// By which this server shows an identity provider who it is.
    static let providerSecret = SealedColumn("identity_providers", "secret")
    static let upstreamVerifier = SealedColumn("pending_federations", "verifier")
    static let upstreamToken = SealedColumn("upstream_grants", "refresh_token")
    /// What a provider gave a user, until their app asks for it.
    static let codeTokens = SealedColumn("authorization_codes", "upstream_tokens")

    /// Of an authenticator app: who has it makes its codes.
    static let factorSecret = SealedColumn("factors", "secret")

    /// Of a device: as a password's, of a secret that its client has chosen.
    static let deviceVerifier = SealedColumn("remembered_devices", "srp_verifier")

    static let all: [SealedColumn] = [
        tokenKey, privateKey, clientSecret, passwordHash, verifier, attemptHash, attemptVerifier, message,
        providerSecret, upstreamVerifier, upstreamToken, codeTokens,
        factorSecret, deviceVerifier,
    ]

    var name: String { table + "." + column }
}

/// The tables with sealed columns.
package enum SealedTables {
    package static let names = Set(SealedColumn.all.map(\.table)).sorted()
}

/// The place of one value.
struct Cell: Sendable {
    /// The place as octets. No part holds a NUL: the store refuses it in identifiers.
    let context: [UInt8]

    init(_ column: SealedColumn, in directory: String, row: String) {
        context = Array("latchkey cell 1\0\(column.table)\0\(column.column)\0\(directory)\0\(row)".utf8)
    }
}

/// How a value stands in its column: an octet that says whether it is sealed; where it is, the number of the data key
/// in four octets (big-endian), nonce, ciphertext and tag; where it is not, the value itself.
enum StoredValue {
    case clear(ArraySlice<UInt8>)
    case sealed(key: UInt32, ArraySlice<UInt8>)

    /// Of octet 0 and 1 each, what they mean.
    static let clearMark: UInt8 = 0
    static let sealedMark: UInt8 = 1
    static let headerLength = 5

    static func header(of key: UInt32) -> [UInt8] {
        [sealedMark] + (0..<4).map { UInt8(truncatingIfNeeded: key >> (24 - 8 * $0)) }
    }

    /// `nil` for what is neither.
    init?(_ stored: [UInt8]) {
        switch stored.first {
        case Self.clearMark: self = .clear(stored.dropFirst())
        case Self.sealedMark where stored.count >= Self.headerLength:
            let key = stored[1..<Self.headerLength].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            self = .sealed(key: key, stored.dropFirst(Self.headerLength))
        default: return nil
        }
    }
}
