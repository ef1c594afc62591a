// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Foundation
import JOSE
import Testing

@testable import IdentityProviders

@Suite("Codes that browsers come back with")
struct CodeExchangeTests {
    let bench = ProviderBench()

    private func tokens(_ kind: IdentityProvider.Kind = .openID, _ changes: JSONObject = [:]) throws -> JSONObject {
        let token = try JWS.sign(ProviderBench.claims(kind).merging(changes), with: TestKeys.rsa)
        return [
            "access_token": "access-1", "refresh_token": "refresh-1", "expires_in": 3600, "token_type": "Bearer",
            "id_token": .string(token),
        ]
    }

    @Test("R12.1 A code is exchanged with its verifier, as a client that proves itself, and gives a proof and tokens")
    func exchange() async throws {
        let proof = try await bench.redeem(tokens(), ProviderBench.provider(.openID)).get()
        #expect(proof.provider == "custom:acme" && proof.audience == "client-1")
        #expect(proof.tokens?.access?.reveal() == "access-1" && proof.tokens?.refresh?.reveal() == "refresh-1")
        #expect(proof.tokens?.expiresAt == ProviderBench.now + .seconds(3600))
        let call = try #require(bench.network.calls.first { $0.url.hasSuffix("/token") })
        #expect(call.form["grant_type"] == "authorization_code" && call.form["code"] == "code-1")
        #expect(call.form["redirect_uri"] == "https://app.example/callback")
        #expect(call.form["code_verifier"] == ProviderBench.verifier)
        // RFC 6749, section 2.3.1: encoded before they are joined.
        #expect(call.field("Authorization") == "Basic " + Base64.encode(Array("client-1:s3cr%3At+%26".utf8)))
        #expect(call.form["client_secret"] == nil)
    }

    @Test("R12.1 A secret is sent as the provider takes it, and a client without one by its verifier alone")
    func authentication() async throws {
        for kind in [IdentityProvider.Kind.microsoft, .google] {
            let provider = ProviderBench.provider(kind)
            _ = try await bench.redeem(tokens(kind), provider).get()
            let call = try #require(bench.network.calls.last { $0.method == .post })
            #expect((call.form["client_secret"] == "s3cr:t &") == (kind == .microsoft))
            #expect((call.field("Authorization") == nil) == (kind == .microsoft))
        }
        var open = ProviderBench.provider(.openID)
        open.secret = nil
        _ = try await bench.redeem(tokens(), open).get()
        let call = try #require(bench.network.calls.last { $0.method == .post })
        #expect(call.form["client_id"] == "client-1" && call.form["client_secret"] == nil)
    }

    @Test(
        "R12.1 Apple's secret is a token of the team's key for this call, and its user's name is taken, not the address"
    )
    func apple() async throws {
        let key = P256.Signing.PrivateKey()
        var provider = ProviderBench.provider(.apple)
        provider.secret = Secret(key.pemRepresentation)
        #expect(await bench.redeem(try tokens(.apple), provider).code == .identityProviderDisabled)
        (provider.appleTeamID, provider.appleKeyID) = ("TEAM", "KEY")
        var answer = ProviderBench.answer()
        answer.user = #"{"name":{"firstName":"Ann","lastName":"Lee"},"email":"eve@example.com"}"#
        let proof = try await bench.redeem(tokens(.apple, ["email_verified": "true"]), provider, answer).get()
        #expect(proof.givenName == "Ann" && proof.familyName == "Lee")
        #expect(proof.email?.rawValue == "ann@example.com" && proof.isEmailVouched)
        let call = try #require(bench.network.calls.last { $0.method == .post })
        #expect(call.form["code_verifier"] == nil)
        let parsed = try ParsedJWS(parsing: try #require(call.form["client_secret"]).utf8)
        let point = key.publicKey.rawRepresentation
        let jwk: JSONObject = [
            "kty": "EC", "crv": "P-256", "kid": "KEY", "x": .string(Base64URL.encode(point.prefix(32))),
            "y": .string(Base64URL.encode(point.suffix(32))),
        ]
        try parsed.verify(with: VerificationKey(JWK(jwk)))
        let claims = try JWTClaims(parsing: parsed.payload)
        #expect(parsed.header.algorithm == .es256 && parsed.header.keyID == "KEY")
        #expect(claims.issuer == "TEAM" && claims.subject == "client-1")
        #expect(claims.audience == ["https://appleid.apple.com"])
        #expect(claims.expiresAt == ProviderBench.now + .minutes(5))
        for user in [
            "", "[]", "{}", #"{"name":"Ann"}"#, #"{"name":{"firstName":1}}"#, String(repeating: "x", count: 9999),
        ] {
            answer.user = user
            #expect(try await bench.redeem(tokens(.apple), provider, answer).get().givenName == nil)
        }
    }

    @Test(
        "R12.1 R12.4 A secret of Apple's that was signed beforehand is shown as it is, until it is over, for its client alone"
    )
    func signedBeforehand() async throws {
        let key = try SigningKey.generate(.es256)
        for (end, subject, isGood) in [
            (TimeSpan.days(1), "client-1", true), (.seconds(0), "client-1", false), (.days(1), "client-2", false),
        ] {
            let claims: JSONObject = [
                "iss": "TEAM", "sub": .string(subject), "aud": "https://appleid.apple.com",
                "exp": .integer((ProviderBench.now + end).seconds),
            ]
            var provider = ProviderBench.provider(.apple)
            let secret = try JWS.sign(claims, with: key)
            provider.secret = Secret(secret)
            let outcome = await bench.redeem(try tokens(.apple), provider)
            #expect(isGood ? outcome.value != nil : outcome.code == .identityProviderDisabled)
            guard isGood else { continue }
            let call = try #require(bench.network.calls.last { $0.method == .post })
            #expect(call.form["client_secret"] == secret)
        }
    }

    @Test("RFC 9207 R12.1 An answer that names another issuer is refused before its code is shown to anybody")
    func mixUp() async throws {
        var answer = ProviderBench.answer()
        answer.issuer = "https://evil.example"
        let provider = ProviderBench.provider(.openID)
        #expect(await bench.redeem(try tokens(), provider, answer).code == .identityTokenInvalid)
        #expect(!bench.network.calls.contains { $0.url.hasSuffix("/token") })
        answer.issuer = ProviderBench.issuer
        #expect(await bench.redeem(try tokens(), provider, answer).value != nil)
    }

    @Test("RFC 9207 R12.1 GitHub's answers name what its metadata do, and an Enterprise Server's its own")
    func gitHubIssuer() async throws {
        for (home, foreign) in [
            ("https://github.com", "https://code.example"), ("https://code.example", "https://github.com"),
        ] {
            var provider = ProviderBench.provider(.github)
            if home != "https://github.com" {
                provider.endpoints = .init(
                    authorization: home + "/login/oauth/authorize", token: home + "/login/oauth/access_token",
                    userInfo: home + "/api/v3/user")
            }
            let profile = try #require(try await bench.party.upstream(provider).userInfo)
            bench.network.answer(profile, ["id": 7, "login": "ann"])
            bench.network.answer(profile + "/emails", text: "[]")
            var answer = ProviderBench.answer()
            for issuer in [nil, home + "/login/oauth"] {
                answer.issuer = issuer
                let proof = await bench.redeem(["access_token": "gho_1"], provider, answer).value
                #expect(proof?.subject == "7" && proof?.issuer == "https://github.com", "\(issuer ?? "none")")
                if let issuer { try await bench.party.requireAnswer(by: issuer, at: provider) }
            }
            for issuer in ["", home, home + "/login/oauth/", home + "/login", foreign + "/login/oauth"] {
                answer.issuer = issuer
                let code = await bench.redeem(["access_token": "gho_1"], provider, answer).code
                #expect(code == .identityTokenInvalid, "\(issuer)")
            }
        }
    }

    @Test("RFC 9207 R12.1 An error that names another issuer is another's")
    func foreignError() async throws {
        let provider = ProviderBench.provider(.openID)
        try await bench.party.requireAnswer(by: ProviderBench.issuer, at: provider)
        for issuer in ["https://evil.example", ProviderBench.issuer + "/", ""] {
            await #expect(throws: AuthError(.identityTokenInvalid), "\(issuer)") {
                try await bench.party.requireAnswer(by: issuer, at: provider)
            }
        }
        #expect(bench.network.calls.isEmpty, "nobody was asked")
    }

    @Test("R12.1 What the token endpoint refuses is a refusal, and what is wrong with it or with us is not the user's")
    func refusals() async throws {
        let provider = ProviderBench.provider(.openID)
        let url = "\(ProviderBench.issuer)/token"
        let rows: [(Int, String, AuthErrorCode)] = [
            (400, #"{"error":"invalid_grant"}"#, .identityProviderRefused),
            (200, #"{"error":"bad_verification_code"}"#, .identityProviderRefused),
            (401, #"{"error":"invalid_client"}"#, .identityProviderUnavailable),
            (400, #"{"error":["invalid_grant"]}"#, .identityProviderUnavailable),
            (400, "{}", .identityProviderUnavailable), (302, "{}", .identityProviderUnavailable),
            (200, "{}", .identityProviderUnavailable), (200, "[]", .identityProviderUnavailable),
            (200, "", .identityProviderUnavailable), (200, "<html>", .identityProviderUnavailable),
            (500, #"{"error":"invalid_grant"}"#, .identityProviderUnavailable),
            (200, #"{"access_token":1,"id_token":{}}"#, .identityProviderUnavailable),
            (200, #"{"access_token":"a"}"#, .identityProviderUnavailable),
            (200, String(repeating: "[", count: 5000), .identityProviderUnavailable),
        ]
        for (status, body, code) in rows {
            bench.network.answer(url, status: status, text: body)
            await #expect(throws: AuthError(code), "\(status) \(body.prefix(40))") {
                try await bench.party.redeem(ProviderBench.answer(), at: provider, now: ProviderBench.now)
            }
        }
        for failure in [OutwardFailure.timedOut, .unreachable, .tooLarge, .busy, .addressRefused] {
            bench.network.fail(url, failure)
            await #expect(throws: AuthError(.identityProviderUnavailable)) {
                try await bench.party.redeem(ProviderBench.answer(), at: provider, now: ProviderBench.now)
            }
        }
    }

    @Test("OpenID Connect Core 5.3.4 R12.1 UserInfo adds what it says of the same subject, and of nobody else")
    func userInfo() async throws {
        var provider = ProviderBench.provider(.openID)
        provider.endpoints.userInfo = "\(ProviderBench.issuer)/userinfo"
        let url = "\(ProviderBench.issuer)/userinfo"
        let bare: JSONObject = ["email": .null]
        bench.network.answer(url, ["sub": "user-1", "email": "ann@example.org", "email_verified": true])
        let proof = try await bench.redeem(tokens(.openID, bare), provider).get()
        #expect(proof.email?.rawValue == "ann@example.org" && proof.isEmailVouched)
        #expect(bench.network.calls.last?.field("Authorization") == "Bearer access-1")
        for body in [["sub": "user-2"], [:], ["sub": 1]] as [JSONObject] {
            bench.network.answer(url, body)
            #expect(await bench.redeem(try tokens(.openID, bare), provider).code == .identityTokenInvalid)
        }
        for status in [401, 403] {
            bench.network.answer(url, status: status, [:])
            #expect(await bench.redeem(try tokens(.openID, bare), provider).value?.email == nil)
        }
        bench.network.answer(url, status: 500, [:])
        #expect(await bench.redeem(try tokens(.openID, bare), provider).code == .identityProviderUnavailable)
        // As a signed token (section 5.3.2).
        let claims: JSONObject = [
            "iss": .string(ProviderBench.issuer), "aud": "client-1", "sub": "user-1", "email": "ann@example.org",
        ]
        bench.network.answer(url, type: "application/jwt", text: try JWS.sign(claims, with: TestKeys.rsa))
        #expect(try await bench.redeem(tokens(.openID, bare), provider).get().email?.rawValue == "ann@example.org")
        bench.network.answer(url, type: "application/jwt", text: try JWS.sign(claims, with: TestKeys.foreign))
        #expect(await bench.redeem(try tokens(.openID, bare), provider).code == .identityTokenInvalid)
        // One that says when it is good is held to that (RFC 7519, sections 4.1.4 and 4.1.5), as far as clocks agree.
        for (claim, after, code) in [
            ("exp", -59, nil), ("exp", -60, .identityTokenInvalid), ("nbf", 60, nil),
            ("nbf", 61, .identityTokenInvalid),
        ] as [(String, Int64, AuthErrorCode?)] {
            let dated = claims.merging([claim: .integer(ProviderBench.now.seconds + after)])
            bench.network.answer(url, type: "application/jwt", text: try JWS.sign(dated, with: TestKeys.rsa))
            #expect(await bench.redeem(try tokens(.openID, bare), provider).code == code, "\(claim) \(after)")
        }
    }

    @Test("R12.1 A grant is renewed, one that was taken back is said to be, and revoked at the provider")
    func grants() async throws {
        let google = ProviderBench.provider(.google)
        let url = "https://oauth2.googleapis.com/token"
        bench.network.answer(url, ["access_token": "access-2"])
        let tokens = try await bench.party.refresh(Secret("refresh-1"), at: google, now: ProviderBench.now)
        #expect(tokens.access?.reveal() == "access-2" && tokens.refresh?.reveal() == "refresh-1")
        bench.network.answer(url, status: 400, ["error": "invalid_grant"])
        await #expect(throws: AuthError(.identityProviderRefused)) {
            try await bench.party.refresh(Secret("refresh-1"), at: google, now: ProviderBench.now)
        }
        bench.network.answer("https://oauth2.googleapis.com/revoke", [:])
        try await bench.party.revoke(tokens, of: "7", at: google, now: ProviderBench.now)
        #expect(bench.network.calls.last?.form["token"] == "refresh-1")
        bench.network.answer("https://oauth2.googleapis.com/revoke", status: 400, ["error": "invalid_token"])
        try await bench.party.revoke(tokens, of: "7", at: google, now: ProviderBench.now)
        bench.network.answer("https://oauth2.googleapis.com/revoke", status: 503, [:])
        await #expect(throws: AuthError(.identityProviderUnavailable)) {
            try await bench.party.revoke(tokens, of: "7", at: google, now: ProviderBench.now)
        }
    }
}
