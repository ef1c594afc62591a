// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Passkeys and security keys")
struct PasskeyTests {
    private static let email = "ada@example.com"
    private static let origin = "https://app.example"

    private func world(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws -> SupabaseBench {
        let bench = try await SupabaseBench { settings in
            settings.passkeys.enabled = true
            settings.factors.webAuthn = .on
            change(&settings)
        }
        try await bench.addUser(Self.email)
        return bench
    }

    private func claims(_ reply: HTTPBench.Reply) throws -> JSONObject {
        let token = try #require(reply["access_token"]?.stringValue, "\(reply.text)")
        let part = try #require(token.split(separator: ".").dropFirst().first)
        return try JSONObject(parsing: try #require(Base64URL.decode(String(part))))
    }

    private func register(
        _ bench: SupabaseBench, _ authenticator: inout VirtualAuthenticator, token: String
    ) async throws -> HTTPBench.Reply {
        let asked = try await bench.post("/passkeys/registration/options", token: token)
        let options = try #require(asked["options"]?.objectValue, "\(asked.text)")
        #expect(asked["expires_at"]?.integerValue != nil)
        return try await bench.post(
            "/passkeys/registration/verify",
            [
                "challenge_id": asked["challenge_id"] ?? .null,
                "credential": .object(try authenticator.create(options)),
            ], token: token)
    }

    private func signIn(
        _ bench: SupabaseBench, _ authenticator: inout VirtualAuthenticator
    ) async throws -> HTTPBench.Reply {
        let asked = try await bench.post("/passkeys/authentication/options")
        let options = try #require(asked["options"]?.objectValue, "\(asked.text)")
        return try await bench.post(
            "/passkeys/authentication/verify",
            [
                "challenge_id": asked["challenge_id"] ?? .null,
                "credential": .object(try authenticator.get(options)),
            ])
    }

    @Test("G-9.2 D-7 a passkey is added, signs its user in, is listed, named and removed, in the platform's form")
    func passkeys() async throws {
        let bench = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let (token, _) = try await bench.session(of: Self.email)
        let made = try await register(bench, &authenticator, token: token)
        #expect(made.status == 200 && made.names == ["id", "friendly_name", "created_at"], "\(made.text)")
        #expect(made["friendly_name"] == "Passkey")
        let issued = try await signIn(bench, &authenticator)
        #expect(issued.status == 200, "\(issued.text)")
        let claims = try claims(issued)
        #expect(claims["aal"] == "aal2")
        #expect(claims["amr"]?.arrayValue?.map { $0.objectValue?["method"] } == ["passkey"])
        // It is no second factor: clients would ask for it.
        #expect(issued["user"]?.objectValue?["factors"] == nil)
        authenticator.isUserVerified = false
        let low = try self.claims(try await signIn(bench, &authenticator))
        #expect(low["aal"] == "aal1" && low["amr"]?.arrayValue?.map { $0.objectValue?["method"] } == ["passkey"])
        let id = try #require(made["id"]?.stringValue)
        let named = try await bench.send(.patch, "/passkeys/" + id, ["friendly_name": "Phone"], token: token)
        #expect(named["friendly_name"] == "Phone" && named["last_used_at"] != nil, "\(named.text)")
        let list = try await bench.get("/passkeys", token: token)
        #expect(list.text == "[" + named.text + "]")
        let user = try #require(issued["user"]?.objectValue?["id"]?.stringValue)
        #expect(try await bench.administer(.get, "/admin/users/\(user)/passkeys").text == list.text)
        #expect(try await bench.administer(.get, "/admin/users/\(user)/factors").text == "[]")
        #expect(try await bench.get("/settings")["passkeys_enabled"] == true)
        #expect(try await bench.send(.delete, "/passkeys/" + id, token: token).status == 204)
        let refused = try await signIn(bench, &authenticator)
        #expect(refused.outcome == "400 webauthn_verification_failed")
        // Told as what it is: nobody was asked for a password.
        #expect(refused["message_key"] == "auth.error_passkey_refused")
        let again = try await register(bench, &authenticator, token: token)
        let second = try #require(again["id"]?.stringValue, "\(again.text)")
        #expect(try await bench.administer(.delete, "/admin/users/\(user)/passkeys/\(second)").status == 204)
        #expect(try await bench.get("/passkeys", token: token).text == "[]")
    }

    @Test("G-9.2 G-9.4 a security key is enrolled, challenged and verified as supabase-js does it")
    func securityKey() async throws {
        let bench = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let (token, _) = try await bench.session(of: Self.email)
        let enrolled = try await bench.post(
            "/factors", ["factor_type": "webauthn", "friendly_name": "key"], token: token)
        #expect(
            enrolled.names == ["id", "type", "friendly_name"] && enrolled["type"] == "webauthn", "\(enrolled.text)")
        let factor = "/factors/" + (try #require(enrolled["id"]?.stringValue))
        func challenge(_ token: String, _ type: JSONValue) async throws -> (HTTPBench.Reply, JSONObject) {
            let party: JSONObject = ["rpId": "app.example", "rpOrigins": ["https://app.example"]]
            let reply = try await bench.post(factor + "/challenge", ["webauthn": .object(party)], token: token)
            let asked = try #require(reply["webauthn"]?.objectValue, "\(reply.text)")
            #expect(reply["type"] == "webauthn" && asked["type"] == type)
            return (reply, try #require(asked["credential_options"]?.objectValue?["publicKey"]?.objectValue))
        }
        let (made, creation) = try await challenge(token, "create")
        let raised = try await bench.post(
            factor + "/verify",
            [
                "challenge_id": made["id"] ?? .null,
                "webauthn": [
                    "type": "create", "credential_response": .object(try authenticator.create(creation)),
                    "rpId": "app.example",
                ],
            ], token: token)
        #expect(try claims(raised)["aal"] == "aal2")
        let methods = try claims(raised)["amr"]?.arrayValue?.compactMap { $0.objectValue?["method"]?.stringValue }
        #expect(methods == ["mfa/webauthn", "password"])
        let shown = raised["user"]?.objectValue?["factors"]?.arrayValue?.first?.objectValue
        #expect(shown?["status"] == "verified" && shown?["factor_type"] == "webauthn")
        // The vendor's Swift client leaves out which of the two it is.
        let (low, _) = try await bench.session(of: Self.email)
        let (asked, request) = try await challenge(low, "request")
        let proof: JSONObject = [
            "challenge_id": asked["id"] ?? .null,
            "webauthn": ["credential_response": .object(try authenticator.get(request))],
        ]
        #expect(try claims(try await bench.post(factor + "/verify", proof, token: low))["aal"] == "aal2")
        #expect(try await bench.post(factor + "/verify", proof, token: low).outcome == "422 mfa_factor_not_found")
    }

    @Test("R14.2 faults of passkeys and security keys in the platform's words, none of them a fault of the server")
    func faults() async throws {
        let bench = try await world { $0.passkeys.maximum = 1 }
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let (token, _) = try await bench.session(of: Self.email)
        let options = try await bench.post("/passkeys/authentication/options")
        let id = options["challenge_id"] ?? .null
        let uuid = JSONValue.string("3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11")
        let verify = "/passkeys/authentication/verify"
        for (body, outcome) in [
            ([:], "400 validation_failed"), (["challenge_id": id], "400 validation_failed"),
            (["challenge_id": "1", "credential": [:]], "400 validation_failed"),
            (["challenge_id": uuid, "credential": [:]], "400 webauthn_challenge_not_found"),
            (["challenge_id": id, "credential": "x"], "400 webauthn_verification_failed"),
            (["challenge_id": id, "credential": [:]], "400 webauthn_challenge_not_found"),
        ] as [(JSONObject, String)] {
            let reply = try await bench.post(verify, body)
            #expect(reply.outcome == outcome, "\(body) \(reply.text)")
        }
        let late = try await bench.post("/passkeys/registration/options", token: token)
        bench.accounts.advance(by: .minutes(6))
        #expect(
            try await bench.post(
                "/passkeys/registration/verify", ["challenge_id": late["challenge_id"] ?? .null, "credential": [:]],
                token: token
            ).outcome == "400 webauthn_challenge_expired")
        let made = try await register(bench, &authenticator, token: token)
        #expect(try await bench.post("/passkeys/registration/options", token: token).outcome == "422 too_many_passkeys")
        let path = "/passkeys/" + (try #require(made["id"]?.stringValue, "\(made.text)"))
        let long = String(repeating: "x", count: 121)
        for (body, outcome) in [
            ([:], "400 validation_failed"), (["friendly_name": ""], "400 validation_failed"),
            (["friendly_name": .string(long)], "400 validation_failed"),
        ] as [(JSONObject, String)] {
            #expect(try await bench.send(.patch, path, body, token: token).outcome == outcome)
        }
        for other in ["/passkeys/1", "/passkeys/3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"] {
            #expect(
                try await bench.send(.patch, other, ["friendly_name": "x"], token: token).outcome
                    == "404 validation_failed")
            #expect(try await bench.send(.delete, other, token: token).outcome == "404 validation_failed")
        }
        let enrolled = try await bench.post("/factors", ["factor_type": "webauthn"], token: token)
        let factor = "/factors/" + (try #require(enrolled["id"]?.stringValue, "\(enrolled.text)"))
        for (shown, outcome) in [
            (.null, "400 validation_failed"), (["type": "request"], "400 validation_failed"),
            (["type": "create"], "400 validation_failed"),
            (["type": "create", "credential_response": [:]], "422 mfa_verification_failed"),
        ] as [(JSONValue, String)] {
            let asked = try await bench.post(factor + "/challenge", token: token)
            let reply = try await bench.post(
                factor + "/verify", ["challenge_id": asked["id"] ?? .null, "webauthn": shown], token: token)
            #expect(reply.outcome == outcome, "\(shown) \(reply.text)")
        }
    }

    @Test(
        "R14.2 who has a second factor manages passkeys in a raised session alone; who is banned or unconfirmed stays out"
    )
    func accounts() async throws {
        let bench = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let id = try await bench.addUser("ben@example.com")
        let (token, _) = try await bench.session(of: "ben@example.com")
        let made = try await register(bench, &authenticator, token: token)
        let enrolled = try await bench.post("/factors", ["factor_type": "webauthn"], token: token)
        let factor = "/factors/" + (try #require(enrolled["id"]?.stringValue, "\(enrolled.text)"))
        let asked = try await bench.post(factor + "/challenge", token: token)
        let publicKey = asked["webauthn"]?.objectValue?["credential_options"]?.objectValue?["publicKey"]?.objectValue
        var key = VirtualAuthenticator(origin: Self.origin)
        let response = try key.create(try #require(publicKey))
        _ = try await bench.post(
            factor + "/verify",
            [
                "challenge_id": asked["id"] ?? .null,
                "webauthn": ["type": "create", "credential_response": .object(response)],
            ], token: token)
        let (low, _) = try await bench.session(of: "ben@example.com")
        #expect(
            try await bench.post("/passkeys/registration/options", token: low).outcome == "403 insufficient_aal")
        let path = "/passkeys/" + (try #require(made["id"]?.stringValue))
        #expect(try await bench.send(.delete, path, token: low).outcome == "403 insufficient_aal")
        _ = try await bench.administer(.put, "/admin/users/\(id)", ["ban_duration": "1h"])
        #expect(try await signIn(bench, &authenticator).outcome == "403 user_banned")
        let (mine, _) = try await bench.session(of: Self.email)
        #expect(try await bench.send(.delete, path, token: mine).outcome == "404 validation_failed")
    }
}
