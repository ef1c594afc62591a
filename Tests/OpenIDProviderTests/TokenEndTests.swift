// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Revocation (RFC 7009) and introspection (RFC 7662).
@Suite struct TokenEndTests {
    private func revoke(
        _ bench: ProviderBench, _ token: String?, _ further: [(String, String)] = [], headers: HTTPFields? = nil
    ) async throws -> HTTPBench.Reply {
        try await bench.post("/oauth2/revoke", [("token", token ?? "")] + further, headers: headers ?? bench.basic)
    }

    @Test(
        "R11.1 RFC 7009, section 2.1: what was given together ends together, whichever is given back and whatever is hinted",
        arguments: ["access_token", "refresh_token"], [nil, "access_token", "refresh_token", "nonsense"])
    func together(name: String, hint: String?) async throws {
        let bench = try await ProviderBench()
        let tokens = try await bench.tokens()
        let further = hint.map { [("token_type_hint", $0)] } ?? []
        let reply = try await revoke(bench, tokens[name]?.stringValue, further)
        #expect(reply.status == 200 && reply.text.isEmpty, "\(reply.text)")
        for name in ["access_token", "refresh_token"] {
            #expect(try await bench.introspect(tokens[name]?.stringValue) == ["active": false], "\(name)")
        }
        #expect(try await bench.refresh(tokens["refresh_token"]?.stringValue).outcome == "400 invalid_grant")
    }

    @Test("R11.1 RFC 7009, section 2.2: what nobody knows is as good as revoked, and what is another client's stays")
    func foreign() async throws {
        let bench = try await ProviderBench()
        for text in ["nonsense", String(repeating: "x", count: 4000)] {
            #expect(try await revoke(bench, text).status == 200)
        }
        let tokens = try await bench.tokens()
        for name in ["access_token", "refresh_token"] {
            let token = tokens[name]?.stringValue
            let other = try await revoke(bench, token, [("client_id", bench.app.id.rawValue)], headers: [:])
            #expect(other.outcome == "400 unauthorized_client", "\(name)")
            #expect(try await revoke(bench, token, headers: [:]).outcome == "401 invalid_client")
        }
        #expect(try await bench.introspect(tokens["access_token"]?.stringValue)["active"] == true)
        let own = try await bench.clientCredentials()["access_token"]?.stringValue
        #expect(try await revoke(bench, own).outcome == "400 unsupported_token_type")
    }

    @Test(
        "R11.1 RFC 7662, section 2.2: a token that was good a moment ago is judged anew, and shown to no client that has not proved itself",
        arguments: ["revoked", "expired", "disabled", "banned"])
    func askedAgain(ending: String) async throws {
        let bench = try await ProviderBench()
        let token = try await bench.tokens()["access_token"]?.stringValue
        let first = try await bench.introspect(token)
        let second = try await bench.introspect(token)
        #expect(first["active"] == true && second == first)
        let wrong = ProviderBench.basic(bench.web.id.rawValue, "not-the-secret")
        let refused = try await bench.post("/oauth2/introspect", [("token", token ?? "")], headers: wrong)
        #expect(refused.outcome == "401 invalid_client" && !refused.text.contains("active"))
        switch ending {
        case "revoked": _ = try await revoke(bench, token)
        case "expired": bench.accounts.advance(by: .hours(1))
        case "banned":
            let (id, now) = (bench.user.id, bench.accounts.now)
            let directory = bench.accounts.directory.id
            try await bench.accounts.ports.store.write { tx in
                guard var user = try tx.user(id, in: directory) else { return }
                user.bannedUntil = now + .hours(1)
                try tx.update(user)
            }
        default:
            let id = bench.web.id
            try await bench.accounts.ports.store.write { tx in
                guard var client = try tx.client(id) else { return }
                client.settings.authorization.isEnabled = false
                try tx.update(client)
            }
            bench.accounts.flows.clients.invalidate()
        }
        #expect(try await bench.introspect(token) == ["active": false])
    }

    @Test(
        "R11.1 RFC 7662, section 2.1: a secret that was good a moment ago is worth nothing once the client has another")
    func anotherSecret() async throws {
        let bench = try await ProviderBench()
        let token = try await bench.tokens()["access_token"]?.stringValue
        for _ in 0..<2 { #expect(try await bench.introspect(token)["active"] == true) }
        let (id, now) = (bench.web.id, bench.accounts.now)
        // As another process does it: nobody here is told.
        try await bench.accounts.ports.store.write { tx in
            guard var client = try tx.client(id) else { return }
            client.secrets = [ClientSecret(Secret("another"), id: ClientSecretID("another"), createdAt: now)]
            try tx.update(client)
        }
        let old = try await bench.post("/oauth2/introspect", [("token", token ?? "")], headers: bench.basic)
        #expect(old.outcome == "401 invalid_client")
        let new = try await bench.post(
            "/oauth2/introspect", [("token", token ?? "")], headers: ProviderBench.basic(id.rawValue, "another"))
        #expect(new.status == 200 && new.text.contains("\"active\":true"))
    }

    @Test(
        "R11.1 RFC 7662, section 2.1: who guesses at a client's secret is stopped there, with whatever token they come")
    func guessing() async throws {
        let bench = try await ProviderBench()
        try await bench.accounts.change { $0.limits.signInPerIdentifier = .init(count: 3, seconds: 3600) }
        let token = try await bench.tokens()["access_token"]?.stringValue
        #expect(try await bench.introspect(token)["active"] == true)
        let wrong = ProviderBench.basic(bench.web.id.rawValue, "not-the-secret")
        for _ in 0..<3 {
            let refused = try await bench.post("/oauth2/introspect", [("token", token ?? "")], headers: wrong)
            #expect(refused.outcome == "401 invalid_client")
        }
        let right = try await bench.post("/oauth2/introspect", [("token", token ?? "")], headers: bench.basic)
        #expect(right.status == 429 && !right.text.contains("active"), "\(right.text)")
    }

    @Test("R11.1 RFC 7662, section 2.2: of a token that is good it is said what it says; of any other that it is not")
    func introspection() async throws {
        let bench = try await ProviderBench()
        let tokens = try await bench.tokens()
        let access = try await bench.introspect(tokens["access_token"]?.stringValue)
        #expect(access["active"] == true && access["token_type"] == "Bearer")
        #expect(access["sub"] == .string(bench.user.id.rawValue) && access["scope"] == "openid email")
        #expect(access["client_id"] == .string(bench.web.id.rawValue) && access["exp"] != nil)
        let refresh = try await bench.introspect(tokens["refresh_token"]?.stringValue)
        #expect(refresh["active"] == true && refresh["scope"] == "openid email", "\(refresh)")
        #expect(refresh["token_type"] == nil)
        let id = tokens["id_token"]?.stringValue ?? ""
        for text in ["nonsense", id, (tokens["access_token"]?.stringValue ?? "") + "x"] {
            #expect(try await bench.introspect(text) == ["active": false])
        }
        // A refresh token that was exchanged, once its child was used.
        let child = try await bench.refresh(tokens["refresh_token"]?.stringValue)["refresh_token"]?.stringValue
        bench.accounts.advance(by: .minutes(10))
        _ = try await bench.refresh(child)
        bench.accounts.advance(by: .minutes(10))
        #expect(try await bench.introspect(tokens["refresh_token"]?.stringValue) == ["active": false])
        bench.accounts.advance(by: .hours(1))
        #expect(try await bench.introspect(tokens["access_token"]?.stringValue) == ["active": false])
    }

    @Test("R11.1 RFC 7662, section 2.1: nobody is told of a token who has not proved who they are")
    func introspectors() async throws {
        let bench = try await ProviderBench()
        let token = try await bench.tokens(nil, bench.app)
        for (form, headers) in [
            ([], [:]), ([("client_id", bench.app.id.rawValue)], [:]),
            ([], ProviderBench.basic(bench.web.id.rawValue, "wrong")),
        ] as [([(String, String)], HTTPFields)] {
            let reply = try await bench.post(
                "/oauth2/introspect", [("token", token["access_token"]?.stringValue ?? "")] + form, headers: headers)
            #expect(reply.outcome == "401 invalid_client")
        }
        // Another client's refresh token is nothing that this one holds.
        #expect(try await bench.introspect(token["refresh_token"]?.stringValue) == ["active": false])
        #expect(try await bench.introspect(token["access_token"]?.stringValue)["active"] == true)
        #expect(try await bench.post("/oauth2/introspect", [], headers: bench.basic).outcome == "400 invalid_request")
    }
}
