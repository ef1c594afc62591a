// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

@Suite("Profile: cognito")
struct CognitoProfileTests {
    static let issuer = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEf123"

    static func profile(_ kind: TokenKind, resources: Set<String> = []) -> TokenProfile {
        .cognito(
            region: "eu-central-1", userPoolID: "eu-central-1_AbCdEf123", clientIDs: ["client-1"], kind: kind,
            resources: resources)
    }

    static var access: TokenDraft {
        var claims = TokenDraft.claims(issuer: issuer, audience: nil)
        claims["token_use"] = "access"
        claims["client_id"] = "client-1"
        claims["scope"] = "aws.cognito.signin.user.admin api/read"
        claims["cognito:groups"] = ["admin", "testing"]
        claims["origin_jti"] = "session-1"
        claims["auth_time"] = .integer(TokenDraft.seconds - 120)
        return TokenDraft(claims: claims, key: TestKeys.rsa, type: nil)
    }

    static var id: TokenDraft {
        var claims = TokenDraft.claims(issuer: issuer, audience: "client-1")
        claims["token_use"] = "id"
        claims["email"] = "ada@example.org"
        claims["email_verified"] = true
        claims["at_hash"] = "mKkfr0pHDT3ogr3fmLWIBw"
        return TokenDraft(claims: claims, key: TestKeys.rsa, type: nil)
    }

    @Test("an access token gives its client, groups, scopes and session")
    func goodAccess() throws {
        let profile = Self.profile(.access)
        let token = try TokenVerifier(profile, TestKeys.set(TestKeys.rsa)).verify(Self.access.token().utf8)
        #expect(profile.keys == .jwks(url: "\(Self.issuer)/.well-known/jwks.json"))
        #expect(token.kind == .access)
        #expect(token.profile == "cognito")
        #expect(token.subject == "user-1")
        #expect(token.clientID == "client-1")
        #expect(token.groups == ["admin", "testing"])
        #expect(token.scopes == ["aws.cognito.signin.user.admin", "api/read"])
        #expect(token.sessionID == "session-1")
        #expect(token.authenticatedAt == Instant(seconds: TokenDraft.seconds - 120))
    }

    @Test("an ID token gives its user")
    func goodID() throws {
        let token = try TokenVerifier(Self.profile(.id), TestKeys.set(TestKeys.rsa)).verify(Self.id.token().utf8)
        #expect(token.kind == .id)
        #expect(token.email == "ada@example.org")
        #expect(token.isEmailVerified)
    }

    @Test(
        "each thing wrong with an access token is refused",
        arguments: Deviation.ofAnyToken + [
            .claim("token_use", nil, .wrongKind), .claim("token_use", "id", .wrongKind),
            .claim("client_id", nil, .wrongAudience), .claim("client_id", "client-2", .wrongAudience),
            .claim("client_id", ["client-1"], .wrongAudience), .claim("aud", "client-1", .wrongAudience),
            .claim("sub", nil, .malformed), .claim("sub", "", .malformed), .claim("at_hash", "x", .wrongKind),
            .key("another issuer's key", TestKeys.foreignRSA, .badSignature),
            .key("another algorithm", TestKeys.elliptic, .wrongAlgorithm),
        ])
    func access(_ deviation: Deviation) throws {
        try deviation.check(Self.access, with: TokenVerifier(Self.profile(.access), TestKeys.set(TestKeys.rsa)))
    }

    @Test(
        "each thing wrong with an ID token is refused",
        arguments: Deviation.ofAnyToken + [
            .claim("token_use", nil, .wrongKind), .claim("token_use", "access", .wrongKind),
            .claim("aud", nil, .wrongAudience), .claim("aud", "client-2", .wrongAudience),
            .claim("aud", ["client-2", "client-1"], nil), .claim("sub", nil, .malformed),
            .type("at+jwt", .wrongKind), .key("another issuer's key", TestKeys.foreignRSA, .badSignature),
        ])
    func id(_ deviation: Deviation) throws {
        try deviation.check(Self.id, with: TokenVerifier(Self.profile(.id), TestKeys.set(TestKeys.rsa)))
    }

    @Test("an access token bound to a resource is for that resource only")
    func resources() throws {
        var draft = Self.access
        draft.claims["aud"] = "https://api.example.org"
        let keys = try TestKeys.set(TestKeys.rsa)
        let other = Self.profile(.access, resources: ["https://other.example.org"])
        #expect(try refusal(of: draft.token(), by: TokenVerifier(other, keys))?.code == .wrongAudience)
        let right = Self.profile(.access, resources: ["https://api.example.org"])
        #expect(try refusal(of: draft.token(), by: TokenVerifier(right, keys)) == nil)
    }

    @Test(
        "a profile of a kind the service does not make accepts nothing",
        arguments: [
            TokenKind.refresh, .logout, .session,
        ])
    func otherKinds(_ kind: TokenKind) throws {
        var draft = Self.id
        draft.claims["token_use"] = .string(kind.rawValue)
        draft.claims["at_hash"] = Optional<JSONValue>.none
        let verifier = try TokenVerifier(Self.profile(kind), TestKeys.set(TestKeys.rsa))
        #expect(try refusal(of: draft.token(), by: verifier)?.code == .wrongKind)
    }

    @Test("a pool in China, and a server with a name of its own, have their own issuer and keys")
    func issuers() {
        let china = TokenProfile.cognito(
            region: "cn-north-1", userPoolID: "cn-north-1_x", clientIDs: ["c"], kind: .access)
        #expect(china.rules.issuers == ["https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_x"])
        let own = TokenProfile.cognito(
            region: "eu-central-1", userPoolID: "p", clientIDs: ["c"], kind: .access, issuer: "https://id.example.org/p"
        )
        #expect(own.rules.issuers == ["https://id.example.org/p"])
        #expect(own.keys == .jwks(url: "https://id.example.org/p/.well-known/jwks.json"))
    }
}
