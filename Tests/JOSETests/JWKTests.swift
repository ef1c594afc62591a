// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct JWKTests {
    private func members(_ algorithm: JWSAlgorithm) throws -> JSONObject {
        try JSONObject(parsing: SigningKey.generate(algorithm, keyID: "k").exported.reveal().utf8)
    }

    private func changed(_ object: JSONObject, _ name: String, _ value: JSONValue?) -> JSONObject {
        var object = object
        object[name] = value
        return object
    }

    @Test("A member that is missing, foreign, of the wrong type or length is refused")
    func shape() throws {
        for (algorithm, required) in [
            (JWSAlgorithm.es256, ["kty", "crv", "x", "y"]), (.es512, ["x", "y"]), (.edDSA, ["kty", "crv", "x"]),
            (.rs256, ["kty", "n", "e", "p", "q", "dp", "dq", "qi"]), (.hs256, ["kty", "k"]),
        ] {
            let object = try members(algorithm)
            _ = try JWK(object)
            for name in required {
                // A longer HMAC secret is as good as any.
                let longer = name == "k" ? "AA" : object.string(name) + "AAAA"
                for value: JSONValue? in [nil, 1, "", "AA==", "AAAA", .string(longer)] {
                    #expect(throws: JOSEError.self, "\(algorithm) \(name)") {
                        try JWK(changed(object, name, value))
                    }
                }
            }
            for (name, value): (String, JSONValue) in [
                ("use", "enc"), ("use", 1), ("alg", "A128GCM"), ("alg", "RSA-OAEP"), ("alg", "none"), ("alg", 5),
                ("kid", 7), ("key_ops", "sign"), ("key_ops", []), ("key_ops", ["encrypt"]),
                ("key_ops", ["sign", "sign"]), ("key_ops", ["sign", 1]), ("key_ops", ["verify", "decrypt"]),
            ] { #expect(throws: JOSEError(.keyInvalid)) { try JWK(changed(object, name, value)) } }
            _ = try JWK(changed(object, "key_ops", ["sign", "verify"]))
            _ = try JWK(changed(object, "unknown", ["x"]))
        }
    }

    @Test("Each algorithm belongs to one kind of key")
    func algorithms() throws {
        let kinds: [(JWSAlgorithm, [JWSAlgorithm])] = [
            (.es256, [.es256]), (.es384, [.es384]), (.es512, [.es512]), (.edDSA, [.edDSA]),
            (.rs256, [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]), (.hs512, [.hs256, .hs384, .hs512]),
        ]
        for (made, fitting) in kinds {
            let object = try members(made)
            for algorithm in JWSAlgorithm.allKnown {
                let claimed = changed(object, "alg", .string(algorithm.rawValue))
                #expect(((try? JWK(claimed)) != nil) == fitting.contains(algorithm), "\(made) as \(algorithm)")
            }
            #expect(try JWK(changed(object, "alg", nil)).algorithms == fitting)
        }
    }

    @Test("The private part must belong to the public one, and a point to its curve")
    func consistency() throws {
        for algorithm in [JWSAlgorithm.es256, .es384, .es512, .edDSA] {
            let one = try members(algorithm)
            let other = try members(algorithm)
            #expect(throws: JOSEError(.keyInvalid)) { try JWK(changed(one, "d", other["d"])) }
            if algorithm != .edDSA {
                #expect(throws: JOSEError(.keyInvalid)) { try JWK(changed(changed(one, "d", nil), "x", other["x"])) }
            }
        }
        let rsa = try members(.rs256)
        let other = try members(.rs256)
        for name in ["n", "d", "p", "q", "dp", "dq", "qi"] {
            #expect(throws: JOSEError.self, "\(name)") { try JWK(changed(rsa, name, other[name])) }
        }
        for name in ["p", "q", "dp", "dq", "qi"] {
            // The private exponent taken away, and one prime forgotten.
            var leaking = try #require(try JWK(rsa).publicObject)
            leaking[name] = rsa[name]
            #expect(throws: JOSEError(.keyInvalid)) { try JWK(leaking) }
        }
    }

    @Test("RSA: 2048 to 8192 bits, an odd exponent from 3 to 32 bits, no leading zero")
    func rsa() throws {
        func key(bits: Int, exponent: [UInt8], prefix: [UInt8] = []) -> JSONObject {
            // Alternating bits are no key, but enough for the rules of size.
            var modulus = [UInt8](repeating: 0xAB, count: (bits + 7) / 8)
            modulus[0] = UInt8(truncatingIfNeeded: 0xFF >> ((8 - bits % 8) % 8))
            return [
                "kty": "RSA", "n": .string(Base64URL.encode(prefix + modulus)),
                "e": .string(Base64URL.encode(exponent)),
            ]
        }
        let usual: [UInt8] = [1, 0, 1]
        for bits in [2048, 3072, 4096, 8192] { _ = try JWK(key(bits: bits, exponent: usual)) }
        _ = try JWK(key(bits: 2048, exponent: [3]))
        for bits in [512, 1024, 2040, 2047] {
            #expect(throws: JOSEError(.keyTooWeak)) { try JWK(key(bits: bits, exponent: usual)) }
        }
        for bits in [8200, 16_384] {
            #expect(throws: JOSEError(.keyInvalid)) { try JWK(key(bits: bits, exponent: usual)) }
        }
        for exponent: [UInt8] in [[1], [2], [1, 0, 0], [0], [0, 1, 0, 1], [1, 0, 0, 0, 1]] {
            #expect(throws: JOSEError.self, "\(exponent)") { try JWK(key(bits: 2048, exponent: exponent)) }
        }
        #expect(throws: JOSEError(.keyInvalid)) { try JWK(key(bits: 2048, exponent: usual, prefix: [0])) }
    }

    @Test("Wycheproof's ROCA modulus is refused for what it is, not for its leading zero")
    func roca() throws {
        let groups = try VectorFiles.groups("json_web_key_test")
        let group = try #require(groups.first { $0.group.string("comment") == "jws_rsa_roca_key" }?.group)
        let set = try #require((group["public"] ?? group["private"])?.objectValue)
        let published = try #require(set["keys"]?.arrayValue?.first?.objectValue)
        let modulus = try #require(Base64URL.decode(published.string("n"))).drop { $0 == 0 }
        let key = changed(published, "n", .string(Base64URL.encode(modulus)))
        #expect(throws: JOSEError(.keyTooWeak)) { try JWK(key) }
    }

    @Test(
        "Garbage is refused", arguments: ["", "[]", "{", "null", "{}", #"{"kty":"EC"}"#, #"{"kty":"oct","kty":"oct"}"#])
    func garbage(text: String) {
        #expect(throws: JOSEError(.keyInvalid)) { try JWK(parsing: text.utf8) }
    }
}
