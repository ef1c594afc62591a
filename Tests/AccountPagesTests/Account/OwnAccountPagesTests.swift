// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AccountPages

/// What people see to in their own account.
@Suite struct OwnAccountPagesTests {
    private static let ada = "ada@example.com"

    @Test(
        "G-6 each page of one's own is behind the sign-in, and comes after it", arguments: AccountErrand.Page.allCases)
    func behindSignIn(page: AccountErrand.Page) async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let errand = AccountErrand(page, item: page.rawValue.hasSuffix("remove") ? "x y/?~&" : nil)
        #expect(AccountErrand(errand.text) == errand)
        guard page != .account, page != .password else { return }
        let browser = bench.browser()
        let query = errand.item == nil ? "" : "?item=x%20y%2F%3F~%26"
        let refused = try await browser.get("/account" + errand.path + query)
        #expect(refused.status == 303 && refused.location?.hasPrefix("/account/sign-in?then=") == true)
        let signIn = try await browser.open(try #require(refused.location))
        let done = try await browser.submit(signIn, ["identifier": Self.ada, "password": AccountBench.password])
        let wanted = "/account" + errand.path + (errand.item == nil ? "" : "?item=")
        #expect(done.location?.hasPrefix(wanted) == true, "\(done.location ?? "")")
        let arrived = try await browser.open(try #require(done.location))
        #expect(arrived.status == 200 && arrived.heading != "Sign in", "\(arrived.url)")
    }

    @Test(
        "R11.5 an errand is one of the account's own pages and nothing else",
        arguments: [
            "//evil.test", "https://evil.test", "sign-out", "../x", "factors/../../x", "account/sign-in", "email?x=y",
            "factors/remove~" + String(repeating: "x", count: 65),
        ])
    func noErrand(text: String) async throws {
        #expect(AccountErrand(text) == nil)
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        let url = "/account/sign-in?then=\(PercentEncoding.encode(text.utf8))"
        let done = try await browser.submit(
            try await browser.get(url), ["identifier": Self.ada, "password": AccountBench.password])
        #expect(done.location == "/account")
    }

    @Test("G-9 a second factor is set up, listed and removed, and backup codes are made anew, each shown once")
    func factors() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let elsewhere = bench.browser()
        _ = try await elsewhere.signIn(Self.ada)
        var page = try await browser.get("/account/factors")
        #expect(page.text.contains("have not set up"))
        page = try await browser.press(try await browser.get("/account/factors/new"))
        let secret = try await bench.unfinished(of: Self.ada)
        page = try await browser.submit(page, ["code": bench.code(of: secret)])
        #expect(page.heading == "Backup codes", "\(page.text)")
        let first = PageMarkup(page.text).all("li").map(\.content)
        #expect(first.count == 10)
        // Whoever had the password alone is out, and this browser goes on.
        #expect(try await elsewhere.open("/account").heading == "Sign in")
        page = try await browser.get("/account/factors")
        #expect(page.text.contains("Authenticator app") && page.text.contains("10 codes left"), "\(page.text)")
        page = try await browser.submit(try await browser.get("/account/factors/codes"))
        let second = PageMarkup(page.text).all("li").map(\.content)
        #expect(second.count == 10 && Set(second).isDisjoint(with: first))
        page = try await browser.get("/account/factors")
        let link = try #require(
            PageMarkup(page.text).all("a").first { $0.attributes["href"]?.contains("remove") == true })
        page = try await browser.get(try #require(link.attributes["href"]))
        #expect(page.heading == "Remove this second factor?" && page.text.contains("only one"))
        page = try await browser.press(page)
        #expect(page.text.contains("was removed") && page.text.contains("have not set up"), "\(page.text)")
        #expect(try await bench.base.message(to: Self.ada, kind: "factor_removed").kind == "factor_removed")
    }

    @Test("R14.2 what needs a second factor asks for it in place, and goes on with what was asked for")
    func inPlace() async throws {
        let bench = try await PagesBench { $0.factors.totp = .off }
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let late = try await browser.get("/account/email")
        let secret = Secret([UInt8](repeating: 9, count: 20))
        let user = try #require(try await bench.user(Self.ada))
        let factor = Factor(
            id: bench.base.ports.random.identifier(), directoryID: bench.base.directory.id, userID: user.id,
            credential: .totp(secret), verifiedAt: bench.base.now, createdAt: bench.base.now)
        try await bench.base.ports.store.write { try $0.insert(factor) }
        try await bench.base.change { $0.factors.totp = .on }
        for path in ["/password", "/email", "/phone", "/identities/remove?item=x", "/factors/new", "/factors/codes"] {
            let answer = try await browser.get("/account" + path)
            #expect(answer.location?.hasPrefix("/account/second-factor?then=") == true, "\(path)")
        }
        // A form that was open already is not heard either.
        let sent = try await browser.submit(late, ["address": "new@example.com", "password": AccountBench.password])
        #expect(sent.location?.hasPrefix("/account/second-factor?then=email") == true, "\(sent.text)")
        let asked = try await browser.open("/account/factors/remove?item=\(factor.id.rawValue)")
        #expect(asked.heading == "Enter your code")
        let page = try await browser.press(asked, ["code": bench.code(of: secret)])
        #expect(page.heading == "Remove this second factor?", "\(page.text)")
        #expect(try await browser.press(page).text.contains("was removed"))
    }

    @Test("R14.2 another user's factor is not there, and is not removed")
    func foreignFactor() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser("bob@example.com")
        _ = try await bench.addApp(to: Self.ada)
        let user = try #require(try await bench.user(Self.ada))
        let factor = try #require(
            try await bench.base.flows.userFactors.list(of: user.id, call: bench.base.call()).first)
        let browser = bench.browser()
        _ = try await browser.signIn("bob@example.com")
        let path = "/account/factors/remove?item=\(factor.id.rawValue)"
        #expect(try await browser.get(path).location == "/account/factors")
        let token = try await browser.get("/account/factors/codes").forms.first?.values["formToken"] ?? ""
        _ = try await browser.send(.post, path, ["formToken": token])
        #expect(try await bench.base.flows.userFactors.list(of: user.id, call: bench.base.call()).count == 1)
    }

    @Test("a profile is changed, and what can't be one is said at its field")
    func profile() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/profile")
        for (fields, field) in [
            (["name": "Ada", "picture": "http://a.example/x.png"], "picture"),
            (["name": String(repeating: "x", count: 201)], "name"), (["name": "a\u{202E}b"], "name"),
        ] {
            let refused = try await browser.submit(page, fields)
            #expect(refused.status == 400 && refused.text.contains("id=\"\(field)-refusal\""), "\(refused.text)")
        }
        #expect(try await browser.submit(page, ["locale": "<b>"]).status == 400)
        let done = try await browser.press(
            page, ["name": " Ada <Lovelace> ", "picture": "https://a.example/x.png", "locale": "de"])
        #expect(done.text.contains("was saved") && done.text.contains("Ada &lt;Lovelace&gt;"), "\(done.text)")
        let shown = try await browser.get("/account/profile")
        #expect(shown.forms.first?.values["name"] == "Ada <Lovelace>")
        #expect(shown.text.contains(#"<option value="de" lang="de" selected>"#))
        let cleared = try await browser.press(shown, ["name": "", "picture": ""])
        #expect(!cleared.text.contains("Lovelace"))
    }

    @Test("an address changes once the codes of both mails were entered, and a password is asked for first")
    func email() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser("bob@example.com")
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/email")
        let good = ["address": "new@example.com", "password": AccountBench.password]
        #expect(try await browser.submit(page, good.merging(["address": "nonsense"]) { $1 }).status == 400)
        let wrong = try await browser.submit(page, good.merging(["password": "Wrong-horse-1"]) { $1 })
        #expect(wrong.status == 400 && wrong.text.contains("aria-invalid"), "\(wrong.text)")
        #expect(try await bench.user(Self.ada)?.pendingEmail == nil)
        var next = try await browser.press(page, good)
        #expect(next.heading == "Check your email" && next.text.contains("new@example.com"), "\(next.text)")
        #expect(try await browser.submit(next, ["code": "000000"]).status == 400)
        let new = try #require(try await bench.base.message(to: "new@example.com").code)
        next = try await browser.press(next, ["code": new])
        #expect(next.text.contains("your other address"), "\(next.text)")
        let current = try #require(try await bench.base.message(to: Self.ada, kind: "email_change_current").code)
        next = try await browser.press(next, ["code": current])
        #expect(next.heading == "Your account" && next.text.contains("new@example.com"), "\(next.text)")
        // Whether an address is somebody else's can't be seen.
        try await bench.makeUser("carl@example.com")
        let carls = bench.browser()
        _ = try await carls.signIn("carl@example.com")
        let taken = try await carls.press(
            try await carls.get("/account/email"), good.merging(["address": "bob@example.com"]) { $1 })
        #expect(taken.heading == "Check your email" && taken.text.contains("bob@example.com"))
    }

    @Test("a number changes once its code was entered, and none is taken that can't be reached")
    func phone() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/phone")
        #expect(
            try await browser.submit(page, ["address": "12", "password": AccountBench.password]).status == 400)
        var next = try await browser.press(
            page, ["address": "+49 151 1234 5678", "password": AccountBench.password])
        #expect(next.heading == "Check your messages", "\(next.text)")
        let code = try #require(try await bench.base.message(to: "+4915112345678").code)
        next = try await browser.press(next, ["code": code])
        #expect(next.text.contains("number is confirmed") && next.text.contains("+4915112345678"), "\(next.text)")
    }

    @Test("G-6 sessions are listed with their place, this one is marked, and the others end together")
    func sessions() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let (browser, other, third) = (bench.browser(), bench.browser(), bench.browser())
        for each in [browser, other, third] { _ = try await each.signIn(Self.ada) }
        let page = try await browser.get("/account")
        #expect(page.text.components(separatedBy: "This browser").count == 2)
        let done = try await browser.press(page, to: "/sessions/end-others")
        #expect(done.heading == "Your account" && done.text.contains("everywhere else"), "\(done.text)")
        #expect(!done.text.contains("/sessions/end-others"))
        for each in [other, third] { #expect(try await each.open("/account").heading == "Sign in") }
    }

    @Test("R12.6 an account elsewhere is connected and disconnected, after a fresh sign-in where the last is old")
    func identities() async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await PagesBench(identityProviders: upstream)
        try await bench.makeUser(Self.ada)
        let provider = IdentityProvider(
            id: bench.base.ports.random.identifier(), directoryID: bench.base.directory.id, name: "google",
            kind: .google, displayName: nil, issuer: nil, clientIDs: ["client"], isEnabled: true,
            createdAt: bench.base.now, updatedAt: bench.base.now)
        try await bench.base.ports.store.write { try $0.insert(provider) }
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        bench.base.clock.advance(by: .hours(2))
        var page = try await browser.get("/account/identities")
        #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self' http: https:") == true)
        let old = try await browser.press(page, to: "/link", ["provider": "google"])
        #expect(old.heading == "Confirm that it is you", "\(old.text)")
        page = try await browser.press(old, ["identifier": Self.ada, "password": AccountBench.password])
        #expect(page.heading == "Other ways to sign in", "\(page.text)")
        let left = try await browser.submit(page, to: "/link", ["provider": "google"])
        #expect(left.location?.hasPrefix("https://google.example/authorize?") == true, "\(left.text)")
        let request = try #require(upstream.requests.last)
        upstream.vouch(
            FederatedProof(
                provider: "google", issuer: "https://accounts.google.com", subject: "ada-1", audience: "client",
                email: try EmailAddress("ada@gmail.example"), isEmailVouched: true,
                expiresAt: bench.base.now + .hours(1)), by: "good")
        let stranger = bench.browser()
        _ = try await stranger.get("/account/sign-in")
        #expect(try await stranger.get("/account/provider/return?state=\(request.state)&code=good").status == 410)
        page = try await browser.open("/account/provider/return?state=\(request.state)&code=good")
        #expect(page.text.contains("is connected") && page.text.contains("ada@gmail.example"), "\(page.text)")
        let link = try #require(
            PageMarkup(page.text).all("a").first { $0.attributes["href"]?.contains("remove") == true })
        page = try await browser.get(try #require(link.attributes["href"]))
        #expect(page.heading == "Disconnect this account?")
        page = try await browser.press(page)
        #expect(page.text.contains("no longer connected") && !page.text.contains("ada@gmail.example"), "\(page.text)")
        let unknown = try await browser.press(page, to: "/link", ["provider": "nobody"])
        #expect(unknown.status == 200 && unknown.text.contains("role=\"alert\""))
    }
}
