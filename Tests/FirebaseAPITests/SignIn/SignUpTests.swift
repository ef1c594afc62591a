// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import FirebaseAPI

@Suite struct SignUpTests {
    private static let body: JSONObject = [
        "email": "ada@example.com", "password": .string(FirebaseBench.password), "displayName": "Ada",
        "returnSecureToken": true,
    ]

    @Test("Where an address must be confirmed, new and taken ones are answered alike, and each owner has a mail")
    func conceals() async throws {
        let bench = try await FirebaseBench { $0.signUp.unverifiedSignIn = .refuse }
        try await bench.addUser("taken@example.com")
        var answers: Set<String> = []
        for email in ["ada@example.com", "taken@example.com"] {
            let reply = try await bench.call(
                "signUp", ["email": .string(email), "password": .string(FirebaseBench.password)])
            #expect(reply.status == 400)
            #expect(reply.code == "UNVERIFIED_EMAIL")
            answers.insert(reply.text)
            #expect(try await bench.mailCount(email) == 1)
        }
        #expect(answers.count == 1)
        #expect(try await bench.mail("ada@example.com").kind == "confirmation")
        #expect(try await bench.mail("taken@example.com").kind != "confirmation")
    }

    @Test("The mail's link confirms the address, and then the password signs in")
    func confirms() async throws {
        let bench = try await FirebaseBench { $0.signUp.unverifiedSignIn = .refuse }
        _ = try await bench.call("signUp", Self.body)
        #expect(try await bench.signIn("ada@example.com").code == "UNVERIFIED_EMAIL")
        let link = try await bench.mail("ada@example.com").link
        let beginning = "https://auth.example/__/auth/action?mode=verifyEmail&oobCode="
        #expect(link?.hasPrefix(beginning) == true, "\(link ?? "")")
        #expect(FirebaseBench.parameter("apiKey", of: link) == bench.key)
        #expect(FirebaseBench.parameter("lang", of: link) == "en")
        let code = try #require(FirebaseBench.parameter("oobCode", of: link))
        let confirmed = try await bench.call("update", ["oobCode": .string(code)])
        #expect(confirmed.status == 200, "\(confirmed.text)")
        #expect(confirmed["emailVerified"] == true && confirmed["email"] == "ada@example.com")
        #expect(confirmed["idToken"] == nil)
        #expect(try await bench.call("update", ["oobCode": .string(code)]).code == "INVALID_OOB_CODE")
        let reply = try await bench.signIn("ada@example.com")
        #expect(reply["displayName"] == "Ada")
        #expect(try FirebaseBench.claims(reply["idToken"]?.stringValue)["name"] == "Ada")
    }

    @Test("R10.2 tokens come at once, and a taken address is named")
    func signsInAtOnce() async throws {
        for change: @Sendable (inout DirectorySettings) -> Void in [
            { _ in }, { $0.signUp.unverifiedSignIn = .allow }, { $0.signUp.emailAutoConfirm = true },
        ] {
            let bench = try await FirebaseBench(change)
            let reply = try await bench.call("signUp", Self.body)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(
                reply.json.names == [
                    "kind", "localId", "email", "displayName", "idToken", "refreshToken", "expiresIn",
                ])
            #expect(reply["kind"] == "identitytoolkit#SignupNewUserResponse")
            for password in [FirebaseBench.password, "Another-horse-8-battery"] {
                let again = try await bench.call(
                    "signUp", ["email": "ada@example.com", "password": .string(password)])
                #expect(again.code == "EMAIL_EXISTS", "\(again.text)")
            }
            #expect(try await bench.signIn("ada@example.com").status == 200)
        }
    }

    @Test("R10.2 an unverified session's token says so; the owner of the address takes the account by a reset")
    func unverified() async throws {
        let bench = try await FirebaseBench()
        let reply = try await bench.call("signUp", Self.body)
        #expect(try FirebaseBench.claims(reply["idToken"]?.stringValue)["email_verified"] == false)
        #expect(try await bench.mailCount("ada@example.com") == 0)
        let looked = try await bench.call("lookup", ["idToken": reply["idToken"] ?? ""])
        #expect(looked["users"]?.arrayValue?.first?.objectValue?["emailVerified"] == false, "\(looked.text)")
        #expect(try await bench.refresh(reply["refreshToken"]?.stringValue ?? "").status == 200)
        _ = try await bench.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
        let link = try await bench.mail("ada@example.com", kind: "recovery").link
        let reset = try await bench.call(
            "resetPassword",
            ["oobCode": .string(FirebaseBench.parameter("oobCode", of: link) ?? ""), "newPassword": "Owner-horse-99"])
        #expect(reset.status == 200, "\(reset.text)")
        #expect(try await bench.refresh(reply["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        let owner = try await bench.signIn("ada@example.com", password: "Owner-horse-99")
        #expect(try FirebaseBench.claims(owner["idToken"]?.stringValue)["email_verified"] == true)
        #expect(owner["localId"] == reply["localId"])
    }

    @Test("What is missing, weak, malformed or not a client's to say is named")
    func refusals() async throws {
        let bench = try await FirebaseBench()
        for (body, code) in [
            (["email": "a@example.com"], "MISSING_PASSWORD"), (["password": "x"], "MISSING_EMAIL"),
            (["email": "", "password": "x"], "INVALID_EMAIL"), (["email": "x", "password": "x"], "INVALID_EMAIL"),
            (["email": "a@example.com", "password": "x"], "WEAK_PASSWORD"),
            (["email": "a@example.com", "password": "x", "localId": "me"], "UNEXPECTED_PARAMETER"),
            (["returnSecureToken": true], "ADMIN_ONLY_OPERATION"),
            (["email": "a@example.com", "password": "x", "targetProjectId": "default"], "INSUFFICIENT_PERMISSION"),
        ] as [(JSONObject, String)] {
            let reply = try await bench.call("signUp", body)
            #expect(reply.status == 400 && reply.code == code, "\(code): \(reply.text)")
        }
        let closed = try await FirebaseBench { $0.signUp.enabled = false }
        #expect(try await closed.call("signUp", Self.body).code == "ADMIN_ONLY_OPERATION")
        let without = try await FirebaseBench { $0.signUp.emailEnabled = false }
        #expect(try await without.call("signUp", Self.body).code == "OPERATION_NOT_ALLOWED")
        #expect(try await without.signIn("a@example.com").code == "PASSWORD_LOGIN_DISABLED")
    }

    @Test("An anonymous user has no address in answer and token, and keeps their identifier when given one")
    func anonymous() async throws {
        let bench = try await FirebaseBench {
            $0.signUp.anonymousEnabled = true
            $0.signUp.emailAutoConfirm = true
        }
        let reply = try await bench.call("signUp", ["return_secure_token": true])
        #expect(reply.json.names == ["kind", "localId", "idToken", "refreshToken", "expiresIn"])
        let claims = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        #expect(claims["provider_id"] == "anonymous")
        #expect(claims["firebase"] == ["identities": [:], "sign_in_provider": "anonymous"])
        #expect(claims["email"] == nil && claims["email_verified"] == nil)

        var body = Self.body
        body["idToken"] = reply["idToken"]
        let linked = try await bench.call("signUp", body)
        #expect(linked.status == 200, "\(linked.text)")
        #expect(linked["localId"] == reply["localId"])
        let upgraded = try FirebaseBench.claims(linked["idToken"]?.stringValue)
        #expect(upgraded["provider_id"] == nil)
        #expect(upgraded["firebase"]?.objectValue?["sign_in_provider"] == "password")
        #expect(try await bench.signIn("ada@example.com")["localId"] == reply["localId"])
        #expect(try await bench.refresh(reply["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
    }

    @Test("Where addresses are confirmed, an upgraded user stays anonymous until theirs is")
    func anonymousUnconfirmed() async throws {
        let bench = try await FirebaseBench {
            $0.signUp.anonymousEnabled = true
            $0.signUp.unverifiedSignIn = .refuse
        }
        let reply = try await bench.call("signUp", ["returnSecureToken": true])
        var body = Self.body
        body["idToken"] = reply["idToken"]
        #expect(try await bench.call("signUp", body).code == "UNVERIFIED_EMAIL")
        let link = try await bench.mail("ada@example.com").link
        let code = try #require(FirebaseBench.parameter("oobCode", of: link))
        #expect(try await bench.call("update", ["oobCode": .string(code)]).status == 200)
        // What was refused has stored no password: the app asks again, now that the address is proved.
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        body["idToken"] = try await bench.refresh(reply["refreshToken"]?.stringValue ?? "")["id_token"]
        #expect(try await bench.call("signUp", body).status == 200)
        #expect(try await bench.signIn("ada@example.com")["localId"] == reply["localId"])
    }
}
