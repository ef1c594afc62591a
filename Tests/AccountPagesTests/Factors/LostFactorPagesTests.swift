// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import TestBenchHTTP
import Testing

/// The pages of who has lost the second factor.
@Suite struct LostFactorPagesTests {
    private static let ada = "ada@example.com"

    @Test(
        "G-9.8 who has lost their device begins a wait on the page that asks for a code, and signs in without once it is over"
    )
    func whole() async throws {
        let bench = try await PagesBench { $0.factors.recoveryWait = 86_400 }
        try await bench.makeUser(Self.ada)
        _ = try await bench.addApp(to: Self.ada)
        let browser = bench.browser()
        let asked = try await browser.signIn(Self.ada)
        #expect(asked.text.contains("I have lost my device"))
        let page = try await browser.get(asked.url.replacing("/second-factor?", with: "/lost-factor?"))
        #expect(page.heading == "Sign in without your second factor" && !browser.isSignedIn, "\(page.text)")
        #expect(try await bench.base.messages(to: Self.ada, kind: "factor_recovery_begun").isEmpty)
        let begun = try await browser.press(page)
        #expect(begun.heading == "Your second factors will be removed" && !browser.isSignedIn, "\(begun.text)")
        #expect(try await bench.base.messages(to: Self.ada, kind: "factor_recovery_begun").count == 1)
        // Pressed once more, nothing is sent, and looked at later it says how it stands.
        _ = try await browser.press(page)
        #expect(try await bench.base.messages(to: Self.ada, kind: "factor_recovery_begun").count == 1)
        bench.base.clock.advance(by: .days(1))
        let visitor = bench.browser()
        let done = try await visitor.signIn(Self.ada)
        #expect(visitor.isSignedIn, "\(done.text)")
    }

    @Test("G-9.8 the mailed link opens a page whose button stops it; opening it alone does nothing")
    func stopped() async throws {
        let bench = try await PagesBench { $0.factors.recoveryWait = 86_400 }
        try await bench.makeUser(Self.ada)
        _ = try await bench.addApp(to: Self.ada)
        let browser = bench.browser()
        let asked = try await browser.signIn(Self.ada)
        _ = try await browser.press(
            try await browser.get(asked.url.replacing("/second-factor?", with: "/lost-factor?")))
        let mail = try await bench.base.message(to: Self.ada, kind: "factor_recovery_begun")
        let link = try #require(mail.link)
        let path = try #require(link.firstRange(of: "/account/")).lowerBound
        let visitor = bench.browser()
        let page = try await visitor.get(String(link[path...]))
        #expect(page.status == 200 && page.heading == "Keep your second factors", "\(page.text)")
        let stopped = try await visitor.press(page)
        #expect(stopped.heading == "Your second factors stay" && !visitor.isSignedIn, "\(stopped.text)")
        #expect(try await visitor.submit(page, [:]).status == 410)
        #expect(try await visitor.get(String(link[path...])).status == 410)
        bench.base.clock.advance(by: .days(1))
        _ = try await visitor.signIn(Self.ada)
        #expect(!visitor.isSignedIn)
    }

    @Test("G-9.8 where operators alone remove factors, the page says so and no link leads there")
    func withheld() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        _ = try await bench.addApp(to: Self.ada)
        let browser = bench.browser()
        let asked = try await browser.signIn(Self.ada)
        #expect(!asked.text.contains("I have lost my device"))
        let page = try await browser.get(asked.url.replacing("/second-factor?", with: "/lost-factor?"))
        #expect(page.text.contains("Please ask whoever runs this service"), "\(page.text)")
    }
}
