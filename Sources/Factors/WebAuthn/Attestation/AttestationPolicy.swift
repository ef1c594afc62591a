// SPDX-License-Identifier: Apache-2.0

/// Which attestations are good enough, and whose.
public struct AttestationPolicy: Sendable {
    /// Any that is right by its own format, or none.
    public static let optional = AttestationPolicy()

    let roots: [AttestationCertificate]
    let demandsTrust: Bool
    /// Which models are taken; empty for every one.
    let models: Set<[UInt8]>

    private init() {
        (roots, demandsTrust, models) = ([], false, [])
    }

    /// - Parameters:
    ///   - roots: certificates in DER, of authorities or of authenticators themselves; may be empty.
    ///   - demandsTrust: whether an attestation must lead to one of them.
    ///   - models: the AAGUIDs that are taken, of 16 octets each; empty for every one. Without a demand for trust they
    ///     are what authenticators say of themselves.
    /// - Throws: ``WebAuthnError/Code/attestationInvalid`` for a root that is no certificate.
    public init(roots: [[UInt8]], demandsTrust: Bool, models: Set<[UInt8]> = []) throws(WebAuthnError) {
        var certificates: [AttestationCertificate] = []
        for root in roots { certificates.append(try AttestationCertificate(root)) }
        (self.roots, self.demandsTrust, self.models) = (certificates, demandsTrust, models)
    }

    /// - Parameter aaguid: the model's, as the authenticator says it.
    func check(_ attestation: Attestation, of aaguid: [UInt8]) throws(WebAuthnError) -> Attestation {
        guard !demandsTrust || attestation == .trusted else { throw WebAuthnError(.attestationUntrusted) }
        guard models.isEmpty || models.contains(aaguid) else { throw WebAuthnError(.modelNotAllowed) }
        return attestation
    }
}
