// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// The public key in an X.509 certificate (RFC 5280, section 4.1).
struct CertificatePublicKey {
    private let algorithm: ASN1ObjectIdentifier
    private let parameters: ASN1Node?
    private let bits: ArraySlice<UInt8>

    /// `nil` unless `der` is a certificate in DER, with nothing after it.
    init?(ofCertificate der: [UInt8]) {
        do {
            self = try DER.sequence(DER.parse(der), identifier: .sequence) { certificate in
                guard let signed = certificate.next() else { throw Incomplete() }
                defer { certificate.skipRest() }
                return try DER.sequence(signed, identifier: .sequence) { fields in
                    defer { fields.skipRest() }
                    return try Self(fields: &fields)
                }
            }
        } catch {
            return nil
        }
    }

    /// The fields of `TBSCertificate`: version, serial number, signature, issuer, validity, subject, then the key.
    private init(fields: inout ASN1NodeCollection.Iterator) throws {
        guard var field = fields.next() else { throw Incomplete() }
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        if field.identifier == version, let next = fields.next() { field = next }
        guard field.identifier == .integer else { throw Incomplete() }
        for _ in 0..<4 {
            guard fields.next()?.identifier == .sequence else { throw Incomplete() }
        }
        guard let info = fields.next() else { throw Incomplete() }
        self = try DER.sequence(info, identifier: .sequence) { info in
            guard let identifier = info.next(), let key = info.next() else { throw Incomplete() }
            let (algorithm, parameters) = try DER.sequence(identifier, identifier: .sequence) { nodes in
                (try ASN1ObjectIdentifier(derEncoded: &nodes), nodes.next())
            }
            let bits = try ASN1BitString(derEncoded: key)
            guard bits.paddingBits == 0 else { throw Incomplete() }
            return Self(algorithm: algorithm, parameters: parameters, bits: bits.bytes)
        }
    }

    private init(algorithm: ASN1ObjectIdentifier, parameters: ASN1Node?, bits: ArraySlice<UInt8>) {
        self.algorithm = algorithm
        self.parameters = parameters
        self.bits = bits
    }

    /// The numbers of the key: RSA (RFC 3279, section 2.3.1), an uncompressed point of a named curve (RFC 5480,
    /// section 2), or Ed25519 (RFC 8410, section 4).
    ///
    /// - Throws: for any other kind, and ``JOSEError`` for an RSA key that no JWK may have either.
    func material() throws -> KeyMaterial {
        switch algorithm {
        case .AlgorithmIdentifier.rsaEncryption:
            let (n, e) = try DER.sequence(DER.parse(bits), identifier: .sequence) { numbers in
                (try Self.magnitude(numbers.next()), try Self.magnitude(numbers.next()))
            }
            try RSARules.check(modulus: n, exponent: e)
            return .rsa(n: n, e: e, private: nil)
        case .AlgorithmIdentifier.idEcPublicKey:
            guard let parameters,
                let curve = Self.curves[try ASN1ObjectIdentifier(derEncoded: parameters)],
                bits.first == 4, bits.count == 1 + 2 * curve.size
            else { throw JOSEError(.keyInvalid, "not an uncompressed point of a known curve") }
            return .elliptic(
                curve, x: Array(bits.dropFirst().prefix(curve.size)), y: Array(bits.suffix(curve.size)),
                d: nil)
        case Self.ed25519:
            guard bits.count == 32 else { throw JOSEError(.keyInvalid, "not a key of Ed25519") }
            return .edwards(x: Array(bits), d: nil)
        default: throw JOSEError(.keyInvalid, "unknown kind of key")
        }
    }

    /// A number without the zero octet that says it is not negative; a negative one is refused.
    private static func magnitude(_ node: ASN1Node?) throws -> [UInt8] {
        guard let node else { throw Incomplete() }
        return Array(try ArraySlice<UInt8>(derEncoded: node))
    }

    private static let ed25519: ASN1ObjectIdentifier = [1, 3, 101, 112]
    private static let curves: [ASN1ObjectIdentifier: EllipticCurve] = [
        .NamedCurves.secp256r1: .p256, .NamedCurves.secp384r1: .p384, .NamedCurves.secp521r1: .p521,
    ]

    private struct Incomplete: Error {}
}

extension ASN1NodeCollection.Iterator {
    fileprivate mutating func skipRest() { while next() != nil {} }
}
