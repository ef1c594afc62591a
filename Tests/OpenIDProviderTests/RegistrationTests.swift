// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Programs that register themselves as clients (RFC 7591), and change themselves (RFC 7592).
@Suite struct RegistrationTests {
    static let path = "/oauth2/register"
    static let good: JSONObject = ["client_name": "Tool", "redirect_uris": ["https://tool.example/back"]]

    /// The provider with a token by which clients with users at `tool.example` can be registered.
    struct Scene {
        let bench: ProviderBench
        let token: String

        init(
            uses: Int64? = nil, lifetime: TimeSpan? = nil,
            grants: [ClientAuthorization.Grant] = [.code, .refreshToken],
            scopes: [String] = ["openid", "email", "offline_access"], hosts: [String] = ["tool.example"]
        ) async throws {
            bench = try await ProviderBench()
            try await bench.accounts.change {
                let many = DirectorySettings.Rate(count: 100_000, seconds: 60)
                ($0.limits.clientRegistration, $0.limits.tokenRefresh) = (many, many)
            }
            token = try await bench.accounts.flows.initialAccessTokens.create(
                name: "CI", grants: grants, scopes: scopes, redirectHosts: hosts, uses: uses, lifetime: lifetime,
                call: bench.accounts.call()
            ).text.reveal()
        }

        func send(
            _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil, token: String?
        ) async throws -> HTTPBench.Reply {
            var headers = HTTPFields()
            headers[.contentType] = body == nil ? nil : "application/json"
            headers[.authorization] = token.map { "Bearer " + $0 }
            return try await bench.raw(method, path, headers: headers, body: body?.serialized() ?? [])
        }

        func register(_ body: JSONObject = RegistrationTests.good, token: String? = nil) async throws -> HTTPBench.Reply
        {
            try await send(.post, RegistrationTests.path, body, token: token ?? self.token)
        }

        /// As ``good`` with other members.
        func register(with members: JSONObject) async throws -> HTTPBench.Reply {
            try await register(RegistrationTests.good.merging(members))
        }
    }

    @Test(
        "R11.9 RFC 7591, section 3.2.1: a client is told all that it is registered with, and users are asked about it")
    func registered() async throws {
        let scene = try await Scene()
        let reply = try await scene.register(with: [
            "scope": "openid email admin", "contacts": ["ops@tool.example"], "logo_uri": "https://tool.example/l.png",
            "grant_types": ["authorization_code", "refresh_token", "client_credentials", "password"],
            "application_type": "web", "made_up": true, "backchannel_logout_session_required": false,
            "require_auth_time": false,
        ])
        #expect(reply.status == 201 && reply.headers[.cacheControl] == "no-store", "\(reply.text)")
        #expect(reply["scope"] == "openid email" && reply["grant_types"] == ["authorization_code", "refresh_token"])
        #expect(reply["token_endpoint_auth_method"] == "client_secret_basic" && reply["client_secret_expires_at"] == 0)
        #expect(reply["contacts"] == ["ops@tool.example"] && reply["logo_uri"] == "https://tool.example/l.png")
        #expect(reply["made_up"] == nil && reply["response_types"] == ["code"] && reply["application_type"] == "web")
        let id = try #require(reply["client_id"]?.stringValue)
        #expect(reply["registration_client_uri"] == .string(ProviderBench.url + "/oauth2/register/" + id))
        let client = try #require(
            try await scene.bench.accounts.flows.clients.client(ClientID(id), at: scene.bench.now))
        #expect(client.settings.authorization.consent == .remembered && client.settings.authorization.resources == [])
        #expect(client.secrets.allSatisfy { $0.text == nil })
        // It works: its user is asked.
        let browser = try await scene.bench.signedIn()
        let asked = try await browser.authorize(
            scene.bench.request(client, ["redirect_uri": "https://tool.example/back"]))
        #expect(asked.location?.hasPrefix("/account/consent") == true, "\(asked.location ?? "")")
    }

    @Test("R11.9 RFC 7592: a client reads, changes and removes itself by its own token, and nobody else does")
    func changed() async throws {
        let scene = try await Scene(uses: 2)
        let made = try await scene.register()
        let other = try await scene.register()
        let id = try #require(made["client_id"]?.stringValue)
        let place = Self.path + "/" + id
        let token = made["registration_access_token"]?.stringValue
        let read = try await scene.send(.get, place, token: token)
        #expect(read.status == 200 && read["client_id"] == .string(id) && read["client_secret"] == nil)
        #expect(read["registration_access_token"] == made["registration_access_token"])
        for wrong in [other["registration_access_token"]?.stringValue, scene.token, "x", nil] {
            for (method, body) in [(HTTPRequest.Method.get, nil), (.put, Self.good), (.delete, nil)]
                as [(_, JSONObject?)]
            {
                let reply = try await scene.send(method, place, body, token: wrong)
                #expect(reply.outcome == "401 invalid_token" && reply.headers[.wwwAuthenticate] != nil, "\(reply.text)")
            }
        }
        let whole: JSONObject = [
            "client_id": .string(id), "client_secret": made["client_secret"] ?? .null, "client_name": "Renamed",
            "redirect_uris": ["https://tool.example/two"],
        ]
        let changed = try await scene.send(.put, place, whole, token: token)
        #expect(changed.status == 200 && changed["client_name"] == "Renamed", "\(changed.text)")
        #expect(changed["redirect_uris"] == ["https://tool.example/two"] && changed["contacts"] == nil)
        for (name, value) in [
            ("client_id", "another"), ("client_secret", "another"), ("client_secret", 1),
            ("registration_access_token", "x"), ("registration_client_uri", "x"), ("client_id_issued_at", 1),
            ("client_secret_expires_at", 0), ("token_endpoint_auth_method", "none"), ("jwks_uri", "https://a.example"),
        ] as [(String, JSONValue)] {
            let reply = try await scene.send(.put, place, whole.merging([name: value]), token: token)
            #expect(reply.outcome == "400 invalid_client_metadata", "\(name) \(reply.text)")
        }
        let elsewhere = whole.merging(["redirect_uris": ["https://evil.example/"]])
        #expect(try await scene.send(.put, place, elsewhere, token: token).outcome == "400 invalid_redirect_uri")
        #expect(try await scene.send(.get, place, token: token)["client_name"] == "Renamed")
        #expect(try await scene.send(.delete, place, token: token).status == 204)
        for method in [HTTPRequest.Method.get, .delete] {
            #expect(try await scene.send(method, place, token: token).outcome == "401 invalid_token")
        }
        // An operator's own clients are nobody's to change.
        let own = try await scene.send(.get, Self.path + "/" + scene.bench.web.id.rawValue, token: scene.token)
        #expect(own.outcome == "401 invalid_token")
    }

    @Test("R11.9 RFC 7592, section 2.2: a client that changes itself loosens nothing that an operator has tightened")
    func tightened() async throws {
        let scene = try await Scene()
        let flows = scene.bench.accounts.flows
        let made = try await scene.register()
        let id = ClientID(made["client_id"]?.stringValue ?? "")
        func change(_ body: @Sendable @escaping (inout ClientSettings) -> Void) async throws -> ClientSettings {
            _ = try await flows.clientAdministration.update(id, call: scene.bench.accounts.call()) { body(&$0) }
            let reply = try await scene.send(
                .put, Self.path + "/" + id.rawValue, Self.good.merging(["client_id": .string(id.rawValue)]),
                token: made["registration_access_token"]?.stringValue)
            #expect(reply.status == 200, "\(reply.text)")
            return try await flows.clientAdministration.get(id, call: scene.bench.accounts.call()).settings
        }
        let strict = try await change {
            $0.authorization.requiresPKCE = true
            $0.authorization.consent = .always
            $0.authorization.backchannelLogoutURI = "https://tool.example/told"
            $0.authorization.homeURI = "https://tool.example/"
            $0.authorization.isEnabled = false
            $0.authorization.requiresPushedRequests = true
            $0.authorization.isDPoPBound = true
            $0.authorization.identityProviders = ["google"]
            $0.authorization.providersOnly = true
            $0.stepLifetime = 180
            $0.rotatesRefreshTokens = true
            $0.refreshTokenLifetime = 600
        }
        #expect(strict.authorization.requiresPKCE && strict.authorization.consent == .always)
        #expect(!strict.authorization.isEnabled && strict.rotatesRefreshTokens && strict.refreshTokenLifetime == 600)
        #expect(strict.authorization.backchannelLogoutURI == "https://tool.example/told")
        #expect(strict.authorization.homeURI == "https://tool.example/")
        #expect(strict.authorization.requiresPushedRequests && strict.authorization.isDPoPBound)
        #expect(strict.authorization.identityProviders == ["google"] && strict.authorization.providersOnly)
        #expect(strict.stepLifetime == 180)
        // What it was trusted with is over: nobody has looked at what it says now.
        let trusted = try await change {
            $0.authorization.consent = .notAsked
            $0.authorization.resources = ["https://api.example"]
        }
        #expect(trusted.authorization.consent == .remembered && trusted.authorization.resources.isEmpty)
    }

    @Test("R11.9 RFC 7592, section 2.2: no grant and no scope comes back to a client that was taken from it")
    func taken() async throws {
        let scene = try await Scene()
        let whole = Self.good.merging([
            "grant_types": ["authorization_code", "refresh_token"], "scope": "openid email",
        ])
        let made = try await scene.register(whole)
        let id = ClientID(made["client_id"]?.stringValue ?? "")
        func put(_ changes: JSONObject = [:]) async throws -> HTTPBench.Reply {
            try await scene.send(
                .put, Self.path + "/" + id.rawValue,
                whole.merging(["client_id": .string(id.rawValue)]).merging(changes),
                token: made["registration_access_token"]?.stringValue)
        }
        #expect(try await put()["scope"] == "openid email")
        _ = try await scene.bench.accounts.flows.clientAdministration.update(id, call: scene.bench.accounts.call()) {
            $0.authorization.grants = [.code]
            $0.authorization.scopes = ["openid"]
        }
        for changes: JSONObject in [[:], ["scope": "openid email offline_access"], ["scope": .null]] {
            let reply = try await put(changes)
            #expect(reply["scope"] == "openid" && reply["grant_types"] == ["authorization_code"], "\(reply.text)")
        }
        #expect(try await put(["scope": "email"]).outcome == "400 invalid_client_metadata")
        #expect(try await put(["grant_types": ["refresh_token"]]).outcome == "400 invalid_client_metadata")
    }

    @Test("R11.9 RFC 9101, section 10.5: a client that must sign its requests must so whatever it says of itself later")
    func signingStays() async throws {
        let scene = try await Scene()
        let key = try #require(try SigningKey.generate(.es256).publicJWK)
        let keyed = Self.good.merging([
            "token_endpoint_auth_method": "private_key_jwt", "jwks": .object(try JWKSet([key]).publicObject),
        ])
        let made = try await scene.register(keyed)
        let id = ClientID(made["client_id"]?.stringValue ?? "")
        _ = try await scene.bench.accounts.flows.clientAdministration.update(id, call: scene.bench.accounts.call()) {
            $0.authorization.requiresSignedRequests = true
            $0.authorization.requestAlgorithm = .es256
        }
        let reply = try await scene.send(
            .put, Self.path + "/" + id.rawValue,
            keyed.merging(["client_id": .string(id.rawValue), "require_signed_request_object": false]),
            token: made["registration_access_token"]?.stringValue)
        #expect(reply.status == 200 && reply["require_signed_request_object"] == true, "\(reply.text)")
        #expect(reply["request_object_signing_alg"] == "ES256")
    }

    @Test("R11.9 RFC 9101, section 10.5: a client registers that it signs its requests, and by what")
    func signing() async throws {
        let scene = try await Scene()
        let key = try #require(try SigningKey.generate(.es256).publicJWK)
        let keys = JSONValue.object(try JWKSet([key]).publicObject)
        let signs: JSONObject = [
            "token_endpoint_auth_method": "private_key_jwt", "jwks": keys, "require_signed_request_object": true,
            "request_object_signing_alg": "ES256",
        ]
        let reply = try await scene.register(with: signs)
        #expect(reply.status == 201 && reply["require_signed_request_object"] == true, "\(reply.text)")
        #expect(reply["request_object_signing_alg"] == "ES256")
        let usual = try await scene.register()
        #expect(usual["require_signed_request_object"] == false && usual["request_object_signing_alg"] == nil)
        for (name, value) in [
            ("request_object_signing_alg", "none"), ("request_object_signing_alg", "HS256"),
            ("request_object_signing_alg", "PS256"), ("request_object_signing_alg", 1),
            ("require_signed_request_object", "yes"),
        ] as [(String, JSONValue)] {
            let refused = try await scene.register(with: signs.merging([name: value]))
            #expect(refused.outcome == "400 invalid_client_metadata", "\(name) \(value) \(refused.text)")
        }
        // Without keys it could ask for nothing at all.
        for body in [["require_signed_request_object": true], ["request_object_signing_alg": "ES256"]] as [JSONObject] {
            let refused = try await scene.register(with: body)
            #expect(refused.outcome == "400 invalid_client_metadata", "\(body)")
            #expect(refused["error_description"]?.stringValue?.hasPrefix(body.names[0]) == true, "\(refused.text)")
        }
    }

    @Test("R11.9 RFC 7591, section 3.2.2: what is not done, not allowed, or of another form is refused by its name")
    func refused() async throws {
        let scene = try await Scene()
        let key = JSONValue.object(try JWKSet([try #require(try SigningKey.generate(.es256).publicJWK)]).publicObject)
        let rows: [(String, JSONValue)] = [
            ("client_name", ""), ("client_name", 1), ("client_name", .string(String(repeating: "a", count: 129))),
            ("client_name", "a\u{0}"), ("jwks_uri", "https://tool.example/jwks"), ("jwks", key), ("jwks", "x"),
            ("sector_identifier_uri", "https://tool.example/s"), ("request_uris", ["https://tool.example/r"]),
            ("software_statement", "a.b.c"), ("backchannel_logout_uri", "https://tool.example/out"),
            ("subject_type", "pairwise"), ("id_token_signed_response_alg", "none"),
            ("id_token_signed_response_alg", "HS256"), ("id_token_encrypted_response_alg", "RSA-OAEP"),
            ("userinfo_signed_response_alg", "RS256"), ("require_auth_time", true), ("default_max_age", 1),
            ("token_endpoint_auth_method", "client_secret_jwt"), ("token_endpoint_auth_method", "private_key_jwt"),
            ("token_endpoint_auth_method", 1), ("grant_types", ["password"]), ("grant_types", []),
            ("grant_types", ["client_credentials"]), ("grant_types", "authorization_code"),
            ("response_types", ["token"]), ("response_types", ["code", "id_token"]), ("scope", "admin"), ("scope", 1),
            ("application_type", "other"), ("logo_uri", "http://tool.example/l.png"), ("logo_uri", "javascript:1"),
            ("logo_uri", ["x"]), ("contacts", "x"), ("contacts", .array(Array(repeating: "x", count: 11))),
            ("post_logout_redirect_uris", ["https://evil.example/"]),
            ("tls_client_certificate_bound_access_tokens", true),
        ]
        for (name, value) in rows {
            let reply = try await scene.register(with: [name: value])
            #expect(reply.outcome == "400 invalid_client_metadata", "\(name) \(value): \(reply.text)")
        }
        for uris in [
            ["https://evil.example/"], ["https://tool.example.evil.example/"], ["http://tool.example/"],
            ["https://tool.example/#x"], ["javascript:alert(1)"], ["com.example.tool:/back"], ["http://127.0.0.1/back"],
            ["https://tool.example@evil.example/"], ["https://tool.example/", "https://evil.example/"], [],
        ] as [[String]] {
            let reply = try await scene.register(with: ["redirect_uris": .array(uris.map { .string($0) })])
            #expect(reply.outcome == "400 invalid_redirect_uri", "\(uris): \(reply.text)")
        }
        for body in ["", "{", "[]", "null", "{\"client_name\":", String(repeating: "[", count: 5000)] {
            var headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer " + scene.token]
            let reply = try await scene.bench.raw(.post, Self.path, headers: headers, body: Array(body.utf8))
            #expect(reply.status == 400 && reply.error != nil, "\(body.prefix(10)): \(reply.text)")
            headers[.contentType] = "text/plain"
            #expect(try await scene.bench.raw(.post, Self.path, headers: headers, body: Array("{}".utf8)).status == 400)
        }
        let big = try await scene.register(with: ["client_name": .string(String(repeating: "a", count: 40_000))])
        #expect(big.status == 413 || big.status == 400)
        #expect(
            try await scene.bench.accounts.flows.clientAdministration.list(call: scene.bench.accounts.call()).count == 2
        )
    }

    @Test(
        "R11.9 RFC 7591, section 3.1: without a token, or with one that is over, nobody registers; none is advertised")
    func closed() async throws {
        let bench = try await ProviderBench()
        func advertised(_ bench: ProviderBench) async throws -> JSONValue? {
            try await bench.get("/.well-known/openid-configuration")["registration_endpoint"]
        }
        #expect(try await advertised(bench) == nil)
        let open = try await Scene(uses: 3, lifetime: .seconds(60))
        #expect(try await advertised(open.bench) == .string(ProviderBench.url + Self.path))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await open.register().status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 201 } == 3 && statuses.count { $0 == 401 } == 17, "\(statuses)")
        #expect(try await advertised(open.bench) == nil)
        let late = try await Scene(lifetime: .seconds(60))
        late.bench.accounts.advance(by: .seconds(60))
        #expect(try await late.register().outcome == "401 invalid_token")
        let revoked = try await Scene()
        let tokens = revoked.bench.accounts.flows.initialAccessTokens
        let made = try await revoked.register()
        let known = try #require(try await tokens.list(call: revoked.bench.accounts.call()).first)
        try await tokens.revoke(known.id, call: revoked.bench.accounts.call())
        #expect(try await revoked.register().outcome == "401 invalid_token")
        let place = Self.path + "/" + (made["client_id"]?.stringValue ?? "")
        let own = made["registration_access_token"]?.stringValue
        #expect(try await revoked.send(.get, place, token: own).status == 200, "who was registered stays")
        for token in ["", "x", String(repeating: "x", count: 5000)] {
            #expect(try await revoked.register(token: token).outcome == "401 invalid_token")
        }
        let bare = try await revoked.send(.post, Self.path, Self.good, token: nil)
        #expect(bare.outcome == "401 invalid_token")
    }

    @Test("R11.9 registrations are counted by caller, apart from sign-ups, whether or not the token is good")
    func counted() async throws {
        let scene = try await Scene()
        try await scene.bench.accounts.change { $0.limits.clientRegistration = .init(count: 2, seconds: 300) }
        #expect(try await scene.register(token: "x").status == 401)
        #expect(try await scene.register().status == 201)
        let refused = try await scene.register()
        #expect(refused.outcome == "429 temporarily_unavailable" && refused[header: "retry-after"] != nil)
    }

    @Test("R11.9 where no host is named, a client's users are sent back to their own machine alone")
    func loopback() async throws {
        let scene = try await Scene(grants: [.code, .refreshToken, .deviceCode], hosts: [])
        let device = DeviceFlowTests.grant
        let reply = try await scene.register([
            "redirect_uris": ["http://127.0.0.1/back", "http://localhost:4242"], "application_type": "native",
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token", .string(device)],
        ])
        #expect(reply.status == 201 && reply["client_secret"] == nil && reply["client_name"] == "CI", "\(reply.text)")
        #expect(reply["grant_types"]?.arrayValue?.contains(.string(device)) == true)
        #expect(try await scene.register().outcome == "400 invalid_redirect_uri")
        let scheme = try await Scene(hosts: ["com.example.tool:"])
        #expect(try await scheme.register(["redirect_uris": ["com.example.tool:/back"]]).status == 201)
        #expect(try await scheme.register(["redirect_uris": ["com.example.other:/back"]]).status == 400)
        let any = try await Scene(hosts: ["*"])
        #expect(try await any.register().status == 201)
        #expect(try await any.register(["redirect_uris": ["com.example.tool:/back"]]).status == 400)
    }
}
