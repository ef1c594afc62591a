// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras

/// A key that signs: a private key, or an HMAC secret, for exactly one algorithm.
public struct SigningKey: Sendable {
    /// The one algorithm that this key signs with.
    public let algorithm: JWSAlgorithm
    /// The `kid` that its tokens name.
    public let keyID: String?
    /// The key as a JWK, its private part included. Shown to no one; see ``publicJWK`` and ``exported``.
    let jwk: JWK
    private var primitive: Primitive
    /// Base64url of the header of a plain token, made once.
    let encodedHeader: [UInt8]

    /// From a private JWK.
    ///
    /// - Parameters:
    ///   - key: a private key, or a secret.
    ///   - algorithm: needed where the JWK names none and its kind allows several.
    /// - Throws: ``JOSEError/Code/keyInvalid`` for a public key or an algorithm it is not for.
    public init(_ key: JWK, algorithm: JWSAlgorithm? = nil) throws(JOSEError) {
        let candidates = algorithm.map { [$0] } ?? key.algorithms
        guard key.isSecret, let algorithm = candidates.first, candidates.count == 1, key.algorithms.contains(algorithm)
        else { throw JOSEError(.keyInvalid, "not a private key for one algorithm") }
        self.algorithm = algorithm
        keyID = key.keyID
        jwk = try JWK(key.material, algorithm: algorithm, keyID: key.keyID)
        primitive = try Primitive(key.material)
        encodedHeader = JOSEHeader.encoded(algorithm: algorithm, keyID: keyID, type: JOSEHeader.jwt, extra: [:])
    }

    /// From an HMAC secret.
    ///
    /// - Throws: ``JOSEError/Code/keyTooWeak`` when it has fewer bytes than the algorithm's hash.
    public init(secret: Secret<[UInt8]>, algorithm: JWSAlgorithm, keyID: String? = nil) throws(JOSEError) {
        try self.init(JWK(secret: secret, algorithm: algorithm, keyID: keyID))
    }

    /// From what ``exported`` gave.
    public init(exported: Secret<String>) throws(JOSEError) {
        try self.init(JWK(parsing: exported.reveal().utf8))
    }

    /// The private JWK as JSON text, to be kept by the store.
    public var exported: Secret<String> { Secret(jwk.secretObject.reveal().text) }
    /// What verifiers may know; `nil` for an HMAC secret.
    public var publicJWK: JWK? { jwk.publicKey }

    /// The key as an `RSAPrivateKey` in DER (RFC 8017, appendix A.1.2); `nil` for a key of another kind.
    public var rsaPrivateKey: Secret<[UInt8]>? {
        guard case .rsa(let n, let e, let numbers?) = jwk.material else { return nil }
        return Secret(RSAPrivateKeyInfo.pkcs1(n: n, e: e, numbers.reveal()))
    }

    /// The same key, whose signatures `maker` makes from now on. That `maker` has the same key is for the caller to see
    /// to.
    public func signing(with maker: any SignatureMaking) -> SigningKey {
        var key = self
        key.primitive = .elsewhere(maker)
        return key
    }

    /// The key that checks this one's signatures.
    public func verificationKey() throws(JOSEError) -> VerificationKey { try VerificationKey(jwk) }

    /// Signs `message`: raw r and s for ECDSA (RFC 7518, section 3.4), the code itself for HMAC.
    ///
    /// - Throws: ``JOSEError/Code/signingFailed``.
    public func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
        do {
            return try primitive.signature(for: message, algorithm: algorithm)
        } catch {
            throw JOSEError(.signingFailed)
        }
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// Names the key, never its numbers.
    public var description: String { "SigningKey(\(algorithm), \(keyID ?? "no kid"))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SigningKey {
    enum Primitive: Sendable {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case hmac(SymmetricKey)
        case elsewhere(any SignatureMaking)

        /// Refuses a private part that does not belong to its public one.
        init(_ material: KeyMaterial) throws(JOSEError) {
            let belongs: Bool
            do {
                switch material {
                case .elliptic(.p256, let x, let y, let d?):
                    let key = try P256.Signing.PrivateKey(rawRepresentation: d.reveal())
                    self = .p256(key)
                    belongs = key.publicKey.rawRepresentation.elementsEqual(x + y)
                case .elliptic(.p384, let x, let y, let d?):
                    let key = try P384.Signing.PrivateKey(rawRepresentation: d.reveal())
                    self = .p384(key)
                    belongs = key.publicKey.rawRepresentation.elementsEqual(x + y)
                case .elliptic(.p521, let x, let y, let d?):
                    let key = try P521.Signing.PrivateKey(rawRepresentation: d.reveal())
                    self = .p521(key)
                    belongs = key.publicKey.rawRepresentation.elementsEqual(x + y)
                case .edwards(let x, let d?):
                    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: d.reveal())
                    self = .ed25519(key)
                    belongs = key.publicKey.rawRepresentation.elementsEqual(x)
                case .rsa(let n, let e, let numbers?):
                    // Taken whole, all eight numbers are checked to be of one key.
                    let der = RSAPrivateKeyInfo.pkcs1(n: n, e: e, numbers.reveal())
                    self = .rsa(try .init(derRepresentation: der))
                    belongs = true
                case .symmetric(let secret):
                    self = .hmac(SymmetricKey(data: secret.reveal()))
                    belongs = true
                case .elliptic, .edwards, .rsa:
                    throw JOSEError(.keyInvalid, "not a private key")
                }
            } catch {
                throw JOSEError(.keyInvalid, "the private numbers are not a key")
            }
            guard belongs else { throw JOSEError(.keyInvalid, "the private part belongs to another key") }
        }

        func signature(for message: [UInt8], algorithm: JWSAlgorithm) throws -> [UInt8] {
            switch (self, algorithm) {
            case (.p256(let key), _): Array(try key.signature(for: SHA256.hash(data: message)).rawRepresentation)
            case (.p384(let key), _): Array(try key.signature(for: SHA384.hash(data: message)).rawRepresentation)
            case (.p521(let key), _): Array(try key.signature(for: SHA512.hash(data: message)).rawRepresentation)
            case (.ed25519(let key), _): Array(try key.signature(for: message))
            case (.rsa(let key), .rs256): try key.octets(SHA256.hash(data: message), .rs)
            case (.rsa(let key), .rs384): try key.octets(SHA384.hash(data: message), .rs)
            case (.rsa(let key), .rs512): try key.octets(SHA512.hash(data: message), .rs)
            case (.rsa(let key), .ps256): try key.octets(SHA256.hash(data: message), .PSS)
            case (.rsa(let key), .ps384): try key.octets(SHA384.hash(data: message), .PSS)
            case (.rsa(let key), .ps512): try key.octets(SHA512.hash(data: message), .PSS)
            case (.hmac(let key), .hs256): Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
            case (.hmac(let key), .hs384): Array(HMAC<SHA384>.authenticationCode(for: message, using: key))
            case (.hmac(let key), .hs512): Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
            case (.elsewhere(let maker), _): try maker.signature(for: message, algorithm: algorithm)
            default: throw JOSEError(.keyInvalid)
            }
        }
    }
}

extension _RSA.Signing.PrivateKey {
    fileprivate func octets(_ digest: some Digest, _ padding: _RSA.Signing.Padding) throws -> [UInt8] {
        Array(try signature(for: digest, padding: padding).rawRepresentation)
    }
}
