// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

/// What a checker such as axe looks at, of every page in every language (WCAG 2.2, level AA). Contrast is computed
/// where the colours are: `PageFrameTests`.
@Suite struct AccessiblePagesTests {
    /// Every page that there is, and what each says when something is refused.
    private func pages(_ language: MessageLanguage) async throws -> [PagesBrowser.Page] {
        let bench = try await PagesBench { $0.factors.recoveryWait = 86_400 }
        try await bench.makeUser("ada@example.com")
        try await bench.makeUser("new@example.com", temporary: true)
        let browser = bench.browser(language: language.rawValue)
        var pages: [PagesBrowser.Page] = []
        for path in ["sign-in", "sign-up", "forgot"] {
            let page = try await browser.get("/account/" + path)
            pages += [page, try await browser.submit(page, ["identifier": "", "password": "x", "newPassword": "x"])]
        }
        let confirm = try await browser.press(
            pages[2], ["identifier": "bob@example.com", "newPassword": AccountBench.password])
        let link = try #require(try await bench.base.message(to: "bob@example.com").link)
        pages += [
            confirm, try await browser.submit(confirm, ["code": "000000"]),
            try await browser.press(confirm, to: "again"),
            try await browser.get(String(link.dropFirst(PagesBench.url.count))),
        ]
        let reset = try await browser.press(pages[4], ["identifier": "ada@example.com"])
        pages += [reset, try await browser.submit(reset, ["code": "1", "newPassword": "short"])]
        let new = try await browser.signIn("new@example.com")
        pages += [new, try await browser.submit(new, ["newPassword": "short"])]
        pages += [try await browser.get("/account/nowhere"), try await browser.get("/account/signed-out")]
        pages.append(try await browser.signIn("ada@example.com"))
        for path in [
            "password", "sign-out", "profile", "email", "phone", "identities", "factors", "factors/new",
            "factors/codes", "sessions", "data", "delete", "deleted", "deleted?due=1", "undo?token=x",
        ] { pages.append(try await browser.get("/account/" + path)) }
        var call = bench.base.call(actor: .unknown)
        call.client = bench.app
        let device = try await bench.base.flows.beginDeviceAuthorization(scopes: ["openid"], resources: [], call: call)
        let code = try await browser.get("/account/device?user_code=" + device.userCode.text)
        let question = try await browser.press(code)
        pages += [
            code, try await browser.submit(code, ["user_code": "x"]), question,
            try await browser.press(question, ["answer": "allow"]), try await browser.get("/account/device/done"),
        ]
        pages += try await ownAccount(bench, browser, language)
        let pending = try await bench.pend(in: browser)
        for path in ["consent", "choose", "sign-in"] {
            pages.append(try await browser.get("/account/\(path)?request=\(pending.id.rawValue)"))
        }
        return pages
    }

    /// Pages on which the account is changed, and a second factor is set up, asked for and removed, refusals among
    /// them.
    private func ownAccount(
        _ bench: PagesBench, _ browser: PagesBrowser, _ language: MessageLanguage
    ) async throws -> [PagesBrowser.Page] {
        var pages: [PagesBrowser.Page] = []
        for (path, fields) in [
            ("profile", ["picture": "x"]), ("email", ["address": "x"]), ("phone", ["address": "x"]),
        ] {
            pages.append(try await browser.submit(try await browser.get("/account/" + path), fields))
        }
        let email = try await browser.press(
            try await browser.get("/account/email"), ["address": "new2@example.com", "password": AccountBench.password])
        pages += [email, try await browser.submit(email, ["code": "1"])]
        let scan = try await browser.press(try await browser.get("/account/factors/new"))
        let secret = try await bench.unfinished(of: "ada@example.com")
        pages += [scan, try await browser.submit(scan, ["code": bench.wrongCode(of: secret)])]
        pages.append(try await browser.submit(scan, ["code": bench.code(of: secret)]))
        pages.append(try await browser.get("/account/factors"))
        let factor = try #require(
            PageMarkup(pages[pages.count - 1].text).all("a").first { $0.attributes["href"]?.contains("remove") == true }
        )
        pages.append(try await browser.get(try #require(factor.attributes["href"])))
        let other = bench.browser(language: language.rawValue)
        let asked = try await other.signIn("ada@example.com")
        pages += [
            asked, try await other.submit(asked, ["code": "x"]),
            try await other.press(asked, to: "/ask", ["factor": "backup"]),
        ]
        let lost = try await other.get(asked.url.replacing("/second-factor?", with: "/lost-factor?"))
        pages += [lost, try await other.press(lost)]
        return pages
    }

    /// Pages that ask an authenticator, and those of who has passkeys, refusals among them.
    private func passkeyPages(_ language: MessageLanguage) async throws -> [PagesBrowser.Page] {
        let bench = try await PagesBench.withPasskeys { $0.factors.totp = .off }
        try await bench.makeUser("ada@example.com")
        var authenticator = bench.authenticator()
        let browser = bench.browser(language: language.rawValue)
        let signIn = try await browser.get("/account/sign-in")
        var pages = [signIn, try await browser.submit(signIn, ["answer": "{}", "challenge": "x"])]
        try await browser.addPasskey(of: "ada@example.com", to: &authenticator)
        pages.append(try await browser.get("/account/passkeys?notice=passkeyAdded"))
        let passkey = try #require(try await bench.passkeys(of: "ada@example.com").first)
        for path in ["name", "remove"] {
            pages.append(try await browser.get("/account/passkeys/\(path)?item=\(passkey.id.rawValue)"))
        }
        pages.append(try await browser.submit(pages[pages.count - 2], ["name": ""]))
        let new = try await browser.get("/account/passkeys/new")
        pages += [new, try await browser.submit(new, [:])]
        let link = try #require(try await bench.base.message(to: "ada@example.com", kind: "passkey_added").link)
        pages.append(try await browser.get(String(link.dropFirst(PagesBench.url.count))))
        let key = try await browser.press(try await browser.get("/account/factors/new"))
        pages += [key, try await browser.submit(key, ["answer": "{}", "challenge": "x"])]
        _ = try await browser.answer(key, by: &authenticator)
        let other = bench.browser(language: language.rawValue)
        let asked = try await other.signIn("ada@example.com")
        pages += [asked, try await other.submit(asked, [:])]
        return pages
    }

    @Test(
        "R11.4 each page has its language, a title, one first heading, a name on whatever is operated, and each refusal is said",
        arguments: MessageLanguage.allCases)
    func markup(language: MessageLanguage) async throws {
        let pages = try await pages(language) + passkeyPages(language)
        #expect(pages.count >= 35)
        for page in pages {
            let markup = PageMarkup(page.text)
            func all(_ name: String) -> [PageMarkup.Tag] { markup.all(name) }
            #expect(all("html").first?.attributes["lang"] == language.rawValue, "\(page.url)")
            #expect(all("main").count == 1 && all("h1").count == 1 && !page.heading.isEmpty, "\(page.url)")
            #expect(page.title.contains(page.heading), "\(page.url)")
            // What is no page, too: it is below the Directory's.
            #expect(page.title.hasSuffix("Acme"), "\(page.url)")
            let ids = markup.tags.compactMap { $0.attributes["id"] }
            #expect(Set(ids).count == ids.count, "\(page.url)")
            for tag in markup.tags {
                for reference in ["aria-describedby", "aria-labelledby"] {
                    for id in tag.attributes[reference]?.split(separator: " ") ?? [] {
                        #expect(ids.contains(String(id)), "\(reference) \(id) on \(page.url)")
                    }
                }
                #expect(tag.attributes["style"] == nil && tag.attributes["tabindex"] == nil)
                #expect(!tag.attributes.keys.contains { $0.hasPrefix("on") }, "\(tag)")
            }
            for link in all("a") { #expect(!link.content.isEmpty && link.attributes["href"] != nil, "\(page.url)") }
            for button in all("button") {
                #expect(!button.content.isEmpty && button.attributes["type"] == "submit", "\(page.url)")
                // What is seen is in what is said (criterion 2.5.3).
                if let name = button.attributes["aria-label"] {
                    #expect(name.lowercased().contains(button.content.lowercased().split(separator: " ").last ?? "?"))
                }
            }
            #expect(all("img").isEmpty && all("link").isEmpty)
            let isRun = page.headers[.contentSecurityPolicy]?.contains("script-src 'self';") == true
            #expect(all("script").count == (isRun ? 1 : 0) && all("script").allSatisfy { $0.content.isEmpty })
            let labels = Set(all("label").compactMap { $0.attributes["for"] })
            let shown = all("input").filter { $0.attributes["type"] != "hidden" && $0.attributes["hidden"] == nil }
            for input in shown where input.attributes["type"] != "checkbox" {
                #expect(labels.contains(input.attributes["id"] ?? ""), "\(input) on \(page.url)")
                #expect(input.attributes["autocomplete"] != nil && input.attributes["autocomplete"] != "off")
                // No password is cut short that the server would take (OWASP ASVS 5.0, 6.2.8): 4,096 octets.
                let least = input.attributes["type"] == "password" ? 4096 : 128
                #expect(Int(input.attributes["maxlength"] ?? "") ?? 0 >= least, "\(input) on \(page.url)")
            }
            // The first field has the focus, or the first that something is the matter with.
            let isTyped = shown.contains { $0.attributes["type"] != "checkbox" }
            #expect(markup.tags.filter { $0.attributes["autofocus"] != nil }.count == (isTyped ? 1 : 0), "\(page.url)")
            let isRefused = page.status >= 400
            #expect(page.title.hasPrefix(language == .en ? "Error: " : "Fehler: ") == isRefused, "\(page.title)")
            // What an authenticator has answered is the matter of no field.
            if isRefused, !isRun, let first = shown.first(where: { $0.attributes["autofocus"] != nil }) {
                #expect(first.attributes["aria-invalid"] == "true" && first.attributes["aria-describedby"] != nil)
                #expect(markup.tags.contains { $0.attributes["role"] == "alert" && !$0.content.isEmpty })
            }
        }
        let headings = Set(pages.map(\.heading))
        #expect(headings.count >= 13, "\(headings)")
    }

    @Test("R11.4 fields say what they are to password managers, and a code is one field")
    func purposes() async throws {
        let pages = try await pages(.en)
        func purposes(_ index: Int) -> [String: String] {
            var purposes: [String: String] = [:]
            for input in PageMarkup(pages[index].text).all("input") {
                if let purpose = input.attributes["autocomplete"], let name = input.attributes["name"] {
                    purposes[name] = purpose
                }
            }
            return purposes
        }
        #expect(purposes(0) == ["identifier": "username", "password": "current-password"])
        #expect(purposes(2) == ["identifier": "username", "newPassword": "new-password"])
        #expect(purposes(6) == ["code": "one-time-code"])
        let reset = try #require(pages.firstIndex { $0.heading == "Choose a new password" })
        #expect(purposes(reset) == ["username": "username", "code": "one-time-code", "newPassword": "new-password"])
    }

    @Test("R11.4 the sign-in page is under 20 kB in all, and a page is kept nowhere, framed by nobody and runs nothing")
    func sizeAndHeaders() async throws {
        for page in try await pages(.de) {
            #expect(page.text.utf8.count < 20_000, "\(page.url): \(page.text.utf8.count)")
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.cacheControl] == "no-store")
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
                #expect(policy.contains(part), "\(page.url)")
            }
            #expect(!policy.contains("unsafe") && !policy.contains("script-src"))
        }
    }
}
