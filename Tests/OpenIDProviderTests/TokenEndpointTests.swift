// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// The token endpoint (RFC 6749, section 3.2; OpenID Connect Core, sections 3.1.3 and 12).
@Suite struct TokenEndpointTests {
    @Test("R11.1 RFC 6749, section 5.1, and Core, section 3.1.3.3: a code buys tokens, which nobody may keep")
    func code() async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.tokens()
        #expect(reply.headers[.cacheControl] == "no-store")
        #expect(reply[header: "pragma"] == "no-cache")
        #expect(reply["token_type"] == "Bearer")
        #expect(reply["scope"] == "openid email")
        #expect(reply["expires_in"]?.integerValue == 3600)
        for name in ["access_token", "refresh_token", "id_token"] {
            #expect(reply[name]?.stringValue != nil, "\(name)")
        }
    }

    @Test("R11.1 Core, section 2: the ID token says who signed in, how and when, to the one client, by RS256")
    func idToken() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let signedInAt = bench.now.seconds
        bench.accounts.advance(by: .seconds(50))
        let reply = try await bench.tokens(browser)
        let token = reply["id_token"]?.stringValue
        #expect(try ProviderBench.header(token).algorithm == .rs256)
        #expect(try ProviderBench.header(token).keyID != nil)
        let claims = try await bench.claims(token)
        #expect(claims["iss"] == .string(ProviderBench.url))
        #expect(claims["sub"] == .string(bench.user.id.rawValue))
        #expect(claims["aud"] == .string(bench.web.id.rawValue))
        #expect(claims["nonce"] == "n-1")
        #expect(claims["iat"] == .integer(bench.now.seconds))
        #expect(claims["exp"] == .integer(bench.now.seconds + 3600))
        // Single sign-on is no sign-in.
        #expect(claims["auth_time"] == .integer(signedInAt))
        #expect(claims["acr"] == "aal1" && claims["amr"] == ["pwd"])
        let access = try #require(reply["access_token"]?.stringValue)
        let half = Array(SHA256.hash(data: Array(access.utf8)).prefix(16))
        #expect(claims["at_hash"] == .string(Base64URL.encode(half)))
        #expect(claims["sid"]?.stringValue?.isEmpty == false)
        // Section 5.4: claims of scopes are UserInfo's.
        #expect(claims["email"] == nil)
    }

    @Test("R11.1 RFC 9068, section 2: an access token is of its own type and says whom it is for, and is no ID token")
    func accessToken() async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.tokens()
        let token = reply["access_token"]?.stringValue
        #expect(try ProviderBench.header(token).type == "at+jwt")
        #expect(try ProviderBench.header(token).algorithm == .es256)
        let claims = try await bench.claims(token)
        #expect(claims["iss"] == .string(ProviderBench.url) && claims["aud"] == .string(ProviderBench.url))
        #expect(claims["sub"] == .string(bench.user.id.rawValue))
        #expect(claims["client_id"] == .string(bench.web.id.rawValue))
        #expect(claims["scope"] == "openid email")
        #expect(claims["acr"] == "aal1" && claims["auth_time"] != nil && claims["jti"] != nil)
        #expect(claims["nonce"] == nil && claims["email"] == nil)
        // Each for its own use (RFC 8725, section 3.11).
        let info = try await bench.get(
            "/oauth2/userInfo", headers: ProviderBench.bearer(reply["id_token"]?.stringValue))
        #expect(info.outcome == "401 invalid_token")
        #expect(try await bench.introspect(reply["id_token"]?.stringValue) == ["active": false])
    }

    @Test("R11.1 RFC 6749, section 4.1.2, and C-6: a code used twice is refused, and takes back what it got")
    func usedTwice() async throws {
        let bench = try await ProviderBench()
        let code = try await bench.code(bench.signedIn())
        let first = try await bench.exchange(code)
        let access = first["access_token"]?.stringValue
        #expect(try await bench.introspect(access)["active"] == true)
        #expect(try await bench.exchange(code).outcome == "400 invalid_grant")
        #expect(try await bench.introspect(access) == ["active": false])
        #expect(try await bench.get("/oauth2/userInfo", headers: ProviderBench.bearer(access)).status == 401)
        #expect(try await bench.refresh(first["refresh_token"]?.stringValue).outcome == "400 invalid_grant")
    }

    @Test("R11.1 RFC 6749, section 3.3, and RFC 8707, section 2.2: an exchange names no more than its user has allowed")
    func notWidened() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let wide = try await bench.exchange(bench.code(browser), nil, ["scope": "openid notes/write"])
        #expect(wide["scope"] == "openid email", "\(wide.text)")
        #expect(try await bench.claims(wide["access_token"]?.stringValue)["scope"] == "openid email")
        let elsewhere = try await bench.exchange(bench.code(browser), nil, ["resource": "https://api.example"])
        #expect(elsewhere.outcome == "400 invalid_target")
    }

    @Test("R11.1 RFC 6749, section 10.5: of 50 exchanges of a code at once, one gets tokens")
    func race() async throws {
        let bench = try await ProviderBench()
        let code = try await bench.code(bench.signedIn())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await bench.exchange(code).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 400 } == 49)
    }

    @Test(
        "R11.1 RFC 6749, section 4.1.3, and RFC 7636, section 4.6: a code is good for its client, place, verifier and minute"
    )
    func bound() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let wrong: [[String: String?]] = [
            ["redirect_uri": "https://app.example/other?x=1"], ["code_verifier": String(repeating: "w", count: 64)],
            ["code_verifier": nil], ["code_verifier": "short"], ["code_verifier": String(repeating: "v", count: 5000)],
        ]
        for changes in wrong {
            #expect(
                try await bench.exchange(bench.code(browser), nil, changes).outcome == "400 invalid_grant", "\(changes)"
            )
        }
        #expect(try await bench.exchange(bench.code(browser), bench.app).outcome == "400 invalid_grant")
        let late = try await bench.code(browser)
        bench.accounts.advance(by: .seconds(61))
        #expect(try await bench.exchange(late).outcome == "400 invalid_grant")
        #expect(try await bench.exchange("nonsense").outcome == "400 invalid_grant")
        // Core, section 3.1.3.2.
        #expect(
            try await bench.exchange(bench.code(browser), nil, ["redirect_uri": nil]).outcome == "400 invalid_request")
    }

    @Test("R11.1 RFC 6749, section 5.2: who is not the client is told so, and uses no code up")
    func wrongClient() async throws {
        let bench = try await ProviderBench()
        let code = try await bench.code(bench.signedIn())
        let wrong: [HTTPFields] = [
            [:], ProviderBench.basic(bench.web.id.rawValue, "wrong"), ProviderBench.basic("nobody", bench.secret),
            ProviderBench.basic(bench.web.id.rawValue, ""), [.authorization: "Basic !!!"], [.authorization: "Basic"],
            [.authorization: "Digest x"],
        ]
        for headers in wrong {
            let reply = try await bench.exchange(code, headers: headers)
            #expect(reply.outcome == "401 invalid_client", "\(headers)")
            #expect(reply.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
            #expect(reply.headers[.cacheControl] == "no-store")
        }
        // In the form, where it is registered for the header (Core, section 9).
        let post = try await bench.exchange(
            code, nil, ["client_id": bench.web.id.rawValue, "client_secret": bench.secret], headers: [:])
        #expect(post.outcome == "401 invalid_client")
        // RFC 6749, section 2.3: in one way only.
        let both = try await bench.exchange(code, nil, ["client_secret": bench.secret])
        #expect(both.outcome == "400 invalid_request")
        #expect(
            try await bench.exchange(code, nil, ["client_id": bench.app.id.rawValue]).outcome == "400 invalid_request")
        #expect(try await bench.exchange(code, nil, ["client_id": bench.web.id.rawValue]).status == 200)
    }

    @Test("R11.1 Core, section 9: client_secret_post, and a public client by its name alone")
    func methods() async throws {
        let bench = try await ProviderBench()
        let poster = try await ProviderBench.addClient("Poster", .secretPost, to: bench.accounts)
        let secret = try #require(poster.secrets.first?.text?.reveal())
        let browser = try await bench.signedIn()
        let byForm = try await bench.exchange(
            bench.code(browser, poster), poster, ["client_secret": secret], headers: [:])
        #expect(byForm.status == 200, "\(byForm.text)")
        let byHeader = try await bench.exchange(
            bench.code(browser, poster), poster, headers: ProviderBench.basic(poster.id.rawValue, secret))
        #expect(byHeader.outcome == "401 invalid_client")
        #expect(try await bench.tokens(browser, bench.app)["access_token"] != nil)
    }

    @Test(
        "R11.1 Core, section 12.2: a refreshed ID token is of the same user, sign-in and client, and repeats no nonce")
    func refresh() async throws {
        let bench = try await ProviderBench()
        let first = try await bench.tokens(nil, nil, ["scope": "openid email notes/read"])
        let before = try await bench.claims(first["id_token"]?.stringValue)
        bench.accounts.advance(by: .minutes(30))
        let second = try await bench.refresh(first["refresh_token"]?.stringValue)
        #expect(second.status == 200 && second.headers[.cacheControl] == "no-store", "\(second.text)")
        let after = try await bench.claims(second["id_token"]?.stringValue)
        for name in ["iss", "sub", "aud", "auth_time", "acr", "amr", "sid"] {
            #expect(before[name] == after[name], "\(name)")
        }
        #expect(after["nonce"] == nil && after["iat"] == .integer(bench.now.seconds))
        #expect(second["refresh_token"] != first["refresh_token"])
        // RFC 6749, section 6: for less, and then for all of it again.
        let less = try await bench.refresh(second["refresh_token"]?.stringValue, ["scope": "notes/read"])
        #expect(less["scope"] == "notes/read" && less["id_token"] == nil, "\(less.text)")
        let more = try await bench.refresh(less["refresh_token"]?.stringValue, ["scope": "openid notes/write"])
        #expect(more.outcome == "400 invalid_scope")
        let again = try await bench.refresh(less["refresh_token"]?.stringValue)
        #expect(again["scope"] == "openid email notes/read", "\(again.text)")
        // Another client's (the conformance suite's `oidcc-refresh-token`).
        let foreign = try await bench.refresh(
            again["refresh_token"]?.stringValue, ["client_id": bench.app.id.rawValue], headers: [:])
        #expect(foreign.outcome == "400 invalid_grant")
        #expect(try await bench.refresh("nonsense").outcome == "400 invalid_grant")
    }

    @Test("R11.1 RFC 9700, section 4.14.2: a refresh token left behind long ago ends what came of it")
    func replay() async throws {
        let bench = try await ProviderBench()
        let first = try await bench.tokens()
        var latest = first["refresh_token"]?.stringValue
        for _ in 0..<3 {
            bench.accounts.advance(by: .minutes(10))
            latest = try await bench.refresh(latest)["refresh_token"]?.stringValue
        }
        #expect(try await bench.refresh(first["refresh_token"]?.stringValue).outcome == "400 invalid_grant")
        #expect(try await bench.refresh(latest).outcome == "400 invalid_grant")
    }

    @Test("R11.1 RFC 8707: an access token is for whom it was asked, and for nobody else")
    func resources() async throws {
        let bench = try await ProviderBench()
        let api = "https://api.example/v2"
        let reply = try await bench.tokens(nil, nil, ["scope": "notes/read", "resource": api])
        #expect(reply["id_token"] == nil)
        #expect(try await bench.claims(reply["access_token"]?.stringValue)["aud"] == .string(api))
        let info = try await bench.get(
            "/oauth2/userInfo", headers: ProviderBench.bearer(reply["access_token"]?.stringValue))
        #expect(info.outcome == "401 invalid_token")
        let other = try await bench.refresh(reply["refresh_token"]?.stringValue, ["resource": "https://other.example"])
        #expect(other.outcome == "400 invalid_target")
        // With openid, the provider itself may be asked of the user too.
        let both = try await bench.tokens(nil, nil, ["resource": api])
        #expect(
            try await bench.claims(both["access_token"]?.stringValue)["aud"] == [
                .string(api), .string(ProviderBench.url),
            ])
        #expect(try await bench.introspect(reply["access_token"]?.stringValue)["aud"] == .string(api))
    }

    @Test("R11.1 RFC 6749, section 4.4, and RFC 9700, section 4.15: a client acts for itself, under no user's name")
    func clientCredentials() async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.clientCredentials([("resource", "https://api.example")])
        #expect(reply.status == 200)
        #expect(reply["refresh_token"] == nil && reply["id_token"] == nil)
        #expect(reply["scope"] == "notes/read notes/write")
        let token = reply["access_token"]?.stringValue
        let claims = try await bench.claims(token)
        #expect(claims["sub"] == .string("client:" + bench.web.id.rawValue))
        #expect(claims["aud"] == "https://api.example")
        #expect(claims["sid"] == nil && claims["auth_time"] == nil)
        #expect(try await bench.introspect(token)["active"] == true)
        #expect(try await bench.clientCredentials([("scope", "notes/read")])["scope"] == "notes/read")
        for scope in ["openid", "email", "unknown"] {
            #expect(try await bench.clientCredentials([("scope", scope)]).outcome == "400 invalid_scope", "\(scope)")
        }
        let own = try await bench.clientCredentials()["access_token"]?.stringValue
        let info = try await bench.get("/oauth2/userInfo", headers: ProviderBench.bearer(own))
        #expect(info.outcome == "401 invalid_token")
        let app = try await bench.post(
            "/oauth2/token", [("grant_type", "client_credentials"), ("client_id", bench.app.id.rawValue)])
        #expect(app.outcome == "400 unauthorized_client")
    }

    @Test("R11.1 RFC 6749, section 5.2, and RFC 9700, section 2.4: grants that nobody built or that the client has not")
    func grants() async throws {
        let bench = try await ProviderBench()
        for grant in ["password", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer", "x"] {
            let reply = try await bench.post(
                "/oauth2/token", [("grant_type", grant), ("username", "ada@example.com"), ("password", "x")],
                headers: bench.basic)
            #expect(reply.outcome == "400 unsupported_grant_type", "\(grant)")
        }
        let narrow = try await ProviderBench.addClient("Narrow", .secretBasic, to: bench.accounts) {
            $0.authorization.grants = [.code]
        }
        let headers = ProviderBench.basic(
            narrow.id.rawValue, try #require(narrow.secrets.first?.text?.reveal()))
        for grant in ["refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code"] {
            let reply = try await bench.post(
                "/oauth2/token", [("grant_type", grant), ("refresh_token", "x")], headers: headers)
            #expect(reply.outcome == "400 unauthorized_client", "\(grant)")
        }
        let code = try await bench.code(bench.signedIn(), narrow)
        #expect(try await bench.exchange(code, narrow, headers: headers)["refresh_token"] == nil)
    }

    @Test(
        "R11.1 Core, section 5.5: claims asked for by name are given where they were asked for, as far as the client may"
    )
    func claims() async throws {
        let bench = try await ProviderBench()
        let asked = JSONValue.object([
            "id_token": [
                "email": ["essential": true], "name": .null, "sub": ["value": .string(bench.user.id.rawValue)],
            ], "userinfo": ["picture": .null],
        ]).text
        let reply = try await bench.tokens(nil, nil, ["scope": "openid", "claims": asked])
        let claims = try await bench.claims(reply["id_token"]?.stringValue)
        #expect(claims["email"] == "ada@example.com" && claims["name"] == "Ada Lovelace")
        #expect(claims["sub"] == .string(bench.user.id.rawValue))
        let info = try await bench.get(
            "/oauth2/userInfo", headers: ProviderBench.bearer(reply["access_token"]?.stringValue))
        #expect(Set(info.json.names) == ["sub", "picture"])
    }
}

extension TokenEndpointTests {
    @Test("R11.1 RFC 7523, section 3, and Core, section 9: private_key_jwt, made out to the issuer alone, once")
    func assertion() async throws {
        let bench = try await ProviderBench()
        let key = try SigningKey.generate(.es256, keyID: "k1")
        let published = try #require(key.publicJWK?.publicObject)
        let client = try await ProviderBench.addClient("Signer", .privateKey, to: bench.accounts) {
            $0.authorization.keys = ["keys": [.object(published)]]
        }
        func ask(_ changes: JSONObject = [:], _ further: [(String, String)] = []) async throws -> HTTPBench.Reply {
            let claims: JSONObject = [
                "iss": .string(client.id.rawValue), "sub": .string(client.id.rawValue),
                "aud": .string(ProviderBench.url), "jti": "one", "iat": .integer(bench.now.seconds),
                "exp": .integer(bench.now.seconds + 60),
            ]
            let assertion = try JWS.sign(claims.merging(changes), with: key)
            return try await bench.post(
                "/oauth2/token",
                [
                    ("grant_type", "client_credentials"), ("client_assertion", assertion),
                    ("client_assertion_type", ClientCredentials.assertionType),
                ] + further)
        }
        #expect(try await ask().status == 200)
        #expect(try await ask().outcome == "401 invalid_client")
        for changes: JSONObject in [
            ["jti": "2", "aud": .string(ProviderBench.url + "/oauth2/token")],
            ["jti": "3", "aud": [.string(ProviderBench.url)]], ["jti": "4", "sub": .string(bench.web.id.rawValue)],
            ["jti": "5", "exp": .integer(bench.now.seconds - 60)],
        ] {
            #expect(try await ask(changes).outcome == "401 invalid_client", "\(changes)")
        }
        #expect(try await ask(["jti": "6"], [("client_secret", "x")]).outcome == "400 invalid_request")
        #expect(try await ask(["jti": "7"], [("client_assertion_type", "x")]).outcome == "400 invalid_request")
        #expect(try await ask(["jti": "8"], [("client_id", bench.web.id.rawValue)]).outcome == "401 invalid_client")
        #expect(try await ask(["jti": "9"], [("client_id", client.id.rawValue)]).status == 200)
    }
}
