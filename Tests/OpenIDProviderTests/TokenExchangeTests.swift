// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// A server that was handed a user's token gets one for another API (RFC 8693).
@Suite struct TokenExchangeTests {
    static let grant = "urn:ietf:params:oauth:grant-type:token-exchange"
    private static let accessType = "urn:ietf:params:oauth:token-type:access_token"
    private static let idType = "urn:ietf:params:oauth:token-type:id_token"

    /// A user's tokens at a client, and a server that exchanges them.
    private struct Scene {
        let bench: ProviderBench
        let browser: Browser
        let tokens: HTTPBench.Reply
        let server: Client
        let secret: String

        init(
            scope: String = "openid email notes/read notes/write",
            _ change: @Sendable (inout ClientSettings) -> Void = { _ in }
        ) async throws {
            bench = try await ProviderBench()
            browser = try await bench.signedIn()
            tokens = try await bench.tokens(browser, nil, ["scope": scope])
            server = try await ProviderBench.addClient("Server", .secretBasic, to: bench.accounts) {
                $0.authorization.grants = [.tokenExchange, .clientCredentials, .code]
                $0.authorization.scopes = ["openid", "email", "notes/read", "other"]
                $0.authorization.resources = ["https://notes.example", "https://mail.example"]
                change(&$0)
            }
            secret = try #require(server.secrets.first?.text?.reveal())
        }

        var access: String { tokens["access_token"]?.stringValue ?? "" }
        var headers: HTTPFields { ProviderBench.basic(server.id.rawValue, secret) }

        /// An exchange, with other parameters than usual, or further ones.
        func exchange(
            _ changes: [(String, String?)] = [], headers: HTTPFields? = nil
        ) async throws -> HTTPBench.Reply {
            var form = [
                ("grant_type", grant), ("subject_token", access), ("subject_token_type", accessType),
            ]
            for name in Set(changes.map(\.0)) { form.removeAll { $0.0 == name } }
            form += changes.compactMap { name, value in value.map { (name, $0) } }
            return try await bench.post("/oauth2/token", form, headers: headers ?? self.headers)
        }
    }

    @Test(
        "R11.9 RFC 8693, sections 2.2.1 and 4.1: the new token is for what was asked, of the same user, and says who acts"
    )
    func exchanged() async throws {
        let scene = try await Scene()
        let reply = try await scene.exchange([
            ("audience", "https://mail.example"), ("resource", "https://notes.example"), ("scope", "notes/read"),
            ("requested_token_type", Self.accessType),
        ])
        #expect(reply.status == 200 && reply.headers[.cacheControl] == "no-store", "\(reply.text)")
        #expect(reply["issued_token_type"] == .string(Self.accessType) && reply["token_type"] == "Bearer")
        #expect(reply["scope"] == "notes/read" && reply["refresh_token"] == nil && reply["id_token"] == nil)
        let first = try await scene.bench.claims(scene.access)
        let claims = try await scene.bench.claims(reply["access_token"]?.stringValue)
        #expect(claims["aud"] == ["https://notes.example", "https://mail.example"])
        #expect(claims["sub"] == first["sub"] && claims["session_id"] == first["session_id"])
        #expect(claims["client_id"] == .string(scene.server.id.rawValue) && claims["auth_time"] == first["auth_time"])
        let actor: JSONObject = [
            "sub": .string("client:" + scene.server.id.rawValue), "client_id": .string(scene.server.id.rawValue),
        ]
        #expect(claims["act"] == .object(actor))
        #expect(try await scene.bench.introspect(reply["access_token"]?.stringValue)["act"] == .object(actor))
        // Once more: who acted before stays within.
        let twice = try await scene.exchange([("subject_token", reply["access_token"]?.stringValue)])
        let again = try await scene.bench.claims(twice["access_token"]?.stringValue)
        #expect(again["act"]?.objectValue?["act"] == .object(actor), "\(again.text)")
        // By another's token it is they who act.
        let own = try await scene.bench.post(
            "/oauth2/token", [("grant_type", "client_credentials")], headers: scene.bench.basic)
        let acted = try await scene.exchange([
            ("actor_token", own["access_token"]?.stringValue), ("actor_token_type", Self.accessType),
        ])
        let by = try await scene.bench.claims(acted["access_token"]?.stringValue)["act"]?.objectValue
        #expect(by?["sub"] == .string("client:" + scene.bench.web.id.rawValue), "\(acted.text)")
    }

    @Test(
        "R11.9 RFC 8693, section 2.1: neither scope nor time nor target is widened, also for an operator's own server")
    func narrowed() async throws {
        let scene = try await Scene(scope: "openid email notes/write")
        for scope in ["notes/read", "other", "notes/write", "phone", "email notes/read"] {
            #expect(try await scene.exchange([("scope", scope)]).outcome == "400 invalid_scope", "\(scope)")
        }
        #expect(try await scene.exchange()["scope"] == "email", "what is for the provider is left out")
        for name in ["resource", "audience"] {
            for target in ["https://api.example", "https://evil.example", "x", scene.bench.web.id.rawValue] {
                #expect(try await scene.exchange([(name, target)]).outcome == "400 invalid_target", "\(target)")
            }
        }
        let many = (0..<11).map { ("audience", String?.some("https://notes.example/\($0)")) }
        #expect(try await scene.exchange(many).outcome == "400 invalid_target")
        let lifetime = try #require(scene.tokens["expires_in"]?.integerValue)
        scene.bench.accounts.advance(by: .seconds(lifetime - 100))
        let late = try await scene.exchange([("audience", "https://notes.example")])
        #expect(late["expires_in"] == 100, "\(late.text)")
        // An operator's own server does what the token was given for, and not all that its user may.
        let own = try await scene.bench.provider.issuer(
            of: JWTClaims(parsing: try await scene.bench.claims(late["access_token"]?.stringValue).serialized()),
            at: scene.bench.now)
        #expect(own?.scopes == ["email"])
        scene.bench.accounts.advance(by: .seconds(101))
        #expect(try await scene.exchange().outcome == "400 invalid_request")
    }

    @Test("R11.9 who acted for whom, by which client, and where, is in the audit log before the token is given")
    func audited() async throws {
        let scene = try await Scene()
        func events() async throws -> [AuditEvent] {
            try await scene.bench.accounts.ports.store.read { [user = scene.bench.user] in
                try $0.auditEvents(
                    of: user.id, in: user.directoryID, action: .tokenExchanged, until: nil, offset: 0, limit: 10)
            }
        }
        #expect(try await scene.exchange([("scope", "other")]).status == 400)
        #expect(try await events().isEmpty)
        let reply = try await scene.exchange([
            ("audience", "https://mail.example"), ("resource", "https://notes.example"), ("scope", "notes/read"),
        ])
        #expect(reply.status == 200)
        let event = try #require(try await events().first)
        #expect(event.userID == scene.bench.user.id)
        let session = try await scene.bench.claims(scene.access)["session_id"]
        #expect(event.details["session"] == session && event.details["scopes"] == "notes/read")
        #expect(event.details["client"] == .string(scene.server.id.rawValue))
        #expect(event.details["actor"] == .string("client:" + scene.server.id.rawValue))
        #expect(event.details["audience"] == "https://notes.example https://mail.example")
        let own = try await scene.bench.clientCredentials()["access_token"]?.stringValue
        _ = try await scene.exchange([("actor_token", own), ("actor_token_type", Self.accessType)])
        #expect(
            try await events().contains {
                $0.details["actor"] == .string("client:" + scene.bench.web.id.rawValue)
                    && $0.details["audience"] == .string(ProviderBench.url)
            })
    }

    @Test("R11.9 RFC 8693, section 2.1: a token for an API is no way to tokens for it of who is not registered there")
    func inherited() async throws {
        let scene = try await Scene { $0.authorization.resources = ["https://api.example/v2"] }
        for (resource, outcome) in [("https://api.example", "400 invalid_target"), ("https://api.example/v2", "200 ")] {
            let tokens = try await scene.bench.tokens(
                scene.browser, nil, ["scope": "notes/read", "resource": resource])
            let reply = try await scene.exchange([("subject_token", tokens["access_token"]?.stringValue)])
            #expect(reply.outcome == outcome, "\(reply.text)")
        }
    }

    @Test("R11.9 what an ID token was exchanged for ends with what its client was given in the browser")
    func idTokenEnds() async throws {
        let scene = try await Scene()
        let tokens = try await scene.bench.exchange(
            scene.bench.code(scene.browser, scene.server), scene.server, headers: scene.headers)
        let exchange: [(String, String?)] = [
            ("subject_token", tokens["id_token"]?.stringValue), ("subject_token_type", Self.idType),
            ("scope", "email"),
        ]
        let token = try await scene.exchange(exchange)["access_token"]?.stringValue
        #expect(try await scene.bench.introspect(token)["active"] == true)
        let revoked = try await scene.bench.post(
            "/oauth2/revoke", [("token", tokens["access_token"]?.stringValue ?? "")], headers: scene.headers)
        #expect(revoked.status == 200)
        #expect(try await scene.bench.introspect(token) == ["active": false])
        #expect(try await scene.exchange(exchange).outcome == "400 invalid_request")
    }

    @Test("R11.9 an exchanged token ends with the session that it came of, and can't end it")
    func ends() async throws {
        let scene = try await Scene()
        let token = try await scene.exchange()["access_token"]?.stringValue
        let revoked = try await scene.bench.post(
            "/oauth2/revoke", [("token", token ?? "")], headers: scene.headers)
        #expect(revoked.outcome == "400 unsupported_token_type")
        #expect(try await scene.bench.introspect(token)["active"] == true)
        _ = try await scene.bench.post("/oauth2/revoke", [("token", scene.access)], headers: scene.bench.basic)
        #expect(try await scene.bench.introspect(token) == ["active": false])
        #expect(try await scene.exchange().outcome == "400 invalid_request")
        #expect(try await scene.exchange([("subject_token", token)]).outcome == "400 invalid_request")
    }

    @Test("R11.9 RFC 8693, section 2.2.2: who may exchange what, each by its own error")
    func refusals() async throws {
        let scene = try await Scene()
        let own = try await scene.bench.post(
            "/oauth2/token", [("grant_type", "client_credentials")], headers: scene.bench.basic)
        let rows: [[(String, String?)]] = [
            [("subject_token", nil)], [("subject_token", "x")],
            [("subject_token", String(repeating: "x", count: 5000))],
            [("subject_token", String(scene.access.dropLast(4)) + "AAAA")], [("subject_token_type", nil)],
            [("subject_token_type", Self.idType)], [("subject_token_type", "urn:ietf:params:oauth:token-type:jwt")],
            [("subject_token_type", "urn:ietf:params:oauth:token-type:refresh_token")],
            [("subject_token", own["access_token"]?.stringValue)],
            [("subject_token", scene.tokens["id_token"]?.stringValue)],
            [("subject_token", scene.tokens["id_token"]?.stringValue), ("subject_token_type", Self.idType)],
            [("requested_token_type", Self.idType)],
            [("requested_token_type", "urn:ietf:params:oauth:token-type:refresh_token")],
            [("actor_token", scene.access)], [("actor_token_type", Self.accessType)],
            [("actor_token", "x"), ("actor_token_type", Self.accessType)],
            [("actor_token", scene.access), ("actor_token_type", Self.idType)],
        ]
        for row in rows {
            let reply = try await scene.exchange(row)
            #expect(reply.outcome == "400 invalid_request", "\(row.map(\.0)) \(reply.text)")
        }
        #expect(try await scene.exchange(headers: scene.bench.basic).outcome == "400 unauthorized_client")
        let open = try await scene.exchange([("client_id", scene.bench.app.id.rawValue)], headers: [:])
        #expect(open.outcome == "400 unauthorized_client")
        let bare = try await scene.exchange([("client_id", scene.server.id.rawValue)], headers: [:])
        #expect(bare.outcome == "401 invalid_client")
        // Another Directory's token is none here.
        let other = try await Scene()
        #expect(try await scene.exchange([("subject_token", other.access)]).outcome == "400 invalid_request")
    }

    @Test("R11.9 RFC 8693, section 4.4: where a token names who may act, nobody else does")
    func mayAct() async throws {
        let scene = try await Scene()
        let key = try await scene.bench.provider.tokenKeys.accessTokenKey(
            of: scene.bench.accounts.directory, at: scene.bench.now
        ).key
        for (name, works) in [(scene.server.id.rawValue, true), ("another", false)] {
            var claims = try await scene.bench.claims(scene.access)
            claims["may_act"] = ["client_id": .string(name)]
            let token = try JWS.sign(claims, type: AccessToken.type, with: key)
            let reply = try await scene.exchange([("subject_token", token)])
            #expect((reply.status == 200) == works, "\(reply.text)")
        }
        for wrong: JSONValue in ["x", [:], .null, ["sub": "x"]] {
            var claims = try await scene.bench.claims(scene.access)
            claims["may_act"] = wrong
            let token = try JWS.sign(claims, type: AccessToken.type, with: key)
            #expect(try await scene.exchange([("subject_token", token)]).outcome == "400 invalid_request")
        }
    }

    @Test("R11.9 RFC 8693, section 3: an ID token is exchanged by the client it was given to, for what its user allows")
    func idToken() async throws {
        let scene = try await Scene { $0.authorization.consent = .remembered }
        let id = ("subject_token_type", String?.some(Self.idType))
        // By way of the server itself, whose user agrees to one of two scopes.
        let call = scene.bench.accounts.call(actor: .unknown)
        try await scene.bench.accounts.ports.store.write { [server = scene.server, user = scene.bench.user] tx in
            try tx.put(
                Consent(
                    directoryID: user.directoryID, userID: user.id, clientID: server.id,
                    scopes: ["openid", "notes/read"], createdAt: call.now, updatedAt: call.now))
        }
        let code = try await scene.browser.authorize(
            scene.bench.request(scene.server, ["scope": "openid notes/read"]))
        let tokens = try await scene.bench.exchange(
            try #require(code.answer["code"], "\(code.location ?? "")"), scene.server, headers: scene.headers)
        let text = tokens["id_token"]?.stringValue
        let reply = try await scene.exchange([("subject_token", text), id, ("audience", "https://notes.example")])
        #expect(reply["scope"] == "notes/read", "\(reply.text)")
        #expect(try await scene.bench.introspect(reply["access_token"]?.stringValue)["active"] == true)
        #expect(
            try await scene.exchange([("subject_token", text), id, ("scope", "email")]).outcome == "400 invalid_scope")
        let session = try await scene.bench.claims(text)["sid"]?.stringValue
        _ = try await scene.bench.accounts.ports.store.write { [user = scene.bench.user] in
            try $0.revoke(SessionID(session ?? ""), in: user.directoryID, because: .signedOut, at: call.now)
        }
        #expect(try await scene.exchange([("subject_token", text), id]).outcome == "400 invalid_request")
    }
}
