// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// What a key server answered, once it is known to be good: at least one key.
public struct FetchedKeys: Sendable {
    /// The keys that the issuer published.
    public let keys: VerificationKeySet
    /// How long the server says they may be used; `nil` when it does not say.
    public let life: TimeSpan?
    /// One for each key, equal for equal keys.
    let fingerprints: Set<String>

    /// Reads a JSON Web Key Set.
    ///
    /// Keys for encryption or of an unknown kind are left out (RFC 7517, section 5). A set that holds a private key or
    /// an HMAC secret is refused: what everyone can fetch, everyone can sign with.
    ///
    /// - Throws: ``KeyFetchError/notKeys``.
    public init(keySet bytes: [UInt8], life: TimeSpan?) throws(KeyFetchError) {
        do {
            let set = try JWKSet(parsing: bytes)
            guard !set.keys.contains(where: \.isSecret) else { throw JOSEError(.keySetInvalid, "a key is not public") }
            keys = try VerificationKeySet(set)
            fingerprints = Set(
                set.keys.map { key in
                    "\(key.keyID ?? "") \(key.thumbprint) \(key.algorithms.map(\.rawValue).joined(separator: ","))"
                })
        } catch {
            throw .notKeys
        }
        self.life = life
    }

    /// Reads a JSON object of X.509 certificates in PEM, by `kid`.
    ///
    /// - Throws: ``KeyFetchError/notKeys``.
    public init(certificates bytes: [UInt8], life: TimeSpan?) throws(KeyFetchError) {
        do {
            let object = try JSONObject(parsing: bytes, limits: JSONLimits(depth: 2, members: 256, bytes: 512 << 10))
            keys = try VerificationKeySet(CertificateMap(parsing: bytes).keys)
            fingerprints = Set(object.members.map { "\($0.name) \($0.value.stringValue ?? "")" })
        } catch {
            throw .notKeys
        }
        self.life = life
    }
}
