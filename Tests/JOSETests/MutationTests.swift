// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

/// Texts with a few bytes changed, cut, doubled or swapped: each must be read or refused, and none may end the process.
@Suite struct MutationTests {
    /// SplitMix64: the same sequence in every run.
    private struct Sequence {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ mixed >> 31) % UInt64(max(1, bound)))
        }

        mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            let marks = Array("\"\\{}[]:,.-+eE0189uAd=_ \n\0\u{7F}".utf8) + [0x80, 0xC0, 0xED, 0xF4, 0xFF]
            for _ in 0...next(below: 4) where !bytes.isEmpty {
                let index = next(below: bytes.count)
                switch next(below: 5) {
                case 0: bytes[index] = marks[next(below: marks.count)]
                case 1: bytes.insert(marks[next(below: marks.count)], at: index)
                case 2: bytes.removeSubrange(index..<min(bytes.count, index + next(below: 9)))
                case 3: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + next(below: 30))], at: index)
                default: bytes.swapAt(index, next(below: bytes.count))
                }
            }
            return bytes
        }
    }

    @Test("JSON: 20,000 changed texts are refused, or read and written alike")
    func json() throws {
        var sequence = Sequence(state: 1)
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud834\udd1e",true,null,{"b":{},"é":"\\\n"}],"exp":17}"#.utf8)
        var read = 0
        for _ in 0..<20_000 {
            guard let value = try? JSONValue(parsing: sequence.mutate(text)) else { continue }
            read += 1
            #expect(try JSONValue(parsing: value.serialized()) == value)
        }
        #expect(read > 100)
    }

    @Test("Tokens: of 20,000 changed ones only the unchanged verify")
    func tokens() throws {
        var sequence = Sequence(state: 2)
        let key = try SigningKey(secret: Secret([UInt8](repeating: 7, count: 32)), algorithm: .hs256, keyID: "k")
        let keys = try VerificationKeySet([key.verificationKey()])
        func verified(_ token: [UInt8]) throws -> JWTClaims {
            let parsed = try ParsedJWS(parsing: token)
            try parsed.verify(with: keys.key(for: parsed.header), allowing: [.hs256])
            return try JWTClaims(parsing: parsed.payload)
        }
        let claims: JSONObject = ["iss": "i", "aud": "a", "iat": 1, "exp": 4_000_000_000]
        let token = Array(try JWS.sign(claims, with: key).utf8)
        #expect(try verified(token).issuer == "i")
        for _ in 0..<20_000 {
            let changed = sequence.mutate(token)
            #expect((try? verified(changed)) == nil || changed == token)
        }
    }

    @Test("Payloads: 20,000 changed claims sets are read or refused")
    func claims() throws {
        var sequence = Sequence(state: 3)
        let claims = Array(#"{"iss":"i","aud":["a","b"],"exp":1.8e9,"nbf":0,"iat":1700000000,"jti":"x"}"#.utf8)
        let outcomes = (0..<20_000).map { _ in (try? JWTClaims(parsing: sequence.mutate(claims))) != nil }
        #expect(outcomes.contains(true) && outcomes.contains(false))
    }

    @Test(
        "Keys: changed private keys of each kind are read or refused",
        arguments: [JWSAlgorithm.es256, .es512, .edDSA, .hs256, .rs256])
    func keys(algorithm: JWSAlgorithm) throws {
        var sequence = Sequence(state: 4)
        let key = Array(try SigningKey.generate(algorithm, keyID: "k").exported.reveal().utf8)
        // An RSA key that passes the cheap rules is checked by arithmetic, at a millisecond each.
        for _ in 0..<(algorithm == .rs256 ? 400 : 2_000) {
            let changed = sequence.mutate(key)
            if let read = try? JWK(parsing: changed) {
                #expect(try JWK(read.secretObject.reveal()).thumbprint == read.thumbprint)
            }
            _ = try? JWKSet(parsing: Array(#"{"keys":["#.utf8) + changed + Array("]}".utf8))
        }
    }
}
