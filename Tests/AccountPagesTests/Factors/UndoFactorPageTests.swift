// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

/// The link of the mail that tells of a new factor, for an owner who has not added it.
@Suite struct UndoFactorPageTests {
    private static let ada = "ada@example.com"

    /// Below the server's URL.
    private func path(_ bench: PagesBench, kind: String = "factor_added") async throws -> String {
        let link = try #require(try await bench.base.message(to: Self.ada, kind: kind).link)
        try #require(link.hasPrefix(PagesBench.url + "/account/undo?token="), "\(link)")
        return String(link.dropFirst(PagesBench.url.count))
    }

    @Test(
        "R14.2 the page takes the factor away, signs everybody out and leads to a new password; looking at it does nothing"
    )
    func factor() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser(Self.ada)
        let thief = bench.browser()
        _ = try await thief.signIn(Self.ada)
        let set = try await thief.press(try await thief.get("/account/factors/new"))
        _ = try await thief.submit(set, ["code": bench.code(of: try await bench.unfinished(of: Self.ada))])
        let user = try #require(try await bench.user(Self.ada))
        func factors() async throws -> Int {
            try await bench.base.flows.userFactors.list(of: user.id, call: bench.base.call()).count
        }
        let url = try await path(bench)
        #expect(!url.contains("ada") && url.utf8.count < 600)
        let owner = bench.browser()
        for _ in 0..<3 {
            let page = try await owner.get(url)
            #expect(page.heading == "Was that not you?" && page.text.contains("Authenticator app"), "\(page.text)")
            #expect(page.headers[.cacheControl] == "no-store")
        }
        #expect(try await factors() == 1 && thief.isSignedIn)
        let page = try await owner.get(url)
        // The token alone does nothing: another site's page has it no more than ours does.
        let token = try #require(page.forms.first?.values["token"])
        #expect(try await owner.send(.post, "/account/undo", ["token": token]).status == 403)
        #expect(
            try await owner.send(.post, "/account/undo", page.forms[0].values, with: [.origin: "https://evil.test"])
                .status == 403)
        #expect(try await factors() == 1)
        let reset = try await owner.press(page)
        #expect(reset.heading == "Choose a new password" && reset.text.contains("was removed"), "\(reset.text)")
        #expect(try await factors() == 0)
        #expect(try await bench.base.flows.userBackupCodes.find(of: user.id, call: bench.base.call()) == nil)
        #expect(try await thief.open("/account").heading == "Sign in")
        // Once.
        #expect(try await owner.get(url).status == 410)
        #expect(try await owner.submit(page).status == 410)
        let done = try await owner.press(reset, ["newPassword": "Another-horse-8-battery"])
        #expect(done.heading == "Your account", "\(done.text)")
        #expect(try await thief.signIn(Self.ada).title.hasPrefix("Error: "))
    }

    @Test(
        "R14.2 a passkey that somebody else has added is taken away likewise, and each of several mails undoes its own")
    func passkey() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var (one, two) = (bench.authenticator(), bench.authenticator())
        let thief = bench.browser()
        try await thief.addPasskey(of: Self.ada, to: &one)
        let first = try await path(bench, kind: "passkey_added")
        bench.base.clock.advance(by: .seconds(1))
        try await thief.addPasskey(of: Self.ada, to: &two)
        let second = try await path(bench, kind: "passkey_added")
        let owner = bench.browser()
        #expect(first != second)
        for (url, left) in [(first, 1), (second, 0)] {
            let page = try await owner.get(url)
            #expect(page.text.contains("there is a passkey"), "\(page.text)")
            #expect(try await owner.press(page).heading == "Choose a new password")
            #expect(try await bench.passkeys(of: Self.ada).count == left)
        }
        let visitor = bench.browser()
        for var each in [one, two] {
            let refused = try await visitor.answer(try await visitor.get("/account/sign-in"), by: &each)
            #expect(refused.status == 400 && !visitor.isSignedIn)
        }
    }

    @Test(
        "R14.2 R11.5 a link that is forged, altered, too old, another Directory's, or about what is gone changes nothing"
    )
    func dead() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var authenticator = bench.authenticator()
        let browser = bench.browser()
        try await browser.addPasskey(of: Self.ada, to: &authenticator)
        let url = try await path(bench, kind: "passkey_added")
        let owner = bench.browser()
        let form = try await owner.get(url)
        let token = Array(url.drop { $0 != "=" }.dropFirst())
        for place in stride(from: 0, to: token.count, by: 11) {
            var altered = token
            altered[place] = altered[place] == "A" ? "B" : "A"
            #expect(try await owner.get("/account/undo?token=" + String(altered)).status == 410, "\(place)")
        }
        for bad in ["", "x", String(repeating: "A", count: 3000), "%3Cimg%3E"] {
            let page = try await owner.get("/account/undo?token=" + bad)
            #expect(page.status == 410 && page.title.hasPrefix("Error: "), "\(bad.prefix(9)) \(page.status)")
            #expect(try await owner.submit(form, ["token": bad]).status == 410)
        }
        _ = try await bench.base.flows.directoryAdministration.create(
            name: "other", settings: DirectorySettings(), at: bench.base.now)
        #expect(try await owner.get("/directories/other" + url).status == 410)
        #expect(try await bench.passkeys(of: Self.ada).count == 1)
        // The address is another's by now.
        let user = try #require(try await bench.user(Self.ada))
        try await bench.base.ports.store.write { tx in
            var moved = try #require(try tx.user(user.id, in: user.directoryID))
            moved.email = try EmailAddress("moved@example.com")
            try tx.update(moved)
        }
        #expect(try await owner.get(url).status == 410)
        #expect(try await owner.submit(form).status == 410)
        try await bench.base.ports.store.write { tx in
            var moved = try #require(try tx.user(user.id, in: user.directoryID))
            moved.email = try EmailAddress(Self.ada)
            try tx.update(moved)
        }
        #expect(try await owner.get(url).status == 200)
        bench.base.clock.advance(by: .hours(24))
        #expect(try await owner.get(url).status == 410)
        #expect(try await owner.submit(form).status == 410)
        #expect(try await bench.passkeys(of: Self.ada).count == 1)
    }

    @Test("R14.2 of fifty who press at once one takes the factor away")
    func race() async throws {
        let bench = try await PagesBench.withPasskeys()
        try await bench.makeUser(Self.ada)
        var authenticator = bench.authenticator()
        try await bench.browser().addPasskey(of: Self.ada, to: &authenticator)
        let owner = bench.browser()
        let page = try await owner.get(try await path(bench, kind: "passkey_added"))
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await owner.submit(page).status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(answers.filter { $0 == 303 }.count == 1, "\(answers)")
        #expect(answers.allSatisfy { [303, 410, 429].contains($0) })
    }
}
