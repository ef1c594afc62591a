// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Keys made once for all tests: those of RSA take a while.
enum TestKeys {
    static let rsa = made(.rs256, "rsa-1")
    /// Another issuer's, of the same `kid`.
    static let foreignRSA = made(.rs256, "rsa-1")
    static let elliptic = made(.es256, "ec-1")
    static let foreignElliptic = made(.es256, "ec-1")
    static let edwards = made(.edDSA, "ed-1")
    static let secret = Array("a secret of at least thirty-two bytes".utf8)

    private static func made(_ algorithm: JWSAlgorithm, _ keyID: String) -> SigningKey {
        guard let key = try? SigningKey.generate(algorithm, keyID: keyID) else {
            preconditionFailure("no key could be made")
        }
        return key
    }

    static func set(_ keys: SigningKey...) throws -> VerificationKeySet {
        try VerificationKeySet(keys.map { try $0.verificationKey() })
    }

    /// The same key under another `kid`, or none.
    static func renamed(_ key: SigningKey, _ keyID: String?) throws -> SigningKey {
        var members = try JSONObject(parsing: key.exported.reveal().utf8)
        members["kid"] = keyID.map(JSONValue.string)
        return try SigningKey(exported: Secret(members.text))
    }
}
