// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct IDTokenClaimsTests {
    let now = Instant(seconds: 1_800_000_000)

    func token(_ claims: JSONObject) -> Secret<String> {
        let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
        return Secret("\(header).\(Base64URL.encode(claims.serialized())).c2ln")
    }

    var claims: JSONObject {
        [
            "iss": "https://id.example", "sub": "u1", "aud": "app", "exp": 1_800_003_600, "nonce": "n",
            "email": "ada@example.org", "email_verified": "true", "name": "Ada", "picture": "https://p.example/1",
            "custom:team": "blue",
        ]
    }

    @Test("R13.3 Y-US3 An ID token says whose it is, and nothing of itself to the app")
    func user() throws {
        let claims = try IDTokenClaims(reading: token(claims))
        try claims.check(issuer: "https://id.example", clientID: "app", nonce: Secret("n"), now: now)
        let user = claims.user(provider: "google")
        #expect(user.subject == "u1" && user.email == "ada@example.org" && user.emailVerified == true)
        #expect(user.name == "Ada" && user.picture == "https://p.example/1" && user.provider == "google")
        #expect(user.attributes["custom:team"] == "blue")
        #expect(user.attributes["nonce"] == nil && user.attributes["exp"] == nil)
    }

    @Test(
        "R13.3 OpenID Connect Core 1.0, section 3.1.3.7: a token for another is refused",
        arguments: [
            ["iss": "https://evil.example"], ["iss": nil], ["aud": "other"], ["aud": nil], ["aud": ["app", "other"]],
            ["aud": ["app", "other"], "azp": "other"], ["azp": "other"], ["azp": 3], ["exp": 1_799_999_000],
            ["exp": nil],
            ["exp": "soon"], ["nonce": "m"], ["nonce": nil],
        ] as [[String: JSONValue?]])
    func refused(changes: [String: JSONValue?]) throws {
        var claims = claims
        for (name, value) in changes { claims[name] = value.flatMap { $0.isNull ? nil : $0 } }
        let read = try IDTokenClaims(reading: token(claims))
        #expect(throws: AuthError(.identityTokenInvalid)) {
            try read.check(issuer: "https://id.example", clientID: "app", nonce: Secret("n"), now: now)
        }
    }

    @Test("R13.3 Several audiences are taken where the token names its party; a clock may be five minutes off")
    func taken() throws {
        for changes in [["aud": ["x", "app"], "azp": "app"], ["exp": 1_799_999_760], ["exp": 1.8e9]] as [JSONObject] {
            let read = try IDTokenClaims(reading: token(claims.merging(changes)))
            try read.check(issuer: "https://id.example", clientID: "app", nonce: Secret("n"), now: now)
        }
    }

    @Test(
        "R13.3 What is no token is refused",
        arguments: ["", "a.b", "a.b.c.d", "a.!.c", "a.e30.c", "a.bnVsbA.c", String(repeating: "a", count: 20_000)])
    func unreadable(text: String) {
        #expect(throws: AuthError(.identityTokenInvalid)) { try IDTokenClaims(reading: Secret(text)) }
    }
}
