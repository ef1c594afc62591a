// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct SigningKeyTests {
    @Test(
        "A fresh key of every algorithm signs, is exported, read again, and verified", arguments: JWSAlgorithm.allKnown)
    func generation(algorithm: JWSAlgorithm) throws {
        let key = try SigningKey.generate(algorithm, keyID: algorithm.isSymmetric ? "k" : nil)
        let again = try SigningKey(exported: key.exported)
        #expect(again.algorithm == algorithm && again.keyID == key.keyID)
        for signer in [key, again] {
            let token = try JWS.sign(["sub": "é"] as JSONObject, with: signer)
            let parsed = try ParsedJWS(parsing: token.utf8)
            try parsed.verify(with: key.verificationKey(), allowing: [algorithm])
            #expect(parsed.header.type == "JWT" && parsed.header.keyID == key.keyID)
            #expect(String(decoding: parsed.payload, as: UTF8.self) == #"{"sub":"é"}"#)
        }
        guard !algorithm.isSymmetric else {
            #expect(key.publicJWK == nil)
            return
        }
        let published = try #require(key.publicJWK)
        #expect(published.keyID == published.thumbprint && !published.isSecret)
        let object = try #require(published.publicObject)
        #expect(!object.names.contains { ["d", "p", "q", "dp", "dq", "qi", "k"].contains($0) })
        #expect(object["use"] == "sig" && object["alg"]?.stringValue == algorithm.rawValue)
        #expect(throws: JOSEError(.keyInvalid)) { try SigningKey(published) }
        let token = try JWS.sign([1, 2, 3], type: nil, with: key)
        try ParsedJWS(parsing: token.utf8).verify(with: VerificationKey(JWK(object)))
        #expect(throws: JOSEError.self) {
            let other = try SigningKey.generate(algorithm, keyID: key.keyID)
            try ParsedJWS(parsing: token.utf8).verify(with: other.verificationKey())
        }
    }

    @Test("HMAC secrets are at least as long as the hash")
    func secrets() throws {
        for (algorithm, size) in [(JWSAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)] {
            let secret = [UInt8](repeating: 7, count: size)
            _ = try SigningKey(secret: Secret(secret), algorithm: algorithm)
            #expect(throws: JOSEError(.keyTooWeak)) {
                try SigningKey(secret: Secret(Array(secret.dropLast())), algorithm: algorithm)
            }
            #expect(throws: JOSEError(.keyTooWeak)) {
                try VerificationKey(secret: Secret([]), algorithm: algorithm)
            }
        }
        #expect(throws: JOSEError(.keyInvalid)) {
            try SigningKey(secret: Secret([UInt8](repeating: 7, count: 64)), algorithm: .es256)
        }
        #expect(throws: JOSEError(.keyInvalid)) { try SigningKey.generate(.hs256) }
        #expect(throws: JOSEError(.algorithmNotAllowed)) { try SigningKey.generate(JWSAlgorithm(rawValue: "none")) }
    }

    @Test("A key shows none of its secret when printed")
    func redaction() throws {
        for algorithm in [JWSAlgorithm.es256, .edDSA, .hs256, .rs256] {
            let key = try SigningKey.generate(algorithm, keyID: "k")
            let object = try JSONObject(parsing: key.exported.reveal().utf8)
            let secret = object.string(algorithm.isSymmetric ? "k" : "d")
            let numbers = (Base64URL.decode(secret) ?? []).map(String.init).joined(separator: ", ")
            let jwk = try JWK(object)
            for shown in ["\(key)", "\(jwk)", String(reflecting: key), String(reflecting: jwk), "\(key.exported)"] {
                #expect(!shown.contains(secret) && !shown.contains(numbers))
            }
            var dumped = ""
            dump(key, to: &dumped)
            dump(jwk, to: &dumped)
            #expect(!dumped.contains(secret) && !dumped.contains(numbers))
        }
    }

    @Test("Header members can be added, but not those that say how the token is signed")
    func headers() throws {
        let key = try SigningKey.generate(.edDSA, keyID: "k")
        let token = try JWS.sign(
            [:] as JSONObject, type: "at+jwt", header: ["x": 1, "alg": "none", "kid": "other"], with: key)
        let header = try ParsedJWS(parsing: token.utf8).header
        #expect(header.members == ["x": 1, "alg": "EdDSA", "kid": "k", "typ": "at+jwt"])
    }
}
