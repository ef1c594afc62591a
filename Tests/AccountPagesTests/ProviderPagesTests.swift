// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

/// Signing in on the pages by another provider's word.
@Suite struct ProviderPagesTests {
    private static let back = "/account/provider/return"

    private static func bench(_ wanted: [String] = []) async throws -> (PagesBench, ScriptedIdentityProviders) {
        let upstream = ScriptedIdentityProviders()
        let bench = try await PagesBench(identityProviders: upstream)
        for (name, kind, isEnabled) in [
            ("google", .google, true), ("custom:acme", .openID, true), ("github", .github, false),
        ] as [(String, IdentityProvider.Kind, Bool)] {
            let base = bench.base
            let provider = IdentityProvider(
                id: base.ports.random.identifier(), directoryID: base.directory.id, name: name, kind: kind,
                displayName: kind == .openID ? "Acme <Corp>" : nil,
                issuer: kind == .openID ? "https://acme.example" : nil, clientIDs: ["client"], isEnabled: isEnabled,
                createdAt: base.now, updatedAt: base.now)
            try await base.ports.store.write { try $0.insert(provider) }
        }
        if !wanted.isEmpty {
            _ = try await bench.base.flows.clientAdministration.update(
                bench.app.id, call: bench.base.call(actor: .administrator("test"))
            ) { $0.authorization.identityProviders = wanted }
        }
        return (bench, upstream)
    }

    private static func proof(_ bench: PagesBench, _ email: String) throws -> FederatedProof {
        FederatedProof(
            provider: "google", issuer: "https://accounts.google.com", subject: "subject-of-" + email,
            audience: "client", email: try EmailAddress(email), isEmailVouched: true,
            expiresAt: bench.base.now + .hours(1))
    }

    private static func links(_ page: PagesBrowser.Page) -> [(text: String, url: String)] {
        PageMarkup(page.text).all("a").compactMap { tag in
            tag.attributes["href"].flatMap { $0.contains("/provider?") ? (tag.content, $0) : nil }
        }
    }

    /// Presses the provider's button: what the provider is asked with.
    private static func leave(
        _ browser: PagesBrowser, _ page: PagesBrowser.Page, _ upstream: ScriptedIdentityProviders
    ) async throws -> UpstreamRequest {
        let link = try #require(links(page).first { $0.url.contains("google") }, "\(page.text)")
        let answer = try await browser.get(link.url)
        let request = try #require(upstream.requests.last)
        #expect(answer.status == 303 && answer.location?.hasPrefix("https://google.example/authorize?") == true)
        #expect(request.redirectURI == PagesBench.url + back)
        return request
    }

    @Test(
        "R12.6 R12.2 a button leads to the provider, and whoever comes back with its word is on the way to the app again"
    )
    func signIn() async throws {
        let (bench, upstream) = try await Self.bench()
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser, AuthorizationParameters(loginHint: "ada@example.com"))
        let page = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        #expect(Self.links(page).map(\.text) == ["Continue with Acme <Corp>", "Continue with Google"])
        let request = try await Self.leave(browser, page, upstream)
        #expect(request.loginHint == "ada@example.com")
        upstream.vouch(try Self.proof(bench, "ada@example.com"), by: "good")
        let done = try await browser.get(Self.back + "?state=\(request.state)&code=good")
        #expect(done.status == 303, "\(done.text)")
        #expect(done.location == "/oauth2/authorize/continue?request=\(pending.id.rawValue)")
        #expect(browser.isSignedIn && upstream.answers.last?.redirectURI == PagesBench.url + Self.back)
        #expect(try await browser.open("/account").text.contains("ada@example.com"))
        // Once: the answer is worth nothing a second time, and the page says how one goes on.
        let again = try await browser.get(Self.back + "?state=\(request.state)&code=good")
        #expect(again.status == 410 && again.text.contains("Start again"))
    }

    @Test("R12.6 without an app the account follows, and on the way to a device or a page of the account that")
    func alone() async throws {
        let (bench, upstream) = try await Self.bench()
        upstream.vouch(try Self.proof(bench, "ada@example.com"), by: "good")
        for (start, end) in [
            ("/account/sign-in", "/account"),
            ("/account/sign-in?user_code=WDJB-MJHT", "/account/device?user_code=WDJB-MJHT"),
            ("/account/sign-in?then=sessions", "/account/sessions"),
            ("/account/sign-in?then=factors%2Fremove~abc", "/account/factors/remove?item=abc"),
        ] {
            let browser = bench.browser()
            let request = try await Self.leave(browser, try await browser.get(start), upstream)
            if start.contains("then=") {
                let refused = try await browser.get(Self.back + "?state=\(request.state)&error=access_denied")
                #expect(refused.location?.hasPrefix(start + "&refused=") == true, "\(refused.location ?? refused.text)")
                let again = try await browser.get(try #require(refused.location))
                let request = try await Self.leave(browser, again, upstream)
                let done = try await browser.get(Self.back + "?state=\(request.state)&code=good")
                #expect(done.location == end && browser.isSignedIn, "\(start) \(done.text)")
                continue
            }
            let done = try await browser.get(Self.back + "?state=\(request.state)&code=good")
            #expect(done.location == end && browser.isSignedIn, "\(start) \(done.text)")
        }
    }

    @Test(
        "R12.6 a no, an outage and a word that is not good are said where the ways in are, and the app is not forgotten"
    )
    func refused() async throws {
        let (bench, upstream) = try await Self.bench()
        upstream.refuse("bad", with: .identityTokenInvalid)
        upstream.refuse("down", with: .identityProviderUnavailable)
        for (answer, text) in [
            ("error=access_denied", "cancelled"), ("code=bad", nil), ("code=down", nil), ("error=server_error", nil),
            ("", nil), ("code=a&error=b", nil),
        ] as [(String, String?)] {
            let browser = bench.browser()
            let pending = try await bench.pend(in: browser)
            let page = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
            let request = try await Self.leave(browser, page, upstream)
            let said = try await browser.open(Self.back + "?state=\(request.state)&" + answer)
            #expect(said.status == 200 && said.title.hasPrefix("Error: "), "\(answer) \(said.text)")
            #expect(said.url.contains(pending.id.rawValue) && Self.links(said).count == 2, "\(answer)")
            if let text { #expect(said.text.contains(text), "\(said.text)") }
            #expect(!browser.isSignedIn)
        }
        let browser = bench.browser()
        for name in ["github", "nobody", "", "%3Cimg%3E", "COGNITO"] {
            let page = try await browser.open("/account/provider?name=" + name)
            #expect(page.url.hasPrefix("/account/sign-in") && page.title.hasPrefix("Error: "), "\(name)")
        }
        #expect(try await browser.get("/account/provider?name=google&name=google").status == 400)
        // The page says what it knows by a name, and nothing else.
        let made = try await browser.get("/account/sign-in?refused=Call%20555")
        #expect(!made.text.contains("555") && !made.title.hasPrefix("Error: "))
    }

    @Test("R12.6 R11.5 what one browser was sent away with is worth nothing in another, nor late, nor altered")
    func foreign() async throws {
        let (bench, upstream) = try await Self.bench()
        upstream.vouch(try Self.proof(bench, "ada@example.com"), by: "good")
        let browser = bench.browser()
        let request = try await Self.leave(browser, try await browser.get("/account/sign-in"), upstream)
        let other = bench.browser()
        _ = try await other.get("/account/sign-in")
        for (who, state) in [
            (other, request.state), (bench.browser(), request.state), (browser, "x"), (browser, ""),
            (browser, request.state + "x"), (browser, String(repeating: "x", count: 3000)),
        ] {
            let page = try await who.get(Self.back + "?state=\(state)&code=good")
            #expect(page.status == 410 && page.location == nil && !who.isSignedIn, "\(state.prefix(40))")
        }
        #expect(upstream.answers.isEmpty, "the provider was not asked")
        bench.base.clock.advance(by: .minutes(11))
        #expect(try await browser.get(Self.back + "?state=\(request.state)&code=good").status == 410)
    }

    @Test(
        "R12.6 R46 a form that the provider's page posts comes without cookies: it is gone on with by a link, and renames nobody"
    )
    func formPost() async throws {
        let (bench, upstream) = try await Self.bench()
        upstream.vouch(try Self.proof(bench, "ada@example.com"), by: "good")
        let browser = bench.browser()
        let request = try await Self.leave(browser, try await browser.get("/account/sign-in"), upstream)
        let posted = try await bench.browser().send(
            .post, Self.back, ["state": request.state, "code": "good", "user": "{}", "other": "https://evil.example"],
            with: [.origin: "https://google.example"])
        #expect(posted.status == 303 && posted.headers[.setCookie] == nil)
        let target = try #require(posted.location)
        #expect(target.hasPrefix(Self.back + "?") && !target.contains("evil"))
        #expect(try await browser.get(target).location == "/account" && browser.isSignedIn)
    }

    @Test("R12.6 an app that names providers offers those, and no others lead away from its page")
    func wanted() async throws {
        let (bench, _) = try await Self.bench(["google", "github"])
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser)
        let query = "?request=\(pending.id.rawValue)"
        #expect(Self.links(try await browser.get("/account/sign-in" + query)).map(\.text) == ["Continue with Google"])
        let page = try await browser.open("/account/provider\(query)&name=custom:acme")
        #expect(page.url.hasPrefix("/account/sign-in") && page.title.hasPrefix("Error: "))
        #expect(Self.links(try await browser.get("/account/sign-in")).count == 2)
    }
}
