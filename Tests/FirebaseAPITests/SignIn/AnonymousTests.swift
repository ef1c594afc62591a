// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

/// Users without a name, and what becomes of them when they are given one.
@Suite struct AnonymousTests {
    private func upgrade(
        _ token: JSONValue?, _ email: String, _ bench: FirebaseBench, password: String = FirebaseBench.password
    ) async throws -> FirebaseBench.Reply {
        try await bench.call(
            "signUp", ["idToken": token ?? "", "email": .string(email), "password": .string(password)])
    }

    private func record(_ token: JSONValue?, _ bench: FirebaseBench) async throws -> JSONObject {
        let reply = try await bench.call("lookup", ["idToken": token ?? ""])
        return try #require(reply["users"]?.arrayValue?.first?.objectValue, "\(reply.text)")
    }

    @Test("R10.5 an anonymous user is given address and password at once, keeps their identifier, and no mail is sent")
    func upgraded() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        let first = try await bench.call("signUp", ["returnSecureToken": true])
        #expect(try FirebaseBench.claims(first["idToken"]?.stringValue)["provider_id"] == "anonymous")
        let reply = try await upgrade(first["idToken"], "Ada@example.com", bench)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(reply["localId"] == first["localId"] && reply["email"] == "ada@example.com")
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        #expect(claims["email_verified"] == false && claims["provider_id"] == nil)
        #expect(claims["firebase"]?.objectValue?["sign_in_provider"] == "password")
        #expect(try await bench.refresh(first["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await bench.refresh(reply["refreshToken"]?.stringValue ?? "").status == 200)
        #expect(try await bench.mailCount("ada@example.com") == 0)
        #expect(try await bench.signIn("ada@example.com")["localId"] == first["localId"])
        // The app's own wish is the first message, and what it says is where its link leads.
        let sent = try await bench.call(
            "sendOobCode",
            [
                "requestType": "VERIFY_EMAIL", "idToken": reply["idToken"] ?? "",
                "continueUrl": "https://app.example/#/done",
            ])
        #expect(sent.status == 200, "\(sent.text)")
        let link = try await bench.mail("ada@example.com").link
        #expect(FirebaseBench.parameter("continueUrl", of: link) == "https://app.example/#/done")
        let code = try #require(FirebaseBench.parameter("oobCode", of: link))
        #expect(try await bench.call("update", ["oobCode": .string(code)])["emailVerified"] == true)
        #expect(try await record(reply["idToken"], bench)["emailVerified"] == true)
    }

    @Test("R10.5 an upgrade that is refused has stored nothing, and the user goes on as they were")
    func refused() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        try await bench.addUser("taken@example.com")
        let first = try await bench.call("signUp", ["returnSecureToken": true])
        let before = try await record(first["idToken"], bench)
        for (email, password, code) in [
            ("taken@example.com", FirebaseBench.password, "EMAIL_EXISTS"), ("ada@example.com", "x", "WEAK_PASSWORD"),
            ("ada", FirebaseBench.password, "INVALID_EMAIL"),
        ] {
            let reply = try await upgrade(first["idToken"], email, bench, password: password)
            #expect(reply.code == code, "\(reply.text)")
            #expect(try await record(first["idToken"], bench) == before)
        }
        #expect(before["passwordHash"] == nil && before["email"] == nil)
        #expect(try await bench.refresh(first["refreshToken"]?.stringValue ?? "").status == 200)
        // Of many at once with one address, one has it.
        let replies = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let user = try await bench.call("signUp", ["returnSecureToken": true])
                    return try await self.upgrade(user["idToken"], "ada@example.com", bench).code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { $0 == nil } == 1 && replies.count { $0 == "EMAIL_EXISTS" } == 5, "\(replies)")
        let done = try await bench.signIn("ada@example.com")
        #expect(try await upgrade(done["idToken"], "other@example.com", bench).code == "OPERATION_NOT_ALLOWED")
    }

    @Test(
        "R10.5 where an address must be proved first, the message is sent, and neither address nor password is stored")
    func mustConfirm() async throws {
        let bench = try await FirebaseBench {
            $0.signUp.anonymousEnabled = true
            $0.signUp.unverifiedSignIn = .refuse
        }
        let first = try await bench.call("signUp", ["returnSecureToken": true])
        #expect(try await upgrade(first["idToken"], "ada@example.com", bench).code == "UNVERIFIED_EMAIL")
        let left = try await record(first["idToken"], bench)
        #expect(left["passwordHash"] == nil && left["email"] == nil)
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        let code = try #require(FirebaseBench.parameter("oobCode", of: try await bench.mail("ada@example.com").link))
        #expect(try await bench.call("update", ["oobCode": .string(code)]).status == 200)
        let renewed = try await bench.refresh(first["refreshToken"]?.stringValue ?? "")
        let again = try await upgrade(renewed["id_token"], "ada@example.com", bench)
        #expect(again.status == 200 && again["localId"] == first["localId"], "\(again.text)")
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }
}
