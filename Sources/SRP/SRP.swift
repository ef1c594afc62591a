// SPDX-License-Identifier: Apache-2.0

import Crypto

/// What both sides of the Secure Remote Password protocol (SRP-6a, RFC 5054) compute, in the form that hashes
/// ``SignedBytes`` and names a realm. Numbers are unsigned and big-endian; results have ``SRPGroup/byteCount`` bytes.
public enum SRP {
    /// v = g^x with x = H(salt | H(realm | identity | ":" | password)).
    ///
    /// Who holds it can try passwords at the speed of one SHA-256 and one exponentiation, so it is a secret.
    /// - Parameters:
    ///   - identity: what the server calls the user, not what was typed to sign in.
    ///   - password: its UTF-8 bytes enter the hash, not normalized.
    ///   - salt: hashed as a number, so leading zero bytes do not count.
    /// - Throws: ``SRPError/outOfMemory``.
    public static func verifier(
        realm: String, identity: String, password: String, salt: [UInt8]
    ) throws(SRPError) -> [UInt8] {
        let exponent = passwordExponent(realm: realm, identity: identity, password: password, salt: salt)
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        return try group.power(SecretNumber.read([SRPGroup.generator]), SecretNumber.read(exponent), scratch).bytes()
    }

    /// A verifier that no known password has, always the same for the same seed: what a server takes where there is no
    /// user, so that the answer and its cost are those of a user with another password.
    /// - Parameter seed: secret, at least 32 bytes.
    public static func decoyVerifier(seed: [UInt8]) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: seed), info: Array("srp decoy verifier".utf8),
            outputByteCount: SRPGroup.byteCount)
        var bytes = key.withUnsafeBytes { Array($0) }
        // Below N, whose top bits are all set, and not zero.
        if let top = bytes.indices.first { bytes[top] &= 0x7F }
        if let low = bytes.indices.last { bytes[low] |= 1 }
        return bytes
    }

    /// The session key: HKDF-SHA256 (RFC 5869) of the shared secret, salted with the scrambling parameter, 16 bytes.
    /// - Parameter info: the text that the dialect's clients put there.
    public static func deriveKey(sharedSecret: [UInt8], scrambling: [UInt8], info: String) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: SignedBytes.encode(sharedSecret)),
            salt: SignedBytes.encode(scrambling), info: Array(info.utf8), outputByteCount: 16
        ).withUnsafeBytes { Array($0) }
    }

    /// x, 32 bytes.
    static func passwordExponent(realm: String, identity: String, password: String, salt: [UInt8]) -> [UInt8] {
        var inner = SHA256()
        for part in [realm, identity, ":", password] { inner.update(data: Array(part.utf8)) }
        var outer = SHA256()
        outer.update(data: SignedBytes.encode(salt))
        outer.update(data: Array(inner.finalize()))
        return Array(outer.finalize())
    }

    /// u = H(A | B), 32 bytes.
    static func scrambling(clientPublic: [UInt8], serverPublic: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: SignedBytes.encode(clientPublic))
        hash.update(data: SignedBytes.encode(serverPublic))
        return Array(hash.finalize())
    }
}
