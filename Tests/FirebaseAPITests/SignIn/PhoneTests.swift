// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

/// Sign-in by a number, and numbers that need no message.
@Suite struct PhoneTests {
    private static let number = "+15555550100"
    private static let other = "+15555550101"

    private static func bench(development: Bool = false, reachesPhones: Bool = false) async throws -> FirebaseBench {
        try await FirebaseBench(development: development, reachesPhones: reachesPhones) {
            $0.signUp.anonymousEnabled = true
            $0.oneTime.testCodes = ["15555550100": "123456"]
        }
    }

    private static func send(
        _ bench: FirebaseBench, _ number: String = number, _ body: JSONObject = [:]
    ) async throws -> FirebaseBench.Reply {
        try await bench.call("sendVerificationCode", body.merging(["phoneNumber": .string(number)]))
    }

    private static func session(_ bench: FirebaseBench, _ number: String = number) async throws -> JSONValue {
        let reply = try await send(bench, number)
        return try #require(reply["sessionInfo"], "\(reply.text)")
    }

    private static func signIn(
        _ bench: FirebaseBench, code: String = "123456", _ body: JSONObject = [:]
    ) async throws -> FirebaseBench.Reply {
        let answer: JSONObject = ["sessionInfo": try await session(bench), "code": .string(code)]
        return try await bench.call("signInWithPhoneNumber", answer.merging(body))
    }

    @Test("R10.5 a number for tests signs in by its code, with no message and nothing to carry one")
    func testNumber() async throws {
        let bench = try await FirebaseBench(reachesPhones: false)
        let set = try await bench.administer(
            "/config?updateMask=signIn.phoneNumber",
            [
                "signIn": [
                    "phoneNumber": ["enabled": true, "testPhoneNumbers": [.init(Self.number): "123456"]]
                ]
            ], method: .patch, version: "v2")
        let shown = set["signIn"]?.objectValue?["phoneNumber"]
        #expect(shown == ["enabled": true, "testPhoneNumbers": [.init(Self.number): "123456"]], "\(set.text)")
        let first = try await Self.signIn(bench)
        #expect(first.status == 200 && first["isNewUser"] == true, "\(first.text)")
        #expect(first["phoneNumber"] == .string(Self.number) && first["expiresIn"] == "3600")
        let claims = try FirebaseBench.claims(first["idToken"]?.stringValue)
        #expect(claims["phone_number"] == .string(Self.number))
        #expect(claims["firebase"]?.objectValue?["sign_in_provider"] == "phone")
        let second = try await Self.signIn(bench)
        #expect(second["isNewUser"] == false && second["localId"] == first["localId"], "\(second.text)")
        #expect(try await bench.mailCount(Self.number) == 0)
        #expect(try await bench.administer("/accounts:lookup", ["phoneNumber": [.string(Self.number)]])["users"] != nil)
    }

    @Test("R10.5 a code is good once, by hand of its session, and for its time")
    func codes() async throws {
        let bench = try await Self.bench()
        func answer(_ body: JSONObject) async throws -> String? {
            try await bench.call("signInWithPhoneNumber", body).code
        }
        let session = try await Self.session(bench)
        #expect(try await answer(["code": "123456"]) == "MISSING_SESSION_INFO")
        #expect(try await answer(["sessionInfo": session]) == "MISSING_CODE")
        #expect(try await answer(["sessionInfo": "x", "code": "123456"]) == "INVALID_SESSION_INFO")
        #expect(try await answer(["sessionInfo": session, "code": "654321"]) == "INVALID_CODE")
        #expect(
            try await answer(["sessionInfo": session, "code": "123456", "operation": "LINK"]) == "MISSING_ID_TOKEN")
        #expect(try await answer(["temporaryProof": "x"]) == "MISSING_PHONE_NUMBER")
        let forged: JSONObject = ["temporaryProof": session, "phoneNumber": .string(Self.number)]
        #expect(try await answer(forged) == "INVALID_TEMPORARY_PROOF")
        #expect(try await answer(["sessionInfo": session, "code": "123456"]) == nil)
        #expect(try await answer(["sessionInfo": session, "code": "123456"]) == "INVALID_CODE")
        let late = try await Self.session(bench)
        bench.advance(.minutes(10))
        #expect(try await answer(["sessionInfo": late, "code": "123456"]) == "SESSION_EXPIRED")
        for number in ["", "0123", "15555550100"] {
            #expect(try await Self.send(bench, number).code == "INVALID_PHONE_NUMBER", "\(number)")
        }
    }

    @Test("R10.5 other numbers are sent a code where something carries it and the app can be judged: in development")
    func realNumbers() async throws {
        let none = try await Self.bench()
        #expect(try await Self.send(none, Self.other).code == "OPERATION_NOT_ALLOWED")
        let production = try await Self.bench(reachesPhones: true)
        #expect(try await Self.send(production, Self.other).code == "MISSING_APP_CREDENTIAL")
        #expect(try await Self.send(production, Self.other, ["recaptchaToken": "x"]).code == "CAPTCHA_CHECK_FAILED")
        #expect(try await Self.send(production, Self.other, ["iosReceipt": "x"]).code == "INVALID_APP_CREDENTIAL")
        #expect(try await production.mailCount(Self.other) == 0)
        let bench = try await Self.bench(development: true, reachesPhones: true)
        #expect(try await Self.send(bench, Self.other).status == 200)
        let listed = try await bench.send(.get, "/emulator/v1/projects/default/verificationCodes")
        let entry = try #require(listed["verificationCodes"]?.arrayValue?.first?.objectValue, "\(listed.text)")
        #expect(entry["phoneNumber"] == .string(Self.other))
        let reply = try await bench.call(
            "signInWithPhoneNumber",
            ["sessionInfo": entry["sessionInfo"] ?? "", "code": entry["code"] ?? ""])
        #expect(reply["phoneNumber"] == .string(Self.other), "\(reply.text)")
        bench.advance(.minutes(10))
        let later = try await bench.send(.get, "/emulator/v1/projects/default/verificationCodes")
        #expect(later.json == ["verificationCodes": []])
    }

    @Test("R10.5 switched off, and in a tenant, numbers sign nobody in")
    func off() async throws {
        let bench = try await Self.bench()
        let made = try await bench.administer("/tenants", ["displayName": "Players"], version: "v2")
        let tenant = try #require(made["name"]?.stringValue?.split(separator: "/").last.map(String.init))
        _ = try await bench.administer(
            "/config?updateMask=signIn.phoneNumber.enabled", [:], method: .patch, version: "v2")
        for operation in ["sendVerificationCode", "signInWithPhoneNumber", "verifyIosClient"] {
            let body: JSONObject = ["phoneNumber": .string(Self.number), "sessionInfo": "x", "code": "123456"]
            #expect(try await bench.call(operation, body).code == "OPERATION_NOT_ALLOWED")
            let inTenant = try await bench.call(operation, body.merging(["tenantId": .string(tenant)]))
            #expect(inTenant.code == "UNSUPPORTED_TENANT_OPERATION", "\(inTenant.text)")
        }
    }

    @Test("R10.5 a number is linked to the signed-in user, who keeps their identifier and has a new session")
    func linked() async throws {
        let bench = try await Self.bench()
        let first = try await bench.call("signUp", ["returnSecureToken": true])
        let reply = try await Self.signIn(bench, ["idToken": first["idToken"] ?? ""])
        #expect(reply["localId"] == first["localId"] && reply["isNewUser"] == false, "\(reply.text)")
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        #expect(claims["phone_number"] == .string(Self.number) && claims["provider_id"] == nil)
        #expect(try await bench.refresh(first["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await Self.signIn(bench)["localId"] == first["localId"])
        let users = try await bench.administer("/accounts:batchGet", method: .get)["users"]?.arrayValue
        #expect(users?.count == 1)
    }

    @Test("R10.5 a number of another account is not linked: who proved it may sign in there instead, once")
    func anothers() async throws {
        let bench = try await Self.bench()
        let owner = try await Self.signIn(bench)
        let stranger = try await bench.call("signUp", ["returnSecureToken": true])
        let reply = try await Self.signIn(bench, ["idToken": stranger["idToken"] ?? ""])
        #expect(reply.status == 200 && reply["idToken"] == nil, "\(reply.text)")
        #expect(reply["temporaryProofExpiresIn"] == "600" && reply["phoneNumber"] == .string(Self.number))
        let proof: JSONObject = ["temporaryProof": reply["temporaryProof"] ?? "", "phoneNumber": .string(Self.number)]
        let again = try await bench.call(
            "signInWithPhoneNumber", proof.merging(["idToken": stranger["idToken"] ?? ""]))
        #expect(again.code == "PHONE_NUMBER_EXISTS", "\(again.text)")
        let wrong = try await bench.call(
            "signInWithPhoneNumber", proof.merging(["phoneNumber": .string(Self.other)]))
        #expect(wrong.code == "INVALID_TEMPORARY_PROOF")
        let signedIn = try await bench.call("signInWithPhoneNumber", proof)
        #expect(signedIn["localId"] == owner["localId"], "\(signedIn.text)")
        #expect(try await bench.call("signInWithPhoneNumber", proof).code == "INVALID_TEMPORARY_PROOF")
    }

    @Test("R14.2 who proved another's number signs in as them no more once all that could has ended")
    func ended() async throws {
        let bench = try await Self.bench()
        let owner = try await Self.signIn(bench)
        let id = owner["localId"] ?? ""
        for isRevoked in [true, false] {
            let stranger = try await bench.call("signUp", ["returnSecureToken": true])
            let reply = try await Self.signIn(bench, ["idToken": stranger["idToken"] ?? ""])
            let proof: JSONObject = [
                "temporaryProof": reply["temporaryProof"] ?? "", "phoneNumber": .string(Self.number),
            ]
            bench.advance(.seconds(1))
            let change: JSONObject =
                isRevoked
                ? ["validSince": .string(String(bench.now.seconds))] : ["password": .string(FirebaseBench.password)]
            let changed = try await bench.administer("/accounts:update", change.merging(["localId": id]))
            #expect(changed.status == 200, "\(changed.text)")
            #expect(try await bench.call("signInWithPhoneNumber", proof).code == "INVALID_TEMPORARY_PROOF")
            bench.advance(.minutes(1))
        }
    }

    @Test("R10.2 an account whose address nobody has proved links no number, nor does an open session of long ago")
    func refused() async throws {
        let bench = try await Self.bench()
        let unverified = try await bench.call(
            "signUp", ["email": "eve@example.com", "password": .string(FirebaseBench.password)])
        let refused = try await Self.signIn(bench, ["idToken": unverified["idToken"] ?? ""])
        #expect(refused.code == "UNVERIFIED_EMAIL", "\(refused.text)")
        try await bench.addUser("ada@example.com")
        let session = try await bench.signIn("ada@example.com")
        bench.advance(.minutes(6))
        let late = try await Self.signIn(bench, ["idToken": session["idToken"] ?? ""])
        #expect(late.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(late.text)")
        let fresh = try await bench.signIn("ada@example.com")
        let linked = try await Self.signIn(bench, ["idToken": fresh["idToken"] ?? ""])
        #expect(linked["localId"] == fresh["localId"] && linked["idToken"] != nil, "\(linked.text)")
        // By a number as by an address, and the tokens say by which.
        let claims = try FirebaseBench.claims(linked["idToken"]?.stringValue)
        #expect(claims["email"] == "ada@example.com")
        #expect(claims["firebase"]?.objectValue?["sign_in_provider"] == "phone")
    }
}
