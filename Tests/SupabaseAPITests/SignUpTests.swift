// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("POST /signup") struct SignUpTests {
    /// A user who has not confirmed anything, as clients decode one.
    static let unconfirmed: Set<String> = [
        "id", "aud", "role", "email", "phone", "confirmation_sent_at", "app_metadata", "user_metadata", "identities",
        "created_at", "updated_at", "is_anonymous",
    ]
    static let session: Set<String> = [
        "access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user",
    ]

    private static func body(_ email: String, _ members: JSONObject = [:]) -> JSONObject {
        (["email": .string(email), "password": .string(SupabaseBench.password)] as JSONObject).merging(members)
    }

    @Test("C-1 D-7 a sign-up answers the user without a session, and mails what confirms the address")
    func signUp() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.post("/signup", Self.body("Ada@Example.com", ["data": ["name": "Ada"]]))
        #expect(reply.status == 200)
        #expect(reply.names == Self.unconfirmed)
        #expect(reply["email"] == "ada@example.com" && reply["phone"] == "" && reply["is_anonymous"] == false)
        #expect(reply["aud"] == "authenticated" && reply["role"] == "authenticated")
        #expect(reply["app_metadata"] == ["provider": "email", "providers": ["email"]])
        #expect(reply["user_metadata"]?.objectValue?["name"] == "Ada")
        let identity = try #require(reply["identities"]?.arrayValue?.first?.objectValue)
        #expect(identity["provider"] == "email" && identity["user_id"] == reply["id"])
        #expect(identity["email"] == "ada@example.com")
        #expect(try await bench.signIn("ada@example.com").outcome == "400 email_not_confirmed")

        let mail = try await bench.accounts.message(to: "ada@example.com", kind: "confirmation")
        let link = try #require(mail.link)
        #expect(link.hasPrefix("https://auth.example/auth/v1/verify?token=") && link.contains("type=signup"))
        let confirmed = try await bench.post(
            "/verify", ["type": "signup", "email": "ada@example.com", "token": .string(try #require(mail.code))])
        #expect(confirmed.names == Self.session)
        #expect(confirmed["user"]?.objectValue?["email_confirmed_at"] != nil)
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }

    @Test("V6.3.8 for a taken address the answer has the same form, and its owner is told")
    func concealed() async throws {
        let bench = try await SupabaseBench()
        let id = try await bench.addUser("ada@example.com")
        let free = try await bench.post("/signup", Self.body("eve@example.com", ["data": ["name": "E"]]))
        let taken = try await bench.post("/signup", Self.body("ada@example.com", ["data": ["name": "E"]]))
        #expect(taken.status == free.status && taken.names == free.names)
        #expect(taken["id"] != .string(id))
        #expect(taken["user_metadata"]?.objectValue?["name"] == "E")
        #expect(taken["identities"]?.arrayValue?.count == free["identities"]?.arrayValue?.count)
        #expect(try await bench.accounts.messages(to: "ada@example.com").count == 1)
    }

    @Test("D-7 where addresses confirm themselves a sign-up is a session, and a taken address is named")
    func autoConfirm() async throws {
        let bench = try await SupabaseBench { $0.signUp.emailAutoConfirm = true }
        let reply = try await bench.post("/signup", Self.body("ada@example.com"))
        #expect(reply.names == Self.session)
        #expect(reply["token_type"] == "bearer" && reply["expires_in"] == 3600)
        #expect(reply["expires_at"] == .integer(bench.accounts.now.seconds + 3600))
        #expect(try await bench.post("/signup", Self.body("ada@example.com")).outcome == "422 user_already_exists")
    }

    @Test(
        "G-15.5 a weak password names each of the platform's reasons",
        arguments: [
            ("qM7", ["length"]), ("qmzrtvkplwsd", ["characters"]), ("qmz", ["length", "characters"]),
            ("Password1", ["pwned"]),
        ])
    func weak(password: String, reasons: [String]) async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.post(
            "/signup", ["email": "ada@example.com", "password": .string(password)])
        #expect(reply.outcome == "422 weak_password")
        let named = reply["weak_password"]?.objectValue?["reasons"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(named) == Set(reasons))
        #expect(try await bench.accounts.messages(to: "ada@example.com").isEmpty)
    }

    @Test("R10.3 what is wrong with a password is said in the platform's words, with the Directory's numbers")
    func weakTexts() async throws {
        let bench = try await SupabaseBench {
            $0.password.minimumLength = 6
            $0.password.requiredCharacters = []
        }
        let short = try await bench.post("/signup", ["email": "ada@example.com", "password": "qm7"])
        #expect(short["msg"] == "Password should be at least 6 characters.")
        let strict = try await SupabaseBench { $0.password.requiredCharacters = ["abc", "123"] }
        let plain = try await strict.post("/signup", ["email": "ada@example.com", "password": "qmzrtvkplwsd"])
        #expect(plain["msg"] == "Password should contain at least one character of each: abc, 123.")
    }

    @Test("R10.3 a confirmed address shows in user_metadata, whatever the user wrote there")
    func emailVerified() async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.post("/signup", Self.body("ada@example.com", ["data": ["email_verified": true]]))
        #expect(reply["user_metadata"]?.objectValue?["email_verified"] == false)
        let code = try #require(try await bench.accounts.message(to: "ada@example.com", kind: "confirmation").code)
        let session = try await bench.post(
            "/verify", ["type": "signup", "email": "ada@example.com", "token": .string(code)])
        let access = try #require(session["access_token"]?.stringValue)
        func shown(_ object: JSONObject?) -> JSONValue? { object?["user_metadata"]?.objectValue?["email_verified"] }
        #expect(shown(session["user"]?.objectValue) == true)
        #expect(shown(try SupabaseBench.claims(access)) == true)
        let changed = try await bench.put("/user", ["data": ["email_verified": false]], token: access)
        #expect(shown(changed.json) == true)
        let phone = try await bench.administer(
            .post, "/admin/users", ["phone": "4915112345678", "phone_confirm": true])
        #expect(phone.status == 200 && shown(phone.json) == nil)
    }

    @Test(
        "D-7 what is missing, doubled or malformed is a 400 that makes nobody",
        arguments: [
            (#"{"email":"a@example.com"}"#, "validation_failed"), (#"{"password":"Correct-horse-7"}"#, nil),
            (#"{"email":"a@example.com","phone":"+4915112345678","password":"Correct-horse-7"}"#, "validation_failed"),
            (#"{"email":"nobody","password":"Correct-horse-7"}"#, "validation_failed"),
            (#"{"phone":"12","password":"Correct-horse-7"}"#, "validation_failed"),
            (#"{"email":1,"password":"Correct-horse-7"}"#, "bad_json"),
            (#"{"email":"a@example.com","password":"Correct-horse-7","data":[]}"#, "bad_json"), ("[]", "bad_json"),
            ("{", "bad_json"), (#"{"email":"a@example.com","email":"b@example.com"}"#, "bad_json"),
            (#"{"email":"a@example.com","password":"Correct-horse-7","code_challenge":"x"}"#, "validation_failed"),
        ] as [(String, String?)])
    func malformed(body: String, code: String?) async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.send(.post, "/signup", raw: body)
        // Neither address nor number is an anonymous sign-up, which is off.
        #expect(reply.outcome == (code.map { "400 " + $0 } ?? "422 anonymous_provider_disabled"), "\(reply.text)")
        #expect(try await bench.administer(.get, "/admin/users")["users"] == [])
    }

    @Test("D-7 ways of signing up that are switched off say so")
    func switchedOff() async throws {
        let closed = try await SupabaseBench { $0.signUp.enabled = false }
        #expect(try await closed.post("/signup", Self.body("ada@example.com")).outcome == "422 signup_disabled")
        let phoneOnly = try await SupabaseBench { $0.signUp.emailEnabled = false }
        #expect(
            try await phoneOnly.post("/signup", Self.body("ada@example.com")).outcome == "400 email_provider_disabled")
        let mailOnly = try await SupabaseBench { $0.signUp.phoneEnabled = false }
        let phone: JSONObject = ["phone": "+4915112345678", "password": .string(SupabaseBench.password)]
        #expect(try await mailOnly.post("/signup", phone).outcome == "400 phone_provider_disabled")
        #expect(try await mailOnly.post("/signup").outcome == "422 anonymous_provider_disabled")
    }

    @Test("D-7 an anonymous sign-up is a session of a user without a name")
    func anonymous() async throws {
        let bench = try await SupabaseBench { $0.signUp.anonymousEnabled = true }
        let reply = try await bench.post("/signup", ["data": ["theme": "dark"]])
        #expect(reply.names == Self.session)
        let user = try #require(reply["user"]?.objectValue)
        #expect(user["is_anonymous"] == true && user["email"] == "" && user["identities"] == [])
        let access = try #require(reply["access_token"]?.stringValue)
        #expect(try SupabaseBench.claims(access)["is_anonymous"] == true)
        let alone = try await bench.put("/user", ["password": .string(SupabaseBench.password)], token: access)
        #expect(alone.outcome == "422 validation_failed")
    }

    @Test("R34 what is the operator's to say is not taken from a sign-up")
    func operatorMembers() async throws {
        let bench = try await SupabaseBench { $0.signUp.emailAutoConfirm = true }
        let reply = try await bench.post(
            "/signup",
            Self.body(
                "ada@example.com",
                [
                    "role": "service_role", "app_metadata": ["admin": true], "provider": "google",
                    "email_confirmed_at": "2020-01-01T00:00:00Z", "id": "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11",
                    "is_super_admin": true,
                ]))
        let user = try #require(reply["user"]?.objectValue)
        #expect(user["role"] == "authenticated")
        #expect(user["app_metadata"] == ["provider": "email", "providers": ["email"]])
        #expect(user["id"] != "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11")
        #expect(user["email_confirmed_at"] != "2020-01-01T00:00:00Z")
        #expect(try SupabaseBench.claims(reply["access_token"]?.stringValue)["role"] == "authenticated")
    }
}
