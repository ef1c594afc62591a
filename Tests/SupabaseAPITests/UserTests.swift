// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("One's own account") struct UserTests {
    private static let confirmed: Set<String> = [
        "id", "aud", "role", "email", "email_confirmed_at", "phone", "confirmed_at", "last_sign_in_at",
        "app_metadata", "user_metadata", "identities", "created_at", "updated_at", "is_anonymous",
    ]

    private static func world() async throws -> (bench: SupabaseBench, access: String) {
        let bench = try await SupabaseBench()
        try await bench.addUser("ada@example.com", ["user_metadata": ["name": "Ada", "city": "London"]])
        return (bench, try await bench.session(of: "ada@example.com").access)
    }

    @Test("D-7 GET /user is the user as they are, member for member")
    func get() async throws {
        let (bench, access) = try await Self.world()
        let reply = try await bench.get("/user", token: access)
        #expect(reply.status == 200 && reply.names == Self.confirmed)
        #expect(reply["app_metadata"] == ["provider": "email", "providers": ["email"]])
        #expect(
            Set(try #require(reply["identities"]?.arrayValue?.first?.objectValue).names) == [
                "identity_id", "id", "user_id", "identity_data", "provider", "last_sign_in_at", "created_at",
                "updated_at",
                "email",
            ])
    }

    @Test("D-7 PUT /user lays data over what there is, a null removes, and nothing of the operator's is taken")
    func metadata() async throws {
        let (bench, access) = try await Self.world()
        let reply = try await bench.put("/user", ["data": ["city": nil, "age": 36], "role": "admin"], token: access)
        #expect(reply["user_metadata"]?.objectValue?["name"] == "Ada")
        #expect(reply["user_metadata"]?.objectValue?["age"] == 36)
        #expect(reply["user_metadata"]?.objectValue?["city"] == nil)
        #expect(reply["role"] == "authenticated")
        let refused = try await bench.put("/user", ["app_metadata": ["admin": true]], token: access)
        #expect(refused.outcome == "403 not_admin")
        #expect(try await bench.put("/user", ["data": 1], token: access).outcome == "400 bad_json")
    }

    @Test("V6.2.3 a young session sets a password; an old one needs the code of GET /reauthenticate, which works once")
    func password() async throws {
        let (bench, access) = try await Self.world()
        func set(_ password: String, nonce: JSONValue? = nil, token: String) async throws -> String {
            var body: JSONObject = ["password": .string(password)]
            body["nonce"] = nonce
            return try await bench.put("/user", body, token: token).outcome
        }
        #expect(try await set(SupabaseBench.password, token: access) == "422 same_password")
        #expect(try await set("short", token: access) == "422 weak_password")
        #expect(try await set("Other-horse-7-battery", token: access) == "200 ")
        let session = try await bench.signIn("ada@example.com", password: "Other-horse-7-battery")
        let refresh = try #require(session["refresh_token"]?.stringValue)
        bench.accounts.advance(by: .hours(25))
        let token = try #require(try await bench.refresh(refresh)["access_token"]?.stringValue)
        #expect(try await set("Third-horse-7-battery", token: token) == "400 reauthentication_needed")
        #expect(try await bench.get("/reauthenticate", token: token).text == "{}")
        let message = try await bench.accounts.message(to: "ada@example.com", kind: "reauthentication")
        let nonce = JSONValue.string(try #require(message.code))
        #expect(
            try await set("Third-horse-7-battery", nonce: "000000", token: token) == "422 reauthentication_not_valid")
        #expect(try await set("Third-horse-7-battery", nonce: nonce, token: token) == "200 ")
        #expect(try await set("Fourth-horse-7-battery", nonce: nonce, token: token) == "422 reauthentication_not_valid")
        #expect(try await bench.signIn("ada@example.com", password: "Third-horse-7-battery").status == 200)
    }

    @Test("D-7 an empty password is a weak one and not none: nothing is changed, and whoever sets it is told")
    func emptyPassword() async throws {
        let (bench, access) = try await Self.world()
        let reply = try await bench.put("/user", ["password": "", "data": ["city": "Paris"]], token: access)
        #expect(reply.outcome == "422 weak_password")
        #expect(reply["weak_password"]?.objectValue?["reasons"]?.arrayValue?.contains("length") == true)
        let user = try await bench.get("/user", token: access)
        #expect(user["user_metadata"]?.objectValue?["city"] == "London")
        let path = "/admin/users/" + (try #require(user["id"]?.stringValue))
        #expect(try await bench.administer(.put, path, ["password": ""]).outcome == "422 weak_password")
        #expect(try await bench.administer(.put, path, ["password": nil]).status == 200)
        #expect(try await bench.signIn("ada@example.com").status == 200)
        // Of a new user it is none.
        let new: JSONObject = ["email": "eve@example.com", "password": ""]
        #expect(try await bench.administer(.post, "/admin/users", new).status == 200)
        #expect(try await bench.signIn("eve@example.com").outcome == "400 invalid_credentials")
    }

    @Test("R32 a new address is pending until both mailboxes have answered")
    func email() async throws {
        let (bench, access) = try await Self.world()
        let reply = try await bench.put("/user", ["email": "ada@new.example"], token: access)
        #expect(reply["email"] == "ada@example.com" && reply["new_email"] == "ada@new.example")
        #expect(reply["email_change_sent_at"] != nil)
        for (address, isLast) in [("ada@example.com", false), ("ada@new.example", true)] {
            let message = try await bench.accounts.message(to: address)
            let answer = try await bench.post(
                "/verify",
                ["type": "email_change", "email": .string(address), "token": .string(try #require(message.code))])
            #expect(answer.status == 200, "\(answer.text)")
            #expect((answer["access_token"] != nil) == isLast)
            if !isLast { #expect(answer.names == ["code", "msg"]) }
        }
        #expect(try await bench.signIn("ada@new.example").status == 200)
        #expect(try await bench.signIn("ada@example.com").outcome == "400 invalid_credentials")
    }

    @Test(
        "G-13.2 a sign-out ends the sessions that it names, at once",
        arguments: [
            ("?scope=local", [false, true]), ("?scope=others", [true, false]), ("?scope=global", [false, false]),
            ("", [false, false]),
        ])
    func signOut(scope: String, lives: [Bool]) async throws {
        let (bench, access) = try await Self.world()
        let other = try await bench.session(of: "ada@example.com")
        let reply = try await bench.post("/logout" + scope, token: access)
        #expect(reply.status == 204 && reply.text.isEmpty)
        for (token, isLive) in zip([access, other.access], lives) {
            let outcome = try await bench.get("/user", token: token).outcome
            #expect(outcome == (isLive ? "200 " : "403 session_not_found"))
        }
        #expect((try await bench.refresh(other.refresh).status == 200) == lives[1])
    }

    @Test("D-7 a scope that is none signs nobody out")
    func scope() async throws {
        let (bench, access) = try await Self.world()
        #expect(try await bench.post("/logout?scope=all", token: access).outcome == "400 validation_failed")
        #expect(try await bench.get("/user", token: access).status == 200)
    }

    @Test("R67 a deleted user's token opens nothing")
    func deleted() async throws {
        let (bench, access) = try await Self.world()
        let id = try #require(try await bench.get("/user", token: access)["id"]?.stringValue)
        #expect(try await bench.administer(.delete, "/admin/users/" + id).status == 200)
        #expect(try await bench.get("/user", token: access).status == 403)
    }
}
