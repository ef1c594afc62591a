// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras

extension SigningKey {
    /// Makes a fresh key with the cryptography's own randomness: RSA of the size asked for (2048 bits take about 0.1 s,
    /// 4096 a second or more), the curve of the algorithm, or an HMAC secret as long as the hash.
    ///
    /// - Parameters:
    ///   - algorithm: what the key will sign with.
    ///   - keyID: `nil` names the key by its RFC 7638 thumbprint; an HMAC key must be given a name.
    ///   - rsaSize: of an RSA key; nothing to the others.
    public static func generate(
        _ algorithm: JWSAlgorithm, keyID: String? = nil, rsaSize: RSAKeySize = .bits2048
    ) throws(JOSEError) -> SigningKey {
        let material = try freshMaterial(algorithm, rsaSize)
        guard let name = keyID ?? (material.isSymmetric ? nil : material.thumbprint) else {
            throw JOSEError(.keyInvalid, "an HMAC key needs a kid that is not its thumbprint")
        }
        return try SigningKey(JWK(material, algorithm: algorithm, keyID: name))
    }

    private static func freshMaterial(
        _ algorithm: JWSAlgorithm, _ rsaSize: RSAKeySize
    ) throws(JOSEError) -> KeyMaterial {
        switch algorithm {
        case .es256:
            let key = P256.Signing.PrivateKey()
            return elliptic(.p256, Array(key.publicKey.rawRepresentation), Array(key.rawRepresentation))
        case .es384:
            let key = P384.Signing.PrivateKey()
            return elliptic(.p384, Array(key.publicKey.rawRepresentation), Array(key.rawRepresentation))
        case .es512:
            let key = P521.Signing.PrivateKey()
            return elliptic(.p521, Array(key.publicKey.rawRepresentation), Array(key.rawRepresentation))
        case .edDSA:
            let key = Curve25519.Signing.PrivateKey()
            return .edwards(x: Array(key.publicKey.rawRepresentation), d: Secret(Array(key.rawRepresentation)))
        case .hs256, .hs384, .hs512:
            let key = SymmetricKey(size: SymmetricKeySize(bitCount: algorithm.smallestSecret * 8))
            return .symmetric(Secret(key.withUnsafeBytes { Array($0) }))
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            guard let key = try? _RSA.Signing.PrivateKey(keySize: .init(bitCount: rsaSize.rawValue)),
                let material = RSAPrivateKeyInfo.material(ofPKCS1: Array(key.derRepresentation))
            else { throw JOSEError(.signingFailed, "no RSA key could be made") }
            return material
        default: throw JOSEError(.algorithmNotAllowed)
        }
    }

    private static func elliptic(_ curve: EllipticCurve, _ point: [UInt8], _ scalar: [UInt8]) -> KeyMaterial {
        .elliptic(
            curve, x: Array(point.prefix(curve.size)), y: Array(point.suffix(curve.size)), d: Secret(scalar))
    }
}
