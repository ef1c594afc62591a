// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import Testing

/// Links of messages that a dialect sent, whose app names no place to go on to.
@Suite struct MailedLinksTests {
    /// As a dialect calls where nobody has named a place.
    private func call(_ bench: PagesBench) -> CallContext {
        var call = bench.base.call(actor: .administrator("test"))
        call.links = AccountLinks(url: ServerURL(PagesBench.url))
        return call
    }

    private func path(_ bench: PagesBench, to address: String, kind: String? = nil) async throws -> String {
        let link = try #require(try await bench.base.message(to: address, kind: kind).link)
        #expect(link.hasPrefix(PagesBench.url + "/account/"), "\(link)")
        return String(link.dropFirst(PagesBench.url.count))
    }

    @Test(
        "R11.4 an invitation opens a form for a password, which makes the account and signs in; looking at it does nothing"
    )
    func invitation() async throws {
        let bench = try await PagesBench()
        let email = try EmailAddress("new@example.com")
        _ = try await bench.base.flows.userAdministration.invite(email: email, call: call(bench))
        let path = try await path(bench, to: "new@example.com")
        let browser = bench.browser()
        for _ in 0..<2 {
            let page = try await browser.get(path)
            #expect(page.heading == "You are invited" && page.text.contains("new@example.com"), "\(page.text)")
        }
        let page = try await browser.get(path)
        #expect(try await browser.submit(page, ["newPassword": "short"]).text.contains("too short"))
        let done = try await browser.press(page, ["newPassword": AccountBench.password])
        #expect(done.heading == "Your account" && browser.isSignedIn, "\(done.text)")
        // Nothing was replaced, so nobody is told that something was.
        #expect(try await bench.base.messages(to: "new@example.com").count == 1)
        let again = try await browser.get(path)
        #expect(again.status == 410 && again.text.contains("new invitation"))
        // A link of one kind is none of the other.
        #expect(try await browser.get(path.replacing("invitation", with: "recovery")).status == 410)
    }

    @Test(
        "R11.4 a link that signs in does so by its button, and one that was asked for with a challenge confirms alone")
    func magicLink() async throws {
        for challenge in [nil, String(repeating: "c", count: 43)] {
            let bench = try await PagesBench()
            try await bench.makeUser("ada@example.com")
            try await bench.base.flows.requestMagicLink(
                EmailAddress("ada@example.com"), codeChallenge: challenge, call: call(bench))
            let path = try await path(bench, to: "ada@example.com")
            let browser = bench.browser()
            let page = try await browser.get(path)
            #expect(page.status == 200 && !browser.isSignedIn)
            let done = try await browser.press(page)
            #expect(browser.isSignedIn == (challenge == nil), "\(done.text)")
            #expect(done.heading == (challenge == nil ? "Your account" : "Your email address is confirmed"))
            #expect(try await browser.get(path).status == 410)
        }
    }

    @Test(
        "G-8.5 R14.1 the mail of a lock opens a page whose button lifts it and leads to a new password")
    func lock() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let stranger = bench.browser()
        for _ in 0..<5 {
            let page = try await stranger.signIn("ada@example.com", "Wrong-horse-7-battery")
            #expect(page.status == 400 && page.text.contains("Invalid email or password"), "\(page.text)")
        }
        let refused = try await stranger.signIn("ada@example.com")
        #expect(refused.status == 400 && refused.text.contains("Invalid email or password") && !stranger.isSignedIn)

        let path = try await path(bench, to: "ada@example.com", kind: "account_locked")
        #expect(try await bench.browser().get(path.replacing("/unlock?", with: "/link?")).status == 410)
        #expect(try await bench.browser().get(path.replacing("/unlock?", with: "/reset?")).status == 410)
        let browser = bench.browser()
        let page = try await browser.get(path)
        #expect(page.heading == "Unlock your account" && page.text.contains("ada@example.com"), "\(page.text)")
        #expect(try await stranger.signIn("ada@example.com").status == 400)
        let reset = try await browser.press(page)
        #expect(reset.heading == "Choose a new password" && reset.text.contains("unlocked"), "\(reset.text)")
        #expect(!browser.isSignedIn)
        #expect(try await browser.get(path).status == 410)
        let done = try await browser.press(reset, ["newPassword": "Another-horse-8-battery"])
        #expect(done.heading == "Your account" && browser.isSignedIn, "\(done.text)")
    }

    @Test("G-8.2 where the Directory tells it, the page says for how many minutes, in each language")
    func minutes() async throws {
        let bench = try await PagesBench()
        try await bench.base.change { $0.lockout.disclosure = .minutes }
        for (language, text) in [("en", "Try again in 15 minutes"), ("de", "in 15 Minuten")] {
            let browser = bench.browser(language: language)
            for _ in 0..<5 { _ = try await browser.signIn("nobody-\(language)@example.com", "Wrong-horse-7") }
            let page = try await browser.signIn("nobody-\(language)@example.com", "Wrong-horse-7")
            #expect(page.status == 429 && page.text.contains(text), "\(page.text)")
        }
    }

    @Test("R11.4 a forgotten password is replaced by the link of whichever dialect's message")
    func recovery() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        _ = try await bench.base.flows.requestRecovery(.email(EmailAddress("ada@example.com")), call: call(bench))
        let browser = bench.browser()
        let page = try await browser.get(try await path(bench, to: "ada@example.com", kind: "recovery"))
        #expect(page.heading == "Choose a new password")
        #expect(try await browser.press(page, ["newPassword": "Another-horse-8-battery"]).heading == "Your account")
    }

    @Test(
        "R11.4 R11.5 a link that is used, forged or cut says so in the reader's language, and how one comes by another",
        arguments: [
            ("link?purpose=sign_up", "/sign-in"), ("link?purpose=email_change_new", "/sign-in"),
            ("link?purpose=magic_link", "/sign-in"), ("reset?purpose=recovery", "/forgot"),
            ("reset?purpose=invitation", "/sign-in"), ("link?purpose=nonsense", "/sign-in"), ("reset?x=", "/forgot"),
        ])
    func dead(path: String, way: String) async throws {
        let bench = try await PagesBench()
        for (language, title) in [("en", "Error: This link does not"), ("de", "Fehler: Dieser Link funktioniert")] {
            for token in ["", "x", String(repeating: "x", count: 900), "%3Cimg%3E"] {
                let page = try await bench.browser(language: language).get("/account/\(path)&token=\(token)")
                #expect(page.status == 410 && page.title.hasPrefix(title), "\(page.title)")
                #expect(PageMarkup(page.text).all("a").first?.attributes["href"]?.hasSuffix(way) == true)
            }
        }
    }
}
