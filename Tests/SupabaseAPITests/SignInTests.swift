// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("POST /token") struct SignInTests {
    private static let claims: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "email", "phone", "app_metadata", "user_metadata", "role", "aal", "amr",
        "session_id", "is_anonymous",
    ]

    @Test("G-1.2 D-7 a password gives a session with the platform's members, and a token with its claims")
    func password() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com", ["user_metadata": ["name": "Ada"]])
        let reply = try await bench.signIn("ADA@example.com")
        #expect(reply.status == 200 && reply.names == SignUpTests.session)
        let claims = try SupabaseBench.claims(reply["access_token"]?.stringValue)
        #expect(Set(claims.names) == Self.claims)
        #expect(claims["iss"] == "https://auth.example/auth/v1" && claims["sub"] == .string(id))
        #expect(claims["aud"] == "authenticated" && claims["role"] == "authenticated" && claims["aal"] == "aal1")
        let now = bench.accounts.now.seconds
        #expect(claims["iat"] == .integer(now) && claims["exp"] == .integer(now + 3600))
        #expect(claims["amr"] == [["method": "password", "timestamp": .integer(now)]])
        #expect(claims["email"] == "ada@example.com" && claims["user_metadata"]?.objectValue?["name"] == "Ada")
        let user = try #require(reply["user"]?.objectValue)
        #expect(user["last_sign_in_at"]?.stringValue?.hasPrefix("2026-05-28T") == true)
    }

    @Test("G-1.3 a wrong password, nobody, and somebody without a password are answered to the byte alike")
    func refusals() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        _ = try await bench.administer(.post, "/admin/users", ["email": "eve@example.com", "email_confirm": true])
        let wrong = try await bench.signIn("ada@example.com", password: "Wrong-horse-7-battery")
        #expect(wrong.outcome == "400 invalid_credentials")
        for (email, password) in [
            ("nobody@example.com", SupabaseBench.password), ("eve@example.com", SupabaseBench.password),
            ("ada@example.com", ""),
        ] {
            let reply = try await bench.signIn(email, password: password)
            #expect(reply.status == wrong.status && reply.text == wrong.text, "\(email)")
        }
    }

    @Test(
        "G-8.1 G-8.2 G-8.6 five wrong passwords lock an address, known or not, and whether that is said is the operator's"
    )
    func locked() async throws {
        for disclosure in [DirectorySettings.LockoutSettings.Disclosure.generic, .minutes] {
            let bench = try await SupabaseBench()
            try await bench.accounts.change { $0.lockout.disclosure = disclosure }
            _ = try await bench.addUser("ada@example.com")
            for address in ["ada@example.com", "nobody@example.com"] {
                for _ in 0..<4 {
                    let wrong = try await bench.signIn(address, password: "Wrong-horse-7")
                    #expect(wrong.outcome == "400 invalid_credentials")
                }
                _ = try await bench.signIn(address, password: "Wrong-horse-7")
                let locked = try await bench.signIn(address)
                let isTold = disclosure == .minutes
                #expect(locked.outcome == (isTold ? "429 over_request_rate_limit" : "400 invalid_credentials"))
                #expect((locked.headers[.retryAfter] == "900") == isTold)
            }
            bench.accounts.advance(by: .minutes(15))
            #expect(try await bench.signIn("ada@example.com").status == 200)
        }
    }

    @Test("G-1.3 that somebody is banned is said only to who knows the password")
    func banned() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com")
        let (_, refresh) = try await bench.session(of: "ada@example.com")
        #expect(try await bench.administer(.put, "/admin/users/" + id, ["ban_duration": "24h"]).status == 200)
        #expect(try await bench.signIn("ada@example.com").outcome == "400 user_banned")
        #expect(
            try await bench.signIn("ada@example.com", password: "Wrong-horse-7").outcome == "400 invalid_credentials")
        #expect(try await bench.refresh(refresh).status != 200)
        bench.accounts.advance(by: .hours(25))
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }

    @Test("R10.3 who signs in with a password that is too weak by now is told so, and is in")
    func weakPassword() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        #expect(try await bench.signIn("ada@example.com")["weak_password"] == nil)
        try await bench.accounts.change {
            $0.password.minimumLength = 64
            $0.password.requiredCharacters = ["§"]
        }
        let reply = try await bench.signIn("ada@example.com")
        #expect(reply.names == SignUpTests.session.union(["weak_password"]), "\(reply.text)")
        #expect(
            reply["weak_password"] == [
                "message": .string(
                    "Password should be at least 64 characters. "
                        + "Password should contain at least one character of each: §."),
                "reasons": ["length", "characters"],
            ])
        let wrong = try await bench.signIn("ada@example.com", password: "x")
        #expect(wrong.outcome == "400 invalid_credentials" && wrong["weak_password"] == nil)
        let refresh = try #require(reply["refresh_token"]?.stringValue)
        #expect(try await bench.refresh(refresh)["weak_password"] == nil)
    }

    @Test(
        "D-7 a grant that is none, or not built, and a body without what it needs are told apart",
        arguments: [
            ("", "{}", "400 invalid_credentials"), ("?grant_type=implicit", "{}", "400 invalid_credentials"),
            ("?grant_type=id_token", #"{"id_token":"x","provider":"google"}"#, "400 provider_disabled"),
            ("?grant_type=password", "{}", "400 validation_failed"),
            ("?grant_type=password", #"{"email":"a@example.com","phone":"+4915112345678"}"#, "400 validation_failed"),
            ("?grant_type=password", #"{"email":["a@example.com"],"password":"x"}"#, "400 bad_json"),
            ("?grant_type=refresh_token", "{}", "400 validation_failed"),
            ("?grant_type=refresh_token", #"{"refresh_token":"x"}"#, "400 refresh_token_not_found"),
            ("?grant_type=pkce", #"{"auth_code":"x"}"#, "400 validation_failed"),
            (
                "?grant_type=pkce", #"{"auth_code":"x","code_verifier":"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}"#,
                "404 flow_state_not_found"
            ),
        ])
    func grants(query: String, body: String, outcome: String) async throws {
        let bench = try await SupabaseBench()
        #expect(try await bench.send(.post, "/token" + query, raw: body).outcome == outcome)
    }

    @Test("G-5.3 a refresh gives the next pair of the same session, and says that it rotated")
    func refresh() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let (access, refresh) = try await bench.session(of: "ada@example.com")
        bench.accounts.advance(by: .minutes(5))
        let reply = try await bench.refresh(refresh)
        #expect(reply.status == 200 && reply.names == SignUpTests.session)
        #expect(reply[header: "sb-auth-refresh-token-rotated"] == "true")
        #expect(reply["refresh_token"] != .string(refresh))
        let before = try SupabaseBench.claims(access)
        let after = try SupabaseBench.claims(reply["access_token"]?.stringValue)
        #expect(after["session_id"] == before["session_id"])
        #expect(after["iat"] == .integer(bench.accounts.now.seconds))
        #expect(after["amr"] == before["amr"])
    }

    @Test("F2 F3 the parent of the live token gets the same successor, and says so; an older one ends the session")
    func reuse() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let (_, first) = try await bench.session(of: "ada@example.com")
        let second = try #require(try await bench.refresh(first)["refresh_token"]?.stringValue)
        bench.accounts.advance(by: .hours(2))
        let again = try await bench.refresh(first)
        #expect(again["refresh_token"] == .string(second))
        #expect(again[header: "sb-auth-refresh-token-reuse"] == "true")
        #expect(again[header: "sb-auth-refresh-token-reuse-cause"] == "fail-to-save")
        #expect(again[header: "sb-auth-refresh-token-rotated"] == nil)
        let third = try #require(try await bench.refresh(second)["refresh_token"]?.stringValue)
        let late = try await bench.refresh(first)
        #expect(late["refresh_token"] == .string(third))
        #expect(late[header: "sb-auth-refresh-token-reuse-cause"] == "concurrent-refresh")
        bench.accounts.advance(by: .seconds(11))
        #expect(try await bench.refresh(first).outcome == "400 refresh_token_already_used")
        #expect(try await bench.refresh(third).status == 400)
    }

    @Test("C-8 an access token ends after its hour, and a session after it was not used for a month")
    func expiry() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com")
        let (access, refresh) = try await bench.session(of: "ada@example.com")
        bench.accounts.advance(by: .seconds(3599))
        #expect(try await bench.get("/user", token: access).status == 200)
        bench.accounts.advance(by: .seconds(1))
        #expect(try await bench.get("/user", token: access).outcome == "403 bad_jwt")
        bench.accounts.advance(by: .days(31))
        #expect(try await bench.refresh(refresh).outcome == "400 session_expired")
    }
}
