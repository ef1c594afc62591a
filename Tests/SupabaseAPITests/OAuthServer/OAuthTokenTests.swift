// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// `POST /oauth/token`, and what its tokens are good for.
@Suite struct OAuthTokenTests {
    @Test("R11.7 a code buys the tokens of a session that says whose client has them, and what for")
    func code() async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.redeem(bench.code())
        #expect(reply.headers[.cacheControl] == "no-store")
        #expect(reply.names == ["access_token", "token_type", "expires_in", "refresh_token", "id_token"])
        let access = try SupabaseBench.claims(reply["access_token"]?.stringValue)
        #expect(access["client_id"] == .string(bench.client) && access["scope"] == "openid email")
        #expect(access["aud"] == "authenticated" && access["role"] == "authenticated")
        let identity = try SupabaseBench.claims(reply["id_token"]?.stringValue)
        #expect(identity["aud"] == .string(bench.client) && identity["nonce"] == "n-1")
        #expect(identity["iss"] == "https://auth.example/auth/v1" && identity["sub"] == .string(bench.user))
        #expect(identity["email"] == "ada@example.com" && identity["email_verified"] == true)
        #expect(identity["name"] == nil && identity["phone_number"] == nil)
        // Without openid there is none.
        #expect(try await bench.redeem(bench.code(["scope": "email"]))["id_token"] == nil)
    }

    @Test(
        "R11.7 RFC 6749, section 5.2: what is wrong with a code is invalid_grant",
        arguments: [
            ["code": "x"], ["redirect_uri": "https://app.example/"], ["code_verifier": nil],
            ["code_verifier": String(repeating: "w", count: 64)], ["resource": "https://other.example"],
        ] as [[String: String?]])
    func wrong(changes: [String: String?]) async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.redeem(bench.code(["resource": "https://api.example/mcp"]), changes)
        #expect(reply.status == 400 && reply["error"] == "invalid_grant", "\(reply.text)")
        #expect(reply["access_token"] == nil)
    }

    @Test("R11.7 OAuth 2.1, section 4.1.3: where a verifier proves the code, the redirect URI need not be said again")
    func leftOut() async throws {
        let bench = try await OAuthBench()
        let code = try await bench.code(["resource": "https://api.example/mcp"])
        let changes = ["redirect_uri": nil, "resource": "https://api.example/mcp"] as [String: String?]
        #expect(try await bench.redeem(code, changes).status == 200)
    }

    @Test(
        "R11.7 what a request lacks is said in the form of OAuth, as there",
        arguments: [
            (["grant_type": nil], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
            (["grant_type": "client_credentials"], "unsupported_grant_type"), (["code": nil], "invalid_request"),
            (["grant_type": "refresh_token"], "invalid_request"),
        ] as [([String: String?], String)])
    func lacks(changes: [String: String?], error: String) async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.redeem("x", changes)
        #expect(reply.status == 400 && Set(reply.ofVendor.names) == ["error", "error_description"])
        #expect(reply["error"] == .string(error), "\(reply.text)")
    }

    @Test("R11.7 a client proves itself in the way that it is registered for, else it is told no more than that")
    func credentials() async throws {
        let bench = try await OAuthBench()
        func basic(_ text: String) -> [String: String] {
            ["authorization": "Basic " + Base64.encode(Array(text.utf8))]
        }
        let attempts: [([String: String?], [String: String])] = [
            (["client_secret": "wrong"], [:]), (["client_secret": nil], [:]), (["client_id": nil], [:]),
            (["client_id": "x"], [:]), (["client_id": "018f2f6e-0000-7000-8000-000000000001"], [:]),
            ([:], basic("\(bench.client):\(bench.secret)")), ([:], basic("x")), ([:], ["authorization": "Basic ?"]),
            ([:], ["authorization": "Bearer x"]),
            (["client_secret": bench.secret], basic("\(bench.client):\(bench.secret)")),
        ]
        for (changes, headers) in attempts {
            let sent = try await bench.token(
                ["grant_type": "authorization_code", "code": "x"].merging(changes) { $1 }, headers: headers)
            #expect(sent.outcome == "400 invalid_credentials", "\(changes) \(headers.keys): \(sent.text)")
            // Beside the platform's word stands the standard's.
            #expect(sent["error"] == "invalid_client")
        }
        let other = try await OAuthBench(["token_endpoint_auth_method": "client_secret_basic"])
        let reply = try await other.token(
            [
                "grant_type": "authorization_code", "code": try await other.code(),
                "code_verifier": OAuthBench.verifier,
            ], headers: basic("\(other.client):\(other.secret)"))
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test("R11.7 the token endpoint takes JSON too, and a broken body is no credentials")
    func json() async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.bench.send(
            .post, "/oauth/token",
            [
                "grant_type": "authorization_code", "code": .string(bench.code()), "client_id": .string(bench.client),
                "client_secret": .string(bench.secret), "code_verifier": .string(OAuthBench.verifier),
            ], key: "")
        #expect(reply.status == 200, "\(reply.text)")
        for body in ["{", "[]", #"{"client_id":1}"#] {
            let broken = try await bench.bench.send(.post, "/oauth/token", raw: body, key: "")
            #expect(broken.status == 400 && broken["access_token"] == nil, "\(broken.text)")
        }
    }

    @Test("R11.7 of 50 parallel redemptions one gets tokens, and the second use ends what the first got")
    func race() async throws {
        let bench = try await OAuthBench()
        let code = try await bench.code()
        let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 {
                group.addTask { try await bench.redeem(code)["refresh_token"]?.stringValue }
            }
            return try await group.reduce(into: [String]()) { tokens, token in token.map { tokens.append($0) } }
        }
        #expect(tokens.count == 1)
        #expect(try await bench.refresh(tokens.first ?? "").outcome == "400 refresh_token_already_used")
    }

    @Test("R11.7 a code is the client's that it was made for")
    func otherClient() async throws {
        let bench = try await OAuthBench()
        let code = try await bench.code()
        let other = try await bench.bench.administer(.post, "/admin/oauth/clients", OAuthBench.registration)
        let changes: [String: String?] = [
            "client_id": other["client_id"]?.stringValue, "client_secret": other["client_secret"]?.stringValue,
        ]
        #expect(try await bench.redeem(code, changes)["error"] == "invalid_grant")
    }

    @Test("R11.7 a refresh token is its client's, rotates, and is none of the site's")
    func refresh() async throws {
        let bench = try await OAuthBench()
        let tokens = try await bench.tokens()
        let reply = try await bench.refresh(tokens.refresh)
        #expect(reply.names == ["access_token", "token_type", "expires_in", "refresh_token"], "\(reply.text)")
        #expect(reply["refresh_token"] != .string(tokens.refresh))
        #expect(try SupabaseBench.claims(reply["access_token"]?.stringValue)["client_id"] == .string(bench.client))
        let next = reply["refresh_token"]?.stringValue ?? ""
        #expect(try await bench.bench.refresh(next).outcome == "400 refresh_token_not_found")
        let site = try await bench.bench.session(of: "ada@example.com").refresh
        let foreign = try await bench.refresh(site)
        #expect(foreign.outcome == "400 refresh_token_not_found" && foreign["error"] == "invalid_grant")
        #expect(try await bench.refresh("x")["error"] == "invalid_grant")
    }

    @Test(
        "R11.7 R11.3 what the user agrees to no longer is in no token that is renewed, and where nothing is left none is"
    )
    func narrowed() async throws {
        let bench = try await OAuthBench()
        let tokens = try await bench.tokens()
        func agree(_ scopes: [String]) async throws {
            let bench = bench
            let directory = bench.bench.accounts.directory
            try await bench.bench.accounts.ports.store.write { tx in
                var consent = try #require(
                    try tx.consent(of: UserID(bench.user), to: ClientID(bench.client), in: directory.id))
                consent.scopes = scopes
                try tx.put(consent)
            }
        }
        func scopes(_ reply: HTTPBench.Reply) throws -> String? {
            try SupabaseBench.claims(reply["access_token"]?.stringValue)["scope"]?.stringValue
        }
        let before = try await bench.refresh(tokens.refresh)
        #expect(try scopes(before) == "openid email")
        try await agree(["openid"])
        let after = try await bench.refresh(before["refresh_token"]?.stringValue ?? "")
        #expect(try scopes(after) == "openid")
        try await agree([])
        let last = after["refresh_token"]?.stringValue ?? ""
        let refused = try await bench.refresh(last)
        #expect(refused.status == 400 && refused["error"] == "invalid_grant", "\(refused.text)")
        try await agree(["openid", "email"])
        #expect(try scopes(try await bench.refresh(last)) == "openid email", "the token is as it was, and the grant")
    }

    @Test("R11.7 a client's session outlives the site's, and ends with a ban, a new password and a global sign-out")
    func endings() async throws {
        let bench = try await OAuthBench()
        let outlives = try await bench.tokens()
        _ = try await bench.bench.post("/logout?scope=local", token: bench.access)
        #expect(try await bench.refresh(outlives.refresh).status == 200)
        let again = try await OAuthBench()
        let tokens = try await again.tokens()
        _ = try await again.bench.post("/logout", token: again.access)
        #expect(try await again.refresh(tokens.refresh).status == 400)
        let banned = try await OAuthBench()
        let code = try await banned.code()
        let held = try await banned.tokens()
        _ = try await banned.bench.administer(.put, "/admin/users/" + banned.user, ["ban_duration": "1h"])
        #expect(try await banned.refresh(held.refresh).outcome == "400 user_banned")
        #expect(try await banned.redeem(code)["error"] != nil)
    }

    @Test("ADR 0037 R11.7 a client's token reads the account, and changes, grants and administrates nothing")
    func reach() async throws {
        let bench = try await OAuthBench()
        _ = try await bench.bench.administer(
            .put, "/admin/users/" + bench.user, ["role": "service_role"])
        let (access, _) = try await bench.tokens()
        #expect(try await bench.bench.get("/user", token: access)["id"] == .string(bench.user))
        let id = try await bench.pending(["scope": "phone"])
        let refused = [
            try await bench.bench.put("/user", ["password": "Another-1-password"], token: access),
            try await bench.look(id, token: access), try await bench.answer(id, token: access),
            try await bench.bench.get("/user/oauth/grants", token: access),
            try await bench.bench.post("/logout", token: access),
            try await bench.bench.send(.delete, "/user/identities/x", token: access),
        ]
        for reply in refused { #expect(reply.outcome == "403 insufficient_scope", "\(reply.text)") }
        #expect(try await bench.bench.get("/admin/users", token: access).outcome == "403 not_admin")
        // It may end itself.
        #expect(try await bench.bench.post("/logout?scope=local", token: access).status == 204)
        #expect(try await bench.bench.get("/user", token: access).outcome == "403 session_not_found")
        #expect(try await bench.bench.get("/user", token: bench.access).status == 200)
    }

    @Test("R11.7 an ID token opens nothing, and userinfo says what the scopes stand for")
    func userInfo() async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.redeem(bench.code(["scope": "openid profile"]))
        let identity = reply["id_token"]?.stringValue ?? ""
        #expect(try await bench.bench.get("/user", token: identity).outcome == "403 bad_jwt")
        func info(_ token: String) async throws -> HTTPBench.Reply {
            try await bench.bench.send(.get, "/oauth/userinfo", token: token, key: "")
        }
        let profile = try await info(reply["access_token"]?.stringValue ?? "")
        #expect(profile["sub"] == .string(bench.user) && profile["name"] == "Ada")
        #expect(profile["email"] == nil && profile["phone"] == nil, "\(profile.text)")
        let email = try await info(bench.tokens(["scope": "email"]).access)
        #expect(email.json == ["sub": .string(bench.user), "email": "ada@example.com", "email_verified": true])
        // The site's own token was granted nothing by name.
        #expect(try await info(bench.access).json == ["sub": .string(bench.user)])
        #expect(try await info(identity).outcome == "403 bad_jwt")
        #expect(try await bench.bench.send(.get, "/oauth/userinfo", key: "").outcome == "401 no_authorization")
    }
}
