// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import IdentityProviders

/// One thing wrong with an ID token that is good otherwise.
struct BadToken: Sendable, CustomTestStringConvertible {
    var name: String
    var make: @Sendable (JSONObject) throws -> String

    var testDescription: String { name }

    static func claim(_ claim: String, _ value: JSONValue?) -> BadToken {
        BadToken(name: "\(claim) is \(value?.text ?? "missing")") { claims in
            var claims = claims
            claims[claim] = value
            return try JWS.sign(claims, with: TestKeys.rsa)
        }
    }

    static func claims(_ name: String, _ changes: JSONObject) -> BadToken {
        BadToken(name: name) { try JWS.sign($0.merging(changes), with: TestKeys.rsa) }
    }

    static func header(_ name: String, _ header: JSONObject, signature: String = "") -> BadToken {
        BadToken(name: name) { claims in
            "\(Base64URL.encode(header.serialized())).\(Base64URL.encode(claims.serialized())).\(signature)"
        }
    }

    static let now = ProviderBench.now.seconds

    static let all = spoiled + forged

    static let spoiled: [BadToken] = [
        .claim("iss", nil), .claim("iss", "https://issuer.example/"), .claim("iss", "https://issuer.exampl"),
        .claim("iss", "https://evil.example"), .claim("iss", ["https://issuer.example"]),
        .claim("aud", nil), .claim("aud", "client-3"), .claim("aud", []), .claim("aud", ["client-1", "other"]),
        .claim("aud", 1), .claims("aud is several, azp another's", ["aud": ["client-1", "x"], "azp": "x"]),
        .claim("azp", "other"), .claim("azp", 1), .claim("azp", ""),
        .claim("exp", nil), .claim("exp", .integer(now - 60)), .claim("exp", "9999999999"),
        .claim("iat", nil), .claim("iat", .integer(now + 61)), .claim("nbf", .integer(now + 61)),
        .claim("nonce", nil), .claim("nonce", "n-2"), .claim("nonce", ""), .claim("nonce", 1),
        .claim("nonce", ["n-1"]), .claim("sub", nil), .claim("sub", ""), .claim("sub", 7),
        .claim("sub", .string(String(repeating: "x", count: 256))),
        .claim("events", [:]), .claim("token_use", "access"), .claim("typ", "Bearer"),
        .claims("a scope and no nonce", ["scope": "openid", "nonce": .null]),
        .claim("at_hash", "AAAA"), .claim("at_hash", 1), .claim("at_hash", ""), .claim("at_hash", .null),
    ]

    static let forged: [BadToken] = [
        .header("alg is none", ["alg": "none"]), .header("alg is None", ["alg": "None"], signature: "AAAA"),
        .header("alg is missing", ["kid": "rsa-1"], signature: "AAAA"),
        .header("no signature", ["alg": "RS256", "kid": "rsa-1"]),
        .header("crit", ["alg": "RS256", "kid": "rsa-1", "crit": ["x"]], signature: "AAAA"),
        BadToken(name: "HMAC with the public key") { claims in
            let secret = Secret(Array(TestKeys.set([TestKeys.rsa]).text.utf8))
            return try JWS.sign(claims, with: SigningKey(secret: secret, algorithm: .hs256, keyID: "rsa-1"))
        },
        BadToken(name: "another's key of the same kid") { try JWS.sign($0, with: TestKeys.foreign) },
        BadToken(name: "a key that brings itself along") { claims in
            let key = TestKeys.unknown
            return try JWS.sign(
                claims, header: ["jwk": .object(key.publicJWK?.publicObject ?? [:]), "jku": "https://evil.example"],
                with: key)
        },
        BadToken(name: "an access token's typ") { try JWS.sign($0, type: "at+jwt", with: TestKeys.rsa) },
        BadToken(name: "a logout token's typ") { try JWS.sign($0, type: "logout+jwt", with: TestKeys.rsa) },
        BadToken(name: "cut off") { String(try JWS.sign($0, with: TestKeys.rsa).dropLast(3)) },
        BadToken(name: "changed") { claims in
            let parts = try JWS.sign(claims, with: TestKeys.rsa).split(separator: ".")
            var other = claims
            other["sub"] = "user-2"
            return "\(parts[0]).\(Base64URL.encode(other.serialized())).\(parts[2])"
        },
        BadToken(name: "nothing") { _ in "" }, BadToken(name: "five parts") { _ in "a.b.c.d.e" },
        BadToken(name: "not a token") { _ in "<html>" },
        BadToken(name: "17 KiB") { _ in String(repeating: "a.b", count: 6_000) },
    ]
}

@Suite("ID tokens of providers")
struct BadIDTokenTests {
    @Test("R12.1 R63 Each single wrong thing refuses an ID token, by a code as by an app", arguments: BadToken.all)
    func wrong(_ bad: BadToken) async throws {
        let bench = ProviderBench()
        let provider = ProviderBench.provider(.openID)
        let token = try bad.make(ProviderBench.claims())
        let native = await bench.judge(token, provider, accessToken: "access-1")
        #expect(native.code == .identityTokenInvalid)
        let answer = await bench.redeem(["access_token": "access-1", "id_token": .string(token)], provider)
        // An answer without any token is none.
        #expect(answer.code == (token.isEmpty ? .identityProviderUnavailable : .identityTokenInvalid))
    }

    @Test("R12.1 A good token is taken, and so is one at the edge of what is allowed")
    func good() async throws {
        let bench = ProviderBench()
        let provider = ProviderBench.provider(.openID)
        let changes: [JSONObject] = [
            [:], ["exp": .integer(BadToken.now - 59)], ["iat": .integer(BadToken.now + 60)], ["aud": "client-2"],
            ["aud": ["client-1", "other"], "azp": "client-1"], ["azp": "client-2"], ["typ": "ID"],
        ]
        for change in changes {
            let token = try JWS.sign(ProviderBench.claims().merging(change), with: TestKeys.rsa)
            let proof = await bench.judge(token, provider)
            #expect(proof.value?.subject == "user-1", "\(change.text): \(String(describing: proof.code))")
            #expect(proof.value?.issuer == ProviderBench.issuer)
            #expect(proof.value?.expiresAt != nil)
        }
    }

    @Test("R12.1 at_hash binds the access token, by the hash of each algorithm")
    func accessTokenHash() async throws {
        let bench = ProviderBench()
        let provider = ProviderBench.provider(.openID)
        for (key, size) in [
            (TestKeys.rsa, 16), (TestKeys.es256, 16), (TestKeys.es384, 24), (TestKeys.edwards, 32),
        ] {
            var claims = ProviderBench.claims()
            claims["at_hash"] = .string(hash("access-1", size))
            let token = try JWS.sign(claims, with: key)
            let good = await bench.judge(token, provider, accessToken: "access-1")
            #expect(good.value?.tokens?.access?.reveal() == "access-1", "\(key.algorithm)")
            #expect(await bench.judge(token, provider, accessToken: "access-2").code == .identityTokenInvalid)
            #expect(await bench.judge(token, provider).value?.subject == "user-1")
        }
        // Without a hash nothing says whose an access token is: it is not handed on.
        let bare = try JWS.sign(ProviderBench.claims(), with: TestKeys.rsa)
        let proof = await bench.judge(bare, provider, accessToken: "access-1")
        #expect(proof.value != nil && proof.value?.tokens?.access == nil)
    }

    @Test("R12.1 An unknown key is asked for once, and a token of it is good then")
    func rotation() async throws {
        let bench = ProviderBench()
        let provider = ProviderBench.provider(.openID)
        let old = try JWS.sign(ProviderBench.claims(), with: TestKeys.rsa)
        #expect(await bench.judge(old, provider).value != nil)
        let new = try JWS.sign(ProviderBench.claims(), with: TestKeys.unknown)
        bench.network.answer("\(ProviderBench.issuer)/keys", TestKeys.set([TestKeys.rsa, TestKeys.unknown]))
        #expect(await bench.judge(new, provider).value != nil)
        let before = bench.network.calls.count
        let strange = try SigningKey.generate(.es256, keyID: "strange")
        for _ in 0..<20 {
            let token = try JWS.sign(ProviderBench.claims(), with: strange)
            #expect(await bench.judge(token, provider).code == .identityTokenInvalid)
        }
        #expect(bench.network.calls.count == before, "within the minute nobody is asked again")
    }

    @Test("R12.1 Without keys nothing is said of a token but that the provider can't be had")
    func noKeys() async throws {
        let bench = ProviderBench()
        bench.network.fail("\(ProviderBench.issuer)/keys", .timedOut)
        let token = try JWS.sign(ProviderBench.claims(), with: TestKeys.rsa)
        let refusal = await bench.judge(token, ProviderBench.provider(.openID))
        #expect(refusal.code == .identityProviderUnavailable)
    }
}
