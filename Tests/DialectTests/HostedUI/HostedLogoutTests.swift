// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@Suite struct HostedLogoutTests {
    @Test("R11.6 /logout signs the browser out, leads to a registered place, and the next request asks again")
    func signOutURL() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let tokens = try await bench.tokens(browser)
        let former = browser.cookie
        let reply = try await browser.get(
            "/logout", [("client_id", bench.web), ("logout_uri", HostedBench.signOutURI)])
        #expect(reply.status == 302 && reply.location == HostedBench.signOutURI)
        #expect(browser.cookie != former)
        #expect(try await browser.authorize(bench.request()).page == "/account/sign-in")
        let silent = bench.request(bench.app, ["prompt": "none", "identity_provider": nil])
        #expect(try await browser.authorize(silent).answer["error"] == "login_required")
        // What clients were given in it has ended with it, where the service lets it go on.
        #expect(try await bench.refresh(tokens.text("refresh_token")).outcome == "400 invalid_grant")
        // The former cookie is worth nothing either.
        var headers = HTTPFields()
        headers[.cookie] = former
        let replayed = try await bench.send(
            .get, "/oauth2/authorize?" + HTTPBench.encoded(silent), headers: headers)
        #expect(replayed.answer["error"] == "login_required")
    }

    @Test("R11.6 /logout with redirect_uri and response_type leads to the sign-in page for the same request")
    func signInAgain() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let reply = try await browser.get("/logout", bench.request())
        #expect(reply.status == 302 && reply.page == "/login", "\(reply.text)")
        #expect(reply.answer["state"] == "s t&=ä")
        let page = try await browser.get(reply.location ?? "")
        #expect(page.page == "/account/sign-in")
        try await bench.signIn(browser)
        let back = try await browser.get(
            "/oauth2/authorize/continue", [("request", try #require(page.answer["request"]))])
        #expect(back.answer["code"] != nil && back.answer["state"] == "s t&=ä")
    }

    @Test("R11.6 a place that the client did not register for it is a page, and nobody is signed out on the way to it")
    func mismatch() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let out = ("logout_uri", HostedBench.signOutURI)
        for query in [
            [out], [("client_id", "nobody"), out], [("client_id", bench.web)],
            [("client_id", bench.web), ("logout_uri", "https://evil.example/")],
            [("client_id", bench.web), ("logout_uri", HostedBench.signOutURI + "/")],
            [("client_id", bench.web), ("logout_uri", HostedBench.redirectURI)],
            [("client_id", bench.web), ("logout_uri", "")], [("client_id", bench.web), out, out],
            [("client_id", bench.web), ("client_id", bench.web), out],
            [("client_id", bench.web), ("redirect_uri", HostedBench.redirectURI)],
            [("client_id", bench.web), ("redirect_uri", HostedBench.signOutURI), ("response_type", "code")],
            [("client_id", bench.web), ("redirect_uri", "//evil.example"), ("response_type", "code")],
            [("client_id", try await bench.provider(client: "Other")), out],
        ] {
            let reply = try await browser.get("/logout", query)
            #expect(reply.status == 400 && reply.location == nil, "\(query)")
            #expect(reply.headers[.contentType] == "text/html; charset=utf-8", "\(query)")
        }
        #expect(try await browser.authorize(bench.request()).answer["code"] != nil)
    }

    @Test("R11.6 whoever is not signed in is led on all the same, and state goes along")
    func nobody() async throws {
        let bench = try await HostedBench()
        let reply = try await HostedBrowser(bench).get(
            "/logout", [("client_id", bench.app), ("logout_uri", HostedBench.signOutURI), ("state", "a b&c")])
        #expect(reply.location == HostedBench.signOutURI + "?state=a%20b%26c")
    }

    @Test("R11.6 /error says what it knows by a name, and nothing that the query says")
    func errorPage() async throws {
        let bench = try await HostedBench()
        let known = try await bench.send(.get, "/error?error=redirect_mismatch&client_id=" + bench.web)
        #expect(known.status == 400 && known.text.contains("redirect_mismatch"))
        for query in [
            "", "?error=Your+account+is+locked.+Call+0800-555-0199", "?error=%3Cscript%3E", "?error=%",
            "?error=a&error=b",
        ] {
            let reply = try await bench.send(.get, "/error" + query)
            #expect(reply.status == 400 && reply.text.contains("invalid_request"), "\(query)")
            #expect(!reply.text.contains("0800-555") && !reply.text.contains("<script"), "\(query)")
        }
    }
}
