// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

@Suite("Profile: firebase")
struct FirebaseProfileTests {
    static func draft(_ issuer: String) -> TokenDraft {
        var claims = TokenDraft.claims(issuer: "\(issuer)/project-1", audience: "project-1")
        claims["auth_time"] = .integer(TokenDraft.seconds - 600)
        claims["email"] = "ada@example.org"
        claims["email_verified"] = false
        claims["groups"] = ["testing"]
        return TokenDraft(claims: claims, key: TestKeys.rsa)
    }

    static let idIssuer = "https://securetoken.google.com"
    static let cookieIssuer = "https://session.firebase.google.com"

    static let deviations: [Deviation] = [
        .claim("aud", nil, .wrongAudience), .claim("aud", "project-2", .wrongAudience),
        .claim("aud", ["project-1", "project-2"], .wrongAudience),
        .claim("sub", nil, .malformed), .claim("sub", "", .malformed),
        .claim("sub", .string(String(repeating: "x", count: 129)), .malformed),
        .claim("sub", .string(String(repeating: "x", count: 128)), nil),
        .claim("auth_time", nil, .malformed), .claim("auth_time", "1799999400", .malformed),
        .claim("auth_time", .integer(-1), .malformed), .claim("auth_time", .number(1e300), .malformed),
        .claim("auth_time", .integer(TokenDraft.seconds + 31), .notYetValid),
        .claim("auth_time", .number(1_799_999_400.5), nil),
        .claim("iss", "https://securetoken.google.com/project-2", .unknownIssuer),
        .claim("iss", "https://securetoken.google.com/project-1/", .unknownIssuer),
        .type("at+jwt", .wrongKind), .type(nil, nil), .claim("scope", "a project's own claim", nil),
        Deviation("kid is missing", .malformed) { $0.key = try TestKeys.renamed($0.key, nil) },
        .key("another issuer's key", TestKeys.foreignRSA, .badSignature),
        .key("another algorithm", TestKeys.elliptic, .wrongAlgorithm),
    ]

    @Test("F-3 an ID token gives its user; its keys are certificates")
    func good() throws {
        let profile = TokenProfile.firebase(projectID: "project-1")
        let verifier = try TokenVerifier(profile, TestKeys.set(TestKeys.rsa))
        let token = try verifier.verify(Self.draft(Self.idIssuer).token().utf8)
        #expect(token.kind == .id)
        #expect(token.subject == "user-1")
        #expect(token.groups == ["testing"])
        #expect(!token.isEmailVerified)
        guard case .certificates(let url) = profile.keys else {
            Issue.record("not certificates")
            return
        }
        #expect(url.hasSuffix("/x509/securetoken@system.gserviceaccount.com"))
    }

    @Test("F-3 each thing wrong with an ID token is refused", arguments: Deviation.ofAnyToken + deviations)
    func id(_ deviation: Deviation) throws {
        let profile = TokenProfile.firebase(projectID: "project-1")
        try deviation.check(Self.draft(Self.idIssuer), with: TokenVerifier(profile, TestKeys.set(TestKeys.rsa)))
    }

    @Test("each thing wrong with a session cookie is refused", arguments: Deviation.ofAnyToken + deviations)
    func cookie(_ deviation: Deviation) throws {
        let profile = TokenProfile.firebaseSessionCookie(projectID: "project-1")
        try deviation.check(Self.draft(Self.cookieIssuer), with: TokenVerifier(profile, TestKeys.set(TestKeys.rsa)))
    }

    @Test("a session cookie is no ID token, and an ID token no session cookie")
    func kinds() throws {
        let keys = try TestKeys.set(TestKeys.rsa)
        let id = TokenVerifier(.firebase(projectID: "project-1"), keys)
        let cookie = TokenVerifier(.firebaseSessionCookie(projectID: "project-1"), keys)
        #expect(try refusal(of: Self.draft(Self.cookieIssuer).token(), by: id)?.code == .unknownIssuer)
        #expect(try refusal(of: Self.draft(Self.idIssuer).token(), by: cookie)?.code == .unknownIssuer)
        #expect(try cookie.verify(Self.draft(Self.cookieIssuer).token().utf8).kind == .session)
    }

    @Test("a token from before the user's tokens became valid is revoked, remembered or not")
    func revocation() throws {
        let validSince = TestClock(Instant(seconds: 0))
        let profile = TokenProfile.firebase(projectID: "project-1") { token in
            guard let issued = token.claims.issuedAt, let authenticated = token.authenticatedAt else { return true }
            return min(issued, authenticated) < validSince.now
        }
        let verifier = try TokenVerifier(
            [profile], keys: GivenKeys([profile.keys: GivenSource(TestKeys.set(TestKeys.rsa))]),
            cache: VerifiedTokenCache(), clock: { TokenDraft.now })
        let token = try Self.draft(Self.idIssuer).token()
        #expect(refusal(of: token, by: verifier) == nil)
        validSince.set(Instant(seconds: TokenDraft.seconds - 599))
        #expect(refusal(of: token, by: verifier)?.code == .revoked)
        validSince.set(Instant(seconds: TokenDraft.seconds - 600))
        #expect(refusal(of: token, by: verifier) == nil)
    }
}
