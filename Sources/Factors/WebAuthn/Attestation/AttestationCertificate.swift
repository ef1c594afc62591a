// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import SwiftASN1
import X509

/// A certificate of an authenticator's maker (RFC 5280).
struct AttestationCertificate: Sendable {
    /// Octets that are read at most.
    static let longest = 8 << 10
    /// `id-fido-gen-ce-aaguid`
    private static let model: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45_724, 1, 1, 4]

    let octets: [UInt8]
    let certificate: Certificate
    private let begins: Instant
    private let ends: Instant

    init(_ octets: [UInt8]) throws(WebAuthnError) {
        guard octets.count <= Self.longest else { throw WebAuthnError(.tooLarge, "certificate") }
        self.octets = octets
        do {
            certificate = try Certificate(derEncoded: octets)
            (begins, ends) = try Self.validity(certificate.tbsCertificateBytes)
        } catch {
            throw WebAuthnError(.attestationInvalid, "not a certificate")
        }
    }

    func isValid(at now: Instant) -> Bool { begins <= now && now <= ends }

    /// Whether `signature` is of this certificate's key over `message`.
    func isValid(_ signature: [UInt8], for message: [UInt8], _ algorithm: COSEAlgorithm) -> Bool {
        let algorithm: Certificate.SignatureAlgorithm =
            switch algorithm {
            case .es256: .ecdsaWithSHA256
            case .es384: .ecdsaWithSHA384
            case .es512: .ecdsaWithSHA512
            case .edDSA: .ed25519
            case .rs256: .sha256WithRSAEncryption
            }
        return certificate.publicKey.isValidSignature(signature, for: message, signatureAlgorithm: algorithm)
    }

    /// What a certificate must be that attests in the format `packed` (Web Authentication Level 3, section 8.2.1).
    func checkPacked(aaguid: [UInt8]) throws(WebAuthnError) {
        var subject: [ASN1ObjectIdentifier: String] = [:]
        for name in certificate.subject {
            for attribute in name { subject[attribute.type] = String(attribute.value) }
        }
        guard certificate.version == .v3,
            subject[.RDNAttributeType.organizationalUnitName] == "Authenticator Attestation",
            [.RDNAttributeType.countryName, .RDNAttributeType.organizationName, .RDNAttributeType.commonName]
                .allSatisfy({ subject[$0]?.isEmpty == false })
        else { throw WebAuthnError(.attestationInvalid, "the certificate's version or subject") }
        guard case .notCertificateAuthority? = try? certificate.extensions.basicConstraints else {
            throw WebAuthnError(.attestationInvalid, "the certificate's basic constraints")
        }
        guard let model = certificate.extensions[oid: Self.model] else { return }
        guard !model.critical, let value = try? ASN1OctetString(derEncoded: Array(model.value)),
            value.bytes.elementsEqual(aaguid)
        else { throw WebAuthnError(.attestationInvalid, "the certificate is another model's") }
    }

    /// The field `validity` of what was signed (section 4.1.2.5): after version, serial number, signature and issuer.
    private static func validity(_ signed: ArraySlice<UInt8>) throws -> (Instant, Instant) {
        try DER.sequence(DER.parse(signed), identifier: .sequence) { fields in
            defer { while fields.next() != nil {} }
            let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
            var field = fields.next()
            if field?.identifier == version { field = fields.next() }
            for _ in 0..<3 { field = fields.next() }
            guard let field else { throw WebAuthnError(.attestationInvalid) }
            return try DER.sequence(field, identifier: .sequence) { times in
                (try instant(times.next()), try instant(times.next()))
            }
        }
    }

    private static func instant(_ node: ASN1Node?) throws -> Instant {
        guard let node else { throw WebAuthnError(.attestationInvalid) }
        let numbers: [Int]
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            numbers = [time.year, time.month, time.day, time.hours, time.minutes, time.seconds]
        } else {
            let time = try GeneralizedTime(derEncoded: node)
            numbers = [time.year, time.month, time.day, time.hours, time.minutes, time.seconds]
        }
        let texts = zip(numbers, [4, 2, 2, 2, 2, 2]).map { number, width in
            String(repeating: "0", count: max(0, width - String(number).utf8.count)) + String(number)
        }
        let text = texts[..<3].joined(separator: "-") + "T" + texts[3...].joined(separator: ":") + "Z"
        guard let instant = Instant(rfc3339: text) else { throw WebAuthnError(.attestationInvalid) }
        return instant
    }
}
