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

/// What is held about people, to be had and to be deleted by themselves, and where they are signed in.
@Suite struct PrivacyPagesTests {
    private static let ada = "ada@example.com"

    @Test("G-10.4 everything that is held is mailed to who asks in a fresh sign-in, which is asked for in place")
    func export() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        var page = try await browser.get("/account/data")
        #expect(page.text.contains(Self.ada))
        // A form without its token sends nothing.
        #expect(try await browser.send(.post, "/account/data/export", ["formToken": "x"]).status == 403)
        #expect(try await bench.base.messages(to: Self.ada, kind: "account_export").isEmpty)
        bench.base.clock.advance(by: .minutes(6))
        let asked = try await browser.press(page, to: "/data/export")
        #expect(asked.heading == "Confirm that it is you", "\(asked.text)")
        page = try await browser.press(asked, ["identifier": Self.ada, "password": AccountBench.password])
        #expect(page.heading == "Data and privacy")
        page = try await browser.press(page, to: "/data/export")
        #expect(page.text.contains("have sent you a link"), "\(page.text)")
        // Too often is said where it was pressed.
        let again = try await browser.press(page, to: "/data/export")
        #expect(again.heading == "Data and privacy" && again.text.contains(#"role="alert""#), "\(again.text)")
        let link = try #require(try await bench.base.message(to: Self.ada, kind: "account_export").link)
        let file = try await browser.press(try await browser.get(String(link.dropFirst(PagesBench.url.count))))
        #expect(file.status == 200 && file.headers[.contentType] == "application/zip")
    }

    @Test("G-10.4 an account is deleted after its page has said what goes, by a fresh proof and its own form alone")
    func deletion() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let (browser, elsewhere) = (bench.browser(), bench.browser())
        for each in [browser, elsewhere] { _ = try await each.signIn(Self.ada) }
        bench.base.clock.advance(by: .minutes(6))
        let asked = try await browser.open("/account/delete")
        #expect(asked.heading == "Confirm that it is you")
        let page = try await browser.press(asked, ["identifier": Self.ada, "password": AccountBench.password])
        #expect(page.heading == "Delete your account?" && page.text.contains(Self.ada), "\(page.text)")
        #expect(page.text.contains("signed in: 2") && page.text.contains("taken back"), "\(page.text)")
        #expect(try await browser.send(.post, "/account/delete", [:]).status == 403)
        #expect(try await elsewhere.submit(page).location == "/account/sign-in?then=delete", "another browser's proof")
        bench.base.clock.advance(by: .minutes(6))
        #expect(try await browser.submit(page).location == "/account/sign-in?then=delete", "too late")
        #expect(try await bench.user(Self.ada) != nil)
        _ = try await browser.signIn(Self.ada)
        let done = try await browser.submit(try await browser.get("/account/delete"))
        #expect(done.location == "/account/deleted" && done.headers[.clearSiteData] == "\"cache\"", "\(done.text)")
        #expect(try await browser.open("/account/deleted").heading == "Your account is deleted")
        #expect(try await bench.user(Self.ada) == nil)
        for each in [browser, elsewhere] { #expect(try await each.open("/account").heading == "Sign in") }
    }

    @Test("G-10.4 with a time of grace the page says how long, and whoever signs in within it is told that they stay")
    func grace() async throws {
        let bench = try await PagesBench { $0.deletion.grace = 7 * 86_400 }
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/delete")
        #expect(page.text.contains("7 days"), "\(page.text)")
        let done = try await browser.press(page)
        #expect(done.heading == "Your account will be deleted" && done.text.contains("7 days"), "\(done.text)")
        #expect(try await browser.open("/account").heading == "Sign in")
        let back = try await browser.signIn(Self.ada)
        #expect(back.heading == "Your account" && back.text.contains("will not be deleted"), "\(back.text)")
        #expect(try await bench.user(Self.ada)?.deletionDueAt == nil)
        #expect(try await browser.get("/account").text.contains("will not be deleted") == false)
    }

    @Test("G-10.4 whoever has a second factor shows it before their data is sent, and before they delete their account")
    func factor() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/data")
        let user = try #require(try await bench.user(Self.ada))
        let secret = Secret([UInt8](repeating: 9, count: 20))
        let factor = Factor(
            id: bench.base.ports.random.identifier(), directoryID: bench.base.directory.id, userID: user.id,
            credential: .totp(secret), verifiedAt: bench.base.now, createdAt: bench.base.now)
        try await bench.base.ports.store.write { try $0.insert(factor) }
        #expect(
            try await browser.submit(page, to: "/data/export").location == "/account/second-factor?then=data")
        let asked = try await browser.open("/account/delete")
        #expect(asked.heading == "Enter your code")
        let shown = try await browser.press(asked, ["code": bench.code(of: secret)])
        #expect(shown.heading == "Delete your account?" && shown.text.contains("second factors: 1"), "\(shown.text)")
    }

    @Test("G-6 every session is listed with all that is known of it, page by page, and ended from there")
    func sessions() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let others = (0..<26).map { _ in bench.browser() }
        for each in others {
            _ = try await each.signIn(Self.ada)
            bench.base.clock.advance(by: .seconds(1))
        }
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let account = try await browser.get("/account")
        #expect(account.text.components(separatedBy: "/sessions/end\"").count == 5, "this one and four others")
        let page = try await browser.get("/account/sessions")
        #expect(page.text.contains("Since ") && page.text.components(separatedBy: "This browser").count == 2)
        let more = try #require(
            PageMarkup(page.text).all("a").first { $0.attributes["href"]?.contains("after=") == true })
        let second = try await browser.get(try #require(more.attributes["href"]))
        #expect(second.status == 200 && second.text.components(separatedBy: "name=\"session\"").count == 3)
        let ended = try await browser.press(page, to: "/sessions/end")
        #expect(ended.heading == "Where you are signed in" && ended.text.contains("was ended"), "\(ended.text)")
        #expect(try await bench.sessions(of: Self.ada).count == 26)
        let done = try await browser.press(ended, to: "/sessions/end-others")
        #expect(done.text.contains("everywhere else") && !done.text.contains("/sessions/end-others"))
        #expect(try await bench.sessions(of: Self.ada).count == 1)
        for after in ["x", "~", "1~", "9999999999999999999~x", "-1~" + String(repeating: "x", count: 65), "0~x"] {
            #expect(try await browser.get("/account/sessions?after=" + after).status == 200, "\(after)")
        }
    }
}
