// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Factors
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Second factors")
struct FactorTests {
    private static let email = "ada@example.com"

    private func world(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws -> SupabaseBench {
        let bench = try await SupabaseBench(change)
        try await bench.addUser(Self.email)
        return bench
    }

    /// An app that shows the codes of a secret.
    private struct App {
        var id: String
        var secret: Secret<[UInt8]>

        func code(at now: Instant, drift: Int64 = 0) -> String {
            TOTP().code(at: TOTP().step(at: now) + drift, of: secret)
        }
    }

    private func enrol(_ bench: SupabaseBench, token: String, name: String = "phone") async throws -> App {
        let reply = try await bench.post(
            "/factors", ["factor_type": "totp", "friendly_name": .string(name)], token: token)
        #expect(reply.status == 200, "\(reply.text)")
        let totp = try #require(reply["totp"]?.objectValue)
        let secret = try #require(totp["secret"]?.stringValue.flatMap(Base32.decode))
        #expect(totp["qr_code"]?.stringValue?.hasPrefix("<svg") == true)
        #expect(totp["uri"]?.stringValue?.hasPrefix("otpauth://totp/app.example:ada%40example.com?") == true)
        return App(id: try #require(reply["id"]?.stringValue), secret: Secret(secret))
    }

    private func verify(
        _ bench: SupabaseBench, _ app: App, _ code: String? = nil, drift: Int64 = 0, token: String
    ) async throws -> HTTPBench.Reply {
        let challenge = try await bench.post("/factors/\(app.id)/challenge", token: token)
        #expect(challenge["type"] == "totp" && challenge["expires_at"]?.integerValue != nil, "\(challenge.text)")
        return try await bench.post(
            "/factors/\(app.id)/verify",
            [
                "challenge_id": challenge["id"] ?? .null,
                "code": .string(code ?? app.code(at: bench.accounts.now, drift: drift)),
            ], token: token)
    }

    private func claims(_ token: String) throws -> JSONObject {
        let part = try #require(token.split(separator: ".").dropFirst().first)
        return try JSONObject(parsing: try #require(Base64URL.decode(String(part))))
    }

    private func access(_ reply: HTTPBench.Reply) throws -> String {
        try #require(reply["access_token"]?.stringValue, "\(reply.text)")
    }

    @Test("G-9.4 an app enrols, challenges and verifies; the session goes aal2, and refreshes stay so")
    func walk() async throws {
        let bench = try await world()
        let (token, _) = try await bench.session(of: Self.email)
        #expect(try await bench.get("/user", token: token)["factors"] == nil)
        let app = try await enrol(bench, token: token)
        let shown = try await bench.get("/user", token: token)["factors"]?.arrayValue?.first?.objectValue
        #expect(shown?["status"] == "unverified" && shown?["factor_type"] == "totp")
        let raised = try await verify(bench, app, token: token)
        #expect(raised["user"]?.objectValue?["factors"]?.arrayValue?.count == 1)
        let claims = try claims(access(raised))
        #expect(claims["aal"] == "aal2")
        let methods = claims["amr"]?.arrayValue?.compactMap { $0.objectValue?["method"]?.stringValue }
        #expect(methods == ["totp", "password"])
        #expect(claims["session_id"] == (try self.claims(token))["session_id"])
        let refreshed = try await bench.refresh(try #require(raised["refresh_token"]?.stringValue))
        #expect(try self.claims(access(refreshed))["aal"] == "aal2")
        // A new sign-in begins low, and its answer names the factor that can raise it.
        let next = try await bench.signIn(Self.email)
        #expect(try self.claims(access(next))["aal"] == "aal1")
        #expect(
            next["user"]?.objectValue?["factors"]?.arrayValue?.first?.objectValue?["status"] == "verified")
    }

    @Test("R14.2 an administrator who has a factor is one only in a session that shows it, and by a token from then on")
    func administrator() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser(Self.email, ["role": "service_role"])
        let (token, _) = try await bench.session(of: Self.email)
        #expect(try await bench.get("/admin/users", token: token).status == 200)
        let app = try await enrol(bench, token: token)
        bench.accounts.advance(by: .seconds(2))
        let raised = try access(try await verify(bench, app, token: token))
        #expect(try await bench.get("/admin/users", token: raised).status == 200)
        let (low, _) = try await bench.session(of: Self.email)
        // The token of before is of the same session.
        for token in [low, token] {
            #expect(try await bench.get("/admin/users", token: token).outcome.hasSuffix(" insufficient_aal"))
            #expect(
                try await bench.send(.delete, "/factors/\(app.id)", token: token).outcome == "422 insufficient_aal")
        }
        #expect(try await bench.get("/admin/users", token: raised).status == 200)
    }

    @Test("R14.2 what a low session may not do, each in the platform's status and words")
    func low() async throws {
        let bench = try await world()
        let app = try await enrol(bench, token: try await bench.session(of: Self.email).access)
        let raised = try access(
            try await verify(bench, app, token: try await bench.session(of: Self.email).access))
        let (low, _) = try await bench.session(of: Self.email)
        #expect(
            try await bench.put("/user", ["password": "Another-Horse-8"], token: low).outcome == "401 insufficient_aal")
        #expect(try await bench.put("/user", ["email": "b@example.com"], token: low).outcome == "401 insufficient_aal")
        #expect(try await bench.put("/user", ["data": ["a": 1]], token: low).status == 200)
        // Apps send a whole form back: the address that there is changes nothing.
        let same = try await bench.put("/user", ["data": ["a": 2], "email": .string(Self.email)], token: low)
        #expect(same.status == 200 && same["new_email"] == nil, "\(same.text)")
        #expect(
            try await bench.post("/factors", ["factor_type": "totp", "friendly_name": "x"], token: low).outcome
                == "403 insufficient_aal")
        #expect(try await bench.send(.delete, "/factors/\(app.id)", token: low).outcome == "422 insufficient_aal")
        #expect(try await bench.post("/factors/recovery-codes", token: low).outcome == "403 insufficient_aal")
        #expect(try await bench.send(.delete, "/factors/\(app.id)", token: raised).json == ["id": .string(app.id)])
    }

    @Test(
        "G-9.4 a right code is refused, and not spent, where its token is of a session that has ended or of somebody banned"
    )
    func endedBeforeCode() async throws {
        let bench = try await world()
        let (first, _) = try await bench.session(of: Self.email)
        let app = try await enrol(bench, token: first)
        let raised = try access(try await verify(bench, app, token: first))
        bench.accounts.advance(by: .minutes(2))
        func asked() async throws -> (token: String, body: JSONObject) {
            let (token, _) = try await bench.session(of: Self.email)
            let challenge = try await bench.post("/factors/\(app.id)/challenge", token: token)
            return (
                token,
                ["challenge_id": challenge["id"] ?? .null, "code": .string(app.code(at: bench.accounts.now))]
            )
        }
        let path = "/factors/\(app.id)/verify"
        let (ended, banned) = (try await asked(), try await asked())
        #expect(try await bench.post("/logout?scope=local", token: ended.token).status == 204)
        #expect(try await bench.post(path, ended.body, token: ended.token).outcome == "403 session_not_found")
        let user = "/admin/users/" + (try #require(try claims(raised)["sub"]?.stringValue))
        #expect(try await bench.administer(.put, user, ["ban_duration": "24h"]).status == 200)
        #expect(try await bench.post(path, banned.body, token: banned.token).outcome == "403 user_banned")
        #expect(try await bench.administer(.put, user, ["ban_duration": "none"]).status == 200)
        let last = try await asked()
        let reply = try await bench.post(path, last.body, token: last.token)
        #expect(reply.status == 200, "\(reply.text)")
        let subject = try #require(try claims(raised)["sub"]?.stringValue)
        let events = try await bench.accounts.ports.store.scan(in: nil) { tx in
            try tx.auditEvents(
                in: bench.accounts.directory.id, actions: [.steppedUp], user: UserID(subject), offset: 0, limit: 9)
        }
        #expect(events.count == 2 && events.allSatisfy { $0.actor == .user(UserID(subject)) })
    }

    @Test("R14.2 faults in the platform's words")
    func faults() async throws {
        let bench = try await world()
        let (token, _) = try await bench.session(of: Self.email)
        let app = try await enrol(bench, token: token)
        #expect(
            try await bench.post("/factors", ["factor_type": "totp", "friendly_name": "phone"], token: token).outcome
                == "422 mfa_factor_name_conflict")
        let path = "/factors/\(app.id)/verify"
        let uuid = "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"
        func answer(_ body: JSONObject) async throws -> String {
            try await bench.post(path, body, token: token).outcome
        }
        #expect(try await answer(["code": "123456"]) == "400 validation_failed")
        #expect(try await answer(["challenge_id": .string(uuid)]) == "400 validation_failed")
        #expect(try await answer(["challenge_id": .string(uuid), "code": "1"]) == "422 mfa_factor_not_found")
        #expect(try await verify(bench, app, "abcdef", token: token).outcome == "422 mfa_verification_failed")
        let challenge = try await bench.post("/factors/\(app.id)/challenge", token: token)
        bench.accounts.advance(by: .minutes(5))
        let late: JSONObject = [
            "challenge_id": challenge["id"] ?? .null, "code": .string(app.code(at: bench.accounts.now)),
        ]
        #expect(try await answer(late) == "422 mfa_challenge_expired")
        #expect(try await verify(bench, app, token: token).status == 200)
    }

    @Test("G-9.4 a kind of factor that is switched off is neither enrolled nor verified")
    func switchedOff() async throws {
        let bench = try await world()
        let (token, _) = try await bench.session(of: Self.email)
        let app = try await enrol(bench, token: token)
        try await bench.accounts.change { $0.factors.totp = .off }
        for path in ["challenge", "verify"] {
            #expect(
                try await bench.post("/factors/\(app.id)/\(path)", token: token).outcome
                    == "422 mfa_totp_verify_not_enabled")
        }
        #expect(
            try await bench.post("/factors", ["factor_type": "totp"], token: token).outcome
                == "422 mfa_totp_enroll_not_enabled")
    }

    @Test("G-9.5 after three wrong codes a right one is refused too, in whichever session")
    func locked() async throws {
        let bench = try await world()
        let app = try await enrol(bench, token: try await bench.session(of: Self.email).access)
        for _ in 0..<3 {
            let (token, _) = try await bench.session(of: Self.email)
            #expect(try await verify(bench, app, "abcdef", token: token).outcome == "422 mfa_verification_failed")
        }
        let (token, _) = try await bench.session(of: Self.email)
        let challenge = try await bench.post("/factors/\(app.id)/challenge", token: token)
        #expect(challenge.outcome == "429 over_request_rate_limit")
    }

    @Test("G-9.3 recovery codes are shown once, raise a session once each, and go with the last factor")
    func recovery() async throws {
        let bench = try await world()
        let app = try await enrol(bench, token: try await bench.session(of: Self.email).access)
        let raised = try access(
            try await verify(bench, app, token: try await bench.session(of: Self.email).access))
        let made = try await bench.post("/factors/recovery-codes", token: raised)
        let codes = try #require(made["codes"]?.arrayValue).compactMap(\.stringValue)
        #expect(codes.count == 10)
        #expect(
            try await bench.post("/factors/recovery-codes", token: raised).outcome == "422 mfa_verified_factor_exists")
        let (low, _) = try await bench.session(of: Self.email)
        let reply = try await bench.post(
            "/factors/recovery-codes/verify", ["code": .string(codes[0].uppercased())], token: low)
        #expect(try claims(access(reply))["aal"] == "aal2")
        let again = try await bench.post(
            "/factors/recovery-codes/verify", ["code": .string(codes[0])], token: try access(reply))
        #expect(again.outcome == "422 mfa_verification_failed")
        let left = try await bench.get("/factors/recovery-codes", token: raised)
        #expect(left["total"] == 10 && left["remaining"] == 9)
        _ = try await bench.send(.delete, "/factors/\(app.id)", token: raised)
        #expect(try await bench.get("/factors/recovery-codes", token: raised).outcome == "404 mfa_factor_not_found")
    }

    @Test("G-9.4 a code by text message, and what an administrator sees and does")
    func phone() async throws {
        let bench = try await world { $0.factors.phone = .on }
        let (token, _) = try await bench.session(of: Self.email)
        let enrolled = try await bench.post(
            "/factors", ["factor_type": "phone", "friendly_name": "sms", "phone": "+4915112345678"], token: token)
        #expect(enrolled["phone"] == "4915112345678", "\(enrolled.text)")
        let id = try #require(enrolled["id"]?.stringValue)
        // Some clients send no body.
        let challenge = try await bench.send(.post, "/factors/\(id)/challenge", token: token)
        let code = try #require(try await bench.accounts.message(to: "+4915112345678", kind: "factor_code").code)
        #expect(
            try await bench.post("/factors/\(id)/challenge", token: token).outcome == "429 over_sms_send_rate_limit")
        let raised = try await bench.post(
            "/factors/\(id)/verify", ["challenge_id": challenge["id"] ?? .null, "code": .string(code)], token: token)
        let claims = try claims(access(raised))
        #expect(claims["aal"] == "aal2")
        let user = try #require(claims["sub"]?.stringValue)
        let listed = try await bench.administer(.get, "/admin/users/\(user)/factors")
        #expect(listed.text.contains(id) && !listed.text.contains("secret"))
        let renamed = try await bench.administer(
            .put, "/admin/users/\(user)/factors/\(id)", ["friendly_name": "work phone"])
        #expect(renamed["friendly_name"] == "work phone")
        let deleted = try await bench.administer(.delete, "/admin/users/\(user)/factors/\(id)")
        #expect(deleted["id"] == .string(id))
        let refreshed = try await bench.refresh(try #require(raised["refresh_token"]?.stringValue))
        #expect(try self.claims(access(refreshed))["aal"] == "aal1")
    }
}
