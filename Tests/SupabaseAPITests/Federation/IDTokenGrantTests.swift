// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Sign-in by an ID token") struct IDTokenGrantTests {
    private static let nonce = "raw nonce"
    private static let hashed = Hex.encode(Base64URL.decode(PKCE.challenge(for: nonce)) ?? [])

    private static func token(_ changes: JSONObject = [:], isGood: Bool = true) -> String {
        let claims: JSONObject = FederationBench.ada.merging(["aud": "ios", "iss": "https://accounts.google.com"])
        return ScriptedProviders.idToken(claims.merging(changes), isGood: isGood)
    }

    private func grant(
        _ bench: FederationBench, _ token: String, _ members: JSONObject = [:], bearer: String? = nil
    ) async throws -> HTTPBench.Reply {
        let body: JSONObject = ["id_token": .string(token), "provider": "google"]
        return try await bench.bench.post("/token?grant_type=id_token", body.merging(members), token: bearer)
    }

    @Test("R12.4 G-2 an ID token signs in whom a redirect would, once")
    func signIn() async throws {
        let bench = try await FederationBench()
        let first = try await bench.signIn()
        let token = Self.token(["nonce": .string(Self.hashed)])
        let reply = try await grant(bench, token, ["nonce": .string(Self.nonce)])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply["user"]?.objectValue?["id"] == first["user"]?.objectValue?["id"])
        #expect(reply["provider_token"] == nil)
        let again = try await grant(bench, token, ["nonce": .string(Self.nonce)])
        #expect(
            again.status == 400 && again.ofVendor == ["error": "invalid request", "error_description": "Bad ID token"])
        // The older form, which names the issuer and the app.
        let older = try await bench.bench.post(
            "/token?grant_type=id_token",
            [
                "id_token": .string(Self.token(["iat": 2])), "client_id": "ios",
                "issuer": "https://accounts.google.com",
            ])
        #expect(older.status == 200, "\(older.text)")
    }

    @Test(
        "R12.4 a token that is not good is refused in the platform's words, in the form of OAuth",
        arguments: [
            (token(isGood: false), [:], "invalid request", "Bad ID token"),
            ("x", [:], "invalid request", "Bad ID token"),
            (token(["sub": nil]), [:], "invalid request", "Missing sub claim in id_token"),
            (token(["aud": "other"]), [:], "invalid request", "Unacceptable audience in id_token: [other]"),
            (
                token(), ["nonce": "n"], "invalid request",
                "Passed nonce and nonce in id_token should either both exist or not."
            ),
            (
                token(["nonce": "n"]), [:], "invalid request",
                "Passed nonce and nonce in id_token should either both exist or not."
            ),
            (token(["nonce": "n"]), ["nonce": "n"], "invalid nonce", "Nonces mismatch"),
        ] as [(String, JSONObject, String, String)])
    func refused(token: String, members: JSONObject, name: String, message: String) async throws {
        let reply = try await grant(FederationBench(), token, members)
        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.ofVendor == ["error": .string(name), "error_description": .string(message)])
    }

    @Test(
        "R12.4 a provider that is off or not there, and an address that is not vouched for, have the platform's codes")
    func providers() async throws {
        let bench = try await FederationBench()
        func outcome(_ token: String, _ provider: String) async throws -> String {
            try await grant(bench, token, ["provider": .string(provider)]).outcome
        }
        #expect(try await outcome(Self.token(), "facebook") == "400 provider_disabled")
        #expect(try await outcome(Self.token(), "github") == "400 validation_failed")
        #expect(try await outcome(Self.token(), "custom:other") == "400 validation_failed")
        #expect(try await outcome(Self.token(), "apple") == "400 validation_failed")
        #expect(try await outcome(Self.token(["email": nil]), "google") == "422 provider_email_needs_verification")
        let apple: JSONObject = ["iss": "https://appleid.apple.com", "email": nil, "sub": "a-9"]
        #expect(try await grant(bench, Self.token(apple), ["provider": "apple"]).status == 200)
        try await bench.bench.addUser("bob@example.com")
        let unvouched = Self.token(["sub": "g-7", "email": "bob@example.com", "email_verified": "true"])
        #expect(try await outcome(unvouched, "google") == "422 provider_email_needs_verification")
    }

    @Test("R12.4 link_identity links to whoever's bearer token comes along, whatever manual linking says")
    func link() async throws {
        let bench = try await FederationBench(manualLinking: false)
        try await bench.bench.addUser("bob@example.com")
        let access = try await bench.bench.session(of: "bob@example.com").access
        let members: JSONObject = ["link_identity": true]
        let none = try await grant(bench, Self.token(), members)
        #expect(none.json["error_description"] == "Linking requires a valid user access token in Authorization")
        #expect(try await grant(bench, Self.token(), members, bearer: "x").outcome == "403 bad_jwt")
        let linked = try await grant(bench, Self.token(), members, bearer: access)
        #expect(linked.status == 200, "\(linked.text)")
        let user = try #require(linked["user"]?.objectValue)
        #expect(user["email"] == "bob@example.com")
        #expect(user["identities"]?.arrayValue?.count == 2)
        let again = try await grant(bench, Self.token(["iat": 5]), members, bearer: access)
        #expect(again.outcome == "422 identity_already_exists" && again["msg"] == "Identity is already linked")
        try await bench.bench.addUser("eve@example.com")
        let eve = try await bench.bench.session(of: "eve@example.com").access
        let stolen = try await grant(bench, Self.token(["iat": 6]), members, bearer: eve)
        #expect(stolen["msg"] == "Identity is already linked to another user")
    }
}
