// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

/// Pages that an app has sent somebody to.
@Suite struct RequestPagesTests {
    private static func continuation(_ pending: PendingAuthorization) -> String {
        "/oauth2/authorize/continue?request=\(pending.id.rawValue)"
    }

    @Test("R11.4 a page says which app asks, keeps what the browser is in the midst of, and leads back to it")
    func signIn() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser, AuthorizationParameters(loginHint: "ada@example.com"))
        let page = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        #expect(PageMarkup(page.text).all("p").first?.content == "to continue to Photo <App>")
        #expect(page.forms.first?.values["identifier"] == "ada@example.com")
        for link in PageMarkup(page.text).all("a") where link.attributes["href"]?.hasPrefix("/account") == true {
            #expect(link.attributes["href"]?.contains(pending.id.rawValue) == true)
        }
        #expect(page.headers[.contentSecurityPolicy]?.hasSuffix("form-action 'self' https:") == true)
        let done = try await browser.submit(page, ["password": AccountBench.password])
        #expect(done.status == 303 && done.location == Self.continuation(pending))
        // Going back: who has signed in already is led on.
        let back = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        #expect(back.text.contains("Continue as ada@example.com"))
    }

    @Test(
        "R11.4 R11.3 an app is let in by its user's yes, kept out by their no, and what was allowed can be taken back")
    func consent() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        for (answer, code) in [("deny", "access_denied"), ("allow", nil)] as [(String, String?)] {
            let pending = try await bench.pend(in: browser, scopes: ["openid", "email", "notes/read"])
            let path = "/account/consent?request=\(pending.id.rawValue)"
            let page = try await browser.get(path)
            for part in [
                "Photo &lt;App&gt; asks for access", "see your email address", "notes/read", "ada@example.com",
            ] { #expect(page.text.contains(part), "\(part)") }
            #expect(try await browser.submit(page).status == 400, "neither yes nor no")
            let done = try await browser.submit(page, ["answer": answer])
            #expect(done.status == 303 && done.location == Self.continuation(pending))
            let step = try await bench.base.flows.continueAuthorization(
                pending.id, browser: browser.id, session: browser.session(of: bench.base.directory.id),
                call: bench.base.call(actor: .unknown))
            #expect(step.response?.error?.rawValue == code && (step.response?.code != nil) == (code == nil))
            // Answered: the page does not ask again.
            #expect(try await browser.get(path).status == 410)
        }
        let account = try await browser.open("/account")
        #expect(account.text.contains("Photo &lt;App&gt;"))
        let after = try await browser.press(account, to: "/apps/revoke")
        #expect(after.text.contains("No app has access to your account."), "\(after.text)")
    }

    @Test(
        "R11.3 R11.4 what a resource server's scope allows is said in its operator's words, and by its name without any"
    )
    func descriptions() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        _ = try await bench.base.flows.resourceServerAdministration.create(
            identifier: "notes", name: "Notes",
            scopes: [
                .init(name: "read", description: "Read <your> notes"), .init(name: "write", description: "Write"),
            ],
            call: bench.base.call(actor: .administrator("test")))
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        let pending = try await bench.pend(in: browser, scopes: ["openid", "email", "notes/read"])
        let page = try await browser.get("/account/consent?request=\(pending.id.rawValue)")
        #expect(page.text.contains("<li>Read &lt;your&gt; notes</li>"), "\(page.text)")
        #expect(page.text.contains("<li>see your email address</li>"))
        #expect(!page.text.contains("notes/read") && !page.text.contains("<li>Write</li>"))
        _ = try await browser.submit(page, ["answer": "allow"])
        #expect(try await browser.open("/account").text.contains("Read &lt;your&gt; notes"))
    }

    @Test(
        "R11.4 who has to prove anew who they are is not offered to go on without, which would lead back to the same page"
    )
    func again() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        bench.base.clock.advance(by: .minutes(1))
        for parameters in [AuthorizationParameters(prompts: [.login]), AuthorizationParameters(maxAge: 10)] {
            let pending = try await bench.pend(in: browser, parameters)
            let path = "/account/sign-in?request=\(pending.id.rawValue)"
            let page = try await browser.get(path)
            #expect(page.heading == "Confirm that it is you" && !page.text.contains("Continue as"), "\(page.text)")
            #expect(page.forms.first?.values["identifier"] == "ada@example.com")
            let done = try await browser.submit(page, ["password": AccountBench.password])
            #expect(done.location == Self.continuation(pending))
            // Back: they have proved it, so now going on is the way.
            #expect(try await browser.get(path).text.contains("Continue as ada@example.com"))
            bench.base.clock.advance(by: .minutes(1))
        }
    }

    @Test("R11.4 somebody goes on as who they are, or signs in as another, who is then signed in here")
    func choose() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        try await bench.makeUser("bob@example.com")
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        let pending = try await bench.pend(in: browser, AuthorizationParameters(prompts: [.selectAccount]))
        let page = try await browser.get("/account/choose?request=\(pending.id.rawValue)")
        #expect(PageMarkup(page.text).all("button").first?.content == "Continue as ada@example.com")
        #expect(try await browser.submit(page).location == Self.continuation(pending))
        let other = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        let done = try await browser.submit(
            other, ["identifier": "bob@example.com", "password": AccountBench.password])
        #expect(done.location == Self.continuation(pending))
        #expect(try await browser.open("/account").text.contains("bob@example.com"))
    }

    @Test("R11.5 what one browser is in the midst of is nobody else's, and once it is over there is a way on")
    func foreign() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser)
        let other = bench.browser()
        _ = try await other.get("/account/sign-in")
        for path in ["sign-in", "sign-up", "consent", "choose"] {
            for (who, id) in [
                (other, pending.id.rawValue), (browser, "nobodys"), (browser, String(repeating: "x", count: 900)),
            ] {
                let page = try await who.get("/account/\(path)?request=\(id)")
                #expect(page.status == 410 && page.text.contains("Start again") && page.location == nil, "\(path)")
            }
        }
        bench.base.clock.advance(by: .days(2))
        let late = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        #expect(late.status == 410 && late.text.contains(#"href="/account""#))
    }

    @Test(
        "R11.4 R11.3 what is over leads back to the app, to where it is registered to be and nowhere else, in its own browser"
    )
    func backToApp() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let home = "https://app.example/?a=1&b=2"
        _ = try await bench.base.flows.clientAdministration.update(
            bench.app.id, call: bench.base.call(actor: .administrator("test"))
        ) { $0.authorization.homeURI = home }
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        let pending = try await bench.pend(in: browser, scopes: ["openid", "email"])
        let path = "/account/consent?request=\(pending.id.rawValue)"
        _ = try await browser.submit(try await browser.get(path), ["answer": "deny"])
        _ = try await bench.base.flows.continueAuthorization(
            pending.id, browser: browser.id, session: browser.session(of: bench.base.directory.id),
            call: bench.base.call(actor: .unknown))
        // In another tab, or loaded again: it was answered.
        let over = try await browser.get(path + "&client_uri=https://evil.example")
        let links = PageMarkup(over.text).all("a").filter { $0.attributes["class"]?.hasPrefix("button") == true }
        #expect(over.status == 410 && links.map { $0.attributes["href"] } == [home, "/account"], "\(over.text)")
        #expect(links.first?.content == "Back to Photo <App>" && !over.text.contains("evil"))
        // Whose it was is nobody else's business.
        let other = bench.browser()
        _ = try await other.get("/account/sign-in")
        #expect(!(try await other.get(path)).text.contains("app.example"))
    }

    @Test(
        "R11.4 each page is loaded again and opened in another tab, and wherever one goes on the other is no dead end")
    func tabs() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        try await bench.makeUser("temp@example.com", temporary: true)
        func twice(_ browser: PagesBrowser, _ url: String) async throws -> (PagesBrowser.Page, PagesBrowser.Page) {
            let pages = (try await browser.get(url), try await browser.get(url))
            #expect(pages.0.status == 200 && pages.1.status == 200 && pages.0.heading == pages.1.heading, "\(url)")
            return pages
        }
        /// A redirect onwards, or a page with a way on.
        func goesOn(_ page: PagesBrowser.Page, _ what: String) {
            let hasWay = !page.forms.isEmpty || page.text.contains(#"<a class="button"#)
            #expect(page.status == 303 || page.status < 500 && hasWay, "\(what): \(page.status) \(page.text)")
        }
        var browser = bench.browser()
        let pending = try await bench.pend(in: browser)
        let query = "?request=\(pending.id.rawValue)"
        let good = ["identifier": "ada@example.com", "password": AccountBench.password]
        let signIn = try await twice(browser, "/account/sign-in" + query)
        #expect(try await browser.submit(signIn.0, good).location == Self.continuation(pending))
        #expect(try await browser.submit(signIn.1, good).location == Self.continuation(pending))
        let consent = try await twice(browser, "/account/consent" + query)
        #expect(try await browser.submit(consent.0, ["answer": "allow"]).status == 303)
        goesOn(try await browser.submit(consent.1, ["answer": "allow"]), "consent")
        for path in ["/account/password", "/account/sign-out", "/account"] { _ = try await twice(browser, path) }
        let signOut = try await twice(browser, "/account/sign-out")
        #expect(try await browser.submit(signOut.0).status == 303)
        goesOn(try await browser.submit(signOut.1), "sign-out")
        _ = try await twice(browser, "/account/signed-out")

        browser = bench.browser()
        let signUp = try await twice(browser, "/account/sign-up")
        let new = ["identifier": "new@example.com", "newPassword": AccountBench.password]
        let first = try await browser.press(signUp.0, new)
        goesOn(try await browser.press(signUp.1, new), "sign-up")
        let confirm = try await twice(browser, first.url)
        let code = try #require(try await bench.base.messages(to: "new@example.com").compactMap(\.code).last)
        for page in [confirm.0, confirm.1] { goesOn(try await browser.submit(page, ["code": code]), "confirm") }
        let again = try await browser.get(first.url)
        #expect(again.status == 200 && again.text.contains("Continue as new@example.com"), "\(again.text)")

        browser = bench.browser()
        let forgot = try await twice(browser, "/account/forgot")
        let reset = try await browser.press(forgot.0, ["identifier": "ada@example.com"])
        goesOn(try await browser.press(forgot.1, ["identifier": "ada@example.com"]), "forgot")
        let resets = try await twice(browser, reset.url)
        let resetCode = try #require(try await bench.base.message(to: "ada@example.com", kind: "recovery").code)
        let chosen = ["code": resetCode, "newPassword": "Another-horse-8-battery"]
        for page in [resets.0, resets.1] { goesOn(try await browser.submit(page, chosen), "reset") }
        #expect(try await browser.get(reset.url).text.contains("Continue as ada@example.com"))

        browser = bench.browser()
        let step = try await browser.signIn("temp@example.com")
        let steps = try await twice(browser, step.url)
        #expect(try await browser.submit(steps.0, ["newPassword": "Another-horse-8-battery"]).status == 303)
        goesOn(try await browser.submit(steps.1, ["newPassword": "Another-horse-9-battery"]), "new password")
        #expect(browser.isSignedIn)
    }

    @Test("R11.4 a page is in the language that its reader chose, else the app's wish, else the browser's")
    func language() async throws {
        let bench = try await PagesBench()
        let german = bench.browser(language: "de-AT,en;q=0.5")
        #expect(try await german.get("/account/sign-in").heading == "Anmelden")
        let pending = try await bench.pend(in: german, AuthorizationParameters(uiLocales: ["fr", "en-GB"]))
        let path = "/account/sign-in?request=\(pending.id.rawValue)"
        #expect(try await german.get(path).heading == "Sign in")
        #expect(try await german.get(path + "&language=de").heading == "Anmelden")
        // The choice stays, for this page and the next.
        #expect(try await german.get(path).heading == "Anmelden")
        #expect(try await german.get("/account/sign-up").text.contains(#"<html lang="de">"#))
        #expect(try await german.get("/account/sign-in?language=xx").heading == "Anmelden")
        #expect(try await bench.browser().get("/account/sign-in?ui_locales=de").heading == "Anmelden")
    }
}
