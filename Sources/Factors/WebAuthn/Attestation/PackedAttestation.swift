// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An attestation of the format `packed` (Web Authentication Level 3, section 8.2).
struct PackedAttestation: Sendable {
    /// Certificates of a chain, the authenticator's own included.
    static let mostCertificates = 5

    private let algorithm: Int64
    private let signature: [UInt8]
    private let certificates: [[UInt8]]?

    init(_ statement: [CBORValue.Key: CBORValue]) throws(WebAuthnError) {
        guard let algorithm = statement[.text("alg")]?.integerValue, let signature = statement[.text("sig")]?.bytesValue
        else { throw WebAuthnError(.attestationInvalid, "no algorithm or no signature") }
        self.algorithm = algorithm
        self.signature = signature
        guard let chain = statement[.text("x5c")] else {
            // What else there may be is of Level 1 (ECDAA), which nobody makes.
            guard statement.count == 2 else { throw WebAuthnError(.attestationUnsupported) }
            certificates = nil
            return
        }
        let items = chain.arrayValue ?? []
        let certificates = items.compactMap(\.bytesValue)
        guard statement.count == 3, !items.isEmpty, certificates.count == items.count else {
            throw WebAuthnError(.attestationInvalid, "certificates")
        }
        guard items.count <= Self.mostCertificates else { throw WebAuthnError(.tooLarge, "certificates") }
        self.certificates = certificates
    }

    func verify(
        _ message: [UInt8], _ credential: AuthenticatorData.AttestedCredential, key: COSEKey,
        _ policy: AttestationPolicy, at now: Instant
    ) throws(WebAuthnError) -> Attestation {
        guard let certificates else {
            guard algorithm == key.algorithm.rawValue, key.isValid(signature, for: message) else {
                throw WebAuthnError(.attestationInvalid, "not signed by the new key")
            }
            return .selfSigned
        }
        var chain: [AttestationCertificate] = []
        for certificate in certificates { chain.append(try AttestationCertificate(certificate)) }
        guard let algorithm = COSEAlgorithm(rawValue: algorithm) else { throw WebAuthnError(.attestationUnsupported) }
        guard chain[0].isValid(signature, for: message, algorithm) else {
            throw WebAuthnError(.attestationInvalid, "not signed by the certificate's key")
        }
        try chain[0].checkPacked(aaguid: credential.aaguid)
        return AttestationChain(chain).leads(to: policy.roots, at: now) ? .trusted : .untrusted
    }
}
