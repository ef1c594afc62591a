// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import AppAPI

@Suite("The provider's clients over HTTP")
struct ClientAdminTests {
    private static let path = "/v1/admin/clients"

    @Test("R11.3 a client is registered, shown without its secret, changed and deleted")
    func life() async throws {
        let (bench, token) = try await Self.bench()
        let made = try await bench.send(
            .post, Self.path, token: token,
            body: [
                "name": "Shop", "redirectUris": ["https://shop.example/back"],
                "postLogoutUris": ["https://shop.example/out"], "backchannelLogoutUri": "https://shop.example/told",
                "homeUri": "https://shop.example/",
            ])
        #expect(made.status == .created)
        let id = try #require(made.json["clientId"]?.stringValue)
        let secret = try #require(made.json["clientSecret"]?.stringValue)
        #expect(secret.utf8.count >= 40)
        #expect(made.json["homeUri"] == "https://shop.example/")
        #expect(made.json["authMethods"] == ["client_secret_basic", "client_secret_post"])
        #expect(made.json["grants"] == ["authorization_code", "refresh_token"])
        #expect(made.json["consent"] == "remembered" && made.json["public"] == false)
        #expect(made.json["scopes"] == ["openid", "profile", "email", "phone", "address", "offline_access"])
        #expect(made.json["idTokenAlgorithm"] == "RS256" && made.json["requiresPkce"] == false)

        let path = Self.path + "/" + id
        var shown = try await bench.send(.get, path, token: token).json
        #expect(shown == made.json.without("clientSecret"))
        #expect(!shown.text.contains(secret))
        let list = try await bench.send(.get, Self.path, token: token).json
        #expect(list["clients"] == [.object(shown)])
        let stored = try #require(try await bench.ports.store.read { try $0.client(ClientID(id)) })
        #expect(stored.secrets.map { $0.text?.reveal() } == [nil] && stored.hasSecret(secret))
        #expect(stored.settings.flows == [.refresh] && stored.settings.authorization.isEnabled)

        let changed = try await bench.send(
            .patch, path, token: token,
            body: [
                "name": "Store", "backchannelLogoutUri": .null, "consent": "not_asked", "idTokenAlgorithm": "ES256",
                "requiresPkce": true, "accessTokenLifetime": 300, "scopes": ["openid"],
            ])
        #expect(changed.status == .ok && changed.json["clientSecret"] == nil)
        shown = try await bench.send(.get, path, token: token).json
        #expect(shown == changed.json)
        #expect(shown["name"] == "Store" && shown["backchannelLogoutUri"] == .null && shown["scopes"] == ["openid"])
        #expect(shown["redirectUris"] == ["https://shop.example/back"], "what is not said stays")
        #expect(shown["accessTokenLifetime"] == 300 && shown["requiresPkce"] == true)
        let reset = try await bench.send(.patch, path, token: token, body: ["accessTokenLifetime": .null])
        #expect(reset.json["accessTokenLifetime"] == .null)

        #expect(try await bench.send(.delete, path, token: token).json["deleted"] == .string(id))
        for method in [HTTPRequest.Method.get, .patch, .delete] {
            #expect(try await bench.send(method, path, token: token, body: [:]).status == .notFound, "\(method)")
        }
        let log = try await bench.send(.get, "/v1/admin/audit?action=client_changed", token: token).json
        #expect(log["events"]?.arrayValue?.count == 4)
    }

    @Test("R11.3 a client has two secrets at once, never three nor none, and a new one in place of all")
    func secrets() async throws {
        let (bench, token) = try await Self.bench()
        let made = try await Self.create(bench, token)
        let path = "\(Self.path)/\(made["clientId"]?.stringValue ?? "")"
        let added = try await bench.send(.post, path + "/secrets", token: token)
        #expect(added.status == .created && added.json["clientSecret"] != made["clientSecret"])
        let ids = (added.json["secrets"]?.arrayValue ?? []).compactMap { $0.objectValue?["id"]?.stringValue }
        try #require(ids.count == 2)
        #expect(try await bench.send(.post, path + "/secrets", token: token).status == .conflict)
        #expect(try await bench.send(.delete, path + "/secrets/none", token: token).status == .notFound)
        let left = try await bench.send(.delete, "\(path)/secrets/\(ids[1])", token: token)
        #expect(left.status == .ok && left.json["secrets"]?.arrayValue?.count == 1 && left.json["clientSecret"] == nil)
        #expect(try await bench.send(.delete, "\(path)/secrets/\(ids[0])", token: token).status == .conflict)
        let rotated = try await bench.send(.post, path + "/secrets/rotate", token: token)
        #expect(rotated.status == .created)
        let client = try #require(
            try await bench.ports.store.read { try $0.client(ClientID(made["clientId"]?.stringValue ?? "")) })
        #expect(client.hasSecret(rotated.json["clientSecret"]?.stringValue ?? ""))
        for old in [made, added.json] { #expect(!client.hasSecret(old["clientSecret"]?.stringValue ?? "")) }
        let open = try await Self.create(bench, token, ["authMethod": "none"])
        #expect(open["public"] == true && open["clientSecret"] == nil && open["requiresPkce"] == true)
        #expect(open["rotatesRefreshTokens"] == true)
        for suffix in ["/secrets", "/secrets/rotate"] {
            let path = "\(Self.path)/\(open["clientId"]?.stringValue ?? "")\(suffix)"
            #expect(try await bench.send(.post, path, token: token).status == .conflict)
            #expect(try await bench.send(.post, Self.path + "/none" + suffix, token: token).status == .notFound)
        }
    }

    @Test("R11.5 what a client may not be is refused by the name of its member, and nothing is made or changed")
    func refused() async throws {
        let (bench, token) = try await Self.bench()
        let made = try await Self.create(bench, token)
        let path = "\(Self.path)/\(made["clientId"]?.stringValue ?? "")"
        let key = try #require(try SigningKey.generate(.es256).publicJWK)
        let keys = JSONValue.object(try JWKSet([key]).publicObject)
        let rows: [(String, JSONValue)] = [
            ("name", ""), ("name", 1), ("name", .null), ("name", "a\u{0}"),
            ("name", .string(String(repeating: "a", count: 129))),
            ("redirectUris", []), ("redirectUris", "https://a.example"), ("redirectUris", [1]),
            ("redirectUris", ["http://a.example"]), ("redirectUris", ["javascript:alert(1)"]),
            ("redirectUris", ["https://a.example/#x"]), ("redirectUris", .null),
            ("redirectUris", .array(Array(repeating: "https://a.example", count: 101))),
            ("postLogoutUris", ["data:text/html,x"]), ("backchannelLogoutUri", "http://a.example"),
            ("backchannelLogoutUri", "app:/x"), ("homeUri", "javascript:alert(1)"), ("homeUri", "app:/x"),
            ("homeUri", ""),
            ("backchannelLogoutUri", 1), ("authMethod", "client_secret_jwt"),
            ("authMethod", "none"), ("authMethod", .null), ("jwks", keys), ("jwks", "x"), ("grants", []),
            ("grants", ["implicit"]), ("grants", ["password"]), ("grants", "authorization_code"),
            ("scopes", ["two words"]), ("scopes", ["\""]), ("resources", ["no uri"]),
            ("resources", ["https://api.example/#x"]), ("consent", "never"), ("idTokenAlgorithm", "HS256"),
            ("idTokenAlgorithm", "none"), ("requiresPkce", "true"), ("requiresPushedRequests", 1),
            ("requiresSignedRequests", 1), ("requiresSignedRequests", true), ("requestObjectAlgorithm", "none"),
            ("requestObjectAlgorithm", "HS256"), ("requestObjectAlgorithm", "ES256"), ("requestObjectAlgorithm", 1),
            ("passkeyOrigins", "https://a.example"), ("passkeyOrigins", [""]),
            ("passkeyOrigins", ["https://a.example x"]),
            ("passkeyOrigins", .array(Array(repeating: "https://a.example", count: 17))),
            ("dpopBound", true), ("rotatesRefreshTokens", "no"), ("accessTokenLifetime", 0),
            ("accessTokenLifetime", 86_401), ("idTokenLifetime", "300"), ("refreshTokenLifetime", -1),
            ("refreshTokenLifetime", 1.5), ("clientId", "mine"), ("clientSecret", "mine"), ("role", "admin"), ("", 1),
        ]
        let before = try await bench.send(.get, Self.path, token: token).json
        for (name, value) in rows {
            let answer = try await bench.send(.patch, path, token: token, body: [name: value])
            #expect(answer.status == .badRequest, "\(name) \(value)")
            #expect(answer.json["error"] == "invalid_request")
            // The lifetimes are judged together.
            let field = answer.json["field"]?.stringValue
            #expect(field == name || field == "settings" || name == "authMethod", "\(name) \(value) \(field ?? "")")
            // A new client with that alone wrong.
            guard name != "authMethod" || value != "none" else { continue }
            var body: JSONObject = ["name": "x", "redirectUris": ["https://a.example"]]
            body[name] = value
            let refused = try await bench.send(.post, Self.path, token: token, body: body)
            #expect(refused.status == .badRequest, "\(name) \(value)")
        }
        for body in [
            [:], ["redirectUris": ["https://a.example"]], ["name": "x"],
            ["name": "x", "grants": ["client_credentials"], "authMethod": "none"],
            ["name": "x", "redirectUris": ["https://a.example"], "authMethod": "none", "rotatesRefreshTokens": false],
            // No endpoint takes it.
            ["name": "x", "grants": ["implicit"], "redirectUris": ["https://a.example"]],
            ["name": "x", "grants": ["client_credentials"], "authMethod": "private_key_jwt"],
        ] as [JSONObject] {
            #expect(try await bench.send(.post, Self.path, token: token, body: body).status == .badRequest, "\(body)")
        }
        #expect(try await bench.send(.get, Self.path, token: token).json == before)
        for id in ["none", "%00", "..", String(repeating: "a", count: 200)] {
            let answer = try await bench.send(.get, "\(Self.path)/\(id)", token: token)
            #expect(answer.status == .notFound, "\(id)")
        }
    }

    @Test("R11.3 each kind of client is registered with what it needs, and no more")
    func kinds() async throws {
        let (bench, token) = try await Self.bench()
        let key = try #require(try SigningKey.generate(.es256).publicJWK)
        let keys = JSONValue.object(try JWKSet([key]).publicObject)
        let machine = try await Self.create(bench, token, ["grants": ["client_credentials"], "redirectUris": []])
        #expect(machine["scopes"] == [] && machine["clientSecret"] != nil)
        // A device has no place that its users could be sent back to (RFC 8628).
        let device = try await Self.create(
            bench, token, ["grants": ["device_code", "refresh_token"], "redirectUris": [], "authMethod": "none"])
        #expect(device["public"] == true && device["scopes"]?.arrayValue?.contains("openid") == true)
        let signer = try await Self.create(bench, token, ["authMethod": "private_key_jwt", "jwks": keys])
        #expect(signer["clientSecret"] == nil && signer["public"] == false && signer["jwks"] == keys)
        #expect(signer["authMethods"] == ["private_key_jwt"] && signer["requiresPkce"] == false)
        #expect(signer["requiresSignedRequests"] == false && signer["requestObjectAlgorithm"] == .null)
        let path = "\(Self.path)/\(signer["clientId"]?.stringValue ?? "")"
        let signs = try await bench.send(
            .patch, path, token: token, body: ["requiresSignedRequests": true, "requestObjectAlgorithm": "ES256"])
        #expect(signs.json["requiresSignedRequests"] == true && signs.json["requestObjectAlgorithm"] == "ES256")
        let foreign = try await bench.send(.patch, path, token: token, body: ["requestObjectAlgorithm": "PS256"])
        #expect(foreign.status == .badRequest && foreign.json["field"] == "requestObjectAlgorithm")
        let free = try await bench.send(.patch, path, token: token, body: ["requestObjectAlgorithm": .null])
        #expect(free.json["requestObjectAlgorithm"] == .null && free.json["requiresSignedRequests"] == true)
        let app = try await Self.create(
            bench, token, ["redirectUris": ["org.example.app:/back"], "authMethod": "none"])
        #expect(app["public"] == true && app["clientSecret"] == nil)
        let one = try await Self.create(bench, token, ["authMethod": "client_secret_post"])
        #expect(one["authMethods"] == ["client_secret_post"] && one["clientSecret"] != nil)
    }

    @Test(
        "R11.8 FAPI 2.0, section 5.3.2.1: a profile brings all that it asks for, and nothing less is registered with it"
    )
    func profile() async throws {
        let (bench, token) = try await Self.bench()
        let key = try #require(try SigningKey.generate(.es256).publicJWK)
        let keys = JSONValue.object(try JWKSet([key]).publicObject)
        let made = try await Self.create(bench, token, ["profile": "fapi2", "jwks": keys])
        let path = "\(Self.path)/\(made["clientId"]?.stringValue ?? "")"
        #expect(made["authMethods"] == ["private_key_jwt"] && made["clientSecret"] == nil && made["profile"] == "fapi2")
        for name in ["requiresPkce", "requiresPushedRequests", "dpopBoundAccessTokens"] {
            #expect(made[name] == true, "\(name)")
        }
        #expect(made["idTokenAlgorithm"] == "ES256" && made["rotatesRefreshTokens"] == false)
        let less: [(String, JSONValue)] = [
            ("requiresPkce", false), ("requiresPushedRequests", false), ("dpopBoundAccessTokens", false),
            ("idTokenAlgorithm", "RS256"), ("rotatesRefreshTokens", true), ("authMethod", "none"),
            ("authMethod", "client_secret_basic"), ("profile", "fapi1"), ("profile", 2),
            ("dpopBoundAccessTokens", "yes"),
        ]
        for (name, value) in less {
            let refused = try await bench.send(.patch, path, token: token, body: [name: value])
            #expect(refused.status == .badRequest && refused.json["field"] == .string(name), "\(name) \(refused.json)")
        }
        let body: JSONObject = ["name": "x", "redirectUris": ["https://a.example"], "profile": "fapi2"]
        for more in [[:], ["authMethod": "none"], ["jwks": keys, "authMethod": "client_secret_post"]] as [JSONObject] {
            let refused = try await bench.send(.post, Self.path, token: token, body: body.merging(more))
            #expect(refused.status == .badRequest, "\(more)")
        }
        // Without the profile each is a setting again.
        let free = try await bench.send(
            .patch, path, token: token, body: ["profile": .null, "dpopBoundAccessTokens": false])
        #expect(free.json["profile"] == .null && free.json["dpopBoundAccessTokens"] == false)
        #expect(free.json["requiresPushedRequests"] == true)
    }

    @Test("G-9.2 a client may have origins of its own for passkeys, an Android app's among them")
    func passkeyOrigins() async throws {
        let (bench, token) = try await Self.bench()
        let origins: JSONValue = ["https://a.example", "android:apk-key-hash:abc"]
        let made = try await Self.create(bench, token, ["passkeyOrigins": origins])
        #expect(made["passkeyOrigins"] == origins)
        let path = "\(Self.path)/\(made["clientId"]?.stringValue ?? "")"
        #expect(try await bench.send(.get, path, token: token).json["passkeyOrigins"] == origins)
        let cleared = try await bench.send(.patch, path, token: token, body: ["passkeyOrigins": []])
        #expect(cleared.json["passkeyOrigins"] == [])
    }

    @Test("C-4 only administrators register clients, and see those of their own Directory")
    func guarded() async throws {
        let (bench, token) = try await Self.bench()
        let made = try await Self.create(bench, token)
        let outsider = try await bench.signIn(try await bench.addUser("user@example.com", in: ["users"]))
        let routes = Route.all.filter { $0.access == .clientAdministrator }
        #expect(routes.count == 26)
        for route in routes {
            let path = route.path.replacing("{id}", with: made["clientId"]?.stringValue ?? "")
            #expect(try await bench.send(route.method, path, token: outsider, body: [:]).status == .forbidden)
            #expect(try await bench.send(route.method, path, token: nil, body: [:]).status == .unauthorized)
        }
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: AppBench.now)
        var elsewhere = bench.call
        elsewhere.directory = other
        var registration = ClientRegistration()
        registration.name = "Theirs"
        registration.redirectURIs = ["https://a.example"]
        let theirs = try await ClientAdministration(bench.ports).register(registration, call: elsewhere)
        // Kinds of messages are the same in every Directory.
        for route in routes where route.path.contains("{id}") && !route.path.contains("message-templates") {
            let path = route.path.replacing("{id}", with: theirs.id.rawValue)
            #expect(try await bench.send(route.method, path, token: token, body: [:]).status == .notFound)
        }
        let listed = try await bench.send(.get, Self.path, token: token).json["clients"]?.arrayValue
        #expect(listed?.compactMap { $0.objectValue?["clientId"] } == [made["clientId"]].compactMap(\.self))
    }

    static func bench() async throws -> (AppBench, String) {
        let bench = try await AppBench()
        return (bench, try await bench.signIn(try await bench.addUser("admin@example.com", in: ["admin"])))
    }

    private static func create(
        _ bench: AppBench, _ token: String, _ members: JSONObject = [:]
    ) async throws -> JSONObject {
        let body: JSONObject = ["name": "App", "redirectUris": ["https://app.example/back"]]
        let answer = try await bench.send(.post, path, token: token, body: body.merging(members))
        try #require(answer.status == .created, "\(answer.json)")
        return answer.json
    }
}

extension JSONObject {
    func without(_ name: String) -> JSONObject {
        var copy = self
        copy[name] = nil
        return copy
    }
}
