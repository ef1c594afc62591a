// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import SwiftASN1
import X509

/// The certificates of an attestation, the authenticator's own first, each issued by the next.
///
/// What RFC 5280, section 6, wants of such a chain is short here: names and signatures, dates, authorities and the
/// length of their paths. Whatever else a certificate says is critical makes it lead nowhere. Nobody is asked whether
/// one was revoked.
struct AttestationChain: Sendable {
    private static let understood: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    private let certificates: [AttestationCertificate]

    init(_ certificates: [AttestationCertificate]) {
        self.certificates = certificates
    }

    func leads(to roots: [AttestationCertificate], at now: Instant) -> Bool {
        for (place, link) in certificates.enumerated() {
            guard Self.isUsable(link, at: now) else { return false }
            if roots.contains(where: { $0.octets == link.octets }) { return true }
            if roots.contains(where: {
                Self.isUsable($0, at: now) && Self.issued(link, by: $0, authoritiesBetween: place)
            }) {
                return true
            }
            guard place + 1 < certificates.count,
                Self.issued(link, by: certificates[place + 1], authoritiesBetween: place)
            else { return false }
        }
        return false
    }

    private static func isUsable(_ certificate: AttestationCertificate, at now: Instant) -> Bool {
        certificate.isValid(at: now)
            && certificate.certificate.extensions.allSatisfy { !$0.critical || understood.contains($0.oid) }
    }

    /// - Parameter authoritiesBetween: how many authorities there are between the first certificate and the issuer.
    private static func issued(
        _ subject: AttestationCertificate, by issuer: AttestationCertificate, authoritiesBetween: Int
    ) -> Bool {
        let (subject, issuer) = (subject.certificate, issuer.certificate)
        guard subject.issuer == issuer.subject, subject.signatureAlgorithm != .sha1WithRSAEncryption,
            case .isCertificateAuthority(let longest)? = try? issuer.extensions.basicConstraints,
            longest.map({ authoritiesBetween <= $0 }) ?? true
        else { return false }
        if issuer.extensions[oid: .X509ExtensionID.keyUsage] != nil {
            guard let usage = try? issuer.extensions.keyUsage, usage.keyCertSign else { return false }
        }
        return issuer.publicKey.isValidSignature(subject.signature, for: subject)
    }
}
