// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// One browser in which several people sign in, one after the other.
@Suite struct OneBrowserTests {
    private static let ada = "ada@example.com"
    private static let bob = "bob@example.com"

    @Test(
        "R11.5 a form that was shown to one user does nothing to another who has signed in in the browser since",
        arguments: ["profile", "phone", "email", "password", "factors/new", "consents"])
    func anotherUser(path: String) async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser(Self.bob)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/" + path)
        // In another tab, over Ada's session: the browser keeps its name.
        _ = try await browser.signIn(Self.bob)
        let fields = [
            "name": "Ada", "address": path == "phone" ? "+4915112345678" : "new@example.com",
            "password": AccountBench.password, "newPassword": "Another-horse-8-battery",
        ]
        let answer = try await browser.submit(page, fields)
        #expect(answer.status == 403, "\(answer.status) \(answer.location ?? "")")
        let bob = try #require(try await bench.user(Self.bob))
        #expect(bob.pendingEmail == nil && bob.pendingPhone == nil)
        #expect(try await bench.base.flows.userFactors.list(of: bob.id, call: bench.base.call()).isEmpty)
        // The page that is shown instead is the other's own, and is heard.
        let again = try await browser.submit(answer, fields)
        #expect(again.status == 303, "\(again.text)")
    }

    @Test("R11.5 what one user's page would end or take back is not ended of another")
    func anotherUsersSessions() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser(Self.bob)
        let browser = bench.browser()
        for user in [Self.ada, Self.bob] { _ = try await bench.browser().signIn(user) }
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account")
        _ = try await browser.signIn(Self.bob)
        #expect(try await browser.submit(page, to: "/sessions/end-others").status == 403)
        #expect(try await bench.sessions(of: Self.bob).count == 2)
    }

    @Test("R11.5 a form stays good for whoever proves more of who they are in another tab")
    func sameUser() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.get("/account/profile")
        _ = try await browser.signIn(Self.ada)
        #expect(try await browser.press(page, ["name": "Ada"]).text.contains("was saved"))
    }
}
