// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite("Second factors: what is refused") struct FactorRefusalTests {
    @Test("R14.2 who may not enrol: without a proved address, anonymous, by a custom token, by an old sign-in")
    func whoMayNot() async throws {
        let world = try await FactorWorld { $0.signUp.anonymousEnabled = true }
        let bench = world.bench
        func start(_ token: JSONValue?) async throws -> String? {
            try await world.call("mfaEnrollment:start", ["idToken": token ?? .null, "totpEnrollmentInfo": [:]]).code
        }
        try await bench.addUser("new@example.com", confirmed: false)
        #expect(try await start(try await bench.signIn("new@example.com")["idToken"]) == "UNVERIFIED_EMAIL")
        #expect(try await start(try await bench.call("signUp", [:])["idToken"]) == "UNSUPPORTED_FIRST_FACTOR")
        let account = try await ServiceAccountBench(bench)
        let custom = try await account.signIn(account.claims(.string(world.user)))
        #expect(try await start(custom["idToken"]) == "UNSUPPORTED_FIRST_FACTOR")
        let token = try await world.token()
        #expect(try await start("x") == "INVALID_ID_TOKEN")
        bench.advance(.minutes(6))
        #expect(try await start(token) == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }

    @Test("R14.2 faults of an enrolment in the platform's words; nothing of them counts")
    func enrolment() async throws {
        let world = try await FactorWorld { $0.factors.phone = .off }
        let token = try await world.token()
        func start(_ body: JSONObject) async throws -> FirebaseBench.Reply {
            try await world.call("mfaEnrollment:start", body.merging(["idToken": token]))
        }
        #expect(
            try await start(["phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]]).code == "OPERATION_NOT_ALLOWED")
        #expect(try await start(["phoneEnrollmentInfo": [:], "totpEnrollmentInfo": [:]]).status == 400)
        let app = try await world.begin(token)
        func finish(_ info: JSONObject) async throws -> String? {
            try await world.call("mfaEnrollment:finalize", ["idToken": token, "totpVerificationInfo": .object(info)])
                .code
        }
        #expect(try await finish([:]) == "MISSING_SESSION_INFO")
        #expect(try await finish(["sessionInfo": app.session]) == "MISSING_CODE")
        for text in ["x", "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"] {
            #expect(
                try await finish(["sessionInfo": .string(text), "verificationCode": "123456"]) == "INVALID_SESSION_INFO"
            )
        }
        #expect(try await world.finish(app, token, code: world.wrong(app)).code == "INVALID_CODE")
        // Somebody else's is nobody's.
        try await world.bench.addUser("eve@example.com")
        let stranger = try #require(try await world.bench.signIn("eve@example.com")["idToken"])
        #expect(try await world.finish(app, stranger).code == "INVALID_SESSION_INFO")
        world.bench.advance(.minutes(16))
        #expect(try await world.finish(app, token).code == "SESSION_EXPIRED")
        #expect(try await world.enrolments().isEmpty)
    }

    @Test("R14.2 faults of a sign-in in the platform's words; a wrong code leaves it as it was")
    func signIn() async throws {
        let world = try await FactorWorld()
        let app = try await world.app()
        let pending = try await world.pending()
        let totp: JSONObject = ["verificationCode": "123456"]
        let cases: [(String, JSONObject, String)] = [
            ("finalize", ["totpVerificationInfo": .object(totp)], "MISSING_MFA_PENDING_CREDENTIAL"),
            ("start", ["phoneSignInInfo": [:]], "MISSING_MFA_PENDING_CREDENTIAL"),
            ("start", ["mfaPendingCredential": pending, "phoneSignInInfo": [:]], "MISSING_MFA_ENROLLMENT_ID"),
            (
                "start", ["mfaPendingCredential": pending, "mfaEnrollmentId": app.id, "phoneSignInInfo": [:]],
                "MFA_ENROLLMENT_NOT_FOUND"
            ),
            (
                "finalize", ["mfaPendingCredential": pending, "totpVerificationInfo": .object(totp)],
                "MISSING_MFA_ENROLLMENT_ID"
            ),
            (
                "finalize",
                ["mfaPendingCredential": pending, "mfaEnrollmentId": "x", "totpVerificationInfo": .object(totp)],
                "MFA_ENROLLMENT_NOT_FOUND"
            ),
            (
                "finalize",
                ["mfaPendingCredential": "x", "mfaEnrollmentId": app.id, "totpVerificationInfo": .object(totp)],
                "INVALID_MFA_PENDING_CREDENTIAL"
            ),
            (
                "finalize", ["mfaPendingCredential": pending, "phoneVerificationInfo": ["code": "1"]],
                "MISSING_SESSION_INFO"
            ),
        ]
        for (operation, body, code) in cases {
            let reply = try await world.call("mfaSignIn:" + operation, body)
            #expect(reply.status == 400 && reply.code == code, "\(operation): \(reply.text)")
        }
        #expect(try await world.call("mfaSignIn:finalize", ["mfaPendingCredential": pending]).status == 400)
        #expect(try await world.answer(app, pending, code: world.wrong(app)).code == "INVALID_CODE")
        world.bench.advance(.minutes(6))
        #expect(try await world.answer(app, pending).code == "TOTP_CHALLENGE_TIMEOUT")
        #expect(try await world.answer(app, try await world.pending())["idToken"] != nil)
    }

    @Test("G-9.5 after three wrong codes a right one is refused too, and another password voids the question")
    func guessed() async throws {
        let world = try await FactorWorld()
        let app = try await world.app()
        let pending = try await world.pending()
        for _ in 0..<3 { #expect(try await world.answer(app, pending, code: world.wrong(app)).code == "INVALID_CODE") }
        #expect(try await world.answer(app, pending).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        world.bench.advance(.seconds(301))
        let fresh = try await world.pending()
        _ = try await world.bench.administer(
            "/accounts:update", ["localId": .string(world.user), "password": "Another-Horse-8-Battery"])
        #expect(try await world.answer(app, fresh).code == "INVALID_MFA_PENDING_CREDENTIAL")
    }
}
