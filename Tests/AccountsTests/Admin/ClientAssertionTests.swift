// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

@Suite("What a client signs to prove itself") struct ClientAssertionTests {
    private static let client = ClientID("app")
    private static let issuer = "https://id.example"
    private static let now = Instant(seconds: 1_800_000_000)

    private struct Case: Sendable {
        var name: String
        var refusal: ClientAssertion.Refusal?
        var claims: @Sendable (inout JSONObject) -> Void = { _ in }
        var type: String? = "JWT"
        var header: JSONObject = [:]
    }

    /// Good ones first: each row changes one thing of an assertion that is good.
    private static let cases: [Case] = [
        Case(name: "as it should be", refusal: nil),
        Case(name: "without typ", refusal: nil, type: nil),
        Case(name: "of the type of its own", refusal: nil, type: "client-authentication+jwt"),
        Case(name: "typ in full", refusal: nil, type: "application/Client-Authentication+JWT"),
        Case(name: "without iat", refusal: nil, claims: { $0["iat"] = nil }),
        Case(
            name: "signed 8 s ahead", refusal: nil,
            claims: {
                $0["iat"] = at(8); $0["nbf"] = at(8)
            }),
        Case(name: "expired a moment ago", refusal: nil, claims: { $0["exp"] = at(-29) }),
        Case(name: "good for an hour", refusal: nil, claims: { $0["exp"] = at(3600) }),
        Case(name: "more claims", refusal: nil, claims: { $0["x"] = [1, 2] }),
        Case(name: "another's iss", refusal: .issuer, claims: { $0["iss"] = "other" }),
        Case(name: "no iss", refusal: .issuer, claims: { $0["iss"] = nil }),
        Case(name: "our iss", refusal: .issuer, claims: { $0["iss"] = .string(issuer) }),
        Case(name: "another's sub", refusal: .subject, claims: { $0["sub"] = "other" }),
        Case(name: "no sub", refusal: .subject, claims: { $0["sub"] = nil }),
        Case(name: "sub is a number", refusal: .malformed, claims: { $0["sub"] = 1 }),
        Case(name: "aud is a list of ours", refusal: .audience, claims: { $0["aud"] = [.string(issuer)] }),
        Case(
            name: "aud is a list", refusal: .audience,
            claims: { $0["aud"] = [.string(issuer), "https://evil.example"] }),
        Case(
            name: "aud is the endpoint", refusal: .audience, claims: { $0["aud"] = .string(issuer + "/oauth2/token") }),
        Case(name: "aud with a slash", refusal: .audience, claims: { $0["aud"] = .string(issuer + "/") }),
        Case(name: "aud of another", refusal: .audience, claims: { $0["aud"] = "https://evil.example" }),
        Case(name: "aud of another spelling", refusal: .audience, claims: { $0["aud"] = "https://ID.example" }),
        Case(name: "no aud", refusal: .audience, claims: { $0["aud"] = nil }),
        Case(name: "aud is null", refusal: .malformed, claims: { $0["aud"] = .null }),
        Case(name: "expired", refusal: .expired, claims: { $0["exp"] = at(-30) }),
        Case(name: "no exp", refusal: .expired, claims: { $0["exp"] = nil }),
        Case(name: "exp is a text", refusal: .malformed, claims: { $0["exp"] = "soon" }),
        Case(name: "good for too long", refusal: .tooLong, claims: { $0["exp"] = at(3631) }),
        Case(name: "good for ever", refusal: .tooLong, claims: { $0["exp"] = 253_402_300_799 }),
        Case(name: "signed ahead", refusal: .notYet, claims: { $0["iat"] = at(61) }),
        Case(name: "not good yet", refusal: .notYet, claims: { $0["nbf"] = at(61) }),
        Case(name: "no jti", refusal: .identifier, claims: { $0["jti"] = nil }),
        Case(name: "jti is empty", refusal: .identifier, claims: { $0["jti"] = "" }),
        Case(
            name: "jti is long", refusal: .identifier,
            claims: { $0["jti"] = .string(String(repeating: "a", count: 257)) }),
        Case(name: "an access token", refusal: .type, type: "at+jwt"),
        Case(name: "a proof of a key", refusal: .type, type: "dpop+jwt"),
        Case(name: "a logout token", refusal: .type, type: "logout+jwt"),
        Case(name: "no type at all", refusal: .type, type: ""),
        Case(name: "an extension that must be understood", refusal: .malformed, header: ["crit": ["x"], "x": 1]),
        Case(
            name: "long", refusal: .malformed, claims: { $0["x"] = .string(String(repeating: "a", count: 8 << 10)) }),
    ]

    @Test("R11.3 RFC 7523 3: an assertion is the client's own, made out to us alone, short-lived and of its own type")
    func claims() throws {
        for algorithm in [JWSAlgorithm.es256, .edDSA] {
            let key = try SigningKey.generate(algorithm, keyID: "one")
            let keys = try VerificationKeySet([key.verificationKey()])
            for test in Self.cases {
                var claims = Self.claims
                test.claims(&claims)
                let text = try JWS.sign(claims, type: test.type, header: test.header, with: key)
                #expect(Self.refusal(of: text, by: keys) == test.refusal, "\(test.name)")
            }
        }
    }

    @Test("R11.3 RFC 7523 3, R9: only the client's own keys count, by algorithms that nobody forges with a public key")
    func keys() throws {
        let key = try SigningKey.generate(.es256, keyID: "one")
        let other = try SigningKey.generate(.es256, keyID: "one")
        let unnamed = try SigningKey.generate(.es256)
        let second = try SigningKey.generate(.edDSA, keyID: "two")
        let set = try VerificationKeySet([key.verificationKey(), second.verificationKey()])
        func refusal(_ signer: SigningKey, _ header: JSONObject = [:]) throws -> ClientAssertion.Refusal? {
            Self.refusal(of: try JWS.sign(Self.claims, header: header, with: signer), by: set)
        }
        #expect(try refusal(key) == nil)
        #expect(try refusal(second) == nil)
        #expect(try refusal(other) == .signature)
        #expect(try refusal(unnamed) == .key)
        #expect(try refusal(try SigningKey.generate(.es256, keyID: "three")) == .key)
        #expect(try refusal(try SigningKey.generate(.edDSA, keyID: "one")) == .algorithm)
        // A key that comes along is no key that was registered.
        let brought = try #require(other.publicJWK?.publicObject)
        #expect(try refusal(other, ["jwk": .object(brought), "jku": "https://evil.example/keys"]) == .signature)
        // Whoever knows a public key would sign by it as a secret.
        let published = try #require(key.publicJWK?.publicObject).serialized()
        let forger = try SigningKey(secret: Secret(published), algorithm: .hs256, keyID: "one")
        #expect(try refusal(forger) == .algorithm)
        let good = try JWS.sign(Self.claims, with: key)
        for (text, expected) in [
            ("", ClientAssertion.Refusal.malformed), ("a.b.c", .malformed), (good + ".x", .malformed),
            (String(good.dropLast(4)) + "AAAA", .signature),
            (good.split(separator: ".").dropLast().joined(separator: ".") + ".", .malformed),
            (Self.unsigned, .malformed), (Self.unsigned + "AAAA", .algorithm),
        ] { #expect(Self.refusal(of: text, by: set) == expected, "\(text)") }
    }

    @Test(
        "R11.3 What an assertion is spent by follows from the client and its jti, and lasts as long as it could be shown"
    )
    func nonce() throws {
        let key = try SigningKey.generate(.es256)
        let keys = try VerificationKeySet([key.verificationKey()])
        func judged(_ id: String, of client: ClientID) throws -> ClientAssertion {
            var claims = Self.claims
            claims["jti"] = .string(id)
            claims["iss"] = .string(client.rawValue)
            claims["sub"] = .string(client.rawValue)
            return try ClientAssertion(
                JWS.sign(claims, with: key), of: client, keys: keys, issuer: Self.issuer, at: Self.now)
        }
        let one = try judged("1", of: Self.client)
        #expect(try judged("1", of: Self.client).nonce == one.nonce)
        #expect(try judged("2", of: Self.client).nonce != one.nonce)
        #expect(try judged("1", of: ClientID("other")).nonce != one.nonce)
        #expect(one.expiry == Self.now + .seconds(60) + ClientAssertion.leeway)
        var late = Self.claims
        late["exp"] = .integer(one.expiry.seconds - 30)
        let text = try JWS.sign(late, with: key)
        #expect(throws: ClientAssertion.Refusal.expired) {
            try ClientAssertion(text, of: Self.client, keys: keys, issuer: Self.issuer, at: one.expiry)
        }
    }

    private static var claims: JSONObject {
        [
            "iss": .string(client.rawValue), "sub": .string(client.rawValue), "aud": .string(issuer), "jti": "1",
            "iat": at(0), "exp": at(60),
        ]
    }

    private static var unsigned: String {
        [#"{"alg":"none"}"#, claims.text, ""].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    private static func at(_ seconds: Int64) -> JSONValue { .integer(now.seconds + seconds) }

    private static func refusal(of text: String, by keys: VerificationKeySet) -> ClientAssertion.Refusal? {
        do {
            _ = try ClientAssertion(text, of: client, keys: keys, issuer: issuer, at: now)
            return nil
        } catch {
            return error
        }
    }
}
