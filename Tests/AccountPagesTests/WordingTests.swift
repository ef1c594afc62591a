// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

/// An operator's own words, as pages show them.
@Suite struct WordingTests {
    private static let mark = #"<i>"Own" & new</i>"#
    private static let escaped = "&lt;i&gt;&quot;Own&quot; &amp; new&lt;/i&gt;"

    @Test(
        "R11.4 each page shows the operator's own title, lead, button and footer, escaped, and in that language alone")
    func everyPage() async throws {
        let bench = try await PagesBench { settings in
            for page in PageWording.Page.allCases {
                for part in PageWording.Part.allCases {
                    settings.pages.texts[PageWording.name(page, part, in: .en)] =
                        "\(page.rawValue) \(part.rawValue) \(Self.mark)"
                }
            }
            settings.pages.texts["footer.en"] = "Footer \(Self.mark)"
            settings.pages.termsURL = "https://acme.example/{language}/terms"
        }
        try await bench.makeUser("ada@example.com")
        try await bench.makeUser("new@example.com", temporary: true)
        let browser = bench.browser(language: "en")
        let up = try await browser.get("/account/sign-up")
        let forgot = try await browser.get("/account/forgot")
        var shown: [(PageWording.Page, PagesBrowser.Page)] = [
            (.signIn, try await browser.get("/account/sign-in")), (.signUp, up), (.forgot, forgot),
            (
                .confirm,
                try await browser.press(up, ["identifier": "bob@example.com", "newPassword": AccountBench.password])
            ),
            (.reset, try await browser.press(forgot, ["identifier": "ada@example.com"])),
            (.newPassword, try await browser.signIn("new@example.com")),
            (.signedOut, try await browser.get("/account/signed-out")),
            (.account, try await browser.signIn("ada@example.com")),
            (.password, try await browser.get("/account/password")),
            (.signOut, try await browser.get("/account/sign-out")),
            (.newFactor, try await browser.get("/account/factors/new")),
            (.backupCodes, try await browser.get("/account/factors/codes")),
        ]
        try await bench.makeUser("two@example.com")
        _ = try await bench.addApp(to: "two@example.com")
        shown.append((.secondFactor, try await bench.browser(language: "en").signIn("two@example.com")))
        let pending = try await bench.pend(in: browser)
        for page in [PageWording.Page.consent, .choose] {
            shown.append((page, try await browser.get("/account/\(page.rawValue)?request=\(pending.id.rawValue)")))
        }
        for (page, answer) in shown {
            #expect(answer.status == 200 && !answer.text.contains(Self.mark), "\(page)")
            #expect(answer.heading == "\(page.rawValue) title \(Self.escaped)", "\(page): \(answer.heading)")
            #expect(answer.text.contains("\(page.rawValue) lead \(Self.escaped)"), "\(page)")
            if page != .account {
                #expect(answer.text.contains(">\(page.rawValue) button \(Self.escaped)<"), "\(page)")
            }
            #expect(answer.text.contains("<p>Footer \(Self.escaped)</p>"), "\(page)")
            #expect(answer.text.contains(#"href="https://acme.example/en/terms""#))
        }
        let german = try await bench.browser(language: "de").get("/account/sign-in")
        #expect(german.heading == "Anmelden" && !german.text.contains("Footer"))
        #expect(german.text.contains(#"href="https://acme.example/de/terms""#))
    }

    @Test("R11.4 own words name the app, and where there is none the page's own stand; what is refused is said in ours")
    func values() async throws {
        let bench = try await PagesBench {
            $0.pages.texts = [
                "signIn.title.en": "Welcome to {app}", "signIn.lead.en": "", "consent.title.en": "Let {app} in?",
                "confirm.lead.en": "Look into {address}",
            ]
        }
        try await bench.makeUser("ada@example.com")
        let browser = bench.browser()
        #expect(try await browser.get("/account/sign-in").heading == "Sign in")
        let pending = try await bench.pend(in: browser)
        let page = try await browser.get("/account/sign-in?request=\(pending.id.rawValue)")
        #expect(page.heading == "Welcome to Photo &lt;App&gt;" && !page.text.contains("to continue to"))
        let wrong = try await browser.submit(page, ["identifier": "ada@example.com", "password": "Wrong-horse-1"])
        #expect(wrong.title.hasPrefix("Error: Welcome to Photo"), "\(wrong.title)")
        let up = try await browser.get("/account/sign-up")
        let confirm = try await browser.press(
            up, ["identifier": "bob@example.com", "newPassword": AccountBench.password])
        #expect(confirm.text.contains("Look into bob@example.com"))
    }
}
