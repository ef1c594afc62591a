// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// Of several things that are wrong, the one that the platform names first is named, with its status and code.
@Suite("The order of refusals") struct RefusalOrderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var change: @Sendable (inout DirectorySettings) -> Void
        var path: String
        var body: String
        var outcome: String
        var testDescription: String { "\(path) \(body)" }
    }

    private static let good = #""password":"Correct-horse-7-battery""#

    static let cases: [Case] = [
        // Whether anybody may sign up comes before everything else that a sign-up may be wrong about.
        Case(
            change: {
                $0.signUp.enabled = false
                $0.signUp.emailEnabled = false
            }, path: "/signup", body: #"{"email":"a@example.com",\#(good)}"#, outcome: "422 signup_disabled"),
        Case(
            change: { $0.signUp.enabled = false }, path: "/signup", body: #"{"email":"a@example.com"}"#,
            outcome: "422 signup_disabled"),
        Case(
            change: { $0.signUp.enabled = false }, path: "/signup", body: "{}",
            outcome: "422 anonymous_provider_disabled"),
        Case(
            change: {
                $0.signUp.enabled = false
                $0.signUp.anonymousEnabled = true
            }, path: "/signup", body: "{}", outcome: "422 signup_disabled"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/signup", body: #"{"email":"nobody","password":"x"}"#,
            outcome: "422 weak_password"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/signup", body: #"{"email":"nobody",\#(good)}"#,
            outcome: "400 email_provider_disabled"),
        Case(
            change: { $0.signUp.phoneEnabled = false }, path: "/signup", body: #"{"phone":"12",\#(good)}"#,
            outcome: "400 phone_provider_disabled"),
        Case(
            change: { $0.signUp.phoneEnabled = false }, path: "/signup",
            body: #"{"phone":"+4915112345678","channel":"whatsapp",\#(good)}"#, outcome: "400 validation_failed"),
        Case(
            change: { _ in }, path: "/signup",
            body: #"{"phone":"+4915112345678","code_challenge":"x","code_challenge_method":"s256",\#(good)}"#,
            outcome: "400 validation_failed"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/token?grant_type=password",
            body: #"{"email":"nobody","password":"x"}"#, outcome: "422 email_provider_disabled"),
        Case(
            change: { $0.signUp.phoneEnabled = false }, path: "/token?grant_type=password",
            body: #"{"phone":"12","password":"x"}"#, outcome: "422 phone_provider_disabled"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/token?grant_type=password",
            body: #"{"email":"a@example.com","phone":"12","password":"x"}"#, outcome: "400 validation_failed"),
        // What is no address is nobody's.
        Case(
            change: { _ in }, path: "/token?grant_type=password", body: #"{"email":"nobody","password":"x"}"#,
            outcome: "400 invalid_credentials"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/recover", body: "{}",
            outcome: "400 email_provider_disabled"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/magiclink", body: "{}",
            outcome: "422 email_provider_disabled"),
        Case(change: { _ in }, path: "/magiclink", body: "{}", outcome: "422 validation_failed"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/otp", body: #"{"email":"nobody"}"#,
            outcome: "422 email_provider_disabled"),
        Case(
            change: { $0.signUp.phoneEnabled = false }, path: "/otp", body: #"{"phone":"12"}"#,
            outcome: "400 phone_provider_disabled"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/otp",
            body: #"{"email":"a@example.com","channel":"sms"}"#, outcome: "400 validation_failed"),
        Case(
            change: { $0.signUp.emailEnabled = false }, path: "/resend", body: #"{"type":"signup","email":"nobody"}"#,
            outcome: "400 email_provider_disabled"),
        Case(
            change: { $0.signUp.phoneEnabled = false }, path: "/resend", body: #"{"type":"sms","phone":"12"}"#,
            outcome: "400 phone_provider_disabled"),
    ]

    @Test("R10.3 of several refusals the platform's first is said, with its status", arguments: cases)
    func order(subject: Case) async throws {
        let bench = try await SupabaseBench(subject.change)
        let reply = try await bench.send(.post, subject.path, raw: subject.body)
        #expect(reply.outcome == subject.outcome, "\(reply.text)")
    }

    @Test("R10.3 the channel that is not there is named in the platform's words")
    func channel() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.post("/otp", ["phone": "+4915112345678", "channel": "whatsapp"])
        #expect(reply.outcome == "400 validation_failed")
        #expect(
            reply["msg"]?.stringValue?.hasPrefix("Invalid channel, supported values are 'sms' or 'whatsapp'.") == true)
    }

    @Test("R10.3 that magic links are off is said before what is wrong with the request", arguments: ["", "nobody"])
    func magicLinks(email: String) async throws {
        let bench = try await SupabaseBench { $0.signUp.emailLinkEnabled = false }
        for path in email.isEmpty ? ["/magiclink"] : ["/magiclink", "/otp"] {
            let reply = try await bench.post(path, ["email": .string(email)])
            #expect(reply.outcome == "422 email_provider_disabled")
            #expect(reply["msg"] == "Login with magic link is disabled")
        }
    }

    @Test("R10.3 a ban is a 400 to a password and to a refresh, and a 403 to a code")
    func banned() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com")
        _ = try await bench.administer(.put, "/admin/users/" + id, ["ban_duration": "24h"])
        #expect(try await bench.signIn("ada@example.com").outcome == "400 user_banned")
        let link = try await bench.administer(
            .post, "/admin/generate_link", ["type": "recovery", "email": "ada@example.com"])
        let verified = try await bench.post(
            "/verify", ["type": "recovery", "token_hash": try #require(link["hashed_token"])])
        #expect(verified.outcome == "403 user_banned", "\(verified.text)")
    }

    @Test("R10.3 an operator's link names what is wrong with the address before what is wrong with its kind")
    func generatedLink() async throws {
        let bench = try await SupabaseBench()
        for (body, message) in [
            (["type": "other"], "An email address is required"), ([:], "An email address is required"),
            (["type": "other", "email": "ada@example.com"], "Invalid email action link type requested"),
        ] as [(JSONObject, String)] {
            let reply = try await bench.administer(.post, "/admin/generate_link", body)
            #expect(reply.outcome == "400 validation_failed", "\(reply.text)")
            #expect(reply["msg"]?.stringValue?.hasPrefix(message) == true, "\(reply.text)")
        }
    }

    @Test("R10.3 an operator's link for a change names a missing user before what is wrong with the new address")
    func generatedChange() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        for type in ["email_change_new", "email_change_current"] as [JSONValue] {
            for (newEmail, known) in [
                (nil, "400 validation_failed"), ("", "400 validation_failed"), ("no address", "400 validation_failed"),
                ("ada@new.example", "200 "),
            ] as [(JSONValue?, String)] {
                for (email, wanted) in [("nobody@example.com", "404 user_not_found"), ("ada@example.com", known)] {
                    var body: JSONObject = ["type": type, "email": .string(email)]
                    body["new_email"] = newEmail
                    let reply = try await bench.administer(.post, "/admin/generate_link", body)
                    #expect(reply.outcome == wanted, "\(body.text) \(reply.text)")
                }
            }
        }
        // Of another link nobody reads it.
        let link = try await bench.administer(
            .post, "/admin/generate_link", ["type": "recovery", "email": "ada@example.com", "new_email": "no address"])
        #expect(link.status == 200, "\(link.text)")
    }

    @Test("R10.3 a weak password is refused before a member that only operators may write")
    func update() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let (access, _) = try await bench.session(of: "ada@example.com")
        #expect(
            try await bench.put("/user", ["password": "x", "app_metadata": ["a": 1]], token: access).outcome
                == "422 weak_password")
        #expect(try await bench.put("/user", ["app_metadata": ["a": 1]], token: access).outcome == "403 not_admin")
    }
}
