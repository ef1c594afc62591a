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

/// OpenID Connect RP-Initiated Logout 1.0.
@Suite struct LogoutTests {
    private func logout(_ browser: Browser, _ form: [(String, String)]) async throws -> HTTPBench.Reply {
        try await browser.get("/oauth2/logout?" + HTTPBench.encoded(form))
    }

    private func isSignedIn(_ browser: Browser, _ bench: ProviderBench) async throws -> Bool {
        try await browser.authorize(bench.request(nil, ["prompt": "none"])).answer["code"] != nil
    }

    @Test(
        "R11.1 RP-Initiated Logout, sections 2 and 3, and H-5: signed out, back at the client, and asked again next time"
    )
    func roundTrip() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let tokens = try await bench.tokens(browser)
        let offline = try await bench.tokens(browser, nil, ["scope": "openid offline_access"])
        let hint = try #require(tokens["id_token"]?.stringValue)
        // It may have expired.
        bench.accounts.advance(by: .hours(3))
        let reply = try await logout(
            browser,
            [("id_token_hint", hint), ("post_logout_redirect_uri", ProviderBench.signOutURI), ("state", "a b&c")])
        #expect(reply.status == 303)
        #expect(reply.location == ProviderBench.signOutURI + "?state=a%20b%26c")
        #expect(reply.headers[.setCookie]?.contains("Max-Age=0") == true)
        #expect(try await !isSignedIn(browser, bench))
        #expect(try await browser.authorize(bench.request()).location?.hasPrefix("/account/sign-in") == true)
        // What was given in the session goes with it, what was given beyond it stays (Core, section 11).
        #expect(try await bench.refresh(tokens["refresh_token"]?.stringValue).outcome == "400 invalid_grant")
        #expect(try await bench.refresh(offline["refresh_token"]?.stringValue).status == 200)
    }

    @Test("R11.1 RP-Initiated Logout, section 2: by POST too, also where the form comes without the browser's cookies")
    func post() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        let form = [("id_token_hint", hint), ("post_logout_redirect_uri", ProviderBench.signOutURI)]
        let bare = try await bench.post("/oauth2/logout", form)
        #expect(bare.status == 303)
        let location = try #require(bare.location)
        #expect(location.hasPrefix("/oauth2/logout?"))
        #expect(try await browser.get(location).location == ProviderBench.signOutURI)
        #expect(try await !isSignedIn(browser, bench))
    }

    @Test("R11.1 RP-Initiated Logout, section 2: without a hint, or with another session's, the user is asked")
    func asks() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let elsewhere = try await bench.tokens()["id_token"]?.stringValue ?? ""
        let client = ("client_id", bench.web.id.rawValue)
        let back = ("post_logout_redirect_uri", ProviderBench.signOutURI)
        for form in [[], [("state", "x")], [back], [client], [client, back], [("id_token_hint", elsewhere), back]] {
            let reply = try await logout(browser, form)
            #expect(reply.status == 200 && reply.location == nil, "\(form.map(\.0))")
            #expect(reply.text.contains("<form method=\"post\""))
            #expect(try await isSignedIn(browser, bench))
        }
        // The page's own form does it.
        let page = try await logout(browser, [client, back, ("state", "x")])
        let done = try await browser.post("/oauth2/logout", Self.fields(of: page))
        #expect(done.location == ProviderBench.signOutURI + "?state=x", "\(done.text)")
        #expect(try await !isSignedIn(browser, bench))
    }

    @Test("R11.5 a form of another browser's, of another site's or with a made-up token signs nobody out")
    func forgery() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let other = try await bench.signedIn()
        _ = try await other.authorize(bench.request())
        _ = try await browser.authorize(bench.request())
        let fields = Self.fields(of: try await logout(other, []))
        let own = Self.fields(of: try await logout(browser, []))
        let attempts = [
            try await browser.post("/oauth2/logout", fields),
            try await browser.post("/oauth2/logout", [(FormToken.field, "made up")]),
            try await logout(browser, own),
            try await browser.post("/oauth2/logout", own, headers: [.origin: "https://evil.example"]),
        ]
        for reply in attempts { #expect(reply.status == 403, "\(reply.text)") }
        #expect(try await isSignedIn(browser, bench))
        #expect(try await browser.post("/oauth2/logout", own).status == 200)
        #expect(try await !isSignedIn(browser, bench))
        #expect(try await isSignedIn(other, bench))
    }

    @Test(
        "R11.1 RP-Initiated Logout, section 3: no redirect but to a place that the client registered for it, letter by letter"
    )
    func places() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        for uri in [
            ProviderBench.signOutURI + "?x=1", ProviderBench.signOutURI + "/", ProviderBench.redirectURI,
            "https://evil.example", "javascript:alert(1)", "//evil.example",
        ] {
            let reply = try await logout(browser, [("id_token_hint", hint), ("post_logout_redirect_uri", uri)])
            #expect(reply.status == 400 && reply.location == nil, "\(uri)")
        }
        let parsed = hint.split(separator: ".")
        let unsigned = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + parsed[1] + "."
        let bad = [unsigned, String(hint.dropLast(10)) + "AAAAAAAAAA", "x", "a.b.c"]
        for hint in bad {
            let reply = try await logout(
                browser, [("id_token_hint", hint), ("post_logout_redirect_uri", ProviderBench.signOutURI)])
            #expect(reply.status == 400 && reply.location == nil)
        }
        let mixed = try await logout(browser, [("id_token_hint", hint), ("client_id", bench.app.id.rawValue)])
        #expect(mixed.status == 400)
        #expect(try await isSignedIn(browser, bench))
        // Without a place to go the page is ours.
        let reply = try await logout(browser, [("id_token_hint", hint)])
        #expect(reply.status == 200 && reply.location == nil)
        #expect(try await !isSignedIn(browser, bench))
        // With nobody signed in there is nothing to ask, and a place that is good is still good.
        let again = try await logout(
            browser, [("client_id", bench.web.id.rawValue), ("post_logout_redirect_uri", ProviderBench.signOutURI)])
        #expect(again.location == ProviderBench.signOutURI)
    }

    /// The hidden fields of a page's form.
    private static func fields(of page: HTTPBench.Reply) -> [(String, String)] {
        page.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst().compactMap { part in
            let pieces = part.split(separator: "\"", maxSplits: 3, omittingEmptySubsequences: false)
            return pieces.count > 2 ? (String(pieces[0]), String(pieces[2])) : nil
        }
    }

    @Test("R11.3 R11.4 where nobody can be sent back, a page leads to where the operator says that the client is")
    func wayBack() async throws {
        let home = "https://app.example/?a=1&b=2"
        let bench = try await ProviderBench { $0.authorization.homeURI = home }
        let link = #"href="https://app.example/?a=1&amp;b=2">Back to Web</a>"#
        let out = try await Browser(bench).get("/oauth2/logout?client_id=" + bench.web.id.rawValue)
        #expect(out.status == 200 && out.text.contains(link), "\(out.text)")
        let browser = Browser(bench)
        for changes in [["redirect_uri": "https://evil.example/"], ["redirect_uri": nil]] as [[String: String?]] {
            let reply = try await browser.authorize(bench.request(nil, changes))
            #expect(reply.status == 400 && reply.location == nil && reply.text.contains(link), "\(reply.text)")
            #expect(!reply.text.contains("evil"))
        }
        for path in ["/oauth2/logout?client_id=nobody", "/oauth2/logout", "/oauth2/authorize?client_id=nobody"] {
            #expect(!(try await browser.get(path)).text.contains("app.example"), "\(path)")
        }
    }
}
