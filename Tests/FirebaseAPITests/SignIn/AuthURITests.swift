// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct AuthURITests {
    private func ask(_ bench: FirebaseBench, _ email: String) async throws -> FirebaseBench.Reply {
        try await bench.call(
            "createAuthUri", ["identifier": .string(email), "continueUri": "http://localhost", "sessionId": "s"])
    }

    @Test("R10.5 nobody is told which addresses have accounts: a known one and an unknown one get the same answer")
    func concealed() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let known = try await ask(bench, "ada@example.com")
        #expect(known.json == ["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": "s"], "\(known.text)")
        #expect(try await ask(bench, "nobody@example.com").json == known.json)
        let drawn = try await bench.call(
            "createAuthUri", ["identifier": "ada@example.com", "continueUri": "http://localhost"])
        #expect(drawn["sessionId"]?.stringValue?.isEmpty == false)
    }

    @Test("R10.5 a project that lets it be asked says whether and how an address signs in, and what was wrong of both")
    func told() async throws {
        let bench = try await FirebaseBench { $0.signUp.concealsEmails = false }
        try await bench.addUser("ada@example.com")
        _ = try await bench.administer("/accounts", ["email": "made@example.com", "emailVerified": true])
        let ada = try await ask(bench, "ADA@example.com")
        #expect(
            ada["registered"] == true && ada["signinMethods"] == ["password"] && ada["allProviders"] == ["password"])
        let made = try await ask(bench, "made@example.com")
        #expect(made["registered"] == true && made["signinMethods"] == nil && made["allProviders"] == nil)
        let nobody = try await ask(bench, "nobody@example.com")
        #expect(nobody["registered"] == false && nobody["signinMethods"] == nil)
        let link = try await bench.administer(
            "/accounts:sendOobCode",
            ["requestType": "EMAIL_SIGNIN", "email": "made@example.com", "returnOobLink": true])
        let code = try #require(link["oobCode"])
        #expect(
            try await bench.call("signInWithEmailLink", ["email": "made@example.com", "oobCode": code]).status == 200)
        #expect(try await ask(bench, "made@example.com")["signinMethods"] == ["emailLink"])

        #expect(try await bench.signIn("nobody@example.com").code == "EMAIL_NOT_FOUND")
        #expect(try await bench.signIn("ada@example.com", password: "wrong").code == "INVALID_PASSWORD")
        let reset: JSONObject = ["requestType": "PASSWORD_RESET", "email": "nobody@example.com"]
        #expect(try await bench.call("sendOobCode", reset).code == "EMAIL_NOT_FOUND")
    }

    @Test("R10.5 the project's configuration says whether it may be asked, and says so where it is left out no more")
    func configured() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        func configure(_ config: JSONObject) async throws -> Int {
            try await bench.administer(
                "/config?updateMask=emailPrivacyConfig.enableImprovedEmailPrivacy",
                ["emailPrivacyConfig": .object(config)],
                method: .patch, version: "v2"
            ).status
        }
        #expect(try await configure(["enableImprovedEmailPrivacy": false]) == 200)
        #expect(try await ask(bench, "ada@example.com")["registered"] == true)
        #expect(try await configure([:]) == 200)
        #expect(try await ask(bench, "ada@example.com")["registered"] == nil)
    }

    @Test("R10.5 what is missing or malformed is named, and a provider that is not set up is said to be none")
    func refused() async throws {
        let bench = try await FirebaseBench()
        for (code, body) in [
            ("MISSING_IDENTIFIER", ["continueUri": "http://localhost"]),
            ("MISSING_CONTINUE_URI", ["identifier": "ada@example.com"]),
            ("INVALID_IDENTIFIER", ["identifier": "ada", "continueUri": "http://localhost"]),
            ("INVALID_CONTINUE_URI", ["identifier": "ada@example.com", "continueUri": "localhost"]),
            ("OPERATION_NOT_ALLOWED", ["providerId": "google.com", "continueUri": "http://localhost"]),
        ] as [(String, JSONObject)] {
            let reply = try await bench.call("createAuthUri", body)
            #expect(reply.status == 400 && reply.code == code, "\(code): \(reply.text)")
        }
    }
}
