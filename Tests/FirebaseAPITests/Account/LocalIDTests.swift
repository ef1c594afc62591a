// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite("A localId of the operator's choice") struct LocalIDTests {
    private static let uid = "Xq3mT0aVb9cD1eF2gH3iJ4kL5mN6"

    private func addUser(_ bench: FirebaseBench, _ uid: String, _ name: String) async throws -> FirebaseBench.Reply {
        try await bench.administer(
            "/accounts",
            [
                "localId": .string(uid), "email": .string("\(name)@example.com"), "emailVerified": true,
                "password": .string(FirebaseBench.password),
            ])
    }

    @Test(
        "R9.12 it is what every answer and token shows, and every administrative call finds the user by it",
        arguments: [uid, "user@legacy|7 ü", String(repeating: "🧘", count: 128), "7C5AB6B0-0000-4000-8000-00000000000A"])
    func life(uid: String) async throws {
        let bench = try await FirebaseBench()
        let created = try await addUser(bench, uid, "ada")
        #expect(created.status == 200 && created["localId"]?.stringValue == uid, "\(created.text)")
        let session = try await bench.signIn("ada@example.com")
        #expect(session["localId"]?.stringValue == uid)
        let token = session["idToken"]?.stringValue
        let claims = try FirebaseBench.claims(token)
        #expect(claims["sub"]?.stringValue == uid && claims["user_id"]?.stringValue == uid)
        let looked = try await bench.call("lookup", ["idToken": .string(token ?? "")])
        #expect(looked["users"]?.arrayValue?.first?.objectValue?["localId"]?.stringValue == uid, "\(looked.text)")
        let renamed = try await bench.call("update", ["idToken": .string(token ?? ""), "displayName": "Ada"])
        #expect(renamed.status == 200 && renamed["localId"]?.stringValue == uid)
        let renewed = try await bench.refresh(session["refreshToken"]?.stringValue ?? "")
        #expect(renewed["user_id"]?.stringValue == uid)
        #expect(try FirebaseBench.claims(renewed["id_token"]?.stringValue)["sub"]?.stringValue == uid)

        let found = try await bench.administer("/accounts:lookup", ["localId": [.string(uid)]])
        #expect(found["users"]?.arrayValue?.first?.objectValue?["localId"]?.stringValue == uid)
        let listed = try await bench.administer("/accounts:batchGet", method: .get)
        #expect(listed["users"]?.arrayValue?.first?.objectValue?["localId"]?.stringValue == uid)
        let claimed = try await bench.administer(
            "/accounts:update", ["localId": .string(uid), "customAttributes": "{\"level\":7}", "disableUser": true])
        #expect(claimed.status == 200 && claimed["localId"]?.stringValue == uid, "\(claimed.text)")
        #expect(try await bench.signIn("ada@example.com").code == "USER_DISABLED")
        let deleted = try await bench.administer("/accounts:batchDelete", ["localIds": [.string(uid)]])
        #expect(deleted.status == 200 && deleted.json.isEmpty)
        #expect(try await bench.administer("/accounts:delete", ["localId": .string(uid)]).code == "USER_NOT_FOUND")
        #expect(try await addUser(bench, uid, "eve").status == 200)
    }

    @Test("R10.5 whoever is made here without one has 28 letters and digits, in every answer and by every way")
    func drawn() async throws {
        let bench = try await FirebaseBench {
            $0.signUp.anonymousEnabled = true
            $0.signUp.emailAutoConfirm = true
        }
        let signedUp = try await bench.call(
            "signUp", ["email": "ada@example.com", "password": .string(FirebaseBench.password)])
        let anonymous = try await bench.call("signUp", ["returnSecureToken": true])
        let made = try await bench.administer("/accounts", ["email": "bob@example.com"])
        let nameless = try await bench.administer("/accounts")
        var seen: Set<String> = []
        for reply in [signedUp, anonymous, made, nameless] {
            let id = try #require(reply["localId"]?.stringValue, "\(reply.text)")
            #expect(id.utf8.count == 28 && id.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter || $0 < 58 })
            #expect(seen.insert(id).inserted)
            let found = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])
            #expect(found["users"]?.arrayValue?.first?.objectValue?["localId"]?.stringValue == id, "\(found.text)")
        }
        let claims = try FirebaseBench.claims(anonymous["idToken"]?.stringValue)
        #expect(claims["sub"] == anonymous["localId"] && claims["user_id"] == anonymous["localId"])
        let own = "0190a6c2-0000-7000-8000-000000000001"
        #expect(try await bench.administer("/accounts", ["localId": .string(own)])["localId"]?.stringValue == own)
    }

    @Test("R9.12 a taken one is refused, whichever dialect it is of, and of two at once one is made")
    func taken() async throws {
        let bench = try await FirebaseBench()
        let own = try await bench.addUser("ada@example.com")
        _ = try await addUser(bench, Self.uid, "bob")
        for uid in [own, Self.uid] {
            #expect(try await addUser(bench, uid, "eve").code == "DUPLICATE_LOCAL_ID")
        }
        #expect(try await addUser(bench, Self.uid.lowercased(), "eve").status == 200)
        let replies = try await withThrowingTaskGroup(of: String?.self) { group in
            for index in 0..<8 {
                group.addTask { try await self.addUser(bench, "wanted", "user\(index)").code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { $0 == nil } == 1 && replies.count { $0 == "DUPLICATE_LOCAL_ID" } == 7)
    }

    @Test("R9.12 a user who signs up chooses none, and a tenant's users have their own")
    func scope() async throws {
        let bench = try await FirebaseBench()
        let signedUp = try await bench.call(
            "signUp",
            ["email": "ada@example.com", "password": .string(FirebaseBench.password), "localId": .string(Self.uid)])
        #expect(signedUp.code == "UNEXPECTED_PARAMETER")
        _ = try await addUser(bench, Self.uid, "ada")
        let token = try #require(try await bench.signIn("ada@example.com")["idToken"]?.stringValue)
        let changed = try await bench.call("update", ["idToken": .string(token), "localId": "another"])
        #expect(changed["localId"]?.stringValue == Self.uid)
        let tenant = try await bench.administer("/tenants", ["displayName": "Others"], version: "v2")
        let name = tenant["name"]?.stringValue?.split(separator: "/").last.map(String.init) ?? ""
        let made = try await bench.administer(
            "/tenants/\(name)/accounts", ["localId": .string(Self.uid), "email": "ada@example.com"])
        #expect(made.status == 200, "\(made.text)")
    }
}
