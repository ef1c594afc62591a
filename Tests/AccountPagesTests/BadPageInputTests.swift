// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import AccountPages

/// What is sent to pages by other means than their own forms.
@Suite struct BadPageInputTests {
    private static let long = String(repeating: "x", count: 6000)

    private func require(_ page: PagesBrowser.Page, _ browser: PagesBrowser, _ what: String) {
        #expect(page.status < 500, "\(what): \(page.status)")
        #expect(!browser.isSignedIn, "\(what)")
        if let location = page.location {
            #expect(page.status == 303, "\(what)")
            #expect(
                location.hasPrefix("/account") || location.hasPrefix("/oauth2/authorize/continue?"),
                "\(what): \(location)")
        }
        #expect(!page.text.contains("<img"), "\(what)")
        #expect(!page.text.contains(Self.long), "\(what)")
    }

    @Test(
        "R11.5 no page answers bad input with a failure of the server's, a session, or a redirect elsewhere",
        arguments: [
            "/account", "/directories/default/account", "/directories/nobodys/account", "/directories/..%2f/account",
        ])
    func everyRoute(prefix: String) async throws {
        let bench = try await PagesBench {
            let many = DirectorySettings.Rate(count: 100_000, seconds: 60)
            ($0.limits.signIn, $0.limits.signUp, $0.limits.verify, $0.limits.oneTimeToken) = (many, many, many, many)
        }
        try await bench.makeUser("ada@example.com")
        let other = bench.browser()
        let pending = try await bench.pend(in: other)
        let queries = [
            "", "?request=", "?request=x", "?request=\(pending.id.rawValue)", "?request=a&request=b", "?%zz",
            "?request=%ff",
            "?request=//evil.test", "?language=\(Self.long)", "?language=de%0d%0aX:1", "?ui_locales=%00", "?ticket=",
            "?ticket=AAAA", "?ticket=\(Self.long)", "?then=//evil.test", "?then=email",
            "?then=factors%2Fremove~\(Self.long)",
            "?item=\(Self.long)", "?factor=\(Self.long)&challenge=\(Self.long)", "?factor=backup&challenge=x",
            "?refused=nothing&kind=totp", "?token=x&purpose=sign_up", "?token=&purpose=", "?purpose=recovery",
            "?token=\(Self.long)&purpose=recovery", "?notice=%3Cimg%3E", "?next=https://evil.test",
            "?a=" + Self.long + Self.long,
        ]
        let bodies = [
            "", "%", "identifier=ada@example.com", "identifier=a&identifier=b",
            "formToken=x&identifier=%3Cimg%20src%3Dx%3E",
            "formToken=&password=\(Self.long)",
            "identifier=ada%40example.com&password=\(AccountBench.password)&formToken=AAAA",
            "answer=%7B%7D&challenge=x", "answer=\(Self.long)", "code=\(Self.long)", "factor=\(Self.long)",
            "kind=totp&address=\(Self.long)",
            "provider=google", "name=%ff",
            "answer=allow", "answer=maybe&formToken=x", "session=x&app=y", "token=x", "{}",
            "\u{0}",
            "a=" + Self.long + Self.long,
        ]
        for route in Route.all {
            let browser = bench.browser()
            if prefix == "/account" { _ = try await browser.get("/account/sign-in") }
            for query in queries {
                let path = prefix + route.path + query
                if route.method == .get {
                    require(try await browser.get(path), browser, "GET \(path.prefix(80))")
                } else {
                    let isPlain = query.isEmpty || query.hasSuffix(pending.id.rawValue)
                    for body in isPlain ? bodies : ["identifier=ada%40example.com&formToken=x"] {
                        let page = try await browser.send(.post, path, body: body)
                        require(page, browser, "POST \(path.prefix(80)) \(body.prefix(40))")
                    }
                }
            }
        }
    }

    @Test("R11.5 a form without this browser's token for this very page is not heard, whatever else is right in it")
    func formTokens() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let good = ["identifier": "ada@example.com", "password": AccountBench.password]
        let browser = bench.browser()
        let page = try await browser.get("/account/sign-in")
        let stranger = bench.browser()
        let theirs = try await stranger.get("/account/sign-in")
        let other = try await browser.get("/account/sign-up")
        let token = "formToken"
        for form in [theirs, other] {
            let answer = try await browser.send(
                .post, "/account/sign-in", good.merging([token: form.forms[0].values[token] ?? ""]) { $1 })
            #expect(answer.status == 403 && !browser.isSignedIn)
        }
        #expect(try await browser.send(.post, "/account/sign-in", good).status == 403)
        // A browser that keeps no cookies has no form of its own.
        let bare = bench.browser()
        let sent = page.forms[0].values.merging(good) { $1 }
        #expect(try await bare.send(.post, "/account/sign-in", sent).status == 403 && !bare.isSignedIn)
        // And not what another site's page sends, even with the right token.
        for (name, value) in [(HTTPField.Name.origin, "https://evil.test"), (.origin, "null")] {
            #expect(try await browser.send(.post, "/account/sign-in", sent, with: [name: value]).status == 403)
        }
        #expect(!browser.isSignedIn)
        // The page that is shown instead works.
        let again = try await browser.send(.post, "/account/sign-in", good)
        #expect(try await browser.press(again, good).heading == "Your account")
    }

    @Test(
        "R11.4 R11.5 what is not found below a Directory's pages, and what the server can't do, is said on its own page"
    )
    func errors() async throws {
        let bench = try await PagesBench()
        var settings = DirectorySettings()
        settings.mail.siteName = "Elsewhere"
        _ = try await bench.base.flows.directoryAdministration.create(
            name: "other", settings: settings, at: bench.base.now)
        let german = bench.browser(language: "en")
        german.cookies["latchkey-language"] = "de"
        for (path, site) in [
            ("/account", "Acme"), ("/directories/other/account", "Elsewhere"),
            ("/directories/nobodys/account", "Latchkey"),
        ] {
            for (method, tail, status) in [
                (.get, "/nowhere", 404), (.get, "/sign-in/nowhere", 404), (.put, "/sign-in", 405),
            ] as [(HTTPRequest.Method, String, Int)] {
                let page = try await german.send(method, path + tail)
                #expect(page.status == status && page.title.hasSuffix(site), "\(path + tail): \(page.title)")
                #expect(page.title.hasPrefix("Fehler: "))
                let home = site == "Latchkey" ? "/account" : path
                #expect(page.text.contains(#"href="\#(home)""#), "\(page.text)")
            }
        }
        // Not even the store can be asked.
        let renderer = try #require(
            AccountPages(accounts: bench.base.flows, url: ServerURL(PagesBench.url)).surfaces.last)
        #expect(renderer.prefix == "/directories/*/account")
        let failing = HTTPBench(clock: bench.base.clock, surfaces: [renderer], errors: renderer.renderer) { router, _ in
            router.get("/directories/other/account") { _, _ -> Response in throw AuthError(.unavailable) }
        }
        let reply = try await failing.send(.get, "/directories/other/account")
        #expect(reply.status == 503 && reply.headers[.contentType] == "text/html; charset=utf-8")
    }

    @Test("R11.5 a ticket is worth nothing in another browser, at another page, or altered in any place")
    func tickets() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com", temporary: true)
        let browser = bench.browser()
        let page = try await browser.signIn("ada@example.com")
        let path = page.url
        #expect(path.hasPrefix("/account/new-password?ticket="))
        #expect(try await bench.browser().get(path).status == 410)
        for other in ["confirm", "reset"] {
            #expect(try await browser.get(path.replacing("new-password", with: other)).status == 410)
        }
        let ticket = Array(path.drop { $0 != "=" }.dropFirst())
        for place in stride(from: 0, to: ticket.count, by: 7) {
            var altered = ticket
            altered[place] = altered[place] == "A" ? "B" : "A"
            #expect(try await browser.get("/account/new-password?ticket=" + String(altered)).status == 410, "\(place)")
        }
        bench.base.clock.advance(by: .minutes(61))
        #expect(try await browser.get(path).status == 410)
    }

    @Test("R11.5 a cookie that is another Directory's, another dialect's, altered or ended signs nobody in")
    func cookies() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        let good = browser.cookies
        let name = try #require(good.keys.first { $0.contains("session") })
        let value = try #require(good[name])
        let other = try await bench.base.flows.directoryAdministration.create(
            name: "other", settings: DirectorySettings(), at: bench.base.now)
        let token = try #require(RefreshToken(value, under: bench.base.directory.tokenKey, for: .browser))
        for forged in [
            "", "x", String(value.dropLast()) + (value.hasSuffix("A") ? "B" : "A"),
            token.encoded(under: bench.base.directory.tokenKey, for: DialectName("openid")),
            token.encoded(under: other.tokenKey, for: .browser),
        ] {
            let visitor = bench.browser()
            visitor.cookies = good.merging([name: forged]) { $1 }
            #expect(try await visitor.get("/account").location == "/account/sign-in", "\(forged)")
        }
        #expect(try await browser.get("/directories/other/account").location == "/directories/other/account/sign-in")
        #expect(try await browser.get("/account").status == 200)
        _ = try await browser.press(try await browser.get("/account"), to: "/sign-out")
        let thief = bench.browser()
        thief.cookies = good
        #expect(try await thief.get("/account").location == "/account/sign-in")
    }

    @Test("R11.5 every form of a stranger's is counted")
    func counted() {
        let uncounted = Route.all.filter { route in
            if case .unlimited = route.limit { route.method == .post } else { false }
        }
        #expect(
            Set(uncounted.map(\.path)) == [
                "/choose", "/consent", "/device/approve", "/sessions/end", "/sessions/end-others", "/apps/revoke",
                "/sign-out", "/profile", "/factors/codes", "/factors/remove", "/identities/remove",
                "/passkeys/name", "/passkeys/remove", "/consents",
            ],
            "these need a session, or change nothing without one")
    }

    @Test("R11.5 who guesses is told to wait, with how long, and no page is lost by it")
    func limits() async throws {
        let bench = try await PagesBench { $0.limits.signIn = .init(count: 3, seconds: 60) }
        let browser = bench.browser()
        let page = try await browser.get("/account/sign-in")
        var last = page
        for _ in 0..<4 {
            last = try await browser.submit(page, ["identifier": "ada@example.com", "password": "Wrong-horse-1"])
        }
        #expect(last.status == 429 && last.headers[.retryAfter] != nil && last.text.contains("Start again"))
        #expect(try await browser.get("/account/sign-in").status == 200)
    }
}
