// SPDX-License-Identifier: Apache-2.0

/// Which attestations are good enough, and whose.
public struct AttestationPolicy: Sendable {
    /// Any that is right by its own format, or none.
    public static let optional = AttestationPolicy()

    let roots: [AttestationCertificate]
    let demandsTrust: Bool

    private init() {
        (roots, demandsTrust) = ([], false)
    }

    /// - Parameters:
    ///   - roots: certificates in DER, of authorities or of authenticators themselves; may be empty.
    ///   - demandsTrust: whether an attestation must lead to one of them.
    /// - Throws: ``WebAuthnError/Code/attestationInvalid`` for a root that is no certificate.
    public init(roots: [[UInt8]], demandsTrust: Bool) throws(WebAuthnError) {
        var certificates: [AttestationCertificate] = []
        for root in roots { certificates.append(try AttestationCertificate(root)) }
        (self.roots, self.demandsTrust) = (certificates, demandsTrust)
    }

    func check(_ attestation: Attestation) throws(WebAuthnError) -> Attestation {
        guard !demandsTrust || attestation == .trusted else { throw WebAuthnError(.attestationUntrusted) }
        return attestation
    }
}
