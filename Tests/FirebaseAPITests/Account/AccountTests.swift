// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import FirebaseAPI

@Suite struct AccountTests {
    @Test("Looked up by token, a user has the platform's members, and no hash")
    func lookup() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let created = bench.now
        bench.advance(.seconds(2))
        let signedIn = try await bench.signIn("ada@example.com")
        let reply = try await bench.call("lookup", ["id_token": signedIn["idToken"] ?? ""])
        #expect(reply["kind"] == "identitytoolkit#GetAccountInfoResponse")
        let users = try #require(reply["users"]?.arrayValue)
        #expect(users.count == 1)
        let user = try #require(users.first?.objectValue)
        #expect(
            Set(user.names).subtracting(["validSince"]) == [
                "localId", "email", "emailVerified", "passwordHash", "providerUserInfo", "createdAt", "lastLoginAt",
                "lastRefreshAt", "passwordUpdatedAt",
            ])
        #expect(user["localId"]?.stringValue == id)
        #expect(user["passwordHash"] == "UkVEQUNURUQ=")
        #expect(user["createdAt"]?.stringValue == String(created.microseconds / 1000))
        #expect(user["lastLoginAt"]?.stringValue == String(bench.now.microseconds / 1000))
        #expect(
            user["providerUserInfo"] == [
                [
                    "providerId": "password", "rawId": "ada@example.com", "federatedId": "ada@example.com",
                    "email": "ada@example.com",
                ]
            ])
    }

    @Test("Name and picture are changed, deleted, and in the next token; no tokens come of it")
    func profile() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let signedIn = try await bench.signIn("ada@example.com")
        var body: JSONObject = ["idToken": signedIn["idToken"] ?? ""]
        body["displayName"] = "Ada"
        body["photoUrl"] = "https://example.com/a.png"
        body["returnSecureToken"] = true
        let reply = try await bench.call("update", body)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply["displayName"] == "Ada" && reply["photoUrl"] == "https://example.com/a.png")
        #expect(reply["idToken"] == nil && reply["refreshToken"] == nil)
        let claims = try FirebaseBench.claims(
            try await bench.refresh(signedIn["refreshToken"]?.stringValue ?? "")["id_token"]?.stringValue)
        #expect(claims["name"] == "Ada" && claims["picture"] == "https://example.com/a.png")
        let deleted = try await bench.call(
            "update", ["idToken": signedIn["idToken"] ?? "", "deleteAttribute": ["DISPLAY_NAME", 4]])
        #expect(deleted["displayName"] == nil && deleted["photoUrl"] == nil)
    }

    @Test("A new password brings new tokens, and takes back all others, whoever holds them")
    func password() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let other = try await bench.signIn("ada@example.com")
        let mine = try await bench.signIn("ada@example.com")
        bench.advance(.seconds(3))
        let new = "Another-horse-8-battery"
        let reply = try await bench.call(
            "update",
            ["idToken": mine["idToken"] ?? "", "password": .string(new), "returnSecureToken": true])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply["kind"] == "identitytoolkit#SetAccountInfoResponse")
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        let looked = try await bench.call("lookup", ["idToken": reply["idToken"] ?? ""])
        let since = looked["users"]?.arrayValue?.first?.objectValue?["validSince"]?.stringValue.flatMap { Int64($0) }
        #expect(since == bench.now.seconds)
        for name in ["iat", "auth_time"] {
            #expect((claims[name]?.integerValue ?? 0) >= (since ?? .max), "\(name)")
        }
        for old in [other, mine] {
            #expect(try await bench.refresh(old["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
            #expect(try await bench.call("lookup", ["idToken": old["idToken"] ?? ""]).code == "TOKEN_EXPIRED")
        }
        #expect(try await bench.refresh(reply["refreshToken"]?.stringValue ?? "").status == 200)
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await bench.signIn("ada@example.com", password: new).status == 200)
    }

    @Test("What an old session must not be enough for needs a recent sign-in")
    func recentSignIn() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"] ?? ""
        bench.advance(.minutes(6))
        for (operation, body) in [
            ("update", ["idToken": token, "password": "Another-horse-8-battery"]), ("delete", ["idToken": token]),
            (
                "sendOobCode",
                ["idToken": token, "requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "b@example.com"]
            ),
        ] as [(String, JSONObject)] {
            #expect(try await bench.call(operation, body).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(operation)")
        }
        #expect(try await bench.call("update", ["idToken": token, "displayName": "Ada"]).status == 200)
    }

    @Test("A client can't write what is the operator's, nor take another address without proving it")
    func operatorsMembers() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"] ?? ""
        for (name, value, code) in [
            ("customAttributes", "{}", "INSUFFICIENT_PERMISSION"), ("disableUser", false, "OPERATION_NOT_ALLOWED"),
            ("emailVerified", true, "OPERATION_NOT_ALLOWED"), ("email", "b@example.com", "OPERATION_NOT_ALLOWED"),
            ("password", "x", "WEAK_PASSWORD"),
        ] as [(String, JSONValue, String)] {
            let reply = try await bench.call("update", ["idToken": token, name: value])
            #expect(reply.status == 400 && reply.code == code, "\(name): \(reply.text)")
        }
        #expect(try await bench.call("update", ["displayName": "x"]).code == "INVALID_REQ_TYPE")
        #expect(try await bench.call("lookup", [:]).code == "MISSING_ID_TOKEN")
    }

    @Test("A deleted user is gone, with their tokens, and the address is free")
    func deletion() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let signedIn = try await bench.signIn("ada@example.com")
        let token = signedIn["idToken"] ?? ""
        // Some SDKs name the user too; whose token it is decides.
        let reply = try await bench.call("delete", ["idToken": token, "localId": "somebody"])
        #expect(reply.status == 200)
        #expect(reply.json.names == ["kind"])
        #expect(try await bench.call("lookup", ["idToken": token]).code == "USER_NOT_FOUND")
        #expect(try await bench.refresh(signedIn["refreshToken"]?.stringValue ?? "").code == "USER_NOT_FOUND")
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        try await bench.addUser("ada@example.com")
    }
}
