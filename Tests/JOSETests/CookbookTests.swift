// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

/// The JOSE cookbook (RFC 7520, RFC 7797, RFC 8037).
@Suite struct CookbookTests {
    static let compact = [
        "jws/4_1.rsa_v15_signature.json", "jws/4_2.rsa-pss_signature.json", "jws/4_3.ecdsa_signature.json",
        "jws/4_4.hmac-sha2_integrity_protection.json", "curve25519/jws.json",
    ]

    @Test("Each compact signature verifies, and each deterministic one is made again byte for byte", arguments: compact)
    func signatures(file: String) throws {
        let example = try VectorFiles.object("jose-cookbook/" + file)
        let input = example.object("input")
        let token = example.object("output").string("compact")
        // RFC 7520 prints its RSA key without `alg`, and so uses it for two algorithms.
        let jwk = try JWK(input.object("key"))
        let parsed = try ParsedJWS(parsing: token.utf8)
        try parsed.verify(with: VerificationKey(jwk))
        #expect(String(decoding: parsed.payload, as: UTF8.self) == input.string("payload"))
        #expect(parsed.header.algorithm.rawValue == input.string("alg"))

        let key = try SigningKey(jwk, algorithm: parsed.header.algorithm)
        let again = try JWS.sign(parsed.payload, type: nil, with: key)
        if ["RS256", "HS256", "EdDSA"].contains(input.string("alg")) {
            #expect(again == token)
        } else {
            #expect(again != token)
            try ParsedJWS(parsing: again.utf8).verify(with: VerificationKey(jwk))
        }
    }

    @Test("Every other token is refused: encrypted, detached, unencoded, JSON-serialised, nested")
    func others() throws {
        var seen = 0
        for path in try VectorFiles.allPaths(in: "jose-cookbook") where !path.contains("/jwk/") {
            let example = try VectorFiles.object(path)
            guard !Self.compact.contains(where: path.hasSuffix) else { continue }
            for name in ["compact", "json", "json_flat"] {
                guard let form = example.object("output")[name] else { continue }
                seen += 1
                let bytes = Array((form.stringValue ?? form.text).utf8)
                #expect(throws: JOSEError.self, "\(path) \(name)") {
                    let key = try VerificationKey(JWK(example.object("input").object("key")))
                    try ParsedJWS(parsing: bytes).verify(with: key)
                }
            }
        }
        #expect(seen > 30)
    }

    @Test("Each key for signatures is read, and written as it was")
    func keys() throws {
        for path in try VectorFiles.allPaths(in: "jose-cookbook/jwk") {
            let object = try VectorFiles.object(path)
            guard object.string("use") == "sig" else {
                #expect(throws: JOSEError(.keyInvalid)) { try JWK(object) }
                continue
            }
            let key = try JWK(object)
            let written = key.isSecret ? key.secretObject.reveal() : key.publicObject
            #expect(written == object, "\(path)")
        }
    }
}
