// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto

/// The `Session` of `NEW_PASSWORD_REQUIRED`: says that its holder has shown a user's temporary password. The client
/// carries it, sealed, and the server keeps nothing.
///
/// It names the version of the user, and the change that it allows raises that: so it is good for one.
struct ChallengeSession: Sendable, Equatable {
    /// The service's model takes 20 to 2048 characters.
    static let lengths = 20...2048
    private static let context = Array("latchkey challenge session 1".utf8)
    private static let separator = UInt8(ascii: "\n")

    var user: UserID
    var version: Int64
    var client: ClientID
    var expiresAt: Instant

    /// BASE64URL of AES-256-GCM under a key of the Directory's: nonce, ciphertext, tag.
    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> String {
        let text = [
            user.rawValue, String(version), client.rawValue, String(expiresAt.microseconds),
        ].joined(separator: "\n")
        do {
            let nonce = try AES.GCM.Nonce(data: random.bytes(12))
            let box = try AES.GCM.seal(
                Array(text.utf8), using: Self.key(of: directory), nonce: nonce, authenticating: Self.context)
            return Base64URL.encode(Array(nonce) + Array(box.ciphertext) + Array(box.tag))
        } catch {
            throw AuthError(.internalFailure, reason: "a challenge session could not be sealed")
        }
    }

    init(user: UserID, version: Int64, client: ClientID, expiresAt: Instant) {
        self.user = user
        self.version = version
        self.client = client
        self.expiresAt = expiresAt
    }

    /// `nil` unless ``sealed(in:random:)`` made it in this Directory.
    init?(_ text: String, in directory: Directory) {
        guard Self.lengths.contains(text.utf8.count), let bytes = Base64URL.decode(text),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: Self.key(of: directory), authenticating: Self.context)
        else { return nil }
        let parts = Array(opened).split(separator: Self.separator, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard parts.count == 4, let version = Int64(parts[1]), let expiry = Int64(parts[3]) else { return nil }
        self.init(
            user: UserID(parts[0]), version: version, client: ClientID(parts[2]),
            expiresAt: Instant(microseconds: expiry))
    }

    private static func key(of directory: Directory) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: directory.tokenKey.reveal()),
            info: Array("challenge session".utf8), outputByteCount: 32)
    }
}
