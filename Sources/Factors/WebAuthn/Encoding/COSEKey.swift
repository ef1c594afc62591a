// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE

/// A credential's public key: a COSE_Key (RFC 9052, section 7) as authenticators write it, with the members that its
/// kind needs and no others (Web Authentication Level 3, section 6.5.1).
///
/// What makes a key fit for use is said once for the whole product, of JSON Web Keys; a key is therefore judged as one.
struct COSEKey: Sendable {
    let algorithm: COSEAlgorithm
    private let key: VerificationKey

    init(_ octets: [UInt8]) throws(WebAuthnError) {
        try self.init(CBORReader.value(of: octets))
    }

    /// - Throws: ``WebAuthnError/Code/algorithmNotOffered`` for an algorithm that is not known here,
    ///   ``WebAuthnError/Code/keyInvalid`` for members that are missing or too many, a point that is on no curve, or an
    ///   RSA key that is too short, too long or known to be broken.
    init(_ value: CBORValue) throws(WebAuthnError) {
        guard let members = value.mapValue, let number = members[.integer(3)]?.integerValue else {
            throw WebAuthnError(.keyInvalid, "no COSE key")
        }
        guard let algorithm = COSEAlgorithm(rawValue: number) else {
            throw WebAuthnError(.algorithmNotOffered, "COSE algorithm \(number)")
        }
        self.algorithm = algorithm
        do {
            key = try VerificationKey(JWK(Self.webKey(members, algorithm)))
        } catch let error as JOSEError {
            throw WebAuthnError(.keyInvalid, error.description)
        } catch {
            throw WebAuthnError(.keyInvalid)
        }
    }

    /// Whether `signature` is this key's over `message`: ECDSA signatures in DER, others as they are (section 6.5.5).
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let signature = fixedLength(signature) else { return false }
        return key.isValid(signature, for: message[...], algorithm: algorithm.jose)
    }

    private func fixedLength(_ signature: [UInt8]) -> [UInt8]? {
        switch algorithm {
        case .es256:
            (try? P256.Signing.ECDSASignature(derRepresentation: signature)).map { Array($0.rawRepresentation) }
        case .es384:
            (try? P384.Signing.ECDSASignature(derRepresentation: signature)).map { Array($0.rawRepresentation) }
        case .es512:
            (try? P521.Signing.ECDSASignature(derRepresentation: signature)).map { Array($0.rawRepresentation) }
        case .edDSA, .rs256: signature
        }
    }

    /// The same key as JSON writes it.
    private static func webKey(
        _ members: [CBORValue.Key: CBORValue], _ algorithm: COSEAlgorithm
    ) throws(WebAuthnError) -> JSONObject {
        let shape = Shape(algorithm)
        guard members.count == 2 + (shape.curve == nil ? 0 : 1) + shape.octets.count,
            members[.integer(1)] == .integer(shape.type),
            shape.curve == nil || members[.integer(-1)] == shape.curve.map({ .integer($0.number) })
        else { throw WebAuthnError(.keyInvalid, "a COSE key of another kind than its algorithm") }
        var object: JSONObject = ["kty": .string(shape.name), "alg": .string(algorithm.jose.rawValue)]
        if let curve = shape.curve { object["crv"] = .string(curve.name) }
        for (label, name) in shape.octets {
            guard let octets = members[.integer(label)]?.bytesValue else {
                throw WebAuthnError(.keyInvalid, "a COSE key without \(name)")
            }
            object[name] = .string(Base64URL.encode(octets))
        }
        return object
    }

    /// What a key of an algorithm is made of: numbers of COSE, names of JSON.
    private struct Shape {
        var type: Int64
        var name: String
        var curve: (number: Int64, name: String)?
        var octets: [(Int64, String)]

        init(_ algorithm: COSEAlgorithm) {
            switch algorithm {
            case .es256: (type, name, curve, octets) = (2, "EC", (1, "P-256"), [(-2, "x"), (-3, "y")])
            case .es384: (type, name, curve, octets) = (2, "EC", (2, "P-384"), [(-2, "x"), (-3, "y")])
            case .es512: (type, name, curve, octets) = (2, "EC", (3, "P-521"), [(-2, "x"), (-3, "y")])
            case .edDSA: (type, name, curve, octets) = (1, "OKP", (6, "Ed25519"), [(-2, "x")])
            case .rs256: (type, name, curve, octets) = (3, "RSA", nil, [(-1, "n"), (-2, "e")])
            }
        }
    }
}
