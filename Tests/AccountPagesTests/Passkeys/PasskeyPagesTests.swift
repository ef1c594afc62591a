// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AccountPages

/// Signing in by a passkey on the pages, and what its owner sees to.
@Suite struct PasskeyPagesTests {
    private static let ada = "ada@example.com"

    @Test(
        "R14.2 whoever has a passkey signs in by it alone, at aal2, stays if they wish, and goes on to where they were")
    func signIn() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var authenticator = bench.authenticator()
        let first = bench.browser()
        try await first.addPasskey(of: Self.ada, to: &authenticator)
        #expect(try await bench.base.message(to: Self.ada, kind: "passkey_added").kind == "passkey_added")
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser)
        let page = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        let done = try await browser.answer(page, by: &authenticator, ["stay": "on"])
        #expect(done.location == "/oauth2/authorize/continue?request=\(pending.id.rawValue)", "\(done.text)")
        #expect(done.headers[values: .setCookie].contains { $0.contains("session") && $0.contains("Max-Age") })
        let session = try #require(try await bench.sessions(of: Self.ada).first { $0.assurance == .aal2 })
        #expect(session.methods.map(\.name) == [.passkey])
    }

    @Test("R14.2 the sign-in page offers passkeys by one script, named by its hash, and works without it")
    func script() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        let page = try await browser.get("/account/sign-in")
        let markup = PageMarkup(page.text)
        let script = try #require(markup.all("script").first)
        #expect(markup.all("script").count == 1 && script.content.isEmpty)
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("script-src 'self';") && policy.contains("connect-src 'self';"))
        #expect(!policy.contains("unsafe") && policy.hasPrefix("default-src 'none'"))
        let file = try await bench.browser().get(try #require(script.attributes["src"]))
        #expect(file.status == 200 && file.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(file.headers[.cacheControl]?.contains("immutable") == true && file.headers[.setCookie] == nil)
        let hash = Base64.encode(Array(SHA256.hash(data: Array(file.text.utf8))))
        #expect(script.attributes["integrity"] == "sha256-" + hash)
        #expect(try await browser.get("/account/passkey.js?v=0").headers[.cacheControl] == "no-store")
        // Nothing that does nothing is shown where the script does not run.
        #expect(page.text.contains(#"<div class="passkey" hidden>"#))
        let identifier = try #require(markup.all("input").first { $0.attributes["name"] == "identifier" })
        #expect(identifier.attributes["autocomplete"] == "username webauthn")
        #expect(try await browser.signIn(Self.ada).heading == "Your account")
    }

    @Test("R14.2 pages that can't ask for passkeys have no script, and offer none")
    func notOffered() async throws {
        for change in [
            { $0.passkeys.enabled = false }, { $0.passkeys.relyingPartyID = "app.example" },
            { $0.passkeys.origins = ["https://app.example"] },
        ] as [(inout DirectorySettings) -> Void] {
            let bench = try await PagesBench.withPasskeys {
                $0.factors.webAuthn = .off
                change(&$0)
            }
            let page = try await bench.browser().get("/account/sign-in")
            #expect(page.status == 200 && !page.text.contains("<script") && !page.text.contains("webauthn"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") == false)
        }
    }

    @Test("R14.2 a plain page and its script's question are each browser's own, for all that its words are kept")
    func plainPages() async throws {
        let bench = try await PagesBench.withPasskeys()
        let (one, two) = (bench.browser(), bench.browser())
        let first = try await one.get("/account/sign-in")
        let second = try await two.get("/account/sign-in")
        let tokens = [first, second].map { $0.forms[0].values["formToken"] ?? "" }
        #expect(tokens[0] != tokens[1] && !second.text.contains(tokens[0]))
        _ = try await two.question(second)
        #expect(try await two.send(.post, "/account/sign-in/passkey", ["formToken": tokens[0]]).status == 403)
    }

    @Test(
        "R14.2 an answer is taken once, in time, in the browser that was asked, of a key that is somebody's, by our page"
    )
    func refused() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var authenticator = bench.authenticator()
        try await bench.browser().addPasskey(of: Self.ada, to: &authenticator)
        let (browser, thief) = (bench.browser(), bench.browser())
        let page = try await browser.get("/account/sign-in")
        let theirs = try await thief.get("/account/sign-in")
        func said(_ refused: PagesBrowser.Page, _ visitor: PagesBrowser, _ what: String) {
            #expect(refused.status == 400 && !visitor.isSignedIn, "\(what) \(refused.status)")
            #expect(
                refused.title.hasPrefix("Error: ") && refused.text.contains(#"role="alert" id="refusal""#), "\(what)")
        }
        // Another browser's, and once more.
        let (challenge, options) = try await browser.question(page)
        let good = PagesBrowser.text(try authenticator.get(options))
        said(try await thief.submit(theirs, ["challenge": challenge, "answer": good]), thief, "another browser")
        // Too late.
        let late = try await browser.question(page)
        bench.base.clock.advance(by: .minutes(6))
        let tooLate = PagesBrowser.text(try authenticator.get(late.options))
        said(try await browser.submit(page, ["challenge": late.challenge, "answer": tooLate]), browser, "late")
        // Of another page, of nobody's key, and of what is no answer.
        var evil = authenticator
        evil.origin = "https://evil.test"
        said(try await browser.answer(page, by: &evil), browser, "origin")
        var wrong = authenticator
        wrong.challenge = "AAAA"
        said(try await browser.answer(page, by: &wrong), browser, "challenge")
        for answer in ["x", "{}", "[]", #"{"type":"public-key"}"#, String(repeating: "{", count: 1000)] {
            let asked = try await browser.question(page)
            said(try await browser.submit(page, ["challenge": asked.challenge, "answer": answer]), browser, answer)
        }
        said(try await browser.submit(page, ["answer": good]), browser, "no challenge")
        said(
            try await browser.submit(page, ["answer": good, "challenge": String(repeating: "x", count: 2000)]), browser,
            "long")
        let spent = try await browser.question(page)
        let once = ["challenge": spent.challenge, "answer": PagesBrowser.text(try authenticator.get(spent.options))]
        #expect(try await browser.submit(page, once).location == "/account")
        let visitor = bench.browser()
        visitor.cookies = browser.cookies.filter { !$0.key.contains("session") }
        said(try await visitor.submit(page, once), visitor, "replayed")
    }

    @Test("R14.2 passkeys are listed, named and removed by their owner alone, who hears of it")
    func keeping() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser("bob@example.com")
        var authenticator = bench.authenticator()
        let browser = bench.browser()
        try await browser.addPasskey(of: Self.ada, to: &authenticator)
        let passkey = try #require(try await bench.passkeys(of: Self.ada).first)
        #expect(try await browser.get("/account").text.contains("1 set up"))
        let name = try await browser.get("/account/passkeys/name?item=\(passkey.id.rawValue)")
        #expect(try await browser.submit(name, ["name": "  "]).status == 400)
        #expect(try await browser.submit(name, ["name": String(repeating: "x", count: 129)]).status == 400)
        #expect(try await browser.submit(name, ["name": "a\u{202E}\u{7}b"]).status == 400)
        let list = try await browser.press(name, ["name": " My <phone> "])
        #expect(list.text.contains("My &lt;phone&gt;") && list.text.contains("was renamed"), "\(list.text)")
        // Another's is not there.
        let bob = bench.browser()
        _ = try await bob.signIn("bob@example.com")
        for path in ["name", "remove"] {
            let url = "/account/passkeys/\(path)?item=\(passkey.id.rawValue)"
            #expect(try await bob.get(url).location == "/account/passkeys")
            #expect(try await bob.send(.post, url, ["name": "x", "formToken": "x"]).location == "/account/passkeys")
        }
        #expect(try await bench.passkeys(of: Self.ada).map(\.name) == ["My <phone>"])
        let asked = try await browser.get("/account/passkeys/remove?item=\(passkey.id.rawValue)")
        #expect(asked.heading == "Remove this passkey?" && asked.text.contains("My &lt;phone&gt;"))
        #expect(try await browser.send(.post, asked.url, ["formToken": "x"]).status == 403)
        #expect(try await browser.press(asked).text.contains("was removed"))
        #expect(try await bench.passkeys(of: Self.ada).isEmpty)
        #expect(try await bench.base.message(to: Self.ada, kind: "passkey_removed").kind == "passkey_removed")
        let visitor = bench.browser()
        let refused = try await visitor.answer(try await visitor.get("/account/sign-in"), by: &authenticator)
        #expect(refused.status == 400 && !visitor.isSignedIn)
    }

    @Test("R14.2 a passkey is added in a fresh session alone, and by its page's own form")
    func adding() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var authenticator = bench.authenticator()
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/passkeys/new")
        #expect(page.text.contains(#"<p class="without"#), "\(page.text)")
        for fields in [[:], ["answer": "{}", "challenge": "x"], ["answer": "x"]] {
            #expect(try await browser.submit(page, fields).status == 400)
        }
        let (challenge, options) = try await browser.question(page)
        let made = PagesBrowser.text(try authenticator.create(options))
        let foreign = ["challenge": challenge, "answer": made, "formToken": "x"]
        #expect(try await browser.send(.post, "/account/passkeys/new", foreign).status == 403)
        bench.base.clock.advance(by: .hours(2))
        let late = try await browser.submit(page, ["challenge": challenge, "answer": made])
        #expect(late.location == "/account/sign-in?then=passkeys%2Fnew", "\(late.text)")
        #expect(try await browser.get("/account/passkeys/new").location == late.location)
        #expect(try await bench.passkeys(of: Self.ada).isEmpty)
        let back = try await browser.press(
            try await browser.open(try #require(late.location)),
            ["identifier": Self.ada, "password": AccountBench.password])
        #expect(back.heading == "Add a passkey")
        var fresh = bench.authenticator()
        #expect(try await browser.answer(back, by: &fresh).location == "/account/passkeys?notice=passkeyAdded")
        // The same device is not asked to make a second one.
        let again = try await browser.question(try await browser.get("/account/passkeys/new"))
        let second = try? fresh.create(again.options)
        #expect(second == nil)
    }

    @Test("R14.2 whoever is to prove once more who they are is asked for their own passkey, and for no other's")
    func proofInPlace() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser("bob@example.com")
        var (adas, bobs) = (bench.authenticator(), bench.authenticator())
        let browser = bench.browser()
        try await browser.addPasskey(of: Self.ada, to: &adas)
        try await bench.browser().addPasskey(of: "bob@example.com", to: &bobs)
        bench.base.clock.advance(by: .hours(2))
        let asked = try await browser.open("/account/passkeys/new")
        #expect(asked.heading == "Confirm that it is you", "\(asked.text)")
        let (challenge, options) = try await browser.question(asked)
        #expect(options["allowCredentials"]?.arrayValue?.count == 1)
        let forged = PagesBrowser.text(try bobs.get(options, by: bobs.credentials[0]))
        let refused = try await browser.submit(asked, ["challenge": challenge, "answer": forged])
        #expect(refused.status == 400, "\(refused.text)")
        #expect(try await browser.answer(asked, by: &adas).location == "/account/passkeys/new")
        #expect(try await browser.get("/account").text.contains(Self.ada))
    }
}
