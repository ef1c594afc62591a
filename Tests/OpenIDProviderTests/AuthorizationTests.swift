// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// The authorization endpoint (OpenID Connect Core, section 3.1.2; RFC 6749, section 4.1).
@Suite struct AuthorizationTests {
    @Test(
        "R11.1 Core, section 3.1.2.1: asked by GET and by POST, the answer is a code, the state as it came, and who says it"
    )
    func answer() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let byGet = try await browser.authorize(bench.request())
        let byPost = try await browser.post("/oauth2/authorize", bench.request())
        for reply in [byGet, byPost] {
            #expect(reply.status == 303)
            #expect(reply.location?.hasPrefix(ProviderBench.redirectURI + "?code=") == true, "\(reply.text)")
            #expect(reply.answer["state"] == "s t&=ä")
            #expect(reply.answer["iss"] == ProviderBench.url)
            #expect(reply.headers[.cacheControl] == "no-store")
        }
        #expect(byGet.answer["code"] != byPost.answer["code"])
    }

    @Test("R11.1 a form of another site's comes without cookies, so the browser is sent by a link to the same request")
    func crossSiteForm() async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.post("/oauth2/authorize", bench.request())
        #expect(reply.status == 303)
        let location = try #require(reply.location)
        #expect(location.hasPrefix("/oauth2/authorize?response_type=code&"))
        let browser = try await bench.signedIn()
        #expect(try await browser.get(location).answer["code"] != nil)
    }

    @Test(
        "R11.1 Core, section 3.1.2.3: with nobody signed in the browser is sent to a page, and comes back by its name alone"
    )
    func page() async throws {
        let bench = try await ProviderBench()
        let browser = Browser(bench)
        let reply = try await browser.authorize(bench.request())
        #expect(reply.status == 303)
        let id = try #require(reply.answer["request"])
        #expect(reply.location == "/account/sign-in?request=" + id)
        #expect(browser.cookie?.contains("__Host-") == true)
        try await bench.signIn(browser)
        let back = try await browser.get("/oauth2/authorize/continue?request=" + id)
        #expect(back.answer["code"] != nil, "\(back.text)")
        #expect(back.answer["state"] == "s t&=ä")
        // An answer is given once.
        #expect(try await browser.get("/oauth2/authorize/continue?request=" + id).status == 410)
    }

    @Test("R11.5 what one browser has begun no other can go on with, and what nobody began is nobody's")
    func foreignBrowser() async throws {
        let bench = try await ProviderBench()
        let browser = Browser(bench)
        let id = try #require(try await browser.authorize(bench.request()).answer["request"])
        let other = try await bench.signedIn()
        for text in [id, "nobody", "", String(repeating: "a", count: 2000)] {
            let reply = try await other.get("/oauth2/authorize/continue?request=" + text)
            #expect((400..<500).contains(reply.status))
            #expect(reply.location == nil)
            #expect(reply.headers[.contentType] == "text/html; charset=utf-8")
        }
        #expect(try await other.get("/oauth2/authorize/continue?request=\(id)&request=\(id)").status == 400)
    }

    @Test("R11.1 Core, section 3.1.2.1: prompt=none shows no page, but says what one would be for")
    func silent() async throws {
        let bench = try await ProviderBench { $0.authorization.consent = .remembered }
        let state = String(repeating: "x", count: 128)
        let silent: [String: String?] = ["prompt": "none", "state": state]
        let nobody = try await Browser(bench).authorize(bench.request(nil, silent))
        #expect(nobody.answer["error"] == "login_required")
        #expect(nobody.answer["state"] == state)
        #expect(nobody.answer["iss"] == ProviderBench.url)
        #expect(nobody.answer["code"] == nil)
        let browser = try await bench.signedIn()
        #expect(try await browser.authorize(bench.request(nil, silent)).answer["error"] == "consent_required")
    }

    @Test("R11.1 Core, section 3.1.2.1: prompt=login, max_age=0 and select_account show a page to whoever is signed in")
    func prompts() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        bench.accounts.advance(by: .seconds(100))
        for (changes, page) in [
            (["prompt": "login"], "sign-in"), (["max_age": "0"], "sign-in"), (["max_age": "99"], "sign-in"),
            (["prompt": "select_account"], "choose"), (["prompt": "consent"], "consent"),
            (["prompt": "create"], "sign-up"),
        ] {
            let reply = try await browser.authorize(bench.request(nil, changes.mapValues { $0 }))
            #expect(
                reply.location?.hasPrefix("/account/\(page)?request=") == true, "\(changes): \(reply.location ?? "")")
        }
        #expect(try await browser.authorize(bench.request(nil, ["max_age": "10000"])).answer["code"] != nil)
        let stale = try await browser.authorize(bench.request(nil, ["prompt": "none", "max_age": "10"]))
        #expect(stale.answer["error"] == "login_required")
    }

    @Test(
        "R11.1 Multiple Response Types, section 2.1, and Form Post, section 2: the answer comes the way it was asked for"
    )
    func modes() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let fragment = try await browser.authorize(bench.request(nil, ["response_mode": "fragment"]))
        #expect(fragment.location?.hasPrefix(ProviderBench.redirectURI + "#code=") == true)
        #expect(fragment.answer["iss"] == ProviderBench.url)
        let query = try await browser.authorize(
            bench.request(nil, ["redirect_uri": "https://app.example/other?x=1"]))
        #expect(query.location?.hasPrefix("https://app.example/other?x=1&code=") == true)
        let page = try await browser.authorize(
            bench.request(nil, ["response_mode": "form_post", "state": #"<"'&> ü"#]))
        #expect(page.status == 200)
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(page.text.contains(#"action="https://app.example/back""#))
        #expect(page.text.contains(#"name="state" value="&lt;&quot;&#39;&amp;&gt; ü""#))
        // As it is, and not encoded for a URL as well.
        #expect(page.text.contains(#"name="iss" value="https://id.example""#))
        #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'sha256-") == true)
        #expect(page.headers[.contentSecurityPolicy]?.contains("form-action") == false)
        let refused = try await Browser(bench).authorize(
            bench.request(nil, ["response_mode": "form_post", "prompt": "none"]))
        #expect(refused.text.contains(#"name="error" value="login_required""#))
    }

    @Test("R11.1 RFC 9700, section 4.11: before client and redirect URI are good, there is a page and no redirect")
    func noRedirect() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let uri = ProviderBench.redirectURI
        let cases: [[String: String?]] = [
            ["client_id": nil], ["client_id": "nobody"], ["client_id": ""],
            ["client_id": String(repeating: "c", count: 3000)], ["redirect_uri": nil], ["redirect_uri": ""],
            ["redirect_uri": uri + "/more"], ["redirect_uri": uri + "?x=1"], ["redirect_uri": uri + "#x"],
            ["redirect_uri": uri.uppercased()], ["redirect_uri": "https://app.example:443/back"],
            ["redirect_uri": "https://app.example@evil.example/back"], ["redirect_uri": "//evil.example"],
            ["redirect_uri": "javascript:alert(1)"], ["redirect_uri": "http://localhost/back"],
            ["redirect_uri": "https://app.example/back/../other"], ["redirect_uri": "https://app.example/b%61ck"],
        ]
        for changes in cases {
            let form = bench.request(nil, changes)
            for reply in [try await browser.authorize(form), try await browser.post("/oauth2/authorize", form)] {
                #expect(reply.status == 400, "\(changes)")
                #expect(reply.location == nil, "\(changes)")
                #expect(reply.headers[.contentType] == "text/html; charset=utf-8")
                #expect(!reply.text.contains("evil"))
            }
        }
        for name in ["client_id", "redirect_uri"] {
            let twice = bench.request() + [(name, name == "client_id" ? bench.web.id.rawValue : uri)]
            #expect(try await browser.authorize(twice).location == nil)
        }
        // RFC 8252, section 7.3: of a loopback address the port is the app's to choose.
        let loopback = try await browser.authorize(
            bench.request(bench.app, ["redirect_uri": "http://127.0.0.1:51234/back"]))
        #expect(loopback.location?.hasPrefix("http://127.0.0.1:51234/back?code=") == true)
    }

    @Test(
        "R11.1 Core, section 3.1.2.6: what is wrong with a request is told to the client, with its state and our name")
    func refusals() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let cases: [([String: String?], String)] = [
            (["response_type": nil], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
            (["response_type": "code id_token"], "unsupported_response_type"),
            (["response_mode": "jwt"], "invalid_request"), (["prompt": "none login"], "invalid_request"),
            (["prompt": "magic"], "invalid_request"), (["max_age": "-1"], "invalid_request"),
            (["max_age": "soon"], "invalid_request"), (["max_age": "99999999999999999999"], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"), (["code_challenge": nil], "invalid_request"),
            (["claims": "{"], "invalid_request"), (["claims": #"{"userinfo":1}"#], "invalid_request"),
            (["claims": #"{"id_token":{"email":7}}"#], "invalid_request"),
            (["claims": "[" + String(repeating: "[", count: 1000)], "invalid_request"),
            (["resource": "not a uri"], "invalid_target"), (["resource": "https://other.example"], "invalid_target"),
            (["request": "eyJhbGciOiJub25lIn0.e30."], "request_not_supported"),
            (["request_uri": "https://evil.example/request"], "request_uri_not_supported"),
            (["registration": "{}"], "registration_not_supported"),
            (["id_token_hint": "nonsense"], "invalid_request"), (["scope": nil], "invalid_scope"),
            (["scope": "unknown"], "invalid_scope"),
        ]
        for (changes, error) in cases {
            let reply = try await browser.authorize(bench.request(nil, changes))
            #expect(reply.status == 303, "\(changes) \(reply.text)")
            #expect(reply.location?.hasPrefix(ProviderBench.redirectURI + "?") == true, "\(changes)")
            #expect(reply.answer["error"] == error, "\(changes)")
            #expect(reply.answer["state"] == "s t&=ä", "\(changes)")
            #expect(reply.answer["iss"] == ProviderBench.url, "\(changes)")
            #expect(reply.answer["code"] == nil, "\(changes)")
            // RFC 6749, section 4.1.2.1.
            let text = reply.answer["error_description"] ?? ""
            #expect(text.utf8.allSatisfy { (32...126).contains($0) && $0 != 0x22 && $0 != 0x5C }, "\(text)")
        }
        for name in ["scope", "state", "nonce", "response_type", "prompt", "unheard_of"] {
            let reply = try await browser.authorize(bench.request() + [(name, "a"), (name, "b")])
            #expect(reply.answer["error"] == "invalid_request", "\(name)")
            #expect(name != "state" || reply.answer["state"] == nil)
        }
    }

    @Test("R11.1 Core, sections 3.1.2.1 and 15.1: what is only a wish, or unknown, is never an error")
    func wishes() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        for (name, value) in [
            ("display", "popup"), ("ui_locales", "de-CH fr xx-!"), ("claims_locales", "de"),
            ("login_hint", "x\u{0}\"<"),
            ("login_hint", String(repeating: "h", count: 2000)), ("acr_values", "urn:gold aal9"), ("unheard_of", "1"),
            ("nonce", ""), ("claims", #"{"userinfo":{"no_such":{"essential":true}},"id_token":null,"other":1}"#),
            ("scope", "openid unknown email"),
        ] {
            let reply = try await browser.authorize(bench.request(nil, [name: value]))
            #expect(reply.answer["code"] != nil, "\(name)=\(value): \(reply.location ?? reply.text)")
        }
        let long = String(repeating: "%C3%BC", count: 600)
        #expect(
            try await browser.get(
                "/oauth2/authorize?" + HTTPBench.encoded(bench.request(nil, ["state": nil])) + "&state=" + long
            ).answer["state"]?.count == 600)
    }

    @Test("R11.1 Core, section 3.1.2.1: id_token_hint names who is to be signed in, also by a token that has expired")
    func hint() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let token = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        bench.accounts.advance(by: .hours(2))
        let same = try await browser.authorize(bench.request(nil, ["prompt": "none", "id_token_hint": token]))
        #expect(same.answer["code"] != nil, "\(same.location ?? "")")
        _ = try await ProviderBench.addUser("grace@example.com", to: bench.accounts)
        let other = try await bench.signedIn("grace@example.com")
        let refused = try await other.authorize(bench.request(nil, ["prompt": "none", "id_token_hint": token]))
        #expect(refused.answer["error"] == "login_required")
        // An access token is none, nor is one of which a letter was changed.
        let access = try await bench.tokens(browser)["access_token"]?.stringValue
        for wrong in [access ?? "", String(token.dropLast(8)) + "AAAAAAAA"] {
            let reply = try await browser.authorize(bench.request(nil, ["id_token_hint": wrong]))
            #expect(reply.answer["error"] == "invalid_request")
        }
    }

    @Test("R11.1 Core, sections 3.1.2.2 and 5.5.1: nobody is answered for but the sub that claims names")
    func namedSubject() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let token = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        let subject = try #require(try await bench.claims(token)["sub"]?.stringValue)
        _ = try await ProviderBench.addUser("grace@example.com", to: bench.accounts)
        let other = try await bench.signedIn("grace@example.com")
        func claims(_ sub: JSONObject) -> String {
            JSONValue.object(["id_token": ["sub": .object(sub)]]).text
        }
        for sub in [["value": .string(subject)], ["values": [.string(subject)], "essential": true]] as [JSONObject] {
            let same = try await browser.authorize(bench.request(nil, ["prompt": "none", "claims": claims(sub)]))
            #expect(same.answer["code"] != nil, "\(same.location ?? "")")
            let silent = try await other.authorize(bench.request(nil, ["prompt": "none", "claims": claims(sub)]))
            #expect(silent.answer["error"] == "login_required" && silent.answer["code"] == nil)
            let asked = try await other.authorize(bench.request(nil, ["claims": claims(sub)]))
            #expect(asked.answer["error"] == "login_required", "\(asked.location ?? "")")
            let nobody = try await Browser(bench).authorize(bench.request(nil, ["claims": claims(sub)]))
            #expect(nobody.location?.hasPrefix("/account/sign-in?request=") == true, "\(nobody.location ?? "")")
        }
        // Any will do where none is named.
        #expect(
            try await other.authorize(bench.request(nil, ["claims": claims(["essential": true])])).answer["code"] != nil
        )
        let bad: [JSONObject] = [["value": 1], ["value": ""], ["values": [.string(subject), "another"]]]
        for sub in bad {
            let reply = try await browser.authorize(bench.request(nil, ["claims": claims(sub)]))
            #expect(reply.answer["error"] == "invalid_request", "\(sub)")
        }
        let both = try await browser.authorize(
            bench.request(nil, ["id_token_hint": token, "claims": claims(["value": "another"])]))
        #expect(both.answer["error"] == "invalid_request")
    }

    @Test("R11.1 RFC 9700, section 2.1.1: a public client must send a challenge, one with a secret may do without")
    func challenge() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let none: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        #expect(try await browser.authorize(bench.request(bench.app, none)).answer["error"] == "invalid_request")
        let code = try await bench.code(browser, nil, none)
        // RFC 9700, section 4.8.2: and then a verifier is refused.
        #expect(try await bench.exchange(code).outcome == "400 invalid_grant")
        let other = try await bench.code(browser, nil, none)
        let reply = try await bench.post(
            "/oauth2/token",
            [("grant_type", "authorization_code"), ("code", other), ("redirect_uri", ProviderBench.redirectURI)],
            headers: bench.basic)
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test("R11.1 a client that may not send users here is told so, and one that was switched off sends nobody anywhere")
    func clientsRights() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let machine = try await ProviderBench.addClient("Machine", .secretBasic, to: bench.accounts) {
            $0.authorization.grants = [.clientCredentials]
        }
        #expect(try await browser.authorize(bench.request(machine)).answer["error"] == "unauthorized_client")
        let off = try await ProviderBench.addClient("Off", .secretBasic, to: bench.accounts) {
            $0.authorization.isEnabled = false
        }
        #expect(try await browser.authorize(bench.request(off)).location == nil)
    }
}
