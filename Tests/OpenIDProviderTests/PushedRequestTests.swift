// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Pushed authorization requests (RFC 9126).
@Suite struct PushedRequestTests {
    private static let path = "/oauth2/par"

    @Test("R11.1 RFC 9126, sections 2 and 4: what is pushed is asked by its name, once, and counts at its answer")
    func pushed() async throws {
        let bench = try await ProviderBench()
        let reply = try await bench.post(Self.path, bench.request(nil, ["client_id": nil]), headers: bench.basic)
        #expect(reply.status == 201 && reply.headers[.cacheControl] == "no-store", "\(reply.text)")
        let uri = try #require(reply["request_uri"]?.stringValue)
        #expect(uri.hasPrefix("urn:ietf:params:oauth:request_uri:"))
        #expect((5...600).contains(reply["expires_in"]?.integerValue ?? 0))
        let form = [("client_id", bench.web.id.rawValue), ("request_uri", uri)]
        // A first visit, with nobody signed in, uses nothing up.
        let browser = Browser(bench)
        #expect(try await browser.authorize(form).location?.hasPrefix("/account/sign-in?") == true)
        try await bench.signIn(browser)
        // What else is said counts for nothing.
        let answer = try await browser.authorize(form + [("scope", "openid phone"), ("state", "other")])
        #expect(answer.answer["state"] == "s t&=ä", "\(answer.text)")
        let tokens = try await bench.exchange(try #require(answer.answer["code"]))
        #expect(tokens["scope"] == "openid email")
        let again = try await browser.authorize(form)
        #expect(again.status == 410 && again.location == nil)
    }

    @Test("R11.5 RFC 9126, section 2.2: another client's, an expired and an invented name are nobody's")
    func foreign() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let reply = try await bench.post(Self.path, bench.request(), headers: bench.basic)
        let uri = try #require(reply["request_uri"]?.stringValue)
        for form in [
            [("client_id", bench.app.id.rawValue), ("request_uri", uri)],
            [("client_id", bench.web.id.rawValue), ("request_uri", uri + "x")],
            [("client_id", bench.web.id.rawValue), ("request_uri", AuthorizeEndpoint.requestURIPrefix)],
        ] {
            let reply = try await browser.authorize(form)
            #expect((400..<500).contains(reply.status) && reply.location == nil, "\(form)")
        }
        // Nobody goes on by it as if a page had stood before it.
        let id = String(uri.dropFirst(AuthorizeEndpoint.requestURIPrefix.count))
        #expect(try await browser.get("/oauth2/authorize/continue?request=" + id).location == nil)
        bench.accounts.advance(by: .seconds(91))
        let late = try await browser.authorize([("client_id", bench.web.id.rawValue), ("request_uri", uri)])
        #expect(late.status == 410 && late.location == nil)
    }

    @Test(
        "R11.1 RFC 9126, section 2.1: who the client is, and all that it asks for, is judged at once, and goes nowhere")
    func refusals() async throws {
        let bench = try await ProviderBench()
        let cases: [([String: String?], String)] = [
            (["redirect_uri": "https://evil.example"], "invalid_request"), (["scope": "x"], "invalid_scope"),
            (["response_type": "token"], "unsupported_response_type"), (["prompt": "none login"], "invalid_request"),
            (["request_uri": "urn:ietf:params:oauth:request_uri:x"], "invalid_request"),
            (["request": "x"], "request_not_supported"), (["resource": "x"], "invalid_target"),
        ]
        for (changes, error) in cases {
            let reply = try await bench.post(Self.path, bench.request(nil, changes), headers: bench.basic)
            #expect(reply.outcome == "400 " + error, "\(changes)")
            #expect(reply.location == nil)
        }
        let wrong = ProviderBench.basic(bench.web.id.rawValue, "x")
        #expect(try await bench.post(Self.path, bench.request(), headers: wrong).outcome == "401 invalid_client")
        #expect(try await bench.get(Self.path).status == 405)
        let long = String(repeating: "x", count: 9000)
        let reply = try await bench.post(Self.path, bench.request(nil, ["state": long]), headers: bench.basic)
        #expect(reply.status == 413)
    }

    @Test("R11.1 RFC 9126, section 6: a client may be registered to ask by pushed requests alone")
    func required() async throws {
        let bench = try await ProviderBench { $0.authorization.requiresPushedRequests = true }
        let browser = try await bench.signedIn()
        #expect(try await browser.authorize(bench.request()).answer["error"] == "invalid_request")
        let reply = try await bench.post(Self.path, bench.request(), headers: bench.basic)
        let uri = try #require(reply["request_uri"]?.stringValue)
        let form = [("client_id", bench.web.id.rawValue), ("request_uri", uri)]
        #expect(try await browser.authorize(form).answer["code"] != nil)
    }
}
