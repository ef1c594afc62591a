// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE

/// Keys and tokens that every contender judges.
struct Fixture {
    static let issuer = "https://issuer.example/auth/v1"
    static let audience = "authenticated"
    static let now = Instant(seconds: 1_800_000_000)
    static let algorithms: [JWSAlgorithm] = [.rs256, .es256, .edDSA, .hs256]

    struct Entry {
        var algorithm: JWSAlgorithm
        var token: String
        /// Public; of an HMAC secret the secret.
        var jwk: JSONObject
    }

    var entries: [Entry]

    static func make() throws -> Fixture {
        // The claims of a usual access token.
        let claims: JSONObject = [
            "iss": .string(issuer), "sub": "0198f2b4-6a53-7c11-9d2e-5a0f3f6f2c11", "aud": .string(audience),
            "exp": .integer(now.seconds + 3600), "iat": .integer(now.seconds - 60), "email": "ada@example.com",
            "role": "authenticated", "aal": "aal1", "session_id": "0198f2b4-7d21-7f43-8a55-3c7e1b9d0e42",
            "app_metadata": ["provider": "email", "providers": ["email"]], "user_metadata": ["name": "Ada"],
            "amr": [["method": "password", "timestamp": .integer(now.seconds - 60)]], "is_anonymous": false,
        ]
        return Fixture(
            entries: try algorithms.map { algorithm in
                let key = try SigningKey.generate(algorithm, keyID: "key-\(algorithm)")
                let secret = try JSONObject(parsing: Array(key.exported.reveal().utf8))
                return Entry(
                    algorithm: algorithm, token: try JWS.sign(claims.serialized(), with: key),
                    jwk: key.publicJWK?.publicObject ?? secret)
            })
    }

    func write(to path: String) throws {
        let object: JSONObject = [
            "issuer": .string(Self.issuer), "audience": .string(Self.audience),
            "tokens": .array(
                entries.map {
                    ["algorithm": .string($0.algorithm.rawValue), "token": .string($0.token), "jwk": .object($0.jwk)]
                }),
        ]
        try Data(object.serialized()).write(to: URL(fileURLWithPath: path))
    }

    static func read(_ path: String) throws -> Fixture {
        let object = try JSONObject(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        return Fixture(
            entries: (object["tokens"]?.arrayValue ?? []).compactMap(\.objectValue).map { entry in
                Entry(
                    algorithm: JWSAlgorithm(rawValue: entry["algorithm"]?.stringValue ?? ""),
                    token: entry["token"]?.stringValue ?? "", jwk: entry["jwk"]?.objectValue ?? [:])
            })
    }
}
