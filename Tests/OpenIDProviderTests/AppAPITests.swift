// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// The app's own API, which takes the provider's access tokens as every other dialect's.
@Suite struct AppAPITests {
    private func api(_ bench: ProviderBench) -> HTTPBench {
        let app = AppAPI(
            accounts: bench.accounts.flows, tokens: bench.provider.tokens, issuers: [bench.provider],
            clock: { bench.now })
        return HTTPBench(clock: bench.accounts.clock, surfaces: app.surfaces, errors: app.errors) {
            app.addRoutes(to: $0, routes: $1, url: ServerURL(ProviderBench.url))
        }
    }

    @Test(
        "R11.1 RFC 9068, section 4: /v1/me takes an access token for this server, and no other token of the provider's")
    func me() async throws {
        let bench = try await ProviderBench()
        let api = api(bench)
        func me(_ token: String?) async throws -> HTTPBench.Reply {
            try await api.send(.get, "/v1/me", headers: ProviderBench.bearer(token))
        }
        let tokens = try await bench.tokens()
        let reply = try await me(tokens["access_token"]?.stringValue)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply["sub"] == .string(bench.user.id.rawValue))
        #expect(try await me(tokens["id_token"]?.stringValue).status == 401)
        #expect(try await me(tokens["refresh_token"]?.stringValue).status == 401)
        #expect(try await me(bench.clientCredentials()["access_token"]?.stringValue).status == 401)
        let elsewhere = try await bench.tokens(nil, nil, ["scope": "notes/read", "resource": "https://api.example"])
        #expect(try await me(elsewhere["access_token"]?.stringValue).status == 401)
        _ = try await bench.post(
            "/oauth2/revoke", [("token", tokens["refresh_token"]?.stringValue ?? "")], headers: bench.basic)
        #expect(try await me(tokens["access_token"]?.stringValue).status == 401)
    }

    @Test("R11.3 what a user gave somebody else's app shows it what was agreed to, and administers nothing")
    func scopes() async throws {
        let bench = try await ProviderBench { $0.authorization.consent = .remembered }
        let api = api(bench)
        let browser = try await bench.signedIn()
        func token(_ scope: String) async throws -> HTTPFields {
            let page = try await browser.authorize(bench.request(nil, ["scope": scope]))
            let id = try #require(page.answer["request"], "\(page.location ?? page.text)")
            var call = bench.accounts.call(actor: .unknown)
            call.dialect = OpenIDProvider.name
            call.client = bench.web
            let cookies = BrowserCookies(url: ProviderBench.url)
            var headers = HTTPFields()
            headers[.cookie] = browser.cookie
            try await bench.accounts.flows.answerConsent(
                PendingAuthorizationID(id), .allow(), browser: cookies.browser(in: headers),
                session: cookies.session(in: headers, of: bench.accounts.directory.id), call: call)
            let back = try await browser.get("/oauth2/authorize/continue?request=" + id)
            let tokens = try await bench.exchange(try #require(back.answer["code"]))
            return ProviderBench.bearer(tokens["access_token"]?.stringValue)
        }
        let little = try await token("openid")
        let reply = try await api.send(.get, "/v1/me", headers: little)
        #expect(reply.status == 200 && reply["email"] == .null && reply["name"] == .null, "\(reply.text)")
        #expect(reply["emailVerified"] == false)
        let more = try await api.send(.get, "/v1/me", headers: try await token("openid email profile"))
        #expect(more["email"] == "ada@example.com" && more["name"] == "Ada Lovelace")
        for (method, path) in [
            (HTTPRequest.Method.get, "/v1/activities"), (.post, "/v1/users/register"), (.get, "/v1/admin/users"),
        ] {
            #expect(try await api.send(method, path, headers: little).status == 403, "\(path)")
        }
    }
}
