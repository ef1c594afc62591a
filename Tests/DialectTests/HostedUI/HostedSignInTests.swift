// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import OpenIDProvider
import TestBench
import TestBenchHTTP
import Testing

/// The ways into the hosted UI, and what goes back through the browser.
@Suite struct HostedSignInTests {
    @Test("R11.6 who is not signed in is led to the page, and from there back with a code and the state as it was sent")
    func signIn() async throws {
        let bench = try await HostedBench()
        let browser = HostedBrowser(bench)
        let first = try await browser.authorize(bench.request())
        #expect(first.status == 303 && first.page == "/account/sign-in", "\(first.location ?? "")")
        try await bench.signIn(browser)
        let request = try #require(first.answer["request"])
        let back = try await browser.get("/oauth2/authorize/continue", [("request", request)])
        #expect(back.page == HostedBench.redirectURI)
        #expect(back.answer["state"] == "s t&=ä")
        #expect(back.answer["iss"] == bench.issuer)
        let tokens = try await bench.exchange(try #require(back.answer["code"]))
        #expect(tokens.status == 200, "\(tokens.text)")
    }

    @Test("R11.6 a state of any characters comes back as it was sent, once encoded")
    func state() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        for state in [
            "%2B%20", "a+b", "a b", "%", "&=?#", "{\"a\":\"ü\"}", "🦊", "a%2526b", "//evil.example", "'\"<script>",
            String(repeating: "x", count: 2000),
        ] {
            let reply = try await browser.authorize(bench.request(nil, ["state": state]))
            #expect(reply.answer["state"] == state, "\(state.prefix(20))")
        }
        #expect(try await browser.authorize(bench.request(nil, ["state": nil])).answer["state"] == nil)
    }

    @Test(
        "R11.6 each of the service's entrances takes the same request and leads to its page",
        arguments: [
            ("/login", "/account/sign-in"), ("/signup", "/account/sign-up"), ("/forgotPassword", "/account/forgot"),
            ("/confirmUser", "/account/sign-in"), ("/confirm", "/account/sign-in"),
        ])
    func entrances(_ path: String, _ page: String) async throws {
        let bench = try await HostedBench()
        let browser = HostedBrowser(bench)
        let first = try await browser.get(path, bench.request())
        #expect(first.page == page, "\(first.status) \(first.location ?? first.text)")
        try await bench.signIn(browser)
        let back = try await browser.get(
            "/oauth2/authorize/continue", [("request", try #require(first.answer["request"]))])
        #expect(try await bench.exchange(try #require(back.answer["code"])).status == 200)
        // They are app clients' ways in, and of nobody else's.
        let other = try await bench.provider(client: "Other")
        #expect(try await HostedBrowser(bench).get(path, bench.request(other)).status == 400)
        #expect(try await HostedBrowser(bench).get(path).status == 400)
    }

    @Test("R11.6 who is signed in is asked at /login whether they go on, and at /oauth2/authorize is not")
    func signedIn() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        #expect(try await browser.get("/login", bench.request()).page == "/account/choose")
        #expect(try await browser.authorize(bench.request()).answer["code"] != nil)
        #expect(try await browser.get("/signup", bench.request()).page == "/account/sign-up")
        // One session, two app clients.
        #expect(try await browser.authorize(bench.request(bench.app)).answer["code"] != nil)
    }

    @Test("R11.6 prompt is the standard's, and none shows no page")
    func prompt() async throws {
        let bench = try await HostedBench()
        let silent = bench.request(nil, ["prompt": "none", "identity_provider": nil])
        #expect(try await HostedBrowser(bench).authorize(silent).answer["error"] == "login_required")
        let browser = try await bench.signedIn()
        #expect(try await browser.authorize(silent).answer["code"] != nil)
        #expect(try await browser.authorize(bench.request(nil, ["prompt": "login"])).page == "/account/sign-in")
        #expect(try await browser.authorize(bench.request(nil, ["prompt": "select_account"])).page == "/account/choose")
    }

    @Test("R11.6 a request without scope has all of the client's, and one that is unknown is passed over")
    func scopes() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        for (scope, granted) in [
            (nil, HostedBench.scopes), ("openid nonsense email", ["openid", "email"]),
            ("aws.cognito.signin.user.admin email", ["aws.cognito.signin.user.admin"]),
        ] {
            let tokens = try await bench.tokens(browser, nil, ["scope": scope])
            let claims = try await bench.claims(tokens.text("access_token"))
            #expect(Set(claims["scope"]?.stringValue?.split(separator: " ").map(String.init) ?? []) == Set(granted))
            #expect((tokens["id_token"] != nil) == granted.contains("openid"))
        }
        for scope in ["nonsense", "email phone"] {
            let refused = try await browser.authorize(bench.request(nil, ["scope": scope]))
            #expect(refused.page == HostedBench.redirectURI && refused.answer["error"] == "invalid_scope")
        }
    }

    @Test("R11.6 RFC 9700 2.1.2: there is no implicit flow, also for a client that is registered for it")
    func implicit() async throws {
        let bench = try await HostedBench(["AllowedOAuthFlows": ["code", "implicit"]])
        let browser = try await bench.signedIn()
        let refused = try await browser.authorize(bench.request(nil, ["response_type": "token"]))
        #expect(refused.answer["error"] == "unsupported_response_type")
        #expect(refused.answer["access_token"] == nil && refused.answer["state"] == "s t&=ä")
        let alone = try await bench.makeClient(["AllowedOAuthFlows": ["implicit"]])
        let id = try #require(alone["ClientId"]?.stringValue)
        #expect(try await browser.authorize(bench.request(id)).answer["error"] == "unauthorized_client")
    }

    @Test("R11.6 RFC 9700 2.1.1: a client without a secret sends a challenge")
    func challenge() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let without: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        let refused = try await browser.authorize(bench.request(bench.app, without))
        #expect(refused.answer["error"] == "invalid_request")
        let code = try await bench.code(browser, nil, without)
        #expect(try await bench.exchange(code, nil, ["code_verifier": nil]).status == 200)
    }

    @Test("R11.6 before client and place are good there is a page and no redirect, by the service's name for it")
    func mismatch() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        for path in ["/oauth2/authorize", "/login", "/signup", "/forgotPassword", "/confirmUser"] {
            for uri in [
                nil, "https://evil.example/", HostedBench.redirectURI + "/", HostedBench.redirectURI + "?x=1",
                "//app.example/back", HostedBench.signOutURI,
            ] {
                let reply = try await browser.get(path, bench.request(nil, ["redirect_uri": uri]))
                #expect(reply.status == 400 && reply.location == nil, "\(path) \(uri ?? "")")
                #expect(reply.text.contains("redirect_mismatch"), "\(path) \(uri ?? "")")
            }
            let unknown = try await browser.get(path, bench.request("nobody"))
            #expect(unknown.status == 400 && unknown.location == nil)
        }
        let plain = try await bench.makeClient([
            "AllowedOAuthFlowsUserPoolClient": false, "AllowedOAuthFlows": [], "AllowedOAuthScopes": [],
        ])
        let closed = try await browser.authorize(bench.request(try #require(plain["ClientId"]?.stringValue)))
        #expect(closed.status == 400 && closed.location == nil && closed.text.contains("unauthorized_client"))
    }

    @Test("R11.6 a provider that the client does not have signs nobody in, and its name is looked at letter by letter")
    func identityProvider() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        for (name, value) in [
            ("identity_provider", "Google"), ("identity_provider", "cognito"), ("idp_identifier", "example.com"),
        ] {
            let reply = try await browser.authorize(
                bench.request(nil, ["identity_provider": nil]) + [(name, value)])
            #expect(reply.status == 400 && reply.location == nil, "\(name)=\(value)")
        }
        #expect(try await browser.authorize(bench.request(nil, ["identity_provider": nil])).answer["code"] != nil)
        let none = try await bench.makeClient(["SupportedIdentityProviders": []])
        let id = try #require(none["ClientId"]?.stringValue)
        #expect(try await browser.authorize(bench.request(id)).status == 400)
    }

    @Test("R11.6 what the standard has and the service has not is passed over: it is of no effect")
    func unknownParameters() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let reply = try await browser.authorize(
            bench.request() + [
                ("request", "x"), ("claims", "{"), ("id_token_hint", "x"), ("response_mode", "form_post"),
                ("lang", "de"), ("login_hint", "ada"), ("aws_client_metadata", "{}"),
            ])
        #expect(reply.answer["code"] != nil, "\(reply.text)")
        let resource = try await browser.authorize(bench.request() + [("resource", "https://api.example")])
        #expect(resource.answer["error"] == "invalid_target")
    }

    @Test("R11.6 pages of other origins read nothing where browsers are sent to")
    func origins() async throws {
        let bench = try await HostedBench()
        let paths = ["/login", "/signup", "/forgotPassword", "/confirmUser", "/confirm", "/logout", "/error"]
        #expect(Set(bench.provider.ownOrigins).isSuperset(of: paths))
        for path in paths {
            let reply = try await bench.send(.get, path, headers: [.origin: "https://app.example"])
            #expect(reply.headers[.accessControlAllowOrigin] == nil, "\(path)")
        }
    }
}

extension HostedBench {
    /// A client of the provider's own, in the pool's Directory, that may send users to the same place.
    func provider(client name: String) async throws -> String {
        var settings = ClientSettings()
        settings.authorization.isEnabled = true
        settings.authorization.grants = [.code, .refreshToken]
        settings.authorization.redirectURIs = [Self.redirectURI]
        settings.authorization.scopes = Self.scopes
        return try await accounts.flows.clientAdministration.create(
            name: name, withSecret: false, settings: settings, call: accounts.call()
        ).id.rawValue
    }
}
