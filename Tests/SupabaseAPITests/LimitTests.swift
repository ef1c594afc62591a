// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Limits and what the server says of itself") struct LimitTests {
    /// A kind of call that one client may make twice.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var limit: @Sendable (inout DirectorySettings.Limits) -> Void
        var call: @Sendable (SupabaseBench, String) async throws -> HTTPBench.Reply

        var testDescription: String { name }
    }

    private static let twice = DirectorySettings.Rate(count: 2, seconds: 300)

    static let cases = [
        Case(name: "password", limit: { $0.signIn = twice }) { try await $0.signIn("a@example.com", from: $1) },
        Case(name: "sign-up", limit: { $0.signUp = twice }) {
            try await $0.post(
                "/signup", ["email": "a@example.com", "password": .string(SupabaseBench.password)], from: $1)
        },
        Case(name: "anonymous", limit: { $0.anonymous = twice }) { try await $0.post("/signup", from: $1) },
        Case(name: "refresh", limit: { $0.tokenRefresh = twice }) {
            try await $0.post("/token?grant_type=refresh_token", ["refresh_token": "x"], from: $1)
        },
        Case(name: "code", limit: { $0.verify = twice }) {
            try await $0.post("/verify", ["type": "email", "email": "a@example.com", "token": "123456"], from: $1)
        },
        Case(name: "recovery", limit: { $0.oneTimeToken = twice }) {
            try await $0.post("/recover", ["email": "a@example.com"], from: $1)
        },
    ]

    @Test(
        "G-8.8 one client's third call is a 429 that says when to come back, and another client's is not",
        arguments: cases)
    func limits(subject: Case) async throws {
        let bench = try await SupabaseBench {
            $0.signUp.anonymousEnabled = true
            subject.limit(&$0.limits)
        }
        for _ in 1...2 {
            let reply = try await subject.call(bench, "192.0.2.1")
            #expect(reply.code != "over_request_rate_limit", "\(reply.text)")
        }
        let third = try await subject.call(bench, "192.0.2.1")
        #expect(third.outcome == "429 over_request_rate_limit", "\(third.text)")
        let wait = try #require(third[header: "retry-after"].flatMap { Int64($0) })
        #expect((1...300).contains(wait))
        #expect(try await subject.call(bench, "198.51.100.7").code != "over_request_rate_limit")
        bench.accounts.advance(by: .seconds(wait))
        #expect(try await subject.call(bench, "192.0.2.1").code != "over_request_rate_limit")
    }

    @Test("R59 a client's own X-Forwarded-For names no other client")
    func forged() async throws {
        let bench = try await SupabaseBench { $0.limits.signIn = Self.twice }
        for attempt in 1...3 {
            let reply = try await bench.signIn("a@example.com", from: "203.0.113.\(attempt), 192.0.2.1")
            #expect((reply.status == 429) == (attempt == 3))
        }
    }

    @Test("D-7 GET /settings says which ways in are open, with every member that clients read")
    func settings() async throws {
        let bench = try await SupabaseBench {
            $0.signUp.phoneEnabled = false
            $0.signUp.emailAutoConfirm = true
        }
        let reply = try await bench.get("/settings")
        #expect(
            reply.names == [
                "external", "disable_signup", "mailer_autoconfirm", "phone_autoconfirm", "sms_provider", "saml_enabled",
                "saml_private_key_next_configured", "passkeys_enabled",
            ])
        let external = try #require(reply["external"]?.objectValue)
        #expect(external["email"] == true && external["phone"] == false && external["google"] == false)
        #expect(external.members.allSatisfy { $0.value.boolValue != nil } && external.count == 26)
        #expect(reply["mailer_autoconfirm"] == true && reply["disable_signup"] == false)
    }

    @Test("D-7 keys are public, and verify the tokens of a session; health says what this is")
    func keys() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.send(.get, "/.well-known/jwks.json", key: "")
        let keys = try #require(reply["keys"]?.arrayValue).compactMap(\.objectValue)
        #expect(!keys.isEmpty && keys.allSatisfy { $0["d"] == nil && $0["k"] == nil && $0["kid"] != nil })
        #expect(reply[header: "cache-control"] == "public, max-age=600")
        let health = try await bench.send(.get, "/health", key: "")
        #expect(health.names == ["version", "name", "description"] && health["name"] == "GoTrue")
    }

    @Test(
        "R89 no body of any size or depth is a 5xx",
        arguments: [
            String(repeating: "[", count: 10_000), #"{"email":"# + String(repeating: "[", count: 5000),
            "\u{0}", "\"x\"", "null", #"{"email":"\ud800"}"#, #"{"email":1e400}"#,
            "{\"email\":\"" + String(repeating: "x", count: 1_100_000) + "\"}",
        ])
    func hostile(body: String) async throws {
        let bench = try await SupabaseBench()
        for path in ["/signup", "/token?grant_type=password", "/recover", "/verify"] {
            let reply = try await bench.send(.post, path, raw: body)
            #expect((400..<500).contains(reply.status), "\(path): \(reply.status)")
            #expect(reply.code != nil)
        }
    }
}
