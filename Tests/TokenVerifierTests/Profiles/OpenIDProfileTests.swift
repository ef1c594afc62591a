// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

@Suite("Profiles: openID and latchkey")
struct OpenIDProfileTests {
    static let issuer = "https://id.example.org/realm"
    static let algorithms: Set<JWSAlgorithm> = [.es256, .rs256, .edDSA]

    static func verifier(_ kind: TokenKind, allowsUntyped: Bool = false) throws -> TokenVerifier {
        let profile = TokenProfile.openID(
            issuer: issuer, audiences: ["api"], algorithms: algorithms, kind: kind,
            allowsUntypedAccessTokens: allowsUntyped)
        #expect(profile.keys == .discovery(issuer: issuer))
        return try TokenVerifier(profile, TestKeys.set(TestKeys.elliptic))
    }

    static var access: TokenDraft {
        var claims = TokenDraft.claims(issuer: issuer, audience: "api")
        claims["client_id"] = "client-1"
        claims["scope"] = "read write"
        return TokenDraft(claims: claims, key: TestKeys.elliptic, type: "at+jwt")
    }

    static var id: TokenDraft {
        TokenDraft(claims: TokenDraft.claims(issuer: issuer, audience: "api"), key: TestKeys.elliptic)
    }

    static var logout: TokenDraft {
        var claims = TokenDraft.claims(issuer: issuer, audience: "api")
        claims["jti"] = "j-1"
        claims["sid"] = "session-1"
        claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        return TokenDraft(claims: claims, key: TestKeys.elliptic, type: "logout+jwt")
    }

    static let ofAnyAudience: [Deviation] = [
        .claim("aud", nil, .wrongAudience), .claim("aud", "other", .wrongAudience), .claim("aud", [], .wrongAudience),
        .key("another issuer's key", TestKeys.foreignElliptic, .badSignature),
        .key("a key unknown here", TestKeys.edwards, .unknownKey),
    ]

    @Test(
        "an access token says so: each thing wrong is refused",
        arguments: Deviation.ofAnyToken + ofAnyAudience + [
            .type("AT+JWT", nil), .type("application/at+jwt", nil), .type("JWT", .wrongKind), .type(nil, .wrongKind),
            .type("id+jwt", .wrongKind), .claim("at_hash", "x", .wrongKind), .claim("c_hash", "x", .wrongKind),
            .claim("typ", "ID", .wrongKind), .claim("token_use", "id", .wrongKind),
            .claim("aud", ["other", "api"], nil),
            Deviation("said by a claim", nil) {
                $0.type = "JWT"
                $0.claims["typ"] = "Bearer"
            },
        ])
    func access(_ deviation: Deviation) throws {
        let token = try Self.verifier(.access).verify(Self.access.token().utf8)
        #expect(token.scopes == ["read", "write"])
        #expect(token.clientID == "client-1")
        try deviation.check(Self.access, with: Self.verifier(.access))
    }

    @Test(
        "where untyped access tokens are allowed, a token that says otherwise is still refused",
        arguments: [
            .type(nil, nil), .type("JWT", nil), .type("logout+jwt", .wrongKind), .claim("at_hash", "x", .wrongKind),
            .claim("typ", "ID", .wrongKind), .claim("events", [:], .wrongKind),
        ] as [Deviation])
    func untyped(_ deviation: Deviation) throws {
        var draft = Self.access
        draft.type = nil
        try deviation.check(draft, with: Self.verifier(.access, allowsUntyped: true))
    }

    @Test(
        "an ID token: each thing wrong is refused",
        arguments: Deviation.ofAnyToken + ofAnyAudience + [
            .claim("azp", "api", nil), .claim("azp", "other", .wrongAudience), .claim("azp", 1, .wrongAudience),
            .claim("aud", ["api", "other"], .wrongAudience),
            Deviation("several audiences, and azp says which", nil) {
                $0.claims["aud"] = ["api", "other"]
                $0.claims["azp"] = "api"
            },
            .claim("sub", nil, .malformed), .claim("sub", .string(String(repeating: "x", count: 256)), .malformed),
            .claim("scope", "read", .wrongKind), .claim("scp", ["read"], .wrongKind), .type("at+jwt", .wrongKind),
            .claim("at_hash", "x", nil), .type(nil, nil),
            Deviation("a scope beside a nonce", nil) {
                $0.claims["scope"] = "read"
                $0.claims["nonce"] = "n-1"
                $0.nonce = "n-1"
            },
        ])
    func id(_ deviation: Deviation) throws {
        #expect(try Self.verifier(.id).verify(Self.id.token().utf8).kind == .id)
        try deviation.check(Self.id, with: Self.verifier(.id))
    }

    @Test(
        "a logout token: each thing wrong is refused",
        arguments: ofAnyAudience + [
            .type("JWT", nil), .type("at+jwt", .wrongKind), .claim("events", nil, .wrongKind),
            .claim("events", ["urn:other": [:]], .wrongKind), .claim("events", "x", .wrongKind),
            .claim("nonce", "n", .wrongKind), .claim("jti", nil, .malformed), .claim("exp", nil, .malformed),
            Deviation("neither sub nor sid", .malformed) {
                $0.claims["sub"] = Optional<JSONValue>.none
                $0.claims["sid"] = Optional<JSONValue>.none
            },
        ])
    func logout(_ deviation: Deviation) throws {
        #expect(try Self.verifier(.logout).verify(Self.logout.token().utf8).sessionID == "session-1")
        try deviation.check(Self.logout, with: Self.verifier(.logout))
    }

    @Test("no kind passes for another, untyped access tokens allowed or not")
    func kinds() throws {
        let drafts: [(TokenKind, TokenDraft)] = [(.access, Self.access), (.id, Self.id), (.logout, Self.logout)]
        for (kind, draft) in drafts {
            for wanted in TokenKind.allCases where wanted != kind {
                let code = try refusal(of: draft.token(), by: Self.verifier(wanted))?.code
                #expect(code == .wrongKind, "\(kind) as \(wanted)")
            }
        }
        let lax = try Self.verifier(.access, allowsUntyped: true)
        #expect(try refusal(of: Self.logout.token(), by: lax)?.code == .wrongKind)
    }

    static var latchkey: TokenDraft {
        var claims = TokenDraft.claims(issuer: "https://auth.example.org/auth/v1", audience: "app")
        claims["session_id"] = "session-1"
        claims["aal"] = "aal1"
        claims["app_metadata"] = ["groups": ["testing"]]
        return TokenDraft(claims: claims, key: TestKeys.edwards)
    }

    @Test(
        "latchkey: each thing wrong is refused",
        arguments: Deviation.ofAnyToken + [
            .claim("aud", nil, .wrongAudience), .claim("aud", "other", .wrongAudience), .claim("sub", nil, .malformed),
            .claim("session_id", nil, .wrongKind), .claim("session_id", "", .malformed),
            .claim("iss", "https://auth.example.org/auth/v1/", .unknownIssuer), .type("logout+jwt", .wrongKind),
            .key("another's key", TestKeys.elliptic, .unknownKey),
        ])
    func latchkey(_ deviation: Deviation) throws {
        let profile = TokenProfile.latchkey(url: "https://auth.example.org/auth/v1", audiences: ["app"])
        #expect(profile.keys == .jwks(url: "https://auth.example.org/auth/v1/.well-known/jwks.json"))
        let verifier = try TokenVerifier(profile, TestKeys.set(TestKeys.edwards))
        let token = try verifier.verify(Self.latchkey.token().utf8)
        #expect(token.groups == ["testing"])
        #expect(token.sessionID == "session-1")
        try deviation.check(Self.latchkey, with: verifier)
    }
}
