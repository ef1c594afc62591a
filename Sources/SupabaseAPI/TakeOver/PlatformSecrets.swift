// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Opens what the platform keeps encrypted in its tables (supabase/auth, `internal/crypto`): AES-256-GCM, by a key that
/// HKDF with SHA-256 (RFC 5869) makes of one of the operator's and of the row's identifier.
public struct PlatformSecrets: Sendable {
    private static let algorithm = "aes-gcm-hkdf"
    private static let nonceLength = 12
    private static let tagLength = 16
    private static let keyLength = 32

    private let keys: [String: Secret<[UInt8]>]

    /// Opens nothing.
    init() { keys = [:] }

    /// - Parameter keys: by their names, each 32 octets in BASE64URL.
    /// - Throws: ``AuthErrorCode/invalidRequest``.
    init(_ keys: [String: Secret<String>]) throws(AuthError) {
        var read: [String: Secret<[UInt8]>] = [:]
        for (name, key) in keys {
            guard let octets = Base64URL.decode(key.reveal()), octets.count == Self.keyLength else {
                throw AuthError(.invalidRequest, reason: "expected keys of 256 bits in BASE64URL")
            }
            read[name] = Secret(octets)
        }
        self.keys = read
    }

    /// What a column says: as it is, where it is not encrypted.
    ///
    /// - Parameters:
    ///   - row: the identifier that the text is bound to.
    ///   - column: named in the error.
    /// - Throws: ``AuthErrorCode/invalidRequest`` where no key opens it.
    func opened(_ text: String, of row: String, _ column: String) throws(AuthError) -> Secret<String> {
        guard text.hasPrefix("{"), let json = try? JSONObject(parsing: text.utf8),
            let keyName = json["key_id"]?.stringValue, json["alg"]?.stringValue == Self.algorithm,
            let data = json["data"]?.stringValue.flatMap(Base64.decode), data.count >= Self.tagLength,
            let nonce = json["nonce"]?.stringValue.flatMap(Base64.decode), nonce.count == Self.nonceLength
        else { return Secret(text) }
        guard let key = keys[keyName] else {
            throw AuthError(
                .invalidRequest, reason: "encrypted under a key that GOTRUE_SECURITY_DB_ENCRYPTION_* do not name",
                field: column)
        }
        do {
            let derived = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.reveal()), info: Array(row.utf8),
                outputByteCount: Self.keyLength)
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: data.dropLast(Self.tagLength),
                tag: data.suffix(Self.tagLength))
            return Secret(String(decoding: try AES.GCM.open(box, using: derived), as: UTF8.self))
        } catch {
            throw AuthError(.invalidRequest, reason: "does not open under its key", field: column)
        }
    }
}
