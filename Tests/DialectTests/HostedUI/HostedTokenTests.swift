// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// What the hosted UI's token endpoint gives and takes back, and where its tokens are good.
@Suite struct HostedTokenTests {
    @Test("R11.6 an access token has the service's claims, its scopes and version 2, and no attributes")
    func access() async throws {
        let bench = try await HostedBench()
        let tokens = try await bench.tokens()
        let claims = try await bench.claims(tokens.text("access_token"))
        #expect(
            Set(claims.names) == [
                "sub", "iss", "iat", "exp", "auth_time", "jti", "origin_jti", "event_id", "token_use", "client_id",
                "username", "scope", "version",
            ])
        #expect(claims["iss"]?.stringValue == bench.issuer && claims["token_use"]?.stringValue == "access")
        #expect(claims["client_id"]?.stringValue == bench.web && claims["username"]?.stringValue == "ada")
        #expect(claims["scope"]?.stringValue == "openid email" && claims["version"]?.integerValue == 2)
        #expect(tokens["expires_in"]?.integerValue == 3600 && tokens.text("token_type") == "Bearer")
        #expect(tokens.headers[.contentType] == "application/json;charset=UTF-8")
        #expect(tokens.headers[.cacheControl] == "no-store")
    }

    @Test("R11.6 an ID token has every attribute that the client may read, the nonce and at_hash")
    func identity() async throws {
        let bench = try await HostedBench()
        let tokens = try await bench.tokens()
        let access = try await bench.claims(tokens.text("access_token"))
        let claims = try await bench.claims(tokens.text("id_token"))
        #expect(claims["aud"]?.stringValue == bench.web && claims["token_use"]?.stringValue == "id")
        #expect(claims["cognito:username"]?.stringValue == "ada" && claims["nonce"]?.stringValue == "n-1")
        #expect(claims["email"]?.stringValue == "ada@example.com" && claims["email_verified"]?.boolValue == true)
        #expect(claims["nickname"]?.stringValue == "Countess" && claims["at_hash"]?.stringValue?.utf8.count == 22)
        for name in ["sub", "origin_jti", "event_id", "auth_time"] { #expect(claims[name] == access[name], "\(name)") }
        let narrow = try await bench.makeClient(["ReadAttributes": ["email"]])
        let id = try #require(narrow["ClientId"]?.stringValue)
        let read = try await bench.claims(try await bench.tokens(nil, id).text("id_token"))
        #expect(read["email"] != nil && read["nickname"] == nil)
    }

    @Test("R11.6 groups are in both tokens")
    func groups() async throws {
        let bench = try await HostedBench()
        let pool = JSONValue.string(bench.poolID)
        _ = try await bench.operation("CreateGroup", ["UserPoolId": pool, "GroupName": "staff"])
        _ = try await bench.operation(
            "AdminAddUserToGroup", ["UserPoolId": pool, "GroupName": "staff", "Username": "ada"])
        let tokens = try await bench.tokens()
        for name in ["access_token", "id_token"] {
            #expect(try await bench.claims(tokens.text(name))["cognito:groups"] == ["staff"])
        }
    }

    @Test("R11.6 a refresh gives the same scopes, no nonce and, where they do not rotate, no other refresh token")
    func refresh() async throws {
        let bench = try await HostedBench()
        let first = try await bench.tokens()
        let signedInAt = try await bench.claims(first.text("id_token"))["auth_time"]
        bench.accounts.advance(by: .minutes(5))
        let next = try await bench.refresh(first.text("refresh_token"))
        #expect(next.status == 200 && next["refresh_token"] == nil, "\(next.text)")
        let claims = try await bench.claims(next.text("id_token"))
        #expect(claims["nonce"] == nil && claims["auth_time"] == signedInAt)
        #expect(try await bench.claims(next.text("access_token"))["scope"]?.stringValue == "openid email")
        let less = try await bench.refresh(first.text("refresh_token"), ["scope": "email"])
        #expect(less["id_token"] == nil)
        #expect(try await bench.claims(less.text("access_token"))["scope"]?.stringValue == "email")
        let more = try await bench.refresh(first.text("refresh_token"), ["scope": "openid phone"])
        #expect(more.outcome == "400 invalid_scope")
        // Also of a client without a secret: its SDKs keep the token that they have.
        let app = try await bench.tokens(nil, bench.app)
        for _ in 0..<3 {
            let again = try await bench.refresh(app.text("refresh_token"), ["client_id": bench.app], headers: [:])
            #expect(again.status == 200 && again["refresh_token"] == nil)
        }
    }

    @Test("R11.6 where an app client's refresh tokens rotate, the next one comes with the tokens")
    func rotation() async throws {
        let bench = try await HostedBench(["RefreshTokenRotation": ["Feature": "ENABLED"]])
        let first = try await bench.tokens()
        let next = try await bench.refresh(first.text("refresh_token"))
        #expect(next["refresh_token"] != nil && next["refresh_token"] != first["refresh_token"])
        _ = try await bench.refresh(next.text("refresh_token"))
        #expect(try await bench.refresh(first.text("refresh_token")).outcome == "400 invalid_grant")
    }

    @Test("R11.6 a refresh token is good at the pool's own operations too, with the scopes that it was given")
    func operations() async throws {
        let bench = try await HostedBench()
        let tokens = try await bench.tokens(nil, bench.app)
        let reply = try await bench.operation(
            "InitiateAuth",
            [
                "ClientId": .string(bench.app), "AuthFlow": "REFRESH_TOKEN_AUTH",
                "AuthParameters": ["REFRESH_TOKEN": .string(tokens.text("refresh_token") ?? "")],
            ])
        let result = reply["AuthenticationResult"]?.objectValue
        let claims = try await bench.claims(result?["AccessToken"]?.stringValue)
        #expect(claims["scope"]?.stringValue == "openid email" && claims["version"]?.integerValue == 2)
        #expect(result?["IdToken"] != nil)
        // And the other way round.
        let signedIn = try await bench.operation(
            "InitiateAuth",
            [
                "ClientId": .string(bench.app), "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(AccountBench.password)],
            ])
        let token = signedIn["AuthenticationResult"]?.objectValue?["RefreshToken"]?.stringValue
        let refreshed = try await bench.refresh(token, ["client_id": bench.app], headers: [:])
        let own = try await bench.claims(refreshed.text("access_token"))
        #expect(own["scope"]?.stringValue == "aws.cognito.signin.user.admin" && own["version"] == nil)
    }

    @Test("R11.6 the pool's operations take an access token with the service's own scope, and no other")
    func scope() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let good = try await bench.tokens(browser, nil, ["scope": "openid aws.cognito.signin.user.admin"])
        let user = try await bench.getUser(good.text("access_token"))
        #expect(user.status == 200 && user.text("Username") == "ada", "\(user.text)")
        let other = try await bench.getUser(try await bench.tokens(browser).text("access_token"))
        #expect(other.status == 400 && other.text("__type") == "NotAuthorizedException")
        #expect(other.text("message") == "Access Token does not have required scopes")
        let password = try await bench.operation(
            "ChangePassword",
            [
                "AccessToken": .string(good.text("access_token") ?? ""),
                "PreviousPassword": .string(AccountBench.password), "ProposedPassword": "Another-horse-9-battery",
            ])
        #expect(password.status == 200, "\(password.text)")
        // It has ended every other session, and this one goes on.
        #expect(try await bench.getUser(good.text("access_token")).status == 200)
    }

    @Test("R11.6 the App API takes what a token was asked for, and everything with the service's own scope alone")
    func appAPI() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let own = try await bench.tokens(browser, nil, ["scope": "openid aws.cognito.signin.user.admin"])
        let me = try await bench.app("/v1/me", own.text("access_token"))
        #expect(me.status == 200 && me.text("email") == "ada@example.com", "\(me.text)")
        #expect(try await bench.app("/v1/activities", own.text("access_token")).status == 200)
        let little = try await bench.tokens(browser, nil, ["scope": "openid"]).text("access_token")
        let shown = try await bench.app("/v1/me", little)
        #expect(shown.status == 200 && shown["email"] == .null && shown["sub"] == me["sub"], "\(shown.text)")
        #expect(try await bench.app("/v1/activities", little).status == 403)
        #expect(try await bench.app("/v1/me", own.text("id_token")).status == 401)
    }

    @Test("R11.6 GlobalSignOut ends the tokens and, where the service leaves it, the browser's session")
    func globalSignOut() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let tokens = try await bench.tokens(browser, nil, ["scope": "openid aws.cognito.signin.user.admin"])
        let out = try await bench.operation(
            "GlobalSignOut", ["AccessToken": .string(tokens.text("access_token") ?? "")])
        #expect(out.status == 200)
        #expect(try await bench.refresh(tokens.text("refresh_token")).outcome == "400 invalid_grant")
        #expect(try await browser.authorize(bench.request()).page == "/account/sign-in")
    }

    @Test("R11.6 RFC 6749 4.1.2: a code works once, for its client, place and verifier; a second use ends the session")
    func codes() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let code = try await bench.code(browser)
        let tokens = try await bench.exchange(code)
        #expect(try await bench.exchange(code).outcome == "400 invalid_grant")
        #expect(try await bench.refresh(tokens.text("refresh_token")).outcome == "400 invalid_grant")
        for (client, changes, headers) in [
            (bench.web, ["redirect_uri": "https://app.example/other"], nil),
            (bench.web, ["code_verifier": String(repeating: "w", count: 64)], nil),
            (bench.app, [:], nil),
            (bench.web, ["code": "x"], nil),
        ] as [(String, [String: String?], HTTPFields?)] {
            let code = try await bench.code(browser)
            let reply = try await bench.exchange(code, client, changes, headers: headers)
            #expect(reply.outcome == "400 invalid_grant", "\(changes)")
        }
    }

    @Test("R11.6 a client's secret comes by header or by form, and a wrong one uses nothing up")
    func secrets() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let code = try await bench.code(browser)
        let wrong = try await bench.exchange(code, headers: HostedBench.basic(bench.web, "wrong"))
        #expect(wrong.outcome == "401 invalid_client" && wrong.headers[.wwwAuthenticate]?.hasPrefix("Basic") == true)
        let none = try await bench.exchange(code, nil, ["client_id": bench.web], headers: [:])
        #expect(none.error == "invalid_client")
        let byForm = try await bench.exchange(
            code, nil, ["client_id": bench.web, "client_secret": bench.secret], headers: [:])
        #expect(byForm.status == 200, "\(byForm.text)")
    }

    @Test("R11.6 an error has the standard's members and the one that an SDK reads in their place")
    func errors() async throws {
        let bench = try await HostedBench()
        for (form, error) in [
            ([:], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
            (["grant_type": "client_credentials"], "unauthorized_client"),
            (["grant_type": "authorization_code"], "invalid_request"),
            (["grant_type": "refresh_token", "refresh_token": "x"], "invalid_grant"),
        ] as [([String: String], String)] {
            let reply = try await bench.post("/oauth2/token", form.map { ($0.key, $0.value) }, headers: bench.basic)
            #expect(reply.outcome == "400 \(error)", "\(form)")
            #expect(reply["error_message"] == reply["error_description"] && reply["error_message"] != nil)
            #expect(reply.headers[.contentType] == "application/json;charset=UTF-8")
        }
    }

    @Test("R11.6 an SDK's page may ask with its own header, and read what comes back")
    func preflight() async throws {
        let bench = try await HostedBench()
        let origin = "https://app.example"
        var headers: HTTPFields = [.origin: origin, .accessControlRequestMethod: "POST"]
        headers[.accessControlRequestHeaders] = "content-type,x-amz-user-agent"
        let asked = try await bench.send(.options, "/oauth2/token", headers: headers)
        #expect(asked.headers[.accessControlAllowHeaders]?.contains("x-amz-user-agent") == true)
        #expect(asked.headers[.accessControlAllowOrigin] == origin)
        let browser = try await bench.signedIn()
        let reply = try await bench.exchange(
            try await bench.code(browser, bench.app), bench.app, headers: [.origin: origin])
        #expect(reply.headers[.accessControlAllowOrigin] == origin)
        let other = try await bench.exchange(
            try await bench.code(browser, bench.app), bench.app, headers: [.origin: "https://evil.example"])
        #expect(other.headers[.accessControlAllowOrigin] == nil)
    }

    @Test(
        "R11.6 RFC 6749 4.4: a client acts for itself by the scopes of resource servers, and its token opens no account"
    )
    func clientCredentials() async throws {
        let bench = try await HostedBench()
        let made = try await bench.makeClient([
            "GenerateSecret": true, "AllowedOAuthFlows": ["client_credentials"], "AllowedOAuthScopes": ["notes/read"],
            "CallbackURLs": [],
        ])
        let id = try #require(made["ClientId"]?.stringValue)
        let credentials = HostedBench.basic(id, made["ClientSecret"]?.stringValue ?? "")
        let reply = try await bench.post(
            "/oauth2/token", [("grant_type", "client_credentials")], headers: credentials)
        #expect(reply.status == 200 && reply["id_token"] == nil && reply["refresh_token"] == nil, "\(reply.text)")
        let claims = try await bench.claims(reply.text("access_token"))
        #expect(claims["sub"]?.stringValue == id && claims["client_id"]?.stringValue == id)
        #expect(claims["scope"]?.stringValue == "notes/read" && claims["version"]?.integerValue == 2)
        #expect(claims["username"] == nil && claims["token_use"]?.stringValue == "access")
        #expect(try await bench.getUser(reply.text("access_token")).status == 400)
        let userInfo = try await bench.send(
            .get, "/oauth2/userInfo", headers: HostedBench.bearer(reply.text("access_token")))
        #expect(userInfo.status == 401)
        for scope in ["openid", "notes/write", "aws.cognito.signin.user.admin"] {
            let refused = try await bench.post(
                "/oauth2/token", [("grant_type", "client_credentials"), ("scope", scope)], headers: credentials)
            #expect(refused.outcome == "400 invalid_scope", "\(scope)")
        }
    }

    @Test(
        "R11.6 RFC 7009: a refresh token is given back once and for all, an access token can't be, and unknown ones are gone"
    )
    func revocation() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let tokens = try await bench.tokens(browser)
        let access = tokens.text("access_token") ?? ""
        func revoke(_ token: String?, headers: HTTPFields? = nil, client: String? = nil) async throws -> String {
            var form = [("token", token ?? "")]
            if let client { form.append(("client_id", client)) }
            return try await bench.post("/oauth2/revoke", form, headers: headers ?? bench.basic).outcome
        }
        #expect(try await revoke(access) == "400 unsupported_token_type")
        #expect(try await revoke("") == "400 invalid_request")
        #expect(try await revoke("x") == "200 ")
        #expect(try await revoke("x", headers: [:], client: bench.web) == "401 invalid_client")
        let foreign = try await bench.tokens(browser, bench.app).text("refresh_token")
        #expect(try await revoke(foreign) == "400 unauthorized_client")
        #expect(try await revoke(foreign, headers: [:], client: bench.app) == "200 ")
        #expect(try await revoke(tokens.text("refresh_token")) == "200 ")
        #expect(try await bench.refresh(tokens.text("refresh_token")).outcome == "400 invalid_grant")
        let info = try await bench.send(.get, "/oauth2/userInfo", headers: HostedBench.bearer(access))
        #expect(info.status == 401)
        let kept = try await bench.makeClient(["EnableTokenRevocation": false])
        let id = try #require(kept["ClientId"]?.stringValue)
        #expect(try await revoke("x", headers: [:], client: id) == "400 invalid_request")
    }

    @Test(
        "R11.6 what the service has not is refused to app clients: pushed requests, introspection, the standard's logout"
    )
    func refused() async throws {
        let bench = try await HostedBench()
        for path in ["/oauth2/par", "/oauth2/introspect"] {
            let reply = try await bench.post(path, bench.request() + [("token", "x")], headers: bench.basic)
            #expect(reply.outcome == "400 unauthorized_client", "\(path)")
        }
        let page = try await bench.send(.get, "/oauth2/logout?client_id=" + bench.web)
        #expect(page.status == 400 && page.location == nil)
    }

    @Test("R11.6 the provider's clients and app clients of one pool get nothing by each other's codes and tokens")
    func isolation() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let other = try await bench.provider(client: "Other")
        let theirs = try await bench.tokens(browser, other, ["identity_provider": nil])
        #expect(try await bench.getUser(theirs.text("access_token")).status == 400)
        #expect(try await bench.refresh(theirs.text("refresh_token")).outcome == "400 invalid_grant")
        let code = try await bench.code(browser)
        #expect(try await bench.exchange(code, other).outcome == "400 invalid_grant")
        let ours = try await bench.tokens(browser, bench.app)
        let refreshed = try await bench.refresh(ours.text("refresh_token"), ["client_id": other], headers: [:])
        #expect(refreshed.outcome == "400 invalid_grant")
        #expect(theirs["iss"] == nil && theirs["error_message"] == nil)
    }

    @Test("R11.6 the pool's metadata names the endpoints that there are, and nothing else")
    func metadata() async throws {
        let bench = try await HostedBench()
        let json = try await bench.document("/\(bench.poolID)/.well-known/openid-configuration").json
        #expect(json["issuer"]?.stringValue == bench.issuer)
        for (name, path) in [
            ("authorization_endpoint", "/oauth2/authorize"), ("token_endpoint", "/oauth2/token"),
            ("userinfo_endpoint", "/oauth2/userInfo"), ("revocation_endpoint", "/oauth2/revoke"),
            ("end_session_endpoint", "/logout"),
        ] {
            #expect(json[name]?.stringValue == HostedBench.url + path)
            #expect(try await bench.send(.put, path).status == 405, "\(path)")
        }
        #expect(json["response_types_supported"] == ["code"])
    }
}
