// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

/// What is taken from an account, and from when on its tokens are good.
@Suite struct AccountPartTests {
    private func record(_ bench: FirebaseBench, _ id: String) async throws -> JSONObject {
        let reply = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])
        return try #require(reply["users"]?.arrayValue?.first?.objectValue, "\(reply.text)")
    }

    private func addUser(_ bench: FirebaseBench) async throws -> String {
        let reply = try await bench.administer(
            "/accounts",
            [
                "email": "ada@example.com", "emailVerified": true, "phoneNumber": "+15555550100",
                "password": .string(FirebaseBench.password), "displayName": "Ada",
            ])
        return try #require(reply["localId"]?.stringValue, "\(reply.text)")
    }

    @Test("R10.5 the operator takes address, password, number and provider from a user, each alone")
    func administrator() async throws {
        for (body, gone, providers) in [
            (["deleteAttribute": ["EMAIL"]], ["email", "emailVerified"], ["phone"]),
            (["deleteAttribute": ["PASSWORD"]], ["passwordHash", "passwordUpdatedAt"], ["phone"]),
            (["deleteAttribute": [1, 5]], ["email", "emailVerified", "passwordHash"], ["phone"]),
            (["deleteProvider": ["phone"]], ["phoneNumber"], ["password"]),
            (["deleteProvider": ["password"]], ["email", "emailVerified", "passwordHash"], ["phone"]),
            (["deleteProvider": ["google.com"]], [], ["password", "phone"]),
        ] as [(JSONObject, [String], [String])] {
            let bench = try await FirebaseBench()
            let id = try await addUser(bench)
            let before = try await record(bench, id)
            var change = body
            change["localId"] = .string(id)
            let reply = try await bench.administer("/accounts:update", change)
            #expect(reply.status == 200, "\(reply.text)")
            let after = try await record(bench, id)
            for name in ["email", "emailVerified", "passwordHash", "phoneNumber", "displayName"] {
                #expect(before[name] != nil, "\(name)")
                #expect((after[name] == nil) == gone.contains(name), "\(name) after \(body.text)")
            }
            let names = after["providerUserInfo"]?.arrayValue?.compactMap { $0.objectValue?["providerId"]?.stringValue }
            #expect(names ?? [] == providers, "\(body.text)")
            let isOpen = !gone.contains("email") && !gone.contains("passwordHash")
            #expect(try await bench.signIn("ada@example.com").status == (isOpen ? 200 : 400), "\(body.text)")
            if gone.contains("email") { try await bench.addUser("ada@example.com") }
        }
    }

    @Test("R10.5 who has signed in just now takes a provider from their own account, and goes on; the owner is told")
    func user() async throws {
        let bench = try await FirebaseBench()
        let id = try await addUser(bench)
        let session = try await bench.signIn("ada@example.com")
        let other = try await bench.signIn("ada@example.com")
        bench.advance(.minutes(6))
        let token = session["idToken"] ?? ""
        let late = try await bench.call("update", ["idToken": token, "deleteProvider": ["password"]])
        #expect(late.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(late.text)")
        let fresh = try await bench.signIn("ada@example.com")
        bench.advance(.minutes(1))
        let reply = try await bench.call(
            "update", ["idToken": fresh["idToken"] ?? "", "deleteProvider": ["password"]])
        #expect(reply.status == 200 && reply["email"] == nil && reply["passwordHash"] == nil, "\(reply.text)")
        #expect(reply["providerUserInfo"]?.arrayValue?.count == 1)
        #expect(try await bench.call("lookup", ["idToken": fresh["idToken"] ?? ""]).status == 200)
        #expect(try await bench.refresh(fresh["refreshToken"]?.stringValue ?? "").status == 200)
        #expect(try await bench.refresh(other["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await record(bench, id)["phoneNumber"] == "+15555550100")
        #expect(try await bench.mailCount("ada@example.com") > 0)
        let none = try await bench.call(
            "update", ["idToken": fresh["idToken"] ?? "", "deleteAttribute": ["PROVIDER"]])
        #expect(none.code == "OPERATION_NOT_ALLOWED")
    }

    @Test("R10.5 tokens are good from the second that the operator says, which the record shows with the password's")
    func validSince() async throws {
        let bench = try await FirebaseBench()
        let id = try await addUser(bench)
        let start = FirebaseBench.start
        var seen = try await record(bench, id)
        #expect(seen["passwordUpdatedAt"] == .integer(start.microseconds / 1000), "\(JSONValue.object(seen).text)")
        #expect(seen["validSince"]?.stringValue == String(start.seconds))
        let early = try await bench.signIn("ada@example.com")
        bench.advance(.seconds(100))
        let late = try await bench.signIn("ada@example.com")
        bench.advance(.seconds(100))
        let since = start.seconds + 50
        for value in [.string(String(since)), .integer(since)] as [JSONValue] {
            let reply = try await bench.administer("/accounts:update", ["localId": .string(id), "validSince": value])
            #expect(reply.status == 200, "\(reply.text)")
        }
        seen = try await record(bench, id)
        #expect(seen["validSince"]?.stringValue == String(since))
        #expect(seen["passwordUpdatedAt"] == .integer(start.microseconds / 1000))
        #expect(try await bench.refresh(early["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await bench.call("lookup", ["idToken": early["idToken"] ?? ""]).code == "TOKEN_EXPIRED")
        #expect(try await bench.refresh(late["refreshToken"]?.stringValue ?? "").status == 200)
        // As SDKs revoke: everything until now, also what was begun within this second.
        let last = try await bench.signIn("ada@example.com")
        _ = try await bench.administer(
            "/accounts:update", ["localId": .string(id), "validSince": .string(String(bench.now.seconds))])
        for session in [late, last] {
            #expect(try await bench.refresh(session["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        }
        #expect(try await bench.signIn("ada@example.com").status == 200)
        for value in ["-1", "9999999999999", "99999999999999999999", "x"] as [JSONValue] {
            let reply = try await bench.administer("/accounts:update", ["localId": .string(id), "validSince": value])
            #expect(reply.status == 400, "\(value)")
        }
        bench.advance(.seconds(5))
        _ = try await bench.administer(
            "/accounts:update", ["localId": .string(id), "password": "Another-horse-8-battery"])
        seen = try await record(bench, id)
        #expect(seen["passwordUpdatedAt"] == .integer(bench.now.microseconds / 1000))
        #expect(seen["validSince"]?.stringValue == String(bench.now.seconds))
    }

    @Test("R10.5 what the operator's update does not do is refused, and nothing of the call is done")
    func notDone() async throws {
        let bench = try await FirebaseBench()
        let id = try await addUser(bench)
        for (name, value) in [
            ("createdAt", "1"), ("lastLoginAt", "1"),
            ("deleteAttribute", ["RAW_USER_INFO"]), ("mfa", ["enrollments": [["phoneInfo": "+15555550100"]]]),
            ("provider", ["google.com"]),
        ] as [(String, JSONValue)] {
            let reply = try await bench.administer(
                "/accounts:update", ["localId": .string(id), "displayName": "Eve", name: value])
            #expect(reply.status == 400 && reply.code == "OPERATION_NOT_ALLOWED", "\(name): \(reply.text)")
        }
        #expect(try await record(bench, id)["displayName"] == "Ada")
    }

    @Test("R12.5 the operator gives a user an identity of a provider, one of each, and nobody else's")
    func linked() async throws {
        let bench = try await FirebaseBench()
        try await bench.addProvider()
        let id = try await addUser(bench)
        let other = try await bench.addUser("bob@example.com")
        func link(_ user: String, _ entry: JSONObject) async throws -> FirebaseBench.Reply {
            try await bench.administer(
                "/accounts:update", ["localId": .string(user), "linkProviderUserInfo": .object(entry)])
        }
        for subject in ["1", "117"] {
            let entry: JSONObject = ["providerId": "google.com", "rawId": .string(subject), "displayName": "Ada G."]
            let reply = try await link(id, entry)
            let shown = reply["providerUserInfo"]?.arrayValue?.last?.objectValue
            #expect(shown?["rawId"]?.stringValue == subject && shown?["displayName"] == "Ada G.", "\(reply.text)")
            #expect(reply["providerUserInfo"]?.arrayValue?.count == 3)
        }
        for (entry, code) in [
            (["rawId": "1"], "MISSING_PROVIDER_ID"), (["providerId": "google.com"], "MISSING_RAW_ID"),
            (["providerId": "password", "rawId": "x"], "INVALID_PROVIDER_ID"),
            (["providerId": "google.com", "rawId": "117"], "FEDERATED_USER_ID_ALREADY_LINKED"),
        ] as [(JSONObject, String)] {
            let reply = try await link(other, entry)
            #expect(reply.status == 400 && reply.code == code, "\(entry.text): \(reply.text)")
        }
        try bench.vouch("token", email: nil)
        #expect(try await bench.signInWithProvider("token")["localId"]?.stringValue == id)
    }

    @Test("R10.5 a message that is asked for is sent or refused, and never said to be sent when it was not")
    func messages() async throws {
        let bench = try await FirebaseBench { $0.limits.messagesPerRecipient = .init(count: 3, seconds: 3600) }
        try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"] ?? ""
        let verify: JSONObject = ["requestType": "VERIFY_EMAIL", "idToken": token]
        for count in 1...3 {
            #expect(try await bench.call("sendOobCode", verify).status == 200)
            #expect(try await bench.mailCount("ada@example.com") == count)
        }
        #expect(try await bench.call("sendOobCode", verify).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        try await bench.addUser("bob@example.com")
        for email in ["bob@example.com", "nobody@example.com"] {
            let reset: JSONObject = ["requestType": "PASSWORD_RESET", "email": .string(email)]
            for _ in 0..<3 { #expect(try await bench.call("sendOobCode", reset).status == 200) }
            #expect(try await bench.call("sendOobCode", reset).code == "RESET_PASSWORD_EXCEED_LIMIT")
        }
        #expect(try await bench.mailCount("bob@example.com") == 3)
        #expect(try await bench.mailCount("ada@example.com") == 3)
    }

    @Test("R10.5 an operator's time between two messages is kept, and told")
    func interval() async throws {
        let bench = try await FirebaseBench { $0.oneTime.resendInterval = 60 }
        try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"] ?? ""
        let body: JSONObject = ["requestType": "VERIFY_EMAIL", "idToken": token]
        #expect(try await bench.call("sendOobCode", body).status == 200)
        #expect(try await bench.call("sendOobCode", body).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        bench.advance(.seconds(61))
        #expect(try await bench.call("sendOobCode", body).status == 200)
        #expect(try await bench.mailCount("ada@example.com") == 2)
    }
}
