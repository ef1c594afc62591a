// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CLibCrypto
import JOSE

/// An RSA private key that the system's libcrypto holds and signs with.
///
/// libcrypto has code for the vector units of current processors, with which it signs about twice as fast as the
/// library that swift-crypto carries (`docs/performance.md`); where there are none, the two are level. Like that one it
/// blinds the operation and checks its result before it hands it out.
public final class RSAPrivateKey: SignatureMaking {
    // Sendable: the key is complete when `init` returns and nothing changes it afterwards. OpenSSL lets any number of
    // threads use one EVP_PKEY at once then (openssl-threads(7), EVP_PKEY_new(3)), each with a context of its own.
    private nonisolated(unsafe) let key: OpaquePointer

    /// From an `RSAPrivateKey` in DER (RFC 8017, appendix A.1.2).
    ///
    /// - Throws: ``RSAError/invalidKey`` when it is none, or its numbers are not of one key.
    public init(der: Secret<[UInt8]>) throws(RSAError) {
        let octets = der.reveal()
        let read: OpaquePointer? = octets.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            let key = d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, buffer.count)
            guard let key, next == buffer.baseAddress.map({ $0 + buffer.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        guard let read else { throw .invalidKey }
        key = read
        guard let context = EVP_PKEY_CTX_new(key, nil) else { throw .failed }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_pairwise_check(context) == 1 else { throw .invalidKey }
    }

    deinit { EVP_PKEY_free(key) }

    /// Signs `message`: RSASSA-PKCS1-v1_5 for RS256, RS384 and RS512, RSASSA-PSS with a salt as long as the hash for
    /// PS256, PS384 and PS512 (RFC 7518, sections 3.3 and 3.5).
    ///
    /// - Returns: as many bytes as the modulus has.
    /// - Throws: ``RSAError/failed``, also for any other algorithm.
    public func signature(for message: [UInt8], algorithm: JWSAlgorithm) throws(RSAError) -> [UInt8] {
        guard let scheme = Scheme(algorithm), let digest = EVP_MD_CTX_new() else { throw .failed }
        defer { EVP_MD_CTX_free(digest) }
        // Belongs to `digest` and goes with it.
        var context: OpaquePointer?
        guard EVP_DigestSignInit(digest, &context, scheme.hash, nil, key) == 1, let context else { throw .failed }
        if scheme.isPSS {
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
            else { throw .failed }
        } else {
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 else { throw .failed }
        }
        var count = Int(EVP_PKEY_get_size(key))
        var signature = [UInt8](repeating: 0, count: count)
        let result = signature.withUnsafeMutableBufferPointer { out in
            message.withUnsafeBufferPointer {
                EVP_DigestSign(digest, out.baseAddress, &count, $0.baseAddress, $0.count)
            }
        }
        guard result == 1, count == signature.count else { throw .failed }
        return signature
    }

    private struct Scheme {
        let hash: OpaquePointer
        let isPSS: Bool

        init?(_ algorithm: JWSAlgorithm) {
            switch algorithm {
            case .rs256: self.init(EVP_sha256(), isPSS: false)
            case .rs384: self.init(EVP_sha384(), isPSS: false)
            case .rs512: self.init(EVP_sha512(), isPSS: false)
            case .ps256: self.init(EVP_sha256(), isPSS: true)
            case .ps384: self.init(EVP_sha384(), isPSS: true)
            case .ps512: self.init(EVP_sha512(), isPSS: true)
            default: return nil
            }
        }

        private init?(_ hash: OpaquePointer?, isPSS: Bool) {
            guard let hash else { return nil }
            self.hash = hash
            self.isPSS = isPSS
        }
    }
}

extension RSAPrivateKey: CustomStringConvertible, CustomReflectable {
    /// Never its numbers.
    public var description: String { "RSAPrivateKey" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
