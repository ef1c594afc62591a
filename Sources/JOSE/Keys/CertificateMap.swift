// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The keys of an issuer that publishes X.509 certificates: a JSON object whose names are `kid`s and whose values are
/// certificates in PEM (RFC 7468, section 5).
///
/// Of each certificate only the public key is kept. Its signature, dates and names are not looked at: the certificates
/// sign themselves, and what makes them the issuer's is the place they were fetched from.
public struct CertificateMap: Sendable {
    /// The certificates' public keys, each with its member's name as `kid`.
    public let keys: [VerificationKey]

    /// Reads a map: at most 512 KiB and 256 certificates.
    ///
    /// A certificate whose key is of an unknown kind, or too weak for the rules of JWKs, is left out. A map of which
    /// nothing is left is refused.
    ///
    /// - Throws: ``JOSEError/Code/keySetInvalid`` for anything else than a JSON object of certificates.
    public init(parsing bytes: some Collection<UInt8>) throws(JOSEError) {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: bytes, limits: JSONLimits(depth: 2, members: 256, bytes: 512 << 10))
        } catch {
            throw JOSEError(.keySetInvalid, "not a JSON object: \(error)")
        }
        var usable: [VerificationKey] = []
        for member in object.members {
            guard let text = member.value.stringValue, let certificate = PEM.certificate(text) else {
                throw JOSEError(.keySetInvalid, "a value is not a certificate in PEM")
            }
            guard let publicKey = CertificatePublicKey(ofCertificate: certificate) else {
                throw JOSEError(.keySetInvalid, "a value is not an X.509 certificate")
            }
            if let material = try? publicKey.material(),
                let key = try? VerificationKey(JWK(material, algorithm: nil, keyID: member.name))
            {
                usable.append(key)
            }
        }
        guard !usable.isEmpty else { throw JOSEError(.keySetInvalid, "no key for signatures") }
        keys = usable
    }
}

/// The textual encoding of certificates (RFC 7468).
private enum PEM {
    /// The bytes of the one certificate in `text`; `nil` when anything but blank lines stands beside it.
    static func certificate(_ text: String) -> [UInt8]? {
        // A carriage return and a line feed are one `Character`, and so one newline.
        var lines = text.split(whereSeparator: \.isNewline)[...]
        guard lines.popFirst() == "-----BEGIN CERTIFICATE-----", lines.popLast() == "-----END CERTIFICATE-----" else {
            return nil
        }
        return Base64.decode(lines.joined())
    }
}
