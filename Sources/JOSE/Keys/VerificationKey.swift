// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras

/// A key that checks signatures: the public half of a pair, or an HMAC secret. Bound to the algorithms it is for, so
/// that a token cannot choose another (RFC 8725, section 3.1).
public struct VerificationKey: Sendable {
    /// `kid`; `nil` for a key that was published without.
    public let keyID: String?
    /// The algorithms that a signature of this key may be of.
    public let algorithms: [JWSAlgorithm]
    private let primitive: Primitive

    /// From a JWK; of a private one only the public half is kept.
    public init(_ key: JWK) throws(JOSEError) {
        keyID = key.keyID
        algorithms = key.algorithms
        primitive = try Primitive(key.material)
    }

    /// From an HMAC secret.
    ///
    /// - Throws: ``JOSEError/Code/keyTooWeak`` when it has fewer bytes than the algorithm's hash.
    public init(secret: Secret<[UInt8]>, algorithm: JWSAlgorithm, keyID: String? = nil) throws(JOSEError) {
        try self.init(JWK(secret: secret, algorithm: algorithm, keyID: keyID))
    }

    /// Whether `signature` is this key's over `message` by `algorithm`. `false` for an algorithm the key is not for,
    /// and for a signature of the wrong length.
    public func isValid(_ signature: [UInt8], for message: ArraySlice<UInt8>, algorithm: JWSAlgorithm) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        return primitive.isValid(signature, for: message, algorithm: algorithm)
    }
}

extension VerificationKey {
    enum Primitive: Sendable {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey, signatureSize: Int)
        case ed25519(Curve25519.Signing.PublicKey)
        case hmac(SymmetricKey)

        /// Refuses a point that is not on its curve.
        init(_ material: KeyMaterial) throws(JOSEError) {
            do {
                switch material {
                case .elliptic(.p256, let x, let y, _): self = .p256(try .init(x963Representation: [4] + x + y))
                case .elliptic(.p384, let x, let y, _): self = .p384(try .init(x963Representation: [4] + x + y))
                case .elliptic(.p521, let x, let y, _): self = .p521(try .init(x963Representation: [4] + x + y))
                case .rsa(let n, let e, _): self = .rsa(try .init(n: n, e: e), signatureSize: n.count)
                case .edwards(let x, _): self = .ed25519(try .init(rawRepresentation: x))
                case .symmetric(let secret): self = .hmac(SymmetricKey(data: secret.reveal()))
                }
            } catch {
                throw JOSEError(.keyInvalid, "the public numbers are not a key")
            }
        }

        func isValid(_ signature: [UInt8], for message: ArraySlice<UInt8>, algorithm: JWSAlgorithm) -> Bool {
            switch self {
            case .p256(let key):
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: SHA256.hash(data: message))
            case .p384(let key):
                guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: SHA384.hash(data: message))
            case .p521(let key):
                guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: SHA512.hash(data: message))
            case .ed25519(let key):
                return signature.count == 64 && message.withUnsafeBytes { key.isValidSignature(signature, for: $0) }
            case .rsa(let key, let size):
                // RFC 8017, sections 8.1.2 and 8.2.2: exactly as long as the modulus.
                guard signature.count == size else { return false }
                let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
                switch algorithm {
                case .rs256: return key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .rs)
                case .rs384: return key.isValidSignature(signature, for: SHA384.hash(data: message), padding: .rs)
                case .rs512: return key.isValidSignature(signature, for: SHA512.hash(data: message), padding: .rs)
                case .ps256: return key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .PSS)
                case .ps384: return key.isValidSignature(signature, for: SHA384.hash(data: message), padding: .PSS)
                case .ps512: return key.isValidSignature(signature, for: SHA512.hash(data: message), padding: .PSS)
                default: return false
                }
            case .hmac(let key):
                switch algorithm {
                case .hs256: return HMAC<SHA256>.isValid(signature, message, key)
                case .hs384: return HMAC<SHA384>.isValid(signature, message, key)
                case .hs512: return HMAC<SHA512>.isValid(signature, message, key)
                default: return false
                }
            }
        }
    }
}

extension _RSA.Signing.Padding {
    /// RSASSA-PKCS1-v1_5. Insecure only where a verifier parses the padding instead of comparing it; BoringSSL
    /// compares (RFC 8017, section 8.2.2), and RS256 tokens (RFC 7518, section 3.3) need it.
    static var rs: Self { .insecurePKCS1v1_5 }
}

extension HMAC {
    fileprivate static func isValid(_ code: [UInt8], _ message: ArraySlice<UInt8>, _ key: SymmetricKey) -> Bool {
        // A pointer's metadata is at hand, that of a slice of an array is looked up at each call.
        message.withUnsafeBytes { isValidAuthenticationCode(code, authenticating: $0, using: key) }
    }
}
