// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

/// What the link of a forgotten password opens.
@Suite struct ResetPageTests {
    private static let new = "Another-horse-8-battery"
    private static let referrer = HTTPField.Name("Referrer-Policy") ?? .trailer

    private func link(_ bench: FirebaseBench) async throws -> String {
        try await bench.addUser("ada@example.com")
        _ = try await bench.call(
            "sendOobCode",
            [
                "requestType": "PASSWORD_RESET", "email": "ada@example.com",
                "continueUrl": "https://app.example/in?a=1&b=2#/x",
            ])
        return try #require(try await bench.mail("ada@example.com", kind: "recovery").link)
    }

    private func submit(
        _ link: String, password: String?, _ bench: FirebaseBench, language: String = "en",
        origin: String? = "https://auth.example"
    ) async throws -> FirebaseBench.Reply {
        var fields = ["mode", "oobCode", "continueUrl"]
            .compactMap { name in FirebaseBench.parameter(name, of: link).map { (name, $0) } }
        fields.append(("lang", language))
        if let password { fields.append(("newPassword", password)) }
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        headers[.origin] = origin
        return try await bench.send(.post, "/__/auth/action", body: URLText.query(fields), headers: headers)
    }

    @Test("R10.5 it is a form without a script, which changes nothing by being opened, and sets the password once")
    func form() async throws {
        let bench = try await FirebaseBench { $0.mail.siteName = "A<c>me" }
        let link = try await link(bench)
        let path = String(link.dropFirst("https://auth.example".count))
        for _ in 0..<2 {
            let page = try await bench.send(.get, path)
            #expect(page.status == 200, "\(page.text)")
            #expect(page.headers[.contentSecurityPolicy]?.hasSuffix("form-action 'self'") == true)
            #expect(page.headers[.cacheControl] == "no-store" && page.headers[Self.referrer] == "strict-origin")
            for part in [
                #"<form method="post" action="action" novalidate>"#,
                #"name="newPassword" type="password" autocomplete="new-password""#, "ada@example.com",
                "A&lt;c&gt;me", #"value="https://app.example/in?a=1&amp;b=2#/x""#,
            ] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(!page.text.contains("<script") && !page.text.contains("A<c>me"))
        }
        let done = try await submit(link, password: Self.new, bench)
        #expect(done.status == 200, "\(done.text)")
        #expect(done.text.contains(#"<a class="button" href="https://app.example/in?a=1&amp;b=2#/x">"#), "\(done.text)")
        #expect(!done.text.contains(Self.new) && done.headers[.cacheControl] == "no-store")
        #expect(try await bench.signIn("ada@example.com", password: Self.new).status == 200)
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        for reply in [try await submit(link, password: Self.new, bench), try await bench.send(.get, path)] {
            #expect(reply.status == 400 && reply.text.contains("does not work any more"), "\(reply.text)")
        }
    }

    @Test("R10.5 a password that is not taken says why, in the link's language, and the form is there again")
    func refused() async throws {
        let bench = try await FirebaseBench()
        let link = try await link(bench)
        for (password, language, reason) in [
            ("x", "en", "too short"), ("x", "de", "zu kurz"), (nil, "en", "not strong enough"),
            (#"<b>"#, "en", "too short"),
        ] as [(String?, String, String)] {
            let reply = try await submit(link, password: password, bench, language: language)
            #expect(reply.status == 400 && reply.text.contains(reason), "\(reply.text)")
            #expect(reply.text.contains(#"role="alert""#) && reply.text.contains(#"name="newPassword""#))
            #expect(!reply.text.contains("<b>"))
        }
        #expect(try await submit(link, password: Self.new, bench).status == 200)
    }

    @Test("R10.5 the form is this server's own, and leads nowhere but where the project lets it")
    func strangers() async throws {
        let bench = try await FirebaseBench()
        let link = try await link(bench)
        for origin in ["https://evil.test", "null"] {
            #expect(try await submit(link, password: Self.new, bench, origin: origin).status == 403)
        }
        let evil = link.replacing("https%3A%2F%2Fapp.example", with: "https%3A%2F%2Fevil.example")
        let script = link.replacing("https%3A%2F%2Fapp.example", with: "javascript%3Aalert%281%29%2F%2F")
        #expect(evil != link && script != link)
        let done = try await submit(evil, password: Self.new, bench)
        #expect(done.status == 200 && !done.text.contains("evil.example"), "\(done.text)")
        #expect(try await !submit(script, password: Self.new, bench).text.contains("javascript:"))
        // A code of another kind sets no password, and one of this kind confirms nothing.
        let other = link.replacing("mode=resetPassword", with: "mode=verifyEmail")
        #expect(try await bench.press(other).status == 400)
    }

    @Test("R11.4 where the app names no place the pages say that it is done, and a dead link how one comes by another")
    func withoutAPlace() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com", confirmed: false)
        let session = try await bench.signIn("ada@example.com")
        _ = try await bench.call("sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": session["idToken"] ?? ""])
        let confirm = try #require(try await bench.mail("ada@example.com").link)
        #expect(FirebaseBench.parameter("continueUrl", of: confirm) == nil, "\(confirm)")
        let done = try await bench.press(confirm)
        #expect(done.status == 200 && done.text.contains("<h1>Your email address is confirmed</h1>"), "\(done.text)")
        bench.advance(.minutes(2))
        _ = try await bench.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let reset = try #require(try await bench.mail("ada@example.com", kind: "recovery").link)
        #expect(try await submit(reset, password: Self.new, bench).text.contains("<h1>Your password was changed"))
        for (link, way) in [(confirm, nil), (reset, "https://auth.example/account/forgot")] as [(String, String?)] {
            for dead in [
                link, link.replacing("lang=en", with: "lang=de"), link.replacing("oobCode=", with: "oobCode=x"),
            ] {
                let page = try await bench.send(.get, String(dead.dropFirst("https://auth.example".count)))
                #expect(page.status == 400 && page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(
                    page.text.contains(dead.hasSuffix("de") ? "Dieser Link funktioniert nicht" : "This link does not"))
                #expect(way.map { page.text.contains(#"href="\#($0)""#) } ?? !page.text.contains("href="))
            }
        }
    }

    @Test("R10.5 a page of the operator's own is where the link leads, where there is one")
    func ownPage() async throws {
        let bench = try await FirebaseBench { $0.mail.paths["recovery"] = "https://app.example/reset#form" }
        let link = try await link(bench)
        #expect(link.hasPrefix("https://app.example/reset?mode=resetPassword&oobCode="), "\(link)")
        #expect(link.hasSuffix("#form"))
    }

    @Test("G-12.2 a link leads straight into the app where the operator says so, with what its library reads")
    func appLink() async throws {
        let bench = try await FirebaseBench { $0.mail.appLinks["recovery"] = "myapp://reset-password" }
        let link = try await link(bench)
        #expect(link.hasPrefix("myapp://reset-password?mode=resetPassword&oobCode="), "\(link)")
    }
}
