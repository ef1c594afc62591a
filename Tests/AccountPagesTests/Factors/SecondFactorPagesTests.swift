// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// Signing in on the pages of who has a second factor.
@Suite struct SecondFactorPagesTests {
    private static let ada = "ada@example.com"
    private static let phone = "+4915112345678"

    @Test(
        "R14.2 G-9 whoever has an authenticator app is signed in by its code and not before, with both methods at aal2")
    func app() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let secret = try await bench.addApp(to: Self.ada)
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser)
        let page = try await browser.signIn(Self.ada, at: "/account/sign-in?request=\(pending.id.rawValue)")
        #expect(page.heading == "Enter your code" && page.text.contains("my app"), "\(page.text)")
        #expect(!browser.isSignedIn && !page.url.contains("ada"))
        let empty = try await browser.submit(page, ["code": ""])
        let wrong = try await browser.submit(page, ["code": bench.wrongCode(of: secret)])
        for refused in [empty, wrong] {
            #expect(refused.status == 400 && refused.text.contains("This code is wrong."), "\(refused.text)")
            #expect(refused.title.hasPrefix("Error: ") && !browser.isSignedIn)
        }
        let right = bench.code(of: secret)
        let done = try await browser.submit(page, ["code": " \(right.prefix(3)) \(right.suffix(3))"])
        #expect(done.status == 303 && done.location == "/oauth2/authorize/continue?request=\(pending.id.rawValue)")
        #expect(browser.isSignedIn)
        let session = try #require(try await bench.sessions(of: Self.ada).first)
        #expect(session.assurance == .aal2 && session.methods.map(\.name) == [.password, .totp])
        // The page, its code and its ticket are spent.
        let visitor = bench.browser()
        visitor.cookies = browser.cookies.filter { !$0.key.contains("session") }
        #expect(try await visitor.submit(page, ["code": right]).status == 410)
        #expect(try await visitor.get(page.url).status == 410 && !visitor.isSignedIn)
        let again = try await bench.browser().signIn(Self.ada)
        let used = try await bench.browser().get(again.url)
        #expect(used.status == 410, "another browser's")
    }

    @Test("R14.2 a code that was used signs nobody in a second time, and the third wrong one is told with the minutes")
    func spentAndLocked() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let secret = try await bench.addApp(to: Self.ada)
        let right = bench.code(of: secret)
        let first = bench.browser()
        _ = try await first.submit(try await first.signIn(Self.ada), ["code": right])
        #expect(first.isSignedIn)
        let second = bench.browser()
        let page = try await second.signIn(Self.ada)
        let used = try await second.submit(page, ["code": right])
        #expect(used.status == 400 && used.text.contains("used already") && !second.isSignedIn, "\(used.text)")
        bench.base.clock.advance(by: .minutes(2))
        for _ in 0..<3 { _ = try await second.submit(page, ["code": bench.wrongCode(of: secret)]) }
        let locked = try await second.submit(page, ["code": bench.code(of: secret)])
        #expect(locked.status == 429 && locked.headers[.retryAfter] != nil && !second.isSignedIn)
        #expect(locked.text.contains("Please try again in 5 minutes."), "\(locked.text)")
        bench.base.clock.advance(by: .minutes(6))
        #expect(try await second.press(page, ["code": bench.code(of: secret)]).heading == "Your account")
    }

    @Test("R14.2 of 50 browsers that send one code at once, one is signed in, and none is shown a fault of the server")
    func raced() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let secret = try await bench.addApp(to: Self.ada)
        var asked: [(browser: PagesBrowser, page: PagesBrowser.Page)] = []
        for _ in 0..<50 {
            let browser = bench.browser()
            asked.append((browser, try await browser.signIn(Self.ada)))
        }
        let code = bench.code(of: secret)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for (browser, page) in asked {
                group.addTask { try await browser.submit(page, ["code": code]).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 303 } == 1 && statuses.allSatisfy { $0 < 500 }, "\(Set(statuses))")
        #expect(asked.count { $0.browser.isSignedIn } == 1)
    }

    @Test(
        "R14.2 a code is sent at once to who has no app, told by the end of the number alone; another way is a button away"
    )
    func sent() async throws {
        let bench = try await PagesBench { ($0.factors.phone, $0.factors.email) = (.on, .on) }
        try await bench.makeUser(Self.ada)
        let owner = try await bench.session(of: Self.ada)
        try await bench.add(.phone(PhoneNumber(Self.phone)), to: owner, at: Self.phone)
        try await bench.add(.email(EmailAddress("other@example.com")), to: owner, at: "other@example.com")
        let codes = try await bench.base.flows.userBackupCodes.make(for: owner, call: bench.base.call()).codes
        let before = try await bench.base.messages(to: Self.phone, kind: "factor_code").count
        let browser = bench.browser()
        var page = try await browser.signIn(Self.ada)
        #expect(try await bench.base.messages(to: Self.phone, kind: "factor_code").count == before + 1)
        #expect(page.text.contains("We sent a code to") && page.text.contains("78"), "\(page.text)")
        #expect(!page.text.contains("4915112") && !page.text.contains("other@example.com"))
        // Looked at once more, nothing is sent; asked too soon, it says so and the code that was sent is still good.
        page = try await browser.get(page.url)
        #expect(try await bench.base.messages(to: Self.phone, kind: "factor_code").count == before + 1)
        let number = try #require(Self.buttons(page).first { $0.text == "Send a new code" }?.value)
        let soon = try await browser.press(page, to: "/ask", ["factor": number])
        #expect(soon.status == 200 && soon.text.contains("role=\"alert\""), "\(soon.text)")
        let code = try #require(try await bench.base.message(to: Self.phone, kind: "factor_code").code)
        let signedIn = bench.browser()
        signedIn.cookies = browser.cookies
        #expect(try await signedIn.press(soon, ["code": code]).heading == "Your account")
        // By mail.
        page = try await browser.signIn(Self.ada)
        let mail = try #require(Self.buttons(page).first { $0.text.contains("o•••@example.com") }?.value)
        page = try await browser.press(page, to: "/ask", ["factor": mail])
        let mailed = try #require(try await bench.base.message(to: "other@example.com", kind: "factor_code").code)
        #expect(try await browser.submit(page, ["code": "000000"]).status == 400)
        #expect(try await browser.press(page, ["code": mailed]).heading == "Your account")
        // By a code that was written down, in any spelling, once.
        bench.base.clock.advance(by: .minutes(3))
        for isFirst in [true, false] {
            let other = bench.browser()
            page = try await other.signIn(Self.ada)
            page = try await other.press(page, to: "/ask", ["factor": "backup"])
            #expect(page.text.contains("Backup code") && !page.text.contains("inputmode"))
            page = try await other.press(page, ["code": codes[0].reveal().uppercased()])
            #expect(other.isSignedIn == isFirst, "\(page.text)")
            bench.base.clock.advance(by: .minutes(3))
        }
    }

    @Test("R14.2 G-9 whoever must have a second factor sets one up in the sign-in, and is shown backup codes once")
    func enrolment() async throws {
        let bench = try await PagesBench { $0.factors.demand = .all }
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        let pending = try await bench.pend(in: browser)
        var page = try await browser.signIn(Self.ada, at: "/account/sign-in?request=\(pending.id.rawValue)")
        #expect(page.heading == "Set up two-step sign-in" && !browser.isSignedIn, "\(page.text)")
        page = try await browser.press(page)
        let secret = try await bench.unfinished(of: Self.ada)
        #expect(page.text.contains("<svg class=\"qr\" role=\"img\"") && page.text.contains("otpauth://totp/"))
        #expect(page.headers[.contentSecurityPolicy]?.contains("unsafe") == false)
        let other = bench.browser()
        #expect(try await other.get(page.url).status == 410, "the secret is shown in this browser alone")
        let wrong = try await browser.submit(page, ["code": bench.wrongCode(of: secret)])
        #expect(wrong.status == 400 && wrong.text.contains("<svg") && !browser.isSignedIn)
        let done = try await browser.submit(page, ["code": bench.code(of: secret)])
        #expect(done.status == 200 && done.heading == "Backup codes" && browser.isSignedIn, "\(done.text)")
        let codes = PageMarkup(done.text).all("li").map(\.content)
        #expect(codes.count == 10 && Set(codes).count == 10)
        #expect(done.text.contains("/oauth2/authorize/continue?request=\(pending.id.rawValue)"))
        let session = try #require(try await bench.sessions(of: Self.ada).first)
        #expect(session.assurance == .aal2 && session.methods.map(\.name) == [.password, .totp])
        // Neither secret nor codes are shown a second time.
        for path in [page.url, "/account/factors", "/account/factors/codes"] {
            let later = try await browser.get(path)
            #expect(!codes.contains { later.text.contains($0) } && !later.text.contains("otpauth:"), "\(path)")
        }
        let fresh = bench.browser()
        page = try await fresh.press(try await fresh.signIn(Self.ada), to: "/ask", ["factor": "backup"])
        #expect(try await fresh.press(page, ["code": codes[3]]).heading == "Your account")
    }

    @Test("R14.2 whoever wants to stay signed in says so once, also where steps follow")
    func stays() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let secret = try await bench.addApp(to: Self.ada)
        for stays in [true, false] {
            let browser = bench.browser()
            var fields = ["identifier": Self.ada, "password": AccountBench.password]
            if stays { fields["stay"] = "on" }
            let page = try await browser.press(try await browser.get("/account/sign-in"), fields)
            let done = try await browser.submit(page, ["code": bench.code(of: secret)])
            #expect(browser.isSignedIn)
            let cookie = done.headers[values: .setCookie].first { $0.contains("session") } ?? ""
            #expect(cookie.contains("Max-Age") == stays, "\(cookie)")
            bench.base.clock.advance(by: .minutes(2))
        }
    }

    @Test("R14.2 R11.8 an app that asks for aal2 has the second factor asked for in the session that there is")
    func stepUp() async throws {
        let bench = try await PagesBench { $0.factors.totp = .off }
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        try await bench.base.change { $0.factors.totp = .on }
        let before = browser.cookies
        let secret = try await addAppBeside(bench)
        let asked = try await bench.pend(in: browser, AuthorizationParameters(acrValues: ["aal2"]))
        var page = try await browser.get("/account/second-factor?request=\(asked.id.rawValue)")
        #expect(page.heading == "Enter your code" && page.status == 200, "\(page.text)")
        #expect(try await browser.submit(page, ["code": bench.wrongCode(of: secret)]).status == 400)
        page = try await browser.submit(page, ["code": bench.code(of: secret)])
        #expect(page.location == "/oauth2/authorize/continue?request=\(asked.id.rawValue)", "\(page.text)")
        let session = try #require(try await bench.sessions(of: Self.ada).first { $0.methods.count == 2 })
        #expect(session.assurance == .aal2 && session.methods.last?.name == .totp)
        // A copy of the cookie that was taken before is not raised along with it.
        let thief = bench.browser()
        thief.cookies = before
        #expect(try await thief.open("/account").heading == "Sign in")
        #expect(try await browser.open("/account").heading == "Your account")
    }

    /// An authenticator app that comes to be while a browser is signed in without: as an operator's import makes one.
    private func addAppBeside(_ bench: PagesBench) async throws -> Secret<[UInt8]> {
        let secret = Secret([UInt8](repeating: 7, count: 20))
        let user = try #require(try await bench.user(Self.ada))
        let factor = Factor(
            id: bench.base.ports.random.identifier(), directoryID: bench.base.directory.id, userID: user.id,
            credential: .totp(secret), verifiedAt: bench.base.now, createdAt: bench.base.now)
        try await bench.base.ports.store.write { try $0.insert(factor) }
        return secret
    }

    private static func buttons(_ page: PagesBrowser.Page) -> [(text: String, value: String)] {
        PageMarkup(page.text).all("button").compactMap { tag in
            tag.attributes["value"].map { (tag.content, $0) }
        }
    }
}
