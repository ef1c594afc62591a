// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Messages, and what answers them") struct ProofTests {
    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge: JSONObject = [
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "s256",
    ]

    private static func query(_ location: String?) -> [String: String] { items(location, \.percentEncodedQuery) }
    private static func fragment(_ location: String?) -> [String: String] { items(location, \.percentEncodedFragment) }

    private static func items(_ location: String?, _ part: (URLComponents) -> String?) -> [String: String] {
        guard let location, let text = URLComponents(string: location).flatMap(part) else { return [:] }
        var components = URLComponents()
        // As browsers read it: a plus is a blank (URL standard, section 5.1).
        components.percentEncodedQuery = text.replacing("+", with: "%20")
        return Dictionary((components.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// Opens a mailed link and presses its page's button, as a browser does.
    private static func press(
        _ link: String, at bench: SupabaseBench, origin: String? = "https://auth.example"
    ) async throws -> HTTPBench.Reply {
        let query = try #require(URLComponents(string: link)?.percentEncodedQuery)
        var headers = ["content-type": "application/x-www-form-urlencoded"]
        headers["origin"] = origin
        return try await bench.send(.post, "/verify/link", raw: query, key: "", headers: headers)
    }

    @Test(
        "G-3.6 whatever asks for a message is answered alike for somebody and nobody",
        arguments: [
            ("/recover", [:]), ("/magiclink", [:]), ("/otp", [:]), ("/resend", ["type": "signup"]),
            ("/resend", ["type": "email_change"]),
        ] as [(String, JSONObject)])
    func concealed(path: String, members: JSONObject) async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let known = try await bench.post(path, members.merging(["email": "ada@example.com"]))
        let unknown = try await bench.post(path, members.merging(["email": "nobody@example.com"]))
        #expect(known.status == 200 && known.text == "{}")
        #expect(unknown.status == known.status && unknown.text == known.text)
        #expect(unknown.names == known.names)
    }

    @Test(
        "D-7 a request for a message that names nobody, two, or another kind is a 400",
        arguments: [
            ("/recover", "{}"), ("/otp", "{}"), ("/resend", "{}"),
            ("/otp", #"{"email":"a@example.com","phone":"+4915112345678"}"#),
            ("/otp", #"{"phone":"+4915112345678","channel":"whatsapp"}"#), ("/resend", #"{"type":"signup"}"#),
            ("/resend", #"{"type":"signup","phone":"+4915112345678"}"#),
            ("/resend", #"{"type":"sms","email":"a@example.com"}"#),
            ("/resend", #"{"type":"x","email":"a@example.com"}"#),
            ("/recover", #"{"email":"a@example.com","code_challenge_method":"s256"}"#),
            ("/recover", #"{"email":"a@example.com","code_challenge":"short","code_challenge_method":"s256"}"#),
            ("/verify", "{}"), ("/verify", #"{"type":"fax","token":"123456","email":"a@example.com"}"#),
            ("/verify", #"{"type":"email"}"#), ("/verify", #"{"type":"email","token":"1","token_hash":"2"}"#),
            ("/verify", #"{"type":"email","token":"123456"}"#),
            ("/verify", #"{"type":"email","token_hash":"x","email":"a@example.com"}"#),
            ("/verify", #"{"type":"email","token_hash":"x","redirect_to":"https://app.example"}"#),
        ])
    func malformed(path: String, body: String) async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.send(.post, path, raw: body)
        #expect(reply.outcome == "400 validation_failed", "\(reply.text)")
    }

    @Test("R49 `plain` is no challenge here, though the platform takes it")
    func plain() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.post(
            "/recover",
            ["email": "a@example.com", "code_challenge": .string(Self.verifier), "code_challenge_method": "plain"])
        #expect(reply.outcome == "400 validation_failed")
    }

    @Test("G-3.4 the code of a recovery opens a session, once, and within its ten minutes")
    func recovery() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        func code() async throws -> JSONValue {
            _ = try await bench.post("/recover", ["email": "ada@example.com"])
            return .string(try #require(try await bench.accounts.message(to: "ada@example.com", kind: "recovery").code))
        }
        func verify(_ code: JSONValue, type: String = "recovery") async throws -> HTTPBench.Reply {
            try await bench.post("/verify", ["type": .string(type), "email": "ada@example.com", "token": code])
        }
        let first = try await code()
        #expect(try await verify("000000").outcome == "403 otp_expired")
        #expect(try await verify(first, type: "signup").outcome == "403 otp_expired")
        let reply = try await verify(first)
        #expect(reply.names == SignUpTests.session)
        #expect(try await verify(first).outcome == "403 otp_expired")
        bench.accounts.advance(by: .minutes(2))
        let second = try await code()
        bench.accounts.advance(by: .seconds(601))
        #expect(try await verify(second).outcome == "403 otp_expired")
    }

    @Test(
        "R10.3 a recovery and a magic link verify as each other's type, by code and by hash",
        arguments: [("recovery", "magiclink"), ("magiclink", "recovery")])
    func oneToken(asked: String, given: String) async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        func link() async throws -> HTTPBench.Reply {
            try await bench.administer(
                .post, "/admin/generate_link", ["type": .string(asked), "email": "ada@example.com"])
        }
        let code = try #require(try await link()["email_otp"])
        let byCode = try await bench.post(
            "/verify", ["type": .string(given), "email": "ada@example.com", "token": code])
        #expect(byCode.names == SignUpTests.session, "\(byCode.text)")
        let hash = try #require(try await link()["hashed_token"])
        #expect(
            try await bench.post("/verify", ["type": .string(given), "token_hash": hash]).names == SignUpTests.session)
        #expect(try await bench.post("/verify", ["type": .string(asked), "token_hash": hash]).status == 403)
    }

    @Test("D-7 a number signs in by the code that it was sent, and is confirmed by it")
    func phone() async throws {
        let bench = try await SupabaseBench()
        #expect(try await bench.post("/otp", ["phone": "+4915112345678"]).text == "{}")
        let code = try #require(try await bench.accounts.message(to: "+4915112345678").code)
        let reply = try await bench.post(
            "/verify", ["type": "sms", "phone": "+4915112345678", "token": .string(code)])
        #expect(reply.names == SignUpTests.session, "\(reply.text)")
        let user = try #require(reply["user"]?.objectValue)
        #expect(user["phone"] == "4915112345678" && user["phone_confirmed_at"] != nil && user["email"] == "")
        #expect(user["app_metadata"] == ["provider": "phone", "providers": ["phone"]])
        let again = try await bench.post(
            "/verify", ["type": "sms", "phone": "+4915112345678", "token": .string(code)])
        #expect(again.outcome == "403 otp_expired")
    }

    @Test("V6.3.8 who may not sign up by a code is answered like somebody who has an account, and sent nothing")
    func noNewUsers() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let known = try await bench.post("/otp", ["email": "ada@example.com", "create_user": false])
        let unknown = try await bench.post("/otp", ["email": "nobody@example.com", "create_user": false])
        #expect(unknown.status == known.status && unknown.text == known.text)
        #expect(try await bench.accounts.messages(to: "nobody@example.com").isEmpty)
        #expect(try await bench.accounts.messages(to: "ada@example.com").count == 1)
    }

    @Test("D-7 a magic link's hash signs in through the API")
    func tokenHash() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let link = try await bench.administer(
            .post, "/admin/generate_link", ["type": "magiclink", "email": "ada@example.com"])
        let hash = try #require(link["hashed_token"])
        let reply = try await bench.post("/verify", ["type": "magiclink", "token_hash": hash])
        #expect(reply.names == SignUpTests.session)
        #expect(
            try await bench.post("/verify", ["type": "magiclink", "token_hash": hash]).outcome == "403 otp_expired")
    }

    @Test(
        "G-12.1 G-12.2 a mail's link leads straight into the app where the operator says so, with what verifyOtp takes and no session",
        arguments: [
            ("/signup", "confirmation", "signup", "myapp://verify-email"),
            ("/recover", "recovery", "recovery", "myapp://reset-password?from=mail"),
            ("/magiclink", "magic_link", "magiclink", "https://app.example/open"),
        ])
    func appLink(asked: String, kind: String, type: String, address: String) async throws {
        let bench = try await SupabaseBench { $0.mail.appLinks[kind] = address }
        if kind != "confirmation" { try await bench.addUser("ada@example.com") }
        _ = try await bench.post(asked, ["email": "ada@example.com", "password": "Correct-horse-9"])
        let message = try await bench.accounts.message(to: "ada@example.com", kind: kind)
        let link = try #require(message.link)
        let hash = try #require(message.tokenHash)
        let start = address + (address.contains("?") ? "&" : "?") + "token_hash=\(hash)&type=\(type)"
        #expect(link.hasPrefix(start), "\(link)")
        #expect(message.text.contains(link) && !link.contains("#") && !link.contains("access_token"))
        let reply = try await bench.post("/verify", ["type": .string(type), "token_hash": .string(hash)])
        #expect(reply.names == SignUpTests.session, "\(reply.text)")
    }

    @Test(
        "R11.4 where neither app nor operator names a place, a link leads to this server's own page for it, and does nothing",
        arguments: [
            ("/recover", "recovery", "reset?purpose=recovery"), ("/magiclink", "magic_link", "link?purpose=magic_link"),
        ])
    func ownPages(asked: String, kind: String, page: String) async throws {
        let bench = try await SupabaseBench { ($0.siteURL, $0.redirectAllowList) = (nil, []) }
        try await bench.addUser("ada@example.com")
        _ = try await bench.post(asked + "?redirect_to=https%3A%2F%2Fevil.example", ["email": "ada@example.com"])
        let message = try await bench.accounts.message(to: "ada@example.com", kind: kind)
        let link = try #require(message.link)
        #expect(link.hasPrefix("https://auth.example/auth/v1/verify?token=") && !link.contains("redirect_to"))
        let opened = try await bench.send(.get, String(link.dropFirst("https://auth.example/auth/v1".count)), key: "")
        let token = try #require(URLComponents(string: link)?.queryItems?.first { $0.name == "token" }?.value)
        #expect(opened.status == 303)
        #expect(opened[header: "location"] == "https://auth.example/account/\(page)&token=\(token)")
        let pressed = try await Self.press(link, at: bench)
        #expect(pressed[header: "location"] == opened[header: "location"])
        // Still unused: what is left to do is the page's.
        #expect(
            try await bench.post(
                "/verify", ["type": "magiclink", "token_hash": .string(try #require(message.tokenHash))]
            )
            .status == 200)
        let unknown = try await bench.send(.get, "/verify?type=signup&token=x", key: "")
        #expect(unknown[header: "location"] == "https://auth.example/account/link?purpose=sign_up&token=x")
    }

    @Test(
        "V3.5.3 V14.2.1 an opened link changes nothing; its button leads back, with the session in the fragment alone")
    func link() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        _ = try await bench.post(
            "/recover?redirect_to=https%3A%2F%2Fapp.example%2Freset%3Fa%3D1", ["email": "ada@example.com"])
        let link = try #require(try await bench.accounts.message(to: "ada@example.com", kind: "recovery").link)
        let path = String(link.dropFirst("https://auth.example/auth/v1".count))
        for _ in 1...2 {
            let page = try await bench.send(.get, path, key: "")
            #expect(page.status == 200 && page[header: "content-type"]?.hasPrefix("text/html") == true)
        }
        #expect(try await Self.press(link, at: bench, origin: "https://evil.example").status == 403)
        let pressed = try await Self.press(link, at: bench)
        let location = try #require(pressed[header: "location"])
        #expect(pressed.status == 303 && location.hasPrefix("https://app.example/reset?a=1#"))
        let fragment = Self.fragment(location)
        #expect(
            Set(fragment.keys) == [
                "access_token", "expires_at", "expires_in", "refresh_token", "sb", "token_type", "type",
            ])
        #expect(fragment["type"] == "recovery" && fragment["token_type"] == "bearer")
        let again = Self.query(try await Self.press(link, at: bench)[header: "location"])
        #expect(again["error"] == "access_denied" && again["error_code"] == "otp_expired")
        #expect(again["error_description"] == "Email link is invalid or has expired")
    }

    @Test(
        "G-12.6 a redirect that is not allowed leads to the site",
        arguments: [
            ("https://evil.example/", "https://app.example"),
            ("https://app.example.evil.example/", "https://app.example"),
            ("myapp://callback", "myapp://callback"), ("https://app.example/deep", "https://app.example/deep"),
            ("javascript:alert(1)", "https://app.example"),
        ])
    func redirects(wanted: String, reached: String) async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        _ = try await bench.post("/recover", ["email": "ada@example.com", "redirect_to": .string(wanted)])
        let link = try #require(try await bench.accounts.message(to: "ada@example.com", kind: "recovery").link)
        let location = try #require(try await Self.press(link, at: bench)[header: "location"])
        #expect(location.split(separator: "#").first.map(String.init) == reached)
    }

    @Test("D-7 a place is named by a header, too, and is held to the same list")
    func redirectHeader() async throws {
        for (wanted, reached) in [
            ("https://app.example/deep", "https://app.example/deep"), ("https://evil.example/", "https://app.example"),
        ] {
            let bench = try await SupabaseBench()
            try await bench.addUser("ada@example.com")
            _ = try await bench.send(
                .post, "/recover", ["email": "ada@example.com"], headers: ["redirect_to": wanted])
            let link = try #require(try await bench.accounts.message(to: "ada@example.com", kind: "recovery").link)
            let location = try #require(try await Self.press(link, at: bench)[header: "location"])
            #expect(location.split(separator: "#").first.map(String.init) == reached)
        }
    }

    @Test(
        "R32 the first of two links of a change of address says in query and fragment that the other is still to come")
    func halfConfirmed() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let access = try await bench.session(of: "ada@example.com").access
        let body = Self.challenge.merging(["email": "ada@new.example"])
        _ = try await bench.put("/user?redirect_to=https%3A%2F%2Fapp.example%2Fdone", body, token: access)
        let link = try #require(try await bench.accounts.message(to: "ada@new.example").link)
        let location = try await Self.press(link, at: bench)[header: "location"]
        #expect(location?.hasPrefix("https://app.example/done?") == true, "\(location ?? "")")
        for told in [Self.query(location), Self.fragment(location)] {
            #expect(told["message"]?.hasPrefix("Confirmation link accepted.") == true, "\(location ?? "")")
        }
        #expect(Self.query(location).keys.sorted() == ["message"])
        #expect(try await bench.get("/user", token: access)["email"] == "ada@example.com")
    }

    @Test("R26 R49 by PKCE a link gives a code, which only its verifier exchanges, once, in its five minutes")
    func pkce() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        func code() async throws -> String {
            _ = try await bench.post("/magiclink", Self.challenge.merging(["email": "ada@example.com"]))
            let link = try #require(try await bench.accounts.message(to: "ada@example.com", kind: "magic_link").link)
            let location = try await Self.press(link, at: bench)[header: "location"]
            #expect(Self.fragment(location).isEmpty)
            return try #require(Self.query(location)["code"], "\(location ?? "")")
        }
        func exchange(_ code: String, _ verifier: String = Self.verifier) async throws -> HTTPBench.Reply {
            try await bench.post(
                "/token?grant_type=pkce", ["auth_code": .string(code), "code_verifier": .string(verifier)])
        }
        let first = try await code()
        let session = try await exchange(first)
        #expect(session.names == SignUpTests.session, "\(session.text)")
        #expect(try await exchange(first).status == 404)
        bench.accounts.advance(by: .minutes(2))
        let second = try await code()
        #expect(try await exchange(second, String(Self.verifier.reversed())).outcome == "400 bad_code_verifier")
        #expect(try await exchange(second).status == 404)
        bench.accounts.advance(by: .minutes(2))
        let third = try await code()
        bench.accounts.advance(by: .seconds(301))
        #expect(try await exchange(third).outcome == "422 flow_state_expired")
    }
}
