// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import Testing

/// The page where somebody lets a device in (RFC 8628, sections 3.3 and 5.4).
@Suite struct DevicePagesTests {
    /// What a device asks for, and its code.
    private static func device(_ bench: PagesBench) async throws -> BeginDeviceAuthorization.Begun {
        var call = bench.base.call(actor: .unknown)
        call.dialect = DialectName("openid")
        call.client = bench.app
        return try await bench.base.flows.beginDeviceAuthorization(
            scopes: ["openid", "notes/read"], resources: [], call: call)
    }

    private static func told(_ bench: PagesBench, _ device: BeginDeviceAuthorization.Begun) async throws -> String {
        var call = bench.base.call(actor: .unknown)
        call.dialect = DialectName("openid")
        call.client = bench.app
        do {
            return try await bench.base.flows.exchangeDeviceCode(device.deviceCode.reveal(), call: call).user.email?
                .rawValue ?? ""
        } catch let refusal as AuthorizationRefusal { return refusal.code.rawValue }
    }

    @Test("R11.9 R11.4 RFC 8628, section 3.3: who types a code signs in first, is shown what is asked, and lets it in")
    func typed() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let device = try await Self.device(bench)
        let browser = bench.browser()
        let first = try await browser.open("/account/device")
        #expect(first.url.hasPrefix("/account/sign-in?") && first.text.contains("to connect a device"))
        let page = try await browser.press(
            first, ["identifier": "ada@example.com", "password": AccountBench.password])
        #expect(page.heading == "Connect a device", "\(page.url)")
        let wrong = try await browser.submit(page, ["user_code": "BBBB-BBBB"])
        #expect(wrong.status == 400 && wrong.text.contains("wrong or has expired"))
        let typed = device.userCode.text.lowercased().replacing("-", with: " ")
        let question = try await browser.press(page, ["user_code": typed])
        for part in [
            "Photo &lt;App&gt; asks for access on a device", device.userCode.text, "ada@example.com", "notes/read",
            "Did you start this yourself",
        ] { #expect(question.text.contains(part), "\(part)") }
        #expect(try await browser.submit(question).status == 400, "neither yes nor no")
        #expect(try await Self.told(bench, device) == "authorization_pending")
        let done = try await browser.press(question, ["answer": "allow"])
        #expect(done.heading == "The device is connected" && done.status == 200)
        #expect(try await Self.told(bench, device) == "ada@example.com")
        // It is one of the places where they are signed in now, and one of the apps.
        let account = try await browser.open("/account")
        #expect(account.text.contains("<div>Photo &lt;App&gt;"), "\(account.text)")
        #expect(try await browser.submit(question, ["answer": "deny"]).status == 410, "answered before")
    }

    @Test(
        "R11.9 RFC 8628, sections 3.3.1 and 5.4: a link with the code in it fills in, asks all the same, and takes a no"
    )
    func link() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        let device = try await Self.device(bench)
        let browser = bench.browser()
        let start = try await browser.open("/account/device?user_code=" + device.userCode.text)
        #expect(start.url.hasPrefix("/account/sign-in?user_code="))
        let page = try await browser.press(start, ["identifier": "ada@example.com", "password": AccountBench.password])
        #expect(page.forms.first?.values["user_code"] == device.userCode.text)
        // Looking changes nothing, however often.
        for _ in 0..<3 { _ = try await browser.get(page.url) }
        #expect(try await Self.told(bench, device) == "authorization_pending")
        let question = try await browser.press(page)
        #expect(question.url.hasPrefix("/account/device/approve?"))
        // Set off, so that it is not broken at a hyphen.
        #expect(question.text.contains(#"<b class="name">ada@example.com</b>"#))
        let other = PageMarkup(question.text).all("a").compactMap { $0.attributes["href"] }
        #expect(other.contains("/account/sign-in?user_code=" + device.userCode.text), "\(other)")
        let done = try await browser.press(question, ["answer": "deny"])
        #expect(done.heading == "The device was not connected")
        #expect(try await Self.told(bench, device) == "access_denied")
        #expect(try await browser.open("/account").text.contains("No app has access"))
    }

    @Test("R11.9 R11.4 who signs up on the way to a device comes back to it, also by the link of the message elsewhere")
    func signUp() async throws {
        let bench = try await PagesBench()
        let device = try await Self.device(bench)
        let browser = bench.browser()
        let start = try await browser.open("/account/device?user_code=" + device.userCode.text)
        let links = PageMarkup(start.text).all("a").compactMap { $0.attributes["href"] }
        let page = try await browser.open(try #require(links.first { $0.contains("/sign-up") }))
        _ = try await browser.press(page, ["identifier": "new@example.com", "newPassword": AccountBench.password])
        let mailed = try #require(try await bench.base.message(to: "new@example.com").link)
        let other = bench.browser()
        let opened = try await other.open(String(mailed.dropFirst(PagesBench.url.count)))
        let back = try await other.press(opened)
        #expect(back.heading == "Connect a device", "\(back.url)")
        #expect(back.forms.first?.values["user_code"] == device.userCode.text)
    }

    @Test("R11.9 R11.5 nobody answers in another's browser, by another's form, or as somebody who was not asked")
    func foreign() async throws {
        let bench = try await PagesBench()
        try await bench.makeUser("ada@example.com")
        try await bench.makeUser("bob@example.com")
        let device = try await Self.device(bench)
        let browser = bench.browser()
        _ = try await browser.signIn("ada@example.com")
        let page = try await browser.open("/account/device?user_code=" + device.userCode.text)
        let question = try await browser.press(page)
        let other = bench.browser()
        _ = try await other.signIn("bob@example.com")
        #expect(try await other.get(question.url).status == 410)
        var values = question.forms.first?.values ?? [:]
        values["answer"] = "allow"
        let action = try #require(question.forms.first?.action)
        #expect(try await other.send(.post, action, values).status == 410)
        // A form of another site's, or of another page.
        let forged: HTTPFields = [.origin: "https://evil.example"]
        #expect(try await browser.send(.post, action, values, with: forged).status == 403)
        values["formToken"] = page.forms.first?.values["formToken"]
        #expect(try await browser.send(.post, action, values).status == 403)
        // Another user has signed in here meanwhile: they are asked anew.
        _ = try await browser.signIn("bob@example.com")
        #expect(try await browser.get(question.url).location?.hasPrefix("/account/device?user_code=") == true)
        let late = try await browser.submit(question, ["answer": "allow"])
        #expect(late.status == 403)
        #expect(try await Self.told(bench, device) == "authorization_pending")
        for code in ["", "x", "<img>", String(repeating: "B", count: 500), "WDJB-MJHT&user_code=x"] {
            let bare = try await bench.browser().get("/account/device?user_code=\(PercentEncoding.encode(code.utf8))")
            #expect(bare.status == 303 && bare.location == "/account/sign-in?user_code=", "\(code)")
        }
    }
}
