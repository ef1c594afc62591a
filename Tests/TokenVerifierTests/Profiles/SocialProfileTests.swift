// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE
import Testing
import TokenVerifier

@Suite("Profiles: google and apple")
struct SocialProfileTests {
    static var google: TokenDraft {
        var claims = TokenDraft.claims(issuer: "https://accounts.google.com", audience: "client-1")
        claims["azp"] = "app-of-the-vendor"
        claims["hd"] = "example.org"
        claims["email"] = "ada@example.org"
        claims["email_verified"] = true
        return TokenDraft(claims: claims, key: TestKeys.rsa)
    }

    static var apple: TokenDraft {
        var claims = TokenDraft.claims(issuer: "https://appleid.apple.com", audience: "org.example.app")
        claims["email_verified"] = "true"
        claims["nonce_supported"] = true
        return TokenDraft(claims: claims, key: TestKeys.rsa, type: nil)
    }

    static let ofIDTokens: [Deviation] = [
        .claim("aud", nil, .wrongAudience), .claim("aud", "client-2", .wrongAudience), .claim("sub", nil, .malformed),
        .claim("token_use", "access", .wrongKind),
        .claim("typ", "Bearer", .wrongKind), .type("at+jwt", .wrongKind), .type("application/at+jwt", .wrongKind),
        .type("jwt", nil), .type("application/JWT", nil),
        .key("another issuer's key", TestKeys.foreignRSA, .badSignature),
        .key("another algorithm", TestKeys.elliptic, .wrongAlgorithm),
        Deviation("nonce is as it was sent", nil) {
            $0.nonce = "n-1"
            $0.claims["nonce"] = "n-1"
        },
        Deviation("nonce is another", .wrongAudience) {
            $0.nonce = "n-1"
            $0.claims["nonce"] = "n-2"
        },
        Deviation("nonce is not a string", .wrongAudience) {
            $0.nonce = "1"
            $0.claims["nonce"] = 1
        },
    ]

    @Test(
        "google: each thing wrong is refused",
        arguments: Deviation.ofAnyToken + ofIDTokens + [
            .claim("iss", "accounts.google.com", nil), .claim("iss", "https://accounts.google.com/", .unknownIssuer),
            .claim("hd", nil, .wrongAudience), .claim("hd", "other.example", .wrongAudience),
            .claim("hd", ["example.org"], .wrongAudience), .claim("azp", nil, nil),
            .claim("aud", ["client-1", "client-2"], .wrongAudience),
            Deviation("nonce is hashed", .wrongAudience) {
                $0.nonce = "n-1"
                $0.claims["nonce"] = .string(Hex.encode(SHA256.hash(data: Array("n-1".utf8))))
            },
        ])
    func google(_ deviation: Deviation) throws {
        let profile = TokenProfile.google(clientIDs: ["client-1"], hostedDomain: "example.org")
        let verifier = try TokenVerifier(profile, TestKeys.set(TestKeys.rsa))
        #expect(try refusal(of: Self.google.token(), by: verifier) == nil)
        try deviation.check(Self.google, with: verifier)
    }

    @Test("google: without a domain named, users of every domain are accepted")
    func anyDomain() throws {
        let verifier = try TokenVerifier(.google(clientIDs: ["client-1"]), TestKeys.set(TestKeys.rsa))
        for domain in [JSONValue.string("other.example"), nil] {
            var draft = Self.google
            draft.claims["hd"] = domain
            #expect(try refusal(of: draft.token(), by: verifier) == nil)
        }
    }

    @Test(
        "apple: each thing wrong is refused",
        arguments: Deviation.ofAnyToken + ofIDTokens + [
            .claim("aud", ["org.example.app", "org.example.other"], .wrongAudience),
            Deviation("nonce is hashed", nil) {
                $0.nonce = "n-1"
                $0.claims["nonce"] = .string(Hex.encode(SHA256.hash(data: Array("n-1".utf8))))
            },
            Deviation("another nonce is hashed", .wrongAudience) {
                $0.nonce = "n-1"
                $0.claims["nonce"] = .string(Hex.encode(SHA256.hash(data: Array("n-2".utf8))))
            },
        ])
    func apple(_ deviation: Deviation) throws {
        let verifier = try TokenVerifier(.apple(clientIDs: ["org.example.app"]), TestKeys.set(TestKeys.rsa))
        let token = try verifier.verify(Self.apple.token().utf8)
        #expect(token.isEmailVerified, "written as a string")
        #expect(token.kind == .id)
        try deviation.check(Self.apple, with: verifier)
    }
}
