// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@testable import TokenVerifier

/// Proofs of keys (RFC 9449, sections 4.2 and 4.3).
@Suite struct DPoPProofTests {
    private static let now = Instant(seconds: 1_700_000_000)
    private static let url = "https://server.example.com/token"
    private static let request = DPoPProof.Request(method: "POST", url: url)

    private let key: SigningKey

    init() throws { key = try SigningKey.generate(.es256) }

    /// A proof that is good, but for what `claims` and `header` say otherwise; a null takes a member away.
    private func proof(
        _ claims: JSONObject = [:], header: JSONObject = [:], type: String? = DPoPProof.type,
        by signer: SigningKey? = nil
    ) throws -> String {
        let signer = signer ?? key
        var payload: JSONObject = [
            "jti": "one", "htm": "POST", "htu": .string(Self.url), "iat": .integer(Self.now.seconds),
        ]
        for member in claims.members { payload[member.name] = member.value == .null ? JSONValue?.none : member.value }
        var members: JSONObject = [:]
        members["jwk"] = signer.publicJWK?.publicObject.map { .object($0) }
        for member in header.members { members[member.name] = member.value == .null ? JSONValue?.none : member.value }
        return try JWS.sign(payload, type: type, header: members, with: signer)
    }

    private func refusal(
        _ text: String, _ request: DPoPProof.Request = Self.request, at now: Instant = Self.now
    ) -> DPoPProof.Refusal? {
        do {
            _ = try DPoPProof(text, for: request, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("R11.8 RFC 9449, sections 4.1, 6.1 and 7.1: the standard's own proofs are good, and of the key that it says")
    func examples() throws {
        let head =
            "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs"
            + "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2"
            + "In19."
        let token =
            head
            + "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi"
            + "aWF0IjoxNTYyMjYyNjE2fQ."
            + "2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
        let resource =
            head
            + "eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90"
            + "ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFF"
            + "byJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
        let now = Instant(seconds: 1_562_262_620)
        let first = try DPoPProof(token, for: Self.request, at: now)
        #expect(first.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" && first.algorithm == .es256)
        let opening = DPoPProof.Request(
            method: "GET", url: "https://resource.example.org/protectedresource",
            accessToken: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        let second = try DPoPProof(resource, for: opening, at: now)
        #expect(second.thumbprint == first.thumbprint && second.identifier != first.identifier)
        #expect(refusal(String(token.dropLast(4)) + "AAAA", at: now) == .signature)
        #expect(refusal(token) == .expired)
    }

    @Test(
        "R11.8 RFC 9449, section 4.3: a proof is signed by the public key in it, by an algorithm that is asymmetric and allowed"
    )
    func keys() throws {
        for algorithm in DPoPProof.algorithms {
            let key = try SigningKey.generate(algorithm)
            #expect(refusal(try proof(by: key)) == nil, "\(algorithm)")
        }
        #expect(refusal(try proof(by: try SigningKey.generate(.rs256))) == .algorithm)
        let secret = try SigningKey(
            secret: Secret([UInt8](repeating: 7, count: 32)), algorithm: .hs256, keyID: "s")
        #expect(refusal(try proof(by: secret)) == .algorithm)
        let own = try #require(key.publicJWK?.publicObject)
        let other = try #require(try SigningKey.generate(.es256).publicJWK?.publicObject)
        let edwards = try #require(try SigningKey.generate(.edDSA).publicJWK?.publicObject)
        let exported = try JSONObject(parsing: key.exported.reveal().utf8)
        let rows: [(JSONValue, DPoPProof.Refusal)] = [
            (.null, .key), ("x", .key), ([:], .key), (.object(exported), .key), (.object(other), .signature),
            (.object(edwards), .algorithm), (["kty": "oct", "k": "AAAA"], .key),
            (.object(own.merging(["use": "enc"])), .key), (.object(own.merging(["y": "AAAA"])), .key),
        ]
        for (value, expected) in rows { #expect(refusal(try proof(header: ["jwk": value])) == expected, "\(value)") }
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
            #expect(refusal(try proof(header: ["jwk": .object(own.merging([name: "AAAA"]))])) == .key, "\(name)")
        }
        let narrow = [JWSAlgorithm.ps256]
        #expect(throws: DPoPProof.Refusal.algorithm) {
            _ = try DPoPProof(try proof(), for: Self.request, allowing: narrow, at: Self.now)
        }
    }

    @Test(
        "R11.8 RFC 9449, section 4.3: type, method, URL, token and identifier are those of the request, each alone refuses"
    )
    func claims() throws {
        for type in ["JWT", "dpop", "DPOP+JWT", "at+jwt", "application/dpop+jwt"] {
            #expect(refusal(try proof(type: type)) == .type, "\(type)")
        }
        #expect(refusal(try proof(type: nil)) == .type)
        let rows: [(JSONObject, DPoPProof.Refusal)] = [
            (["htm": "GET"], .method), (["htm": "post"], .method), (["htm": .null], .method), (["htm": 1], .method),
            (["htu": .null], .target), (["htu": "https://other.example.com/token"], .target), (["htu": [1]], .target),
            (["jti": .null], .identifier), (["jti": ""], .identifier), (["jti": 1], .malformed),
            (["jti": .string(String(repeating: "x", count: 257))], .identifier),
            (["iat": .null], .notYet), (["iat": "now"], .malformed), (["iat": -1], .malformed),
        ]
        for (claims, expected) in rows { #expect(refusal(try proof(claims)) == expected, "\(claims)") }
        var opening = Self.request
        opening.accessToken = "a.b.c"
        #expect(refusal(try proof(), opening) == .token)
        #expect(refusal(try proof(["ath": .string(DPoPProof.hash(of: "a.b.d"))]), opening) == .token)
        #expect(refusal(try proof(["ath": .string(DPoPProof.hash(of: "a.b.c"))]), opening) == nil)
        for text in ["", "x", "a.b.c", ".", "\u{0}", String(repeating: "x", count: 9000)] {
            #expect(refusal(text) == .malformed, "\(text.prefix(10))")
        }
        #expect(refusal(try proof(["x": .string(String(repeating: "x", count: 9000))])) == .malformed)
    }

    @Test(
        "R11.8 RFC 9449, section 11.1, FAPI 2.0, section 5.3.2.1: a proof is good for a minute either way of its time")
    func times() throws {
        for (age, expected) in [
            (0, nil), (60, nil), (61, .expired), (-8, nil), (-60, nil), (-61, .notYet),
        ] as [(Int64, DPoPProof.Refusal?)] {
            #expect(refusal(try proof(["iat": .integer(Self.now.seconds - age)])) == expected, "\(age)")
        }
        let proof = try DPoPProof(proof(), for: Self.request, at: Self.now)
        #expect(refusal(try self.proof(), at: proof.expiresAt) == .expired, "the ledger keeps it for as long")
    }

    @Test("R11.8 RFC 9449, section 4.3: URLs are compared in the one form of RFC 3986, without query and fragment")
    func targets() throws {
        for same in [
            "https://server.example.com/token?a=b", "https://server.example.com/token#x",
            "HTTPS://SERVER.example.com/token",
            "https://server.example.com:443/token", "https://server.example.com:/token",
            "https://server.example.com/%74oken", "https://server.example.com/a/../token",
            "https://server.example.com/./token",
        ] {
            #expect(refusal(try proof(["htu": .string(same)])) == nil, "\(same)")
        }
        for other in [
            "http://server.example.com/token", "https://server.example.com:444/token",
            "https://server.example.com/Token",
            "https://server.example.com/token/", "https://server.example.com//token", "https://server.example.com",
            "https://server.example.com/%2Ftoken", "https://user@server.example.com/token", "/token", "",
            "https://server.example.com/to ken", "https://server.example.com.evil.example/token", "https:///token",
        ] {
            #expect(refusal(try proof(["htu": .string(other)])) == .target, "\(other)")
        }
        #expect(ProofTarget("https://a.example") == ProofTarget("https://a.example/?x"))
        #expect(ProofTarget("https://a.example/%e2%82%ac") == ProofTarget("https://a.example/%E2%82%AC"))
        #expect(ProofTarget("https://a.example/%2f") != ProofTarget("https://a.example//"))
        #expect(ProofTarget("http://[::1]:8080/x") == ProofTarget("http://[::1]:8080/x"))
        #expect(ProofTarget("http://[::1]:80/x") == ProofTarget("http://[::1]/x"))
        #expect(ProofTarget("https://a.example/" + String(repeating: "x", count: 5000)) == nil)
    }

    @Test("R11.8 RFC 9449, section 11.1: what a proof is spent by is its key's and its own: no other key spends it")
    func identifiers() throws {
        let first = try DPoPProof(proof(), for: Self.request, at: Self.now)
        let again = try DPoPProof(proof(["iat": .integer(Self.now.seconds + 1)]), for: Self.request, at: Self.now)
        #expect(first.identifier == again.identifier)
        let next = try DPoPProof(proof(["jti": "two"]), for: Self.request, at: Self.now)
        #expect(next.identifier != first.identifier)
        let stranger = try DPoPProof(proof(by: SigningKey.generate(.es256)), for: Self.request, at: Self.now)
        #expect(stranger.identifier != first.identifier && stranger.thumbprint != first.thumbprint)
    }

    @Test("R11.8 RFC 9449, section 8: a nonce is good for some minutes, in every process of the key, and for no other")
    func nonces() {
        let nonces = DPoPNonces(key: Secret([UInt8](repeating: 1, count: 32)))
        let nonce = nonces.current(at: Self.now)
        #expect(nonce.utf8.count == 22 && nonce == nonces.current(at: Self.now))
        #expect(nonce != nonces.current(at: Self.now + .seconds(60)))
        for (age, isGood) in [
            (0, true), (200, true), (239, true), (300, false), (3600, false), (-60, true), (-120, false),
        ] {
            #expect(nonces.accepts(nonce, at: Self.now + .seconds(Int64(age))) == isGood, "\(age)")
        }
        for text in ["", "x", nonce + "x", String(nonce.dropLast())] { #expect(!nonces.accepts(text, at: Self.now)) }
        #expect(!DPoPNonces(key: Secret([UInt8](repeating: 2, count: 32))).accepts(nonce, at: Self.now))
    }

    @Test("R11.8 RFC 7800, section 3.1: what a token is bound to is read from cnf, and what is not known opens nothing")
    func bindings() throws {
        func binding(_ text: String) throws -> TokenBinding { TokenBinding(try JWTClaims(parsing: Array(text.utf8))) }
        #expect(try binding("{}") == .bearer)
        #expect(try binding(#"{"cnf":{"jkt":"k"}}"#) == .key("k"))
        for text in [
            #"{"cnf":{"x5t#S256":"k"}}"#, #"{"cnf":{}}"#, #"{"cnf":null}"#, #"{"cnf":{"jkt":1}}"#, #"{"cnf":"k"}"#,
            #"{"cnf":{"jkt":"k","x5t#S256":"k"}}"#,
        ] {
            #expect(try binding(text) == .unknown, "\(text)")
        }
        let rows: [(TokenBinding, String?, Bool)] = [
            (.bearer, nil, true), (.bearer, "k", false), (.key("k"), "k", true), (.key("k"), nil, false),
            (.key("k"), "l", false), (.unknown, nil, false), (.unknown, "k", false),
        ]
        for (binding, thumbprint, isGood) in rows {
            let code: TokenError.Code?
            do {
                try binding.require(thumbprint)
                code = nil
            } catch {
                code = error.code
            }
            #expect(code == (isGood ? nil : .wrongBinding), "\(binding) \(thumbprint ?? "")")
        }
    }
}
