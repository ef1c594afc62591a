// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

@Suite("Profile: supabase")
struct SupabaseProfileTests {
    static let issuer = "https://abcdefgh.supabase.co/auth/v1"

    static func draft(_ key: SigningKey = TestKeys.elliptic) -> TokenDraft {
        var claims = TokenDraft.claims(issuer: issuer, audience: "authenticated")
        claims["role"] = "authenticated"
        claims["aal"] = "aal2"
        claims["session_id"] = "session-1"
        claims["email"] = "ada@example.org"
        claims["app_metadata"] = ["provider": "email", "groups": ["admin"]]
        claims["user_metadata"] = ["groups": ["root"], "email_verified": true]
        claims["amr"] = [
            ["method": "password", "timestamp": 1_799_999_000], ["method": "totp", "timestamp": 1_799_999_900],
        ]
        return TokenDraft(claims: claims, key: key)
    }

    static let deviations: [Deviation] = [
        .claim("aud", nil, .wrongAudience), .claim("aud", "anonymous", .wrongAudience),
        .claim("role", nil, .malformed), .claim("role", "service_role", .wrongKind), .claim("role", "anon", .wrongKind),
        .claim("role", "editor", nil),
        .claim("session_id", nil, .wrongKind), .claim("session_id", 7, .malformed),
        .claim("aal", nil, .malformed), .claim("aal", "aal9", .malformed), .claim("aal", "aal1", nil),
        .claim("sub", nil, .malformed), .claim("at_hash", "x", .wrongKind), .claim("typ", "ID", .wrongKind),
        .claim("scope", "email", nil), .type("at+jwt", nil),
        .claim("iss", "supabase", .unknownIssuer),
    ]

    @Test(
        "a token of a project with a key pair gives session, assurance and groups",
        arguments: [
            "https://abcdefgh.supabase.co", "https://abcdefgh.supabase.co/",
        ])
    func good(_ url: String) throws {
        let profile = TokenProfile.supabase(projectURL: url)
        #expect(profile.keys == .jwks(url: "\(Self.issuer)/.well-known/jwks.json"))
        let token = try TokenVerifier(profile, TestKeys.set(TestKeys.elliptic)).verify(Self.draft().token().utf8)
        #expect(token.kind == .access)
        #expect(token.sessionID == "session-1")
        #expect(token.assuranceLevel == 2)
        #expect(token.authenticatedAt == Instant(seconds: 1_799_999_900))
        #expect(token.groups == ["admin"], "never from what users write themselves")
        #expect(!token.isEmailVerified, "never from what users write themselves")
    }

    @Test(
        "each thing wrong is refused",
        arguments: Deviation.ofAnyToken + deviations + [
            .key("another issuer's key", TestKeys.foreignElliptic, .badSignature),
            .key("a key unknown here", TestKeys.edwards, .unknownKey),
        ])
    func keyPair(_ deviation: Deviation) throws {
        let profile = TokenProfile.supabase(projectURL: "https://abcdefgh.supabase.co")
        try deviation.check(Self.draft(), with: TokenVerifier(profile, TestKeys.set(TestKeys.elliptic)))
    }

    @Test(
        "each thing wrong is refused under a shared secret",
        arguments: Deviation.ofAnyToken + deviations + [
            .key("a key pair", TestKeys.elliptic, .wrongAlgorithm),
            Deviation("another secret", .badSignature) {
                let secret = Array("another secret, of at least 32 bytes".utf8)
                $0.key = try SigningKey(secret: Secret(secret), algorithm: .hs256)
            },
            Deviation("a stronger hash", .wrongAlgorithm) {
                let secret = Secret(TestKeys.secret + TestKeys.secret)
                $0.key = try SigningKey(secret: secret, algorithm: .hs512)
            },
        ])
    func shared(_ deviation: Deviation) throws {
        let profile = try TokenProfile.supabase(
            projectURL: "https://abcdefgh.supabase.co", sharedSecret: Secret(TestKeys.secret))
        let key = try SigningKey(secret: Secret(TestKeys.secret), algorithm: .hs256)
        let verifier = TokenVerifier([profile], keys: GivenKeys([:]), clock: { TokenDraft.now })
        #expect(try refusal(of: Self.draft(key).token(), by: verifier) == nil)
        try deviation.check(Self.draft(key), with: verifier)
    }

    @Test(
        "the shared secret answers to the kid it was given, to none, and to no other",
        arguments: [
            (nil, nil), ("k-1", nil), ("k-2", TokenError.Code.unknownKey),
        ] as [(String?, TokenError.Code?)])
    func sharedKeyID(_ keyID: String?, _ code: TokenError.Code?) throws {
        let profile = try TokenProfile.supabase(
            projectURL: "https://abcdefgh.supabase.co", sharedSecret: Secret(TestKeys.secret), keyID: "k-1")
        let key = try SigningKey(secret: Secret(TestKeys.secret), algorithm: .hs256, keyID: keyID)
        let verifier = TokenVerifier([profile], keys: GivenKeys([:]), clock: { TokenDraft.now })
        #expect(try refusal(of: Self.draft(key).token(), by: verifier)?.code == code)
    }

    @Test("a shared secret that can be guessed is no profile")
    func weakSecret() {
        #expect(throws: JOSEError(.keyTooWeak)) {
            try TokenProfile.supabase(projectURL: "https://x.example", sharedSecret: Secret(Array("short".utf8)))
        }
    }

    @Test("a project that is moving to a key pair has both, and neither key verifies the other's tokens")
    func moving() throws {
        let pair = TokenProfile.supabase(projectURL: "https://abcdefgh.supabase.co")
        let shared = try TokenProfile.supabase(
            projectURL: "https://abcdefgh.supabase.co", sharedSecret: Secret(TestKeys.secret))
        let keys = try GivenKeys([pair.keys: GivenSource(TestKeys.set(TestKeys.elliptic))])
        let secretKey = try SigningKey(secret: Secret(TestKeys.secret), algorithm: .hs256)
        for profiles in [[pair, shared], [shared, pair]] {
            let verifier = TokenVerifier(profiles, keys: keys, clock: { TokenDraft.now })
            #expect(try refusal(of: Self.draft().token(), by: verifier) == nil)
            #expect(try refusal(of: Self.draft(secretKey).token(), by: verifier) == nil)
            let foreign = try Self.draft(TestKeys.foreignElliptic).token()
            #expect(refusal(of: foreign, by: verifier)?.code == .badSignature)
            #expect(try refusal(of: Self.draft(TestKeys.rsa).token(), by: verifier)?.code == .unknownKey)
        }
    }
}
