// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// Answers of authenticators that do not hold, as a client of the platform's would send them.
@Suite("Passkey answers that do not hold") struct PasskeyAnswerTests {
    private static let email = "ada@example.com"
    private static let origin = "https://app.example"

    /// What is wrong with one (Web Authentication Level 3, section 7.2).
    enum Fault: String, CaseIterable, Sendable {
        case foreignOrigin, originWithSuffix, insecureOrigin, subdomain, foreignParty, parentParty
        case unverifiedUser, absentUser, otherChallenge, otherCeremony

        func spoil(_ authenticator: inout VirtualAuthenticator) {
            switch self {
            case .foreignOrigin: authenticator.origin = "https://evil.example"
            case .originWithSuffix: authenticator.origin = PasskeyAnswerTests.origin + ".evil.example"
            case .insecureOrigin: authenticator.origin = "http://app.example"
            case .subdomain: authenticator.origin = "https://other.app.example"
            case .foreignParty: authenticator.relyingPartyID = "evil.example"
            case .parentParty: authenticator.relyingPartyID = "example"
            case .unverifiedUser: authenticator.isUserVerified = false
            case .absentUser: authenticator.isUserPresent = false
            case .otherChallenge: authenticator.challenge = Base64URL.encode([UInt8](repeating: 1, count: 32))
            case .otherCeremony: authenticator.type = "webauthn.create"
            }
        }
    }

    private func world() async throws -> (bench: SupabaseBench, token: String) {
        let bench = try await SupabaseBench { settings in
            settings.passkeys.enabled = true
            settings.passkeys.userVerification = .required
            settings.factors.webAuthn = .on
        }
        try await bench.addUser(Self.email)
        return (bench, try await bench.session(of: Self.email).access)
    }

    private func ask(
        _ bench: SupabaseBench, _ path: String, token: String? = nil
    ) async throws -> (id: JSONValue, options: JSONObject) {
        let asked = try await bench.post(path, token: token)
        return (asked["challenge_id"] ?? .null, try #require(asked["options"]?.objectValue, "\(asked.text)"))
    }

    private func register(
        _ bench: SupabaseBench, _ token: String, _ authenticator: inout VirtualAuthenticator, _ fault: Fault? = nil
    ) async throws -> HTTPBench.Reply {
        let (id, options) = try await ask(bench, "/passkeys/registration/options", token: token)
        var shown = authenticator
        fault?.spoil(&shown)
        let answer = try shown.create(options)
        if fault == nil { authenticator = shown }
        return try await bench.post(
            "/passkeys/registration/verify", ["challenge_id": id, "credential": .object(answer)], token: token)
    }

    @Test(
        "R14.2 a passkey's answer signs nobody in that is of elsewhere or less than was asked",
        arguments: Fault.allCases)
    func signIn(fault: Fault) async throws {
        let (bench, token) = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        #expect(try await register(bench, token, &authenticator).status == 200)
        let (id, options) = try await ask(bench, "/passkeys/authentication/options")
        #expect(options["userVerification"] == "required")
        var spoilt = authenticator
        fault.spoil(&spoilt)
        func verify(_ answer: JSONObject) async throws -> HTTPBench.Reply {
            try await bench.post(
                "/passkeys/authentication/verify", ["challenge_id": id, "credential": .object(answer)])
        }
        #expect(try await verify(try spoilt.get(options)).outcome == "400 webauthn_verification_failed")
        // The challenge is spent, for the right answer too.
        #expect(try await verify(try authenticator.get(options)).outcome == "400 webauthn_challenge_not_found")
    }

    @Test(
        "R14.2 what is no answer at all spends the challenge as any other that does not hold",
        arguments: ["x", 1, [], [:], nil] as [JSONValue])
    func noAnswer(credential: JSONValue) async throws {
        let (bench, token) = try await world()
        let (made, _) = try await ask(bench, "/passkeys/registration/options", token: token)
        for wanted in ["400 webauthn_verification_failed", "400 webauthn_challenge_not_found"] {
            let reply = try await bench.post(
                "/passkeys/registration/verify", ["challenge_id": made, "credential": credential], token: token)
            #expect(reply.outcome == wanted, "\(reply.text)")
        }
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        #expect(try await register(bench, token, &authenticator).status == 200)
        let (id, options) = try await ask(bench, "/passkeys/authentication/options")
        let path = "/passkeys/authentication/verify"
        #expect(try await bench.post(path, ["challenge_id": id]).outcome == "400 validation_failed")
        let refused = try await bench.post(path, ["challenge_id": id, "credential": credential])
        #expect(refused.outcome == "400 webauthn_verification_failed", "\(refused.text)")
        let answer = try authenticator.get(options)
        let late = try await bench.post(path, ["challenge_id": id, "credential": .object(answer)])
        #expect(late.outcome == "400 webauthn_challenge_not_found", "\(late.text)")
    }

    @Test("R14.2 nor does it make a passkey", arguments: Fault.allCases)
    func registration(fault: Fault) async throws {
        guard fault != .otherCeremony else { return }
        let (bench, token) = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let reply = try await register(bench, token, &authenticator, fault)
        #expect(reply.outcome == "400 webauthn_verification_failed", "\(reply.text)")
        #expect(try await bench.get("/passkeys", token: token).text == "[]")
    }

    @Test("R14.2 an answer is good once, of 50 at once too, and for the challenge it answers")
    func replayed() async throws {
        let (bench, token) = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        #expect(try await register(bench, token, &authenticator).status == 200)
        let (id, options) = try await ask(bench, "/passkeys/authentication/options")
        let answer = try authenticator.get(options)
        let body: JSONObject = ["challenge_id": id, "credential": .object(answer)]
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await bench.post("/passkeys/authentication/verify", body).outcome }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == "200 " } == 1, "\(Set(outcomes))")
        #expect(Set(outcomes) == ["200 ", "400 webauthn_challenge_not_found"])
        let (next, _) = try await ask(bench, "/passkeys/authentication/options")
        #expect(
            try await bench.post(
                "/passkeys/authentication/verify", ["challenge_id": next, "credential": .object(answer)]
            ).outcome == "400 webauthn_verification_failed")
    }

    @Test("R14.2 nor is a security key's answer a factor, and its right one is good once", arguments: Fault.allCases)
    func securityKey(fault: Fault) async throws {
        let (bench, token) = try await world()
        var authenticator = VirtualAuthenticator(origin: Self.origin)
        let enrolled = try await bench.post("/factors", ["factor_type": "webauthn"], token: token)
        let factor = "/factors/" + (try #require(enrolled["id"]?.stringValue, "\(enrolled.text)"))
        func ask(_ token: String) async throws -> (id: JSONValue, options: JSONObject) {
            let asked = try await bench.post(factor + "/challenge", token: token)
            let options = asked["webauthn"]?.objectValue?["credential_options"]?.objectValue?["publicKey"]
            return (asked["id"] ?? .null, try #require(options?.objectValue, "\(asked.text)"))
        }
        func verify(_ id: JSONValue, _ type: JSONValue, _ answer: JSONObject, _ token: String) async throws -> String {
            let body: JSONObject = [
                "challenge_id": id, "webauthn": ["type": type, "credential_response": .object(answer)],
            ]
            return try await bench.post(factor + "/verify", body, token: token).outcome
        }
        let made = try await ask(token)
        #expect(try await verify(made.id, "create", try authenticator.create(made.options), token) == "200 ")
        let low = try await bench.session(of: Self.email).access
        let asked = try await ask(low)
        var spoilt = authenticator
        fault.spoil(&spoilt)
        // A key stands beside a password: whether it knows its user is not asked of it.
        if fault != .unverifiedUser {
            #expect(
                try await verify(asked.id, "request", try spoilt.get(asked.options), low)
                    == "422 mfa_verification_failed")
        }
        let again = try await ask(low)
        let answer = try authenticator.get(again.options)
        #expect(try await verify(again.id, "request", answer, low) == "200 ")
        #expect(try await verify(again.id, "request", answer, low) == "422 mfa_factor_not_found")
    }
}
