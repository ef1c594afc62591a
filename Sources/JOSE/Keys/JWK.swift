// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A JSON Web Key for signatures (RFC 7517; RFC 7518, section 6; RFC 8037, section 2): EC on P-256, P-384 or P-521,
/// RSA of 2048 to 8192 bits, Ed25519, or an HMAC secret.
///
/// A `JWK` that exists is usable: its numbers have the right length and lie on their curve, its private part belongs
/// to its public one, and what it says of its purpose (`use`, `key_ops`, `alg`) agrees with its kind.
public struct JWK: Sendable {
    /// The `kid`.
    public let keyID: String?
    /// The one algorithm the key is for. `nil` leaves every algorithm of its kind.
    public let algorithm: JWSAlgorithm?
    let material: KeyMaterial

    /// Whether it holds anything that must not be published: a private key, or an HMAC secret.
    public var isSecret: Bool { material.isSecret }
    /// Whether one secret both signs and verifies.
    public var isSymmetric: Bool { material.isSymmetric }
    /// The algorithms it may be used with.
    public var algorithms: [JWSAlgorithm] { algorithm.map { [$0] } ?? material.algorithms }

    init(_ material: KeyMaterial, algorithm: JWSAlgorithm?, keyID: String?) throws(JOSEError) {
        if let algorithm, !material.algorithms.contains(algorithm) {
            throw material.isSymmetric && algorithm.isSymmetric
                ? JOSEError(.keyTooWeak, "\(algorithm) needs \(algorithm.smallestSecret) bytes")
                : JOSEError(.keyInvalid, "this kind of key cannot be used with its alg")
        }
        if material.algorithms.isEmpty { throw JOSEError(.keyTooWeak, "an HMAC secret needs at least 32 bytes") }
        self.material = material
        self.algorithm = algorithm
        self.keyID = keyID
        _ = try VerificationKey.Primitive(material)
        if material.isSecret { _ = try SigningKey.Primitive(material) }
    }

    /// An HMAC secret as a key.
    ///
    /// - Throws: ``JOSEError/Code/keyTooWeak`` when it has fewer bytes than the algorithm's hash.
    public init(secret: Secret<[UInt8]>, algorithm: JWSAlgorithm, keyID: String? = nil) throws(JOSEError) {
        guard algorithm.isSymmetric else { throw JOSEError(.keyInvalid, "a secret is for HMAC only") }
        try self.init(.symmetric(secret), algorithm: algorithm, keyID: keyID)
    }

    /// The same key without its private part; `nil` for an HMAC secret, which has no other part.
    public var publicKey: JWK? {
        guard let material = material.publicPart else { return nil }
        return try? JWK(material, algorithm: algorithm, keyID: keyID)
    }
}
