// SPDX-License-Identifier: Apache-2.0

/// Makes a key's signatures in place of the cryptography that this library brings along: a faster library of the
/// system's, or a device that never hands the key out.
public protocol SignatureMaking: Sendable {
    /// The signature of `message` in the form of JWS: as long as the modulus for RSA, raw r and s for ECDSA
    /// (RFC 7518, sections 3.3 to 3.5).
    ///
    /// What it throws reaches no one: the caller of ``SigningKey/signature(for:)`` sees
    /// ``JOSEError/Code/signingFailed``.
    func signature(for message: [UInt8], algorithm: JWSAlgorithm) throws -> [UInt8]
}
