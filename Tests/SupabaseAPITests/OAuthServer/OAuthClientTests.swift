// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// `/admin/oauth/clients`, dynamic registration, grants, and the documents.
@Suite struct OAuthClientTests {
    private static let path = "/admin/oauth/clients"

    @Test("R11.7 a client is registered, read, changed, given another secret, and deleted, in the platform's words")
    func life() async throws {
        let bench = try await OAuthBench()
        bench.bench.accounts.advance(by: .seconds(1))
        let made = try await bench.bench.administer(
            .post, Self.path,
            ["client_name": "Wiki", "redirect_uris": ["https://wiki.example/cb", "wiki://cb"], "logo_uri": ""])
        #expect(made.status == 201, "\(made.text)")
        #expect(made["client_type"] == "confidential" && made["registration_type"] == "manual")
        #expect(made["token_endpoint_auth_method"] == "client_secret_basic")
        #expect(made["grant_types"] == ["authorization_code", "refresh_token"] && made["response_types"] == ["code"])
        let secret = try #require(made["client_secret"]?.stringValue)
        let id = try #require(made["client_id"]?.stringValue)
        #expect(UUIDText.accepts(id))

        let list = try await bench.bench.administer(.get, Self.path)
        #expect(
            list["clients"]?.arrayValue?.compactMap { $0.objectValue?["client_id"] } == [
                .string(id), .string(bench.client),
            ])
        #expect(!list.text.contains(secret))
        let one = try await bench.bench.administer(.get, Self.path + "/" + id.uppercased())
        #expect(one["client_name"] == "Wiki" && one["client_secret"] == nil)

        let changed = try await bench.bench.administer(
            .put, Self.path + "/" + id,
            ["client_name": "Encyclopedia", "client_uri": "https://wiki.example", "grant_types": ["refresh_token"]])
        #expect(changed["client_name"] == "Encyclopedia" && changed["client_uri"] == "https://wiki.example")
        #expect(changed["grant_types"] == ["refresh_token"] && changed["registration_type"] == "manual")
        #expect(changed["redirect_uris"] == ["https://wiki.example/cb", "wiki://cb"])

        let again = try await bench.bench.administer(.post, Self.path + "/" + id + "/regenerate_secret")
        #expect(again.status == 200 && again["client_secret"]?.stringValue.map { $0 != secret } == true)
        #expect(try await bench.bench.administer(.delete, Self.path + "/" + id).status == 204)
        #expect(
            try await bench.bench.administer(.get, Self.path + "/" + id).outcome == "404 oauth_client_not_found")
    }

    @Test(
        "R11.7 what is said wrongly of a client is refused, by name where a field is meant",
        arguments: [
            ("{}", "400 validation_failed"), ("{", "400 bad_json"), (#"{"redirect_uris":[]}"#, "400 validation_failed"),
            (#"{"redirect_uris":"https://a.example"}"#, "400 bad_json"),
            (#"{"redirect_uris":[1]}"#, "400 bad_json"),
            (#"{"redirect_uris":["javascript:alert(1)"]}"#, "400 validation_failed"),
            (#"{"redirect_uris":["http://a.example/"]}"#, "400 validation_failed"),
            (#"{"redirect_uris":["https://a.example/#x"]}"#, "400 validation_failed"),
            (#"{"redirect_uris":["/path"]}"#, "400 validation_failed"),
            (#"{"redirect_uris":["https://a.example"],"grant_types":["password"]}"#, "400 validation_failed"),
            (#"{"redirect_uris":["https://a.example"],"client_type":"secret"}"#, "400 validation_failed"),
            (
                #"{"redirect_uris":["https://a.example"],"client_type":"public","token_endpoint_auth_method":"client_secret_post"}"#,
                "400 validation_failed"
            ),
            (
                #"{"redirect_uris":["https://a.example"],"token_endpoint_auth_method":"private_key_jwt"}"#,
                "400 validation_failed"
            ),
            (#"{"redirect_uris":["https://a.example"],"logo_uri":"javascript:x"}"#, "400 validation_failed"),
            (#"{"redirect_uris":["https://a.example"],"client_uri":"nowhere"}"#, "400 validation_failed"),
            (
                #"{"redirect_uris":["https://a.example"],"client_name":"\#(String(repeating: "n", count: 1025))"}"#,
                "400 validation_failed"
            ),
            (
                #"{"redirect_uris":[\#(Array(repeating: #""https://a.example""#, count: 11).joined(separator: ","))]}"#,
                "400 validation_failed"
            ),
        ])
    func bad(body: String, outcome: String) async throws {
        let bench = try await OAuthBench { $0.oauthServer.dynamicRegistration = true }
        let manual = try await bench.bench.send(
            .post, Self.path, raw: body, token: bench.bench.service, key: bench.bench.service)
        #expect(manual.outcome == outcome, "\(manual.text)")
        let dynamic = try await bench.bench.send(.post, "/oauth/clients/register", raw: body, key: "")
        #expect(dynamic.outcome == outcome, "\(dynamic.text)")
        #expect(
            try await bench.bench.administer(.get, Self.path)["clients"]?.arrayValue?.count == 1)
    }

    @Test("R11.7 anybody registers a client where the operator lets them, as a public or a confidential one, counted")
    func dynamic() async throws {
        let shut = try await OAuthBench()
        let body: JSONObject = ["redirect_uris": ["http://127.0.0.1:1234/cb"], "token_endpoint_auth_method": "none"]
        func register(_ bench: OAuthBench) async throws -> HTTPBench.Reply {
            try await bench.bench.send(.post, "/oauth/clients/register", body, key: "")
        }
        #expect(try await register(shut).outcome == "403 oauth_dynamic_client_registration_disabled")
        let open = try await OAuthBench {
            $0.oauthServer.dynamicRegistration = true
            $0.limits.clientRegistration.count = 2
            $0.limits.signUp.count = 1
        }
        let made = try await register(open)
        #expect(made.status == 201 && made["client_type"] == "public" && made["client_secret"] == nil, "\(made.text)")
        #expect(made["registration_type"] == "dynamic" && made["client_name"] == "http://127.0.0.1:1234/cb")
        let path = Self.path + "/" + (made["client_id"]?.stringValue ?? "")
        #expect(
            try await open.bench.administer(.post, path + "/regenerate_secret").outcome == "400 validation_failed")
        #expect(
            try await open.bench.administer(.put, path, ["token_endpoint_auth_method": "client_secret_post"]).outcome
                == "400 validation_failed")
        #expect(try await open.bench.administer(.put, path, [:]).outcome == "400 validation_failed")
        _ = try await register(open)
        #expect(try await register(open).outcome == "429 over_request_rate_limit")
    }

    @Test(
        "R11.7 a path that names no client says so",
        arguments: [
            ("x", "400 validation_failed"), ("018f2f6e-0000-7000-8000-000000000001", "404 oauth_client_not_found"),
        ])
    func missing(id: String, outcome: String) async throws {
        let bench = try await OAuthBench()
        for method in [HTTPRequest.Method.get, .put, .delete] {
            #expect(try await bench.bench.administer(method, Self.path + "/" + id, [:]).outcome == outcome)
        }
        let secret = try await bench.bench.administer(.post, Self.path + "/" + id + "/regenerate_secret")
        #expect(secret.outcome == outcome)
    }

    @Test("R11.7 a client of the provider's, of whatever dialect, is none of this server's")
    func strangers() async throws {
        let bench = try await OAuthBench()
        var registration = ClientRegistration()
        registration.name = "Other"
        registration.redirectURIs = [OAuthBench.redirectURI]
        let id = ClientID(bench.bench.accounts.flows.random.uuid())
        _ = try await bench.bench.accounts.flows.clientAdministration.register(
            registration, id: id, call: bench.bench.accounts.call())
        #expect(
            try await bench.authorize(["client_id": id.rawValue]).outcome == "400 oauth_client_not_found")
        #expect(
            try await bench.bench.administer(.get, Self.path + "/" + id.rawValue).outcome
                == "404 oauth_client_not_found")
        #expect(
            try await bench.bench.administer(.delete, Self.path + "/" + id.rawValue).outcome
                == "404 oauth_client_not_found")
    }

    @Test("R11.7 a user sees what they have let clients do, takes it back, and the client's sessions end")
    func grants() async throws {
        let bench = try await OAuthBench()
        #expect(try await bench.bench.get("/user/oauth/grants", token: bench.access).text == "[]")
        let tokens = try await bench.tokens()
        let list = try await bench.bench.get("/user/oauth/grants", token: bench.access)
        let grant = try JSONValue(parsing: list.text.utf8).arrayValue?.first?.objectValue
        #expect(grant?["client"] == ["id": .string(bench.client), "name": "Notes"], "\(list.text)")
        #expect(grant?["scopes"] == ["openid", "email"] && grant?["granted_at"]?.stringValue != nil)
        func revoke(_ query: String) async throws -> String {
            try await bench.bench.send(.delete, "/user/oauth/grants" + query, token: bench.access).outcome
        }
        #expect(try await revoke("") == "400 validation_failed")
        #expect(try await revoke("?client_id=x") == "400 validation_failed")
        #expect(try await revoke("?client_id=018f2f6e-0000-7000-8000-000000000001") == "404 oauth_consent_not_found")
        let code = try await bench.code()
        #expect(try await revoke("?client_id=" + bench.client) == "204 ")
        #expect(try await revoke("?client_id=" + bench.client) == "404 oauth_consent_not_found")
        #expect(try await bench.refresh(tokens.refresh).status == 400)
        #expect(try await bench.bench.get("/user", token: tokens.access).outcome == "403 session_not_found")
        #expect(try await bench.redeem(code)["error"] == "invalid_grant")
        #expect(try await bench.look(bench.pending())["scope"] == "openid email")
    }

    @Test("R11.7 RFC 8414, section 3.1: both documents say the same, also where the standard looks for it")
    func documents() async throws {
        let bench = try await OAuthBench { $0.oauthServer.dynamicRegistration = true }
        func document(_ path: String) async throws -> HTTPBench.Reply {
            try await bench.bench.send(.get, path, key: "")
        }
        let discovery = try await document("/.well-known/openid-configuration")
        #expect(discovery["registration_endpoint"] == "https://auth.example/auth/v1/oauth/clients/register")
        #expect(discovery["id_token_signing_alg_values_supported"] == ["ES256"])
        #expect(discovery["code_challenge_methods_supported"] == ["S256", "plain"])
        #expect(try await document("/.well-known/oauth-authorization-server").json == discovery.json)
        #expect(discovery.headers[.cacheControl] == "public, max-age=600")
        // What it names is there.
        for name in [
            "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "registration_endpoint",
        ] {
            let path = try #require(discovery[name]?.stringValue).dropFirst("https://auth.example/auth/v1".count)
            let method: HTTPRequest.Method = ["token_endpoint", "registration_endpoint"].contains(name) ? .post : .get
            #expect(try await bench.bench.send(method, String(path), key: "").status != 404, "\(name)")
        }
        let off = try await SupabaseBench()
        let quiet = try await off.send(.get, "/.well-known/openid-configuration", key: "")
        #expect(quiet.status == 200 && quiet["registration_endpoint"] == nil)
    }

    @Test("R11.7 switched off again, the server is as if it were not there, and its clients are kept")
    func off() async throws {
        let bench = try await OAuthBench()
        let (_, refresh) = try await bench.tokens()
        try await bench.bench.accounts.change { $0.oauthServer.enabled = false }
        bench.bench.dialect.directories.invalidate()
        #expect(try await bench.authorize().outcome == "404 feature_disabled")
        #expect(try await bench.refresh(refresh).outcome == "404 feature_disabled")
        #expect(try await bench.bench.administer(.get, Self.path).outcome == "404 feature_disabled")
        try await bench.bench.accounts.change { $0.oauthServer.enabled = true }
        bench.bench.dialect.directories.invalidate()
        #expect(try await bench.refresh(refresh).status == 200)
    }
}
