// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct EmulatorTests {
    private static let project = "/emulator/v1/projects/default"

    @Test("R10.5 in development every user of a project goes at one call, and those of its tenants by theirs")
    func deletesAccounts() async throws {
        let bench = try await FirebaseBench(development: true)
        for index in 0..<3 { try await bench.addUser("user\(index)@example.com") }
        let made = try await bench.administer("/tenants", ["displayName": "Players"], version: "v2")
        let tenant = try #require(made["name"]?.stringValue?.split(separator: "/").last.map(String.init))
        let inTenant: JSONObject = ["email": "t@example.com"]
        #expect(try await bench.administer("/tenants/\(tenant)/accounts", inTenant).status == 200)
        func users(_ place: String = "") async throws -> Int {
            try await bench.administer(place + "/accounts:batchGet", method: .get)["users"]?.arrayValue?.count ?? 0
        }
        let reply = try await bench.send(.delete, Self.project + "/accounts")
        #expect(reply.status == 200 && reply.json == [:], "\(reply.text)")
        #expect(try await users() == 0)
        #expect(try await users("/tenants/\(tenant)") == 1)
        #expect(try await bench.send(.delete, "\(Self.project)/tenants/\(tenant)/accounts").status == 200)
        #expect(try await users("/tenants/\(tenant)") == 0)
        // Nothing stands in the way of the next test's users.
        try await bench.addUser("user0@example.com")
        #expect(try await bench.send(.delete, "/emulator/v1/projects/none/accounts").code == "PROJECT_NOT_FOUND")
    }

    @Test("R10.5 the codes of mails are listed with their links, the last one last, until they are used")
    func codes() async throws {
        let bench = try await FirebaseBench(development: true)
        try await bench.addUser("ada@example.com")
        _ = try await bench.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        bench.advance(.seconds(1))
        _ = try await bench.call(
            "sendOobCode",
            ["requestType": "EMAIL_SIGNIN", "email": "bob@example.com", "continueUrl": "https://app.example/in"])
        func codes() async throws -> [JSONObject] {
            let reply = try await bench.send(.get, Self.project + "/oobCodes")
            #expect(reply.status == 200)
            return try #require(reply["oobCodes"]?.arrayValue).compactMap(\.objectValue)
        }
        let listed = try await codes()
        #expect(listed.map { $0["requestType"] } == ["PASSWORD_RESET", "EMAIL_SIGNIN"])
        #expect(listed.map { $0["email"] } == ["ada@example.com", "bob@example.com"])
        let last = try #require(listed.last)
        #expect(FirebaseBench.parameter("oobCode", of: last["oobLink"]?.stringValue) == last["oobCode"]?.stringValue)
        let session = try await bench.call(
            "signInWithEmailLink", ["email": "bob@example.com", "oobCode": try #require(last["oobCode"])])
        #expect(session.status == 200, "\(session.text)")
        #expect(try await codes().map { $0["requestType"] } == ["PASSWORD_RESET"])
        let numbers = try await bench.send(.get, Self.project + "/verificationCodes")
        #expect(numbers.json == ["verificationCodes": []])
    }

    @Test("R10.5 the emulator's configuration is read and changed, and what is not there is refused")
    func config() async throws {
        let bench = try await FirebaseBench(development: true)
        let path = Self.project + "/config"
        let first = try await bench.send(.get, path)
        #expect(
            first.json == [
                "signIn": ["allowDuplicateEmails": false],
                "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
            ], "\(first.text)")
        let body = #"{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":false}}"#
        #expect(try await bench.send(.patch, path, body: body).json["emailPrivacyConfig"] != nil)
        let changed = try await bench.send(.get, path).json["emailPrivacyConfig"]
        #expect(changed == ["enableImprovedEmailPrivacy": false])
        #expect(try await bench.signIn("nobody@example.com").code == "EMAIL_NOT_FOUND")
        let duplicates = #"{"signIn":{"allowDuplicateEmails":true}}"#
        #expect(try await bench.send(.patch, path, body: duplicates).code == "INVALID_CONFIG")
    }

    @Test("R10.1 elsewhere than in development there is nothing of it, whoever asks")
    func production() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let operations: [(HTTPRequest.Method, String)] = [
            (.delete, "/accounts"), (.get, "/oobCodes"), (.get, "/verificationCodes"), (.get, "/config"),
            (.patch, "/config"), (.delete, "/tenants/x/accounts"),
        ]
        for (method, path) in operations {
            for token in ["owner", bench.secret] {
                let reply = try await bench.send(
                    method, Self.project + path, body: method == .get ? nil : "{}",
                    headers: [.authorization: "Bearer \(token)"])
                #expect(reply.status == 404, "\(method) \(path): \(reply.text)")
            }
        }
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }
}
