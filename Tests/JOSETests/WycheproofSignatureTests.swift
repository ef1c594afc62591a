// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

/// Wycheproof's bare signatures, checked as the algorithm of JWS that uses them.
@Suite struct WycheproofSignatureTests {
    @Test(
        "ECDSA with raw r and s, Ed25519, RSASSA-PSS and PKCS #1 v1.5",
        arguments: [
            ("ecdsa_secp256r1_sha256_p1363_test", "publicKeyJwk", JWSAlgorithm.es256, 262),
            ("ecdsa_secp384r1_sha384_p1363_test", "publicKeyJwk", .es384, 280),
            ("ed25519_test", "publicKeyJwk", .edDSA, 151),
            ("rsa_pss_2048_sha256_mgf1_32_test", "publicKeyJwk", .ps256, 108),
            ("rsa_signature_2048_sha256_test", "keyJwk", .rs256, 259),
        ])
    func signatures(file: String, member: String, algorithm: JWSAlgorithm, count: Int) throws {
        var seen = 0
        for (group, cases) in try VectorFiles.groups(file) {
            let object = group[member]?.objectValue ?? Self.point(of: group.object("publicKey"))
            let key = try VerificationKey(JWK(object))
            for test in cases {
                seen += 1
                // The one "acceptable" case, PKCS #1 without the NULL, is refused.
                let expected = test.string("result") == "valid"
                #expect(
                    key.isValid(test.hex("sig"), for: test.hex("msg")[...], algorithm: algorithm) == expected,
                    "tcId \(test.integer("tcId")): \(test.string("comment"))")
                for other in JWSAlgorithm.allKnown where !key.algorithms.contains(other) {
                    #expect(!key.isValid(test.hex("sig"), for: test.hex("msg")[...], algorithm: other))
                }
            }
        }
        #expect(seen == count)
    }

    /// Some groups give the point alone: 4, then x, then y.
    private static func point(of key: JSONObject) -> JSONObject {
        let coordinates = key.hex("uncompressed").dropFirst()
        let curve = key.string("curve") == "secp256r1" ? "P-256" : "P-384"
        return [
            "kty": "EC", "crv": .string(curve),
            "x": .string(Base64URL.encode(coordinates.prefix(coordinates.count / 2))),
            "y": .string(Base64URL.encode(coordinates.suffix(coordinates.count / 2))),
        ]
    }

    @Test("HMAC: whole tags only, and no key shorter than the hash")
    func codes() throws {
        var seen = 0
        for (group, cases) in try VectorFiles.groups("hmac_sha256_test") {
            for test in cases {
                seen += 1
                let secret = Secret(test.hex("key"))
                guard group.integer("keySize") >= 256 else {
                    #expect(throws: JOSEError(.keyTooWeak)) { try VerificationKey(secret: secret, algorithm: .hs256) }
                    continue
                }
                let key = try VerificationKey(secret: secret, algorithm: .hs256)
                let expected = test.string("result") == "valid" && group.integer("tagSize") == 256
                #expect(
                    key.isValid(test.hex("tag"), for: test.hex("msg")[...], algorithm: .hs256) == expected,
                    "tcId \(test.integer("tcId")): \(test.string("comment"))")
            }
        }
        #expect(seen == 174)
    }
}
