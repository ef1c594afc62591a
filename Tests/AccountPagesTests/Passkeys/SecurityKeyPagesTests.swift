// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// Authenticators in place of codes: security keys beside a password, and passkeys in place of both.
@Suite struct SecurityKeyPagesTests {
    private static let ada = "ada@example.com"

    @Test("R14.2 a security key is set up, asked for beside the password, and a wrong answer opens nothing")
    func key() async throws {
        let bench = try await PagesBench.withPasskeys { $0.factors.totp = .off }
        try await bench.makeUser(Self.ada)
        var key = bench.authenticator()
        let browser = bench.browser()
        _ = try await browser.signIn(Self.ada)
        let page = try await browser.press(try await browser.get("/account/factors/new"))
        #expect(page.text.contains(#"data-passkey="create""#), "\(page.text)")
        #expect(try await browser.submit(page, ["answer": "{}", "challenge": "x"]).status == 400)
        #expect(try await browser.submit(page, [:]).status == 400)
        let codes = try await browser.answer(page, by: &key)
        #expect(codes.heading == "Backup codes", "\(codes.text)")
        #expect(try await browser.get("/account/factors").text.contains("Security key"))
        let visitor = bench.browser()
        let asked = try await visitor.signIn(Self.ada)
        #expect(asked.heading == "Confirm that it is you" && !visitor.isSignedIn, "\(asked.text)")
        var wrong = key
        wrong.challenge = "AAAA"
        let refused = try await visitor.answer(asked, by: &wrong)
        #expect(refused.status == 400 && refused.title.hasPrefix("Error: ") && !visitor.isSignedIn, "\(refused.text)")
        #expect(try await visitor.submit(asked, [:]).status == 400)
        let (challenge, options) = try await visitor.question(asked)
        let sent = ["challenge": challenge, "answer": PagesBrowser.text(try key.get(options))]
        let thief = bench.browser()
        _ = try await thief.get("/account/sign-in")
        #expect(try await thief.send(.post, asked.url, sent).status == 410 && !thief.isSignedIn)
        #expect(try await visitor.submit(asked, sent).location == "/account")
        let session = try #require(try await bench.sessions(of: Self.ada).first { $0.methods.count == 2 })
        #expect(session.assurance == .aal2 && session.methods.map(\.name) == [.password, .webAuthnFactor])
    }

    @Test("R14.2 G-9 whoever must have a second factor sets a security key up in the sign-in")
    func demanded() async throws {
        let bench = try await PagesBench.withPasskeys { ($0.factors.demand, $0.factors.totp) = (.all, .on) }
        try await bench.makeUser(Self.ada)
        var key = bench.authenticator()
        let browser = bench.browser()
        let list = try await browser.signIn(Self.ada)
        #expect(list.heading == "Set up two-step sign-in" && !browser.isSignedIn, "\(list.text)")
        let link = try #require(
            PageMarkup(list.text).all("a").first { $0.attributes["href"]?.contains("kind=webauthn") == true })
        let page = try await browser.press(try await browser.get(try #require(link.attributes["href"])))
        let codes = try await browser.answer(page, by: &key)
        #expect(codes.heading == "Backup codes" && browser.isSignedIn, "\(codes.text)")
        #expect(try await bench.sessions(of: Self.ada).first?.assurance == .aal2)
    }

    @Test("R14.2 whoever must have a factor and has a passkey signs in by it")
    func demandedAndPasskey() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var authenticator = bench.authenticator()
        try await bench.browser().addPasskey(of: Self.ada, to: &authenticator)
        try await bench.base.change { $0.factors.demand = .all }
        let browser = bench.browser()
        let done = try await browser.answer(try await browser.get("/account/sign-in"), by: &authenticator)
        #expect(done.location == "/account" && browser.isSignedIn)
    }

    @Test(
        "R14.2 a passkey stands in for a code, in a sign-in and before what needs a second factor, and only its user's")
    func inPlaceOfCode() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        try await bench.makeUser("bob@example.com")
        var (adas, bobs) = (bench.authenticator(), bench.authenticator())
        try await bench.browser().addPasskey(of: "bob@example.com", to: &bobs)
        let old = bench.browser()
        try await old.addPasskey(of: Self.ada, to: &adas)
        // A session of before the factor, kept by an operator's doing.
        let user = try #require(try await bench.user(Self.ada))
        let factor = Factor(
            id: bench.base.ports.random.identifier(), directoryID: bench.base.directory.id, userID: user.id,
            credential: .totp(Secret([UInt8](repeating: 9, count: 20))), verifiedAt: bench.base.now,
            createdAt: bench.base.now)
        try await bench.base.ports.store.write { try $0.insert(factor) }
        let raised = try await old.open("/account/factors/remove?item=\(factor.id.rawValue)")
        #expect(raised.heading == "Enter your code")
        var page = try await old.press(raised, to: "/ask", ["factor": "passkey"])
        #expect(page.heading == "Confirm that it is you", "\(page.text)")
        let (challenge, options) = try await old.question(page)
        let forged = PagesBrowser.text(try bobs.get(options, by: bobs.credentials[0]))
        #expect(try await old.submit(page, ["challenge": challenge, "answer": forged]).status == 400)
        let done = try await old.answer(page, by: &adas)
        #expect(done.location == "/account/factors/remove?item=\(factor.id.rawValue)", "\(done.text)")
        #expect(try await old.open(try #require(done.location)).heading == "Remove this second factor?")
        let browser = bench.browser()
        page = try await browser.press(try await browser.signIn(Self.ada), to: "/ask", ["factor": "passkey"])
        #expect(try await browser.answer(page, by: &adas).location == "/account", "\(page.text)")
        #expect(browser.isSignedIn)
    }
}
