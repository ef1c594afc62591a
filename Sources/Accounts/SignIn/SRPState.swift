// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What the server must know again when a client answers an SRP challenge. The client carries it, sealed: the server
/// keeps nothing of a sign-in that may never be finished.
struct SRPState: Equatable {
    static let nonceLength = 16

    /// Who was named: a user, or for a name that nobody has an identifier that follows from it. Both are of one length,
    /// so that the length of the sealed text does not tell them apart.
    var subject: UserID
    /// Whether the subject is a user with a verifier.
    var isReal: Bool
    /// What the client was told to hash in the user's place.
    var identity: String
    var salt: [UInt8]
    var clientPublic: [UInt8]
    var serverPublic: [UInt8]
    /// b.
    var ephemeral: [UInt8]
    var clientID: ClientID?
    /// Names the challenge, so that it is used once.
    var nonce: [UInt8]
    var expiresAt: Instant

    /// The user whose verifier judges the answer; `nil` where a made-up one does.
    var user: UserID? { isReal ? subject : nil }

    /// AES-256-GCM under a key of the Directory's: nonce, ciphertext, tag.
    ///
    /// - Parameter iv: 12 random bytes.
    func sealed(under key: Secret<[UInt8]>, iv: [UInt8]) throws(AuthError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(
                encoded, using: Self.sealingKey(key), nonce: AES.GCM.Nonce(data: iv), authenticating: Self.context)
            return iv + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw AuthError(.internalFailure, reason: "an SRP challenge could not be sealed")
        }
    }

    /// `nil` unless ``sealed(under:iv:)`` made it with this key.
    init?(_ sealed: [UInt8], under key: Secret<[UInt8]>) {
        guard (28...4096).contains(sealed.count), let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(box, using: Self.sealingKey(key), authenticating: Self.context)
        else { return nil }
        var reader = Reader(rest: Array(opened)[...])
        guard let subject = reader.text(), let real = reader.bytes(), real.count == 1, let identity = reader.text(),
            let salt = reader.bytes(),
            let clientPublic = reader.bytes(), let serverPublic = reader.bytes(), let ephemeral = reader.bytes(),
            let client = reader.text(), let nonce = reader.bytes(), let expiry = reader.bytes(), expiry.count == 8,
            reader.rest.isEmpty
        else { return nil }
        self.init(
            subject: UserID(subject), isReal: real == [1], identity: identity, salt: salt, clientPublic: clientPublic,
            serverPublic: serverPublic, ephemeral: ephemeral, clientID: client.isEmpty ? nil : ClientID(client),
            nonce: nonce,
            expiresAt: Instant(microseconds: Int64(bitPattern: expiry.reduce(0) { $0 << 8 | UInt64($1) })))
    }

    init(
        subject: UserID, isReal: Bool, identity: String, salt: [UInt8], clientPublic: [UInt8], serverPublic: [UInt8],
        ephemeral: [UInt8], clientID: ClientID?, nonce: [UInt8], expiresAt: Instant
    ) {
        self.subject = subject
        self.isReal = isReal
        self.identity = identity
        self.salt = salt
        self.clientPublic = clientPublic
        self.serverPublic = serverPublic
        self.ephemeral = ephemeral
        self.clientID = clientID
        self.nonce = nonce
        self.expiresAt = expiresAt
    }

    private static let context = Array("latchkey srp state 2".utf8)

    private static func sealingKey(_ key: Secret<[UInt8]>) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.reveal()), info: Array("srp".utf8), outputByteCount: 32)
    }

    /// Each field behind its length in two bytes. A text of no bytes stands for none.
    private var encoded: [UInt8] {
        let time = UInt64(bitPattern: expiresAt.microseconds)
        let fields = [
            Array(subject.rawValue.utf8), [isReal ? 1 : 0], Array(identity.utf8), salt, clientPublic, serverPublic,
            ephemeral,
            Array((clientID?.rawValue ?? "").utf8), nonce,
            (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) },
        ]
        return fields.flatMap { field in
            [UInt8(truncatingIfNeeded: field.count >> 8), UInt8(truncatingIfNeeded: field.count)] + field
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func bytes() -> [UInt8]? {
            let length = rest.prefix(2)
            guard length.count == 2 else { return nil }
            let count = length.reduce(0) { $0 << 8 | Int($1) }
            let field = rest.dropFirst(2).prefix(count)
            guard field.count == count else { return nil }
            rest = rest.dropFirst(2 + count)
            return Array(field)
        }

        mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }
    }
}
