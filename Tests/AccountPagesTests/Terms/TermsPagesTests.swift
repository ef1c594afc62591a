// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import AccountPages

/// Terms that a sign-in demands, and consents, as people see them.
@Suite("G-11 Terms and consents on the pages") struct TermsPagesTests {
    private static let ada = "ada@example.com"

    private func publish(
        _ version: String, of name: String = "terms", kind: Terms.Kind = .document, _ bench: PagesBench
    ) async throws {
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: name, version: version)), kind: kind,
            isDemanded: kind == .document,
            texts: [
                "en": Terms.Text(title: "Terms <\(version)>", url: "https://app.example/en/\(version)"),
                "de": Terms.Text(title: "Bedingungen \(version)", url: "https://app.example/de/\(version)"),
            ])
        try await TermsAdministration(bench.base.ports).publish([draft], call: bench.base.call())
    }

    @Test("G-11 a sign-in leads through what is to be agreed to, in the reader's language, and then to where it went")
    func step() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await publish("1", bench)
        let browser = bench.browser(language: "en")
        let page = try await browser.signIn(Self.ada)
        #expect(page.status == 200 && page.heading == "Before you go on" && !browser.isSignedIn)
        #expect(page.text.contains("Terms &lt;1&gt;") && page.text.contains(#"href="https://app.example/en/1""#))
        #expect(page.text.contains("Version 1") && !page.text.contains("<script"))
        let german = try await browser.get(page.url + "&language=de")
        #expect(german.text.contains("Bedingungen 1") && german.heading == "Bevor es weitergeht")
        _ = try await browser.press(page)
        #expect(browser.isSignedIn)
        // Once agreed to, nobody is asked again, and an old page is of no more use.
        #expect(try await bench.browser(language: "en").signIn(Self.ada).heading != "Before you go on")
        #expect(try await browser.submit(page).status >= 400)
    }

    @Test("G-11 an app's request waits for it, in this browser alone")
    func request() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await publish("1", bench)
        let browser = bench.browser(language: "en")
        let pending = try await bench.pend(in: browser)
        let page = try await browser.signIn(Self.ada, at: "/account/sign-in?request=\(pending.id.rawValue)")
        #expect(page.heading == "Before you go on" && page.url.contains(pending.id.rawValue))
        let ticket = try #require(page.url.split(separator: "ticket=").last)
        let stranger = bench.browser()
        _ = try await stranger.get("/account/sign-in")
        #expect(try await stranger.get("/account/terms?ticket=\(ticket)").status >= 400)
        let done = try await browser.submit(page)
        #expect(done.location?.hasPrefix("/oauth2/authorize/continue?request=") == true)
    }

    @Test(
        "G-11 a browser that has been signed in for longer is led through it on the way to an app, and silent requests are told"
    )
    func longSignedIn() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser(language: "en")
        _ = try await browser.signIn(Self.ada)
        try await publish("1", bench)
        let pending = try await bench.pend(in: browser)
        var call = bench.base.call(actor: .unknown)
        call.client = bench.app
        let step = try await bench.base.flows.continueAuthorization(
            pending.id, browser: browser.id, session: browser.session(of: bench.base.directory.id), call: call)
        guard case .terms = step else {
            Issue.record("\(step)")
            return
        }
        let page = try await browser.get("/account/terms?request=\(pending.id.rawValue)")
        #expect(page.heading == "Before you go on")
        #expect(try await browser.submit(page).location?.hasPrefix("/oauth2/authorize/continue?request=") == true)
        let next = try await bench.base.flows.continueAuthorization(
            pending.id, browser: browser.id, session: browser.session(of: bench.base.directory.id), call: call)
        guard case .consent = next else {
            Issue.record("\(next)")
            return
        }
    }

    @Test("G-11 nobody lets a device in before they have agreed, and comes back to it; a no needs no agreement")
    func device() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser(language: "en")
        _ = try await browser.signIn(Self.ada)
        try await publish("1", bench)
        var call = bench.base.call(actor: .unknown)
        call.client = bench.app
        for answer in ["deny", "allow"] {
            let device = try await bench.base.flows.beginDeviceAuthorization(
                scopes: ["openid"], resources: [], call: call)
            let question = try await browser.press(
                try await browser.get("/account/device?user_code=" + device.userCode.text))
            var page = try await browser.press(question, ["answer": answer])
            if answer == "allow" {
                #expect(page.heading == "Before you go on")
                page = try await browser.press(page)
                #expect(page.url.hasPrefix("/account/device?"), "\(page.url)")
                page = try await browser.press(try await browser.press(page), ["answer": answer])
            }
            #expect(page.url.hasPrefix("/account/device/done"), "\(answer) \(page.url)")
        }
    }

    @Test("G-11 what was published since the page was shown is shown too, before there is a session")
    func publishedBeside() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await publish("1", bench)
        let browser = bench.browser(language: "en")
        let page = try await browser.signIn(Self.ada)
        try await publish("1", of: "privacy", bench)
        let next = try await browser.press(page)
        #expect(next.heading == "Before you go on" && next.text.contains("Terms &lt;1&gt;") && !browser.isSignedIn)
        _ = try await browser.press(next)
        #expect(browser.isSignedIn)
    }

    @Test(
        "G-11 whose app knows no step agrees on the page that it names, without a session, and says so by a form only")
    func link() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await publish("1", bench)
        var call = bench.base.call(actor: .unknown)
        call.dialect = DialectName("other")
        let email = SignInIdentifier.email(try EmailAddress(Self.ada))
        call.links = PagesHome()
        let next = try await bench.base.flows.passwordSignIn(
            email, password: Secret(AccountBench.password), call: call)
        guard case .terms(let pending) = next else {
            Issue.record("no step")
            return
        }
        let browser = bench.browser(language: "en")
        let page = try await browser.get(try #require(pending.agreementPage))
        #expect(page.status == 200 && page.heading == "Before you go on" && !page.text.contains(Self.ada))
        // Looking agrees to nothing, nor does another site's form.
        #expect(try await browser.get(page.url).heading == "Before you go on")
        let foreign = try await browser.submit(page, ["formToken": "x"])
        #expect(foreign.status == 403)
        let done = try await browser.submit(page)
        #expect(done.status == 200 && done.heading == "Thank you" && !browser.isSignedIn)
        #expect(try await browser.get(page.url).heading == "Thank you")
        let said = try await bench.base.ports.store.read {
            try $0.agreements(of: pending.record.user.id, in: bench.base.directory.id, after: nil, limit: 9)
        }
        #expect(said.map(\.dialect) == [DialectName("other")])
        let session = try await bench.base.flows.passwordSignIn(
            email, password: Secret(AccountBench.password), call: call)
        #expect(session.pendingStep == nil)
    }

    private struct PagesHome: VerificationLinks {
        func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
            redirectTo
        }
        func home(of _: Directory) -> String { "/account" }
    }

    @Test("G-11 consents are seen, given and withdrawn in the account, and what was agreed to is listed")
    func consents() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await publish("1", bench)
        try await publish("1", of: "news", kind: .purpose, bench)
        let browser = bench.browser(language: "en")
        _ = try await browser.press(try await browser.signIn(Self.ada))
        let overview = try await browser.get("/account")
        #expect(overview.text.contains(#"href="/account/consents""#))
        var page = try await browser.get("/account/consents")
        let boxes = PageMarkup(page.text).all("input").filter { $0.attributes["type"] == "checkbox" }
        #expect(boxes.count == 5 && boxes.allSatisfy { $0.attributes["checked"] == nil })
        #expect(page.text.contains("Report crashes and errors") && page.text.contains("agreed on"))
        let saved = try await browser.press(page, ["purpose-news": "on", "purpose-analytics": "on"])
        #expect(saved.text.contains("Your consents are saved."))
        page = try await browser.get("/account/consents")
        let given = PageMarkup(page.text).all("input").filter { $0.attributes["checked"] != nil }
        #expect(given.compactMap { $0.attributes["name"] } == ["purpose-analytics", "purpose-news"])
        _ = try await browser.press(page, ["purpose-news": "on"])
        page = try await browser.get("/account/consents")
        let left = PageMarkup(page.text).all("input").filter { $0.attributes["checked"] != nil }
        #expect(left.compactMap { $0.attributes["name"] } == ["purpose-news"])
    }

    @Test(
        "G-11 the pages have what a checker looks for: a heading, names of links and boxes, a language",
        arguments: MessageLanguage.allCases)
    func accessible(language: MessageLanguage) async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await publish("1", bench)
        let browser = bench.browser(language: language.rawValue)
        let step = try await browser.signIn(Self.ada)
        _ = try await browser.press(step)
        for page in [step, try await browser.get("/account/consents")] {
            #expect(page.text.contains("<html lang=\"\(language.rawValue)\"") && !page.heading.isEmpty)
            for link in PageMarkup(page.text).all("a") where link.attributes["target"] != nil {
                #expect(link.attributes["rel"] == "noopener noreferrer")
                #expect(link.attributes["aria-label"]?.isEmpty == false || !link.content.isEmpty)
            }
        }
    }
}
