// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@Suite struct SignInPagesTests {
    private static let password = AccountBench.password

    @Test("R11.4 R11.2 somebody signs up, confirms by code, signs out, and signs in; each answer to a form is a 303")
    func wholeWay() async throws {
        let bench = try await PagesBench()
        let browser = bench.browser()
        var page = try await browser.open("/account")
        #expect(page.heading == "Sign in")
        page = try await browser.get("/account/sign-up")
        page = try await browser.press(page, ["identifier": "ada@example.com", "newPassword": Self.password])
        #expect(page.heading == "Check your email" && page.text.contains("ada@example.com"), "\(page.text)")
        #expect(!page.url.contains("ada"), "no address in a URL")
        let wrong = try await browser.submit(page, ["code": "000000"])
        #expect(wrong.status == 400 && wrong.title.hasPrefix("Error: ") && wrong.text.contains("wrong or has expired"))
        let code = try #require(try await bench.base.message(to: "ada@example.com").code)
        #expect(!browser.isSignedIn)
        page = try await browser.press(page, ["code": " \(code) "])
        #expect(page.heading == "Your account" && page.text.contains("ada@example.com"), "\(page.text)")
        #expect(browser.isSignedIn)

        let former = browser.id
        let signedOut = try await browser.submit(page, to: "/sign-out")
        #expect(browser.id != nil && browser.id != former, "pages that it has kept are not shown again")
        #expect(signedOut.headers[try #require(HTTPField.Name("Clear-Site-Data"))] == "\"cache\"")
        page = try await browser.open(try #require(signedOut.location))
        #expect(page.heading == "You are signed out" && !browser.isSignedIn)
        #expect(try await browser.open("/account").heading == "Sign in")
        page = try await browser.signIn("ada@example.com", Self.password)
        #expect(page.heading == "Your account")
    }

    @Test("R11.4 the link of the same message confirms too, in any browser, by its button")
    func link() async throws {
        let bench = try await PagesBench()
        let browser = bench.browser()
        let page = try await browser.get("/account/sign-up")
        _ = try await browser.press(page, ["identifier": "ada@example.com", "newPassword": Self.password])
        let link = try #require(try await bench.base.message(to: "ada@example.com").link)
        #expect(link.hasPrefix(PagesBench.url + "/account/link?"))
        let path = String(link.dropFirst(PagesBench.url.count))
        let other = bench.browser()
        let asked = try await other.get(path)
        #expect(asked.status == 200 && asked.text.contains("ada@example.com") && !other.isSignedIn)
        #expect(try await other.press(asked).heading == "Your account")
        // Going back to it is no dead end.
        let again = try await other.get(path)
        #expect(again.status == 410 && again.heading == "This link does not work any more")
    }

    @Test(
        "R11.4 who forgot their password has a code sent, and chooses another; it signs them in, and ends what there was"
    )
    func reset() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let former = bench.browser()
        _ = try await former.signIn("ada@example.com")
        let browser = bench.browser()
        var page = try await browser.get("/account/forgot")
        page = try await browser.press(page, ["identifier": "ada@example.com"])
        #expect(page.heading == "Choose a new password")
        let code = try #require(try await bench.base.message(to: "ada@example.com", kind: "recovery").code)
        let weak = try await browser.submit(page, ["code": code, "newPassword": "short"])
        #expect(weak.status == 400 && weak.text.contains("too short") && !browser.isSignedIn)
        page = try await browser.press(page, ["code": code, "newPassword": "Another-horse-8-battery"])
        #expect(page.heading == "Your account" && browser.isSignedIn, "\(page.text)")
        #expect(try await former.open("/account").heading == "Sign in")
        #expect(try await bench.browser().signIn("ada@example.com").status == 400)
    }

    @Test(
        "R11.4 the link of the message asks for a new password alone, names whose it is to password managers, and works once"
    )
    func resetByLink() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        _ = try await browser.press(try await browser.get("/account/forgot"), ["identifier": "ada@example.com"])
        let link = try #require(try await bench.base.message(to: "ada@example.com", kind: "recovery").link)
        let path = String(link.dropFirst(PagesBench.url.count))
        let other = bench.browser()
        let page = try await other.get(path)
        #expect(page.forms.first?.values["username"] == "ada@example.com" && !page.text.contains(#"name="code""#))
        #expect(try await other.press(page, ["newPassword": "Another-horse-8-battery"]).heading == "Your account")
        #expect(try await other.get(path).status == 410)
    }

    @Test("R11.4 a password that an administrator chose signs nobody in before its user has chosen another")
    func newPassword() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com", temporary: true)
        let browser = bench.browser()
        var page = try await browser.signIn("ada@example.com")
        #expect(page.heading == "Choose your own password" && !browser.isSignedIn, "\(page.text)")
        #expect(page.forms.first?.values["username"] == "ada@example.com")
        #expect(try await browser.submit(page, ["newPassword": "short"]).status == 400)
        // WCAG 2.2, criterion 2.2.1: how long it waits is said, and is what it says.
        #expect(page.text.contains("within 60 minutes"))
        bench.base.clock.advance(by: .minutes(58))
        page = try await browser.get(page.url)
        #expect(page.text.contains("within 2 minutes"))
        let form = page
        page = try await browser.press(page, ["newPassword": "Another-horse-8-battery"])
        #expect(page.heading == "Your account" && browser.isSignedIn)
        let again = try await browser.submit(form, ["newPassword": "A-third-horse-9-battery"])
        #expect(again.status == 410, "\(again.text)")
    }

    @Test(
        "R11.4 R11 pages that are remembered: each browser's form is its own, and a change of the Directory's is seen at once",
        arguments: ["sign-in", "sign-up", "forgot"])
    func remembered(path: String) async throws {
        let bench = try await PagesBench()
        let (one, other) = (bench.browser(), bench.browser())
        let first = try await one.get("/account/" + path)
        let second = try await other.get("/account/" + path)
        func token(_ page: PagesBrowser.Page) throws -> String {
            try #require(page.forms.first?.values["formToken"])
        }
        #expect(try token(first) != token(second))
        #expect(
            try first.text.replacingOccurrences(of: token(first), with: "")
                == second.text.replacingOccurrences(of: token(second), with: ""))
        #expect(first.headers[.contentSecurityPolicy] == second.headers[.contentSecurityPolicy])
        #expect(try await token(one.get("/account/" + path)) == token(first), "of one browser's form")
        // Made for the other and sent by this one, it is nobody's; by the other it is heard.
        let fields = ["identifier": "ada@example.com", "password": "x", "newPassword": "x"]
        #expect(try await one.submit(second, fields).status == 403)
        #expect(try await other.submit(second, fields).status != 403)

        let german = try await bench.browser().get("/account/\(path)?language=de")
        #expect(german.text.contains(#"lang="de""#) && german.heading != first.heading)
        #expect(try await one.get("/account/\(path)").heading == first.heading)

        try await bench.base.change { $0.mail.siteName = "Other <Name>" }
        #expect(try await one.get("/account/" + path).text.contains("Other &lt;Name&gt;"))
    }

    @Test("R11.4 somebody with an address that is not proved is led to prove it, once their password was right")
    func unproved() async throws {
        let bench = try await PagesBench()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        attributes.password = Secret(Self.password)
        _ = try await bench.base.flows.userAdministration.create(
            attributes, call: bench.base.call(actor: .administrator("test")))
        let browser = bench.browser()
        #expect(try await browser.signIn("ada@example.com", "Wrong-horse-1").heading == "Sign in")
        let page = try await browser.signIn("ada@example.com")
        #expect(page.heading == "Check your email" && !browser.isSignedIn)
        let code = try #require(try await bench.base.message(to: "ada@example.com").code)
        #expect(try await browser.press(page, ["code": code]).heading == "Your account")
    }

    @Test("V6.3.8 R11.4 nobody learns from a page who has an account: same status, same text, same next page")
    func enumeration() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("known@example.com")
        func answers(_ email: String) async throws -> [String] {
            let browser = bench.browser()
            var answers: [String] = []
            func note(_ page: PagesBrowser.Page) {
                let text = page.text.replacingOccurrences(of: email, with: "NAME")
                // What differs in any two browsers: tokens, and tickets.
                let plain = text.replacingOccurrences(
                    of: #"[A-Za-z0-9_-]{43,}"#, with: "TOKEN", options: .regularExpression)
                answers.append("\(page.status) \(plain)")
            }
            note(
                try await browser.submit(
                    try await browser.get("/account/sign-in"), ["identifier": email, "password": "Wrong-horse-1"]))
            note(
                try await browser.press(
                    try await browser.get("/account/sign-up"), ["identifier": email, "newPassword": Self.password]))
            let reset = try await browser.press(
                try await browser.get("/account/forgot"), ["identifier": email])
            note(reset)
            note(try await browser.submit(reset, ["code": "000000", "newPassword": "Another-horse-8-battery"]))
            return answers
        }
        let (known, unknown) = (try await answers("known@example.com"), try await answers("unknow@example.com"))
        for (one, other) in zip(known, unknown) { #expect(one == other) }
    }

    @Test("R11.2 a browser may keep a session beyond its window, if its user says so")
    func stay() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        for stays in [false, true] {
            let browser = bench.browser()
            let fields = ["identifier": "ada@example.com", "password": Self.password]
                .merging(stays ? ["stay": "on"] : [:]) { $1 }
            let answer = try await browser.submit(try await browser.get("/account/sign-in"), fields)
            #expect(answer.status == 303)
            let cookie = try #require(answer.headers[.setCookie])
            #expect(
                cookie.contains("Max-Age=") == stays && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
        }
    }

    @Test("R11.2 R11.4 whoever wants to stay signed in and mistypes the password need not say so again")
    func stayAgain() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        let page = try await browser.get("/account/sign-in")
        let wrong = ["identifier": "ada@example.com", "password": "Wrong-horse-1"]
        let ticked = #"name="stay" value="on" checked>"#
        #expect(!page.text.contains(ticked))
        #expect(try await !browser.submit(page, wrong).text.contains(ticked))
        let again = try await browser.submit(page, wrong.merging(["stay": "on"]) { $1 })
        #expect(again.status == 400 && again.text.contains(ticked), "\(again.text)")
        // What is not this browser's own form is shown anew with nothing of it.
        let foreign = try await bench.browser().submit(page, wrong.merging(["stay": "on"]) { $1 })
        #expect(foreign.status == 403 && !foreign.text.contains(ticked))
    }

    @Test("R11.2 somebody sees where they are signed in, and ends a session there")
    func sessions() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let (here, there) = (bench.browser(), bench.browser())
        _ = try await there.signIn("ada@example.com")
        let page = try await here.signIn("ada@example.com")
        let after = try await here.press(page, to: "/sessions/end")
        #expect(after.text.contains("That session was ended."))
        #expect(try await there.open("/account").heading == "Sign in")
        #expect(try await here.open("/account").heading == "Your account")
        // Another's session is not theirs to end.
        try await bench.makeUser("eve@example.com")
        let eve = bench.browser()
        _ = try await bench.browser().signIn("eve@example.com")
        let own = try await eve.signIn("eve@example.com")
        let cookie = try #require(here.session(of: bench.base.directory.id))
        let token = RefreshToken(cookie.reveal(), under: bench.base.directory.tokenKey, for: .browser)
        let session = try #require(token)
        _ = try await eve.press(own, to: "/sessions/end", ["session": session.session.rawValue])
        #expect(try await here.open("/account").heading == "Your account")
    }

    @Test("R11.4 somebody who is signed in changes their password by showing the one they have")
    func change() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        let page = try await browser.get("/account/password")
        let wrong = try await browser.submit(
            page, ["password": "Wrong-horse-1", "newPassword": "Another-horse-8-battery"])
        #expect(wrong.status == 400 && wrong.title.hasPrefix("Error: "))
        let done = try await browser.press(
            page, ["password": Self.password, "newPassword": "Another-horse-8-battery"])
        #expect(done.heading == "Your account" && done.text.contains("Your password was changed."))
        #expect(
            try await bench.http.send(.get, "/.well-known/change-password")[header: "Location"] == "/account/password")
    }
}
