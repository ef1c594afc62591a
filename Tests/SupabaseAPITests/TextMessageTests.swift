// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Codes for numbers") struct TextMessageTests {
    private static let number = "4915112345678"

    private static func signedUp(_ bench: SupabaseBench) async throws -> (id: String, access: String) {
        let id = try await bench.addUser("ada@example.com")
        return (id, try await bench.session(of: "ada@example.com").access)
    }

    @Test("R10.3 without a gateway nobody is told that a code is on its way, and nothing is written that says so")
    func noProvider() async throws {
        let bench = try await SupabaseBench(reachesPhones: false)
        let (_, access) = try await Self.signedUp(bench)
        _ = try await bench.administer(
            .post, "/admin/users",
            ["phone": .string(Self.number), "phone_confirm": true, "password": .string(SupabaseBench.password)])
        let session = try await bench.post(
            "/token?grant_type=password",
            ["phone": .string(Self.number), "password": .string(SupabaseBench.password)])
        let phoned = try #require(session["access_token"]?.stringValue)
        let other: JSONValue = "4915100000001"
        let replies = [
            try await bench.post("/otp", ["phone": .string(Self.number)]),
            try await bench.post("/otp", ["phone": other]),
            try await bench.post("/otp", ["phone": other, "create_user": false]),
            try await bench.post("/signup", ["phone": other, "password": .string(SupabaseBench.password)]),
            try await bench.post("/resend", ["type": "sms", "phone": .string(Self.number)]),
            try await bench.post("/resend", ["type": "phone_change", "phone": other]),
            try await bench.put("/user", ["phone": other], token: access),
            try await bench.get("/reauthenticate", token: phoned),
        ]
        for reply in replies {
            #expect(reply.outcome == "500 unexpected_failure", "\(reply.text)")
            #expect(reply["msg"] == "Unable to get SMS provider")
            // By this an operator finds the request in the log.
            #expect(reply["error_id"]?.stringValue == reply[header: "X-Request-Id"] && reply["error_id"] != nil)
        }
        let newer = try await bench.send(.post, "/otp", ["phone": other], version: "2024-01-01")
        #expect(newer.status == 500 && Set(newer.ofVendor.names) == ["code", "message"], "\(newer.text)")
        #expect(try await bench.post("/otp", ["phone": "x"])["error_id"] == nil)
        for number in ["+" + Self.number, "+4915100000001"] {
            #expect(try await bench.accounts.messages(to: number).isEmpty)
        }
        #expect(try await bench.get("/user", token: access)["new_phone"] == nil)
    }

    @Test("R10.3 where numbers confirm themselves no gateway is asked for")
    func autoConfirm() async throws {
        let bench = try await SupabaseBench(reachesPhones: false) { $0.signUp.phoneAutoConfirm = true }
        let reply = try await bench.post(
            "/signup", ["phone": .string(Self.number), "password": .string(SupabaseBench.password)])
        #expect(reply.names == SignUpTests.session, "\(reply.text)")
    }

    @Test("R10.3 a test number has its code, by every path that asks for one, and is sent nothing")
    func testNumber() async throws {
        let bench = try await SupabaseBench(reachesPhones: false) { $0.oneTime.testCodes = [Self.number: "123456"] }
        let phone: JSONValue = .string("+" + Self.number)
        func verify(_ type: String = "sms", _ code: String = "123456") async throws -> HTTPBench.Reply {
            try await bench.post("/verify", ["type": .string(type), "phone": phone, "token": .string(code)])
        }
        #expect(try await verify().outcome == "403 otp_expired")
        for _ in 1...2 {
            #expect(try await bench.post("/otp", ["phone": phone]).text == "{}")
            #expect(try await verify("sms", "654321").outcome == "403 otp_expired")
            let session = try await verify()
            #expect(session.names == SignUpTests.session, "\(session.text)")
            #expect(session["user"]?.objectValue?["phone"] == .string(Self.number))
            // Once, as every code.
            #expect(try await verify().outcome == "403 otp_expired")
        }
        #expect(try await bench.accounts.messages(to: "+" + Self.number).isEmpty)
        #expect(
            try await bench.post("/otp", ["phone": "4915100000001"]).outcome == "500 unexpected_failure")
    }

    @Test("R10.3 the code of a test number confirms a sign-up and a change")
    func testNumberElsewhere() async throws {
        let bench = try await SupabaseBench(reachesPhones: false) {
            $0.oneTime.testCodes = [Self.number: "123456", "4915100000001": "654321"]
        }
        let (_, access) = try await Self.signedUp(bench)
        let changed = try await bench.put("/user", ["phone": "4915100000001"], token: access)
        #expect(changed["new_phone"] == "4915100000001", "\(changed.text)")
        let confirmed = try await bench.post(
            "/verify", ["type": "phone_change", "phone": "4915100000001", "token": "654321"])
        #expect(confirmed["user"]?.objectValue?["phone"] == "4915100000001", "\(confirmed.text)")
        let reply = try await bench.post(
            "/signup", ["phone": .string(Self.number), "password": .string(SupabaseBench.password)])
        #expect(reply.names == SignUpTests.unconfirmed)
        let session = try await bench.post(
            "/verify", ["type": "sms", "phone": .string(Self.number), "token": "123456"])
        #expect(session.names == SignUpTests.session)
    }

    @Test("R10.3 after their end test codes are worth nothing")
    func testCodesEnd() async throws {
        let bench = try await SupabaseBench(reachesPhones: false) {
            $0.oneTime.testCodes = [Self.number: "123456"]
            $0.oneTime.testCodesEnd = AccountBench.start.seconds + 60
        }
        #expect(try await bench.post("/otp", ["phone": .string(Self.number)]).status == 200)
        bench.accounts.advance(by: .seconds(60))
        #expect(try await bench.post("/otp", ["phone": .string(Self.number)]).outcome == "500 unexpected_failure")
    }

    @Test("R10.3 GOTRUE_SMS_TEST_OTP names numbers and codes, with an end; what can't be read is refused")
    func variables() throws {
        let environment = try SelfHostedEnvironment([
            "GOTRUE_SMS_TEST_OTP": "+1 415 555 0100:123456, 14155550101=654321",
            "GOTRUE_SMS_TEST_OTP_VALID_UNTIL": "2026-12-31T23:59:59Z",
        ])
        #expect(environment.settings.oneTime.testCodes == ["14155550100": "123456", "14155550101": "654321"])
        #expect(environment.settings.oneTime.testCodesEnd == 1_798_761_599)
        #expect(environment.findings.isEmpty)
        for (name, value) in [
            ("GOTRUE_SMS_TEST_OTP", "14155550100"), ("GOTRUE_SMS_TEST_OTP", "x:123456"),
            ("GOTRUE_SMS_TEST_OTP", "14155550100:"), ("GOTRUE_SMS_TEST_OTP", "14155550100:12345678901234567"),
            ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", "tomorrow"),
        ] {
            #expect(throws: AuthError(.invalidRequest, field: name)) { try SelfHostedEnvironment([name: value]) }
        }
    }
}

@Suite("The name in mails") struct SiteNameTests {
    @Test(
        "R10.3 without a sender's name mails name the site",
        arguments: [
            (["GOTRUE_SITE_URL": "https://shop.example:8443/app"], "shop.example"),
            (["GOTRUE_SITE_URL": "http://[::1]:3000"], "[::1]"), (["GOTRUE_SITE_URL": "myapp://home"], "Latchkey"),
            (["GOTRUE_SITE_URL": "https://shop.example", "GOTRUE_SMTP_SENDER_NAME": "The shop"], "The shop"),
            ([:], "localhost"),
        ])
    func siteName(variables: [String: String], name: String) throws {
        #expect(try SelfHostedEnvironment(variables).settings.mail.siteName == name)
    }
}
