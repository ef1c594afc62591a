// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct EmailLinkTests {
    /// Asks for a link and gives its code.
    private func code(_ bench: FirebaseBench, _ email: String) async throws -> JSONValue {
        let reply = try await bench.call(
            "sendOobCode",
            [
                "requestType": "EMAIL_SIGNIN", "email": .string(email), "continueUrl": "https://app.example/in",
                "canHandleCodeInApp": true,
            ])
        #expect(reply.status == 200 && reply["email"]?.stringValue == email, "\(reply.text)")
        let link = try await bench.mail(email).link
        #expect(FirebaseBench.parameter("mode", of: link) == "signIn", "\(link ?? "")")
        #expect(FirebaseBench.parameter("continueUrl", of: link) == "https://app.example/in")
        return .string(try #require(FirebaseBench.parameter("oobCode", of: link)))
    }

    private func signIn(
        _ bench: FirebaseBench, _ email: String, _ code: JSONValue, idToken: JSONValue? = nil
    ) async throws -> FirebaseBench.Reply {
        var body: JSONObject = ["email": .string(email), "oobCode": code]
        body["idToken"] = idToken
        return try await bench.call("signInWithEmailLink", body)
    }

    @Test("R10.5 a mailed link signs its owner in, makes the account at the first, and works once")
    func signsIn() async throws {
        let bench = try await FirebaseBench()
        let code = try await code(bench, "ada@example.com")
        let inspected = try await bench.call("resetPassword", ["oobCode": code])
        #expect(inspected["requestType"] == "EMAIL_SIGNIN" && inspected["email"] == nil, "\(inspected.text)")
        let first = try await signIn(bench, "Ada@example.com", code)
        #expect(
            first.json.names == [
                "kind", "localId", "email", "isNewUser", "idToken", "refreshToken", "expiresIn",
            ], "\(first.text)")
        #expect(first["kind"] == "identitytoolkit#EmailLinkSigninResponse" && first["isNewUser"] == true)
        let claims = try FirebaseBench.claims(first["idToken"]?.stringValue)
        #expect(claims["email"] == "ada@example.com" && claims["email_verified"] == true)
        #expect(claims["firebase"]?.objectValue?["sign_in_provider"] == "password")
        let user = try await bench.call("lookup", ["idToken": try #require(first["idToken"])])["users"]?.arrayValue?
            .first?.objectValue
        #expect(user?["emailLinkSignin"] == true && user?["passwordHash"] == nil)
        #expect(user?["providerUserInfo"]?.arrayValue?.first?.objectValue?["providerId"] == "password")
        #expect(try await signIn(bench, "ada@example.com", code).code == "INVALID_OOB_CODE")
        bench.advance(.minutes(2))
        let second = try await signIn(bench, "ada@example.com", try await self.code(bench, "ada@example.com"))
        #expect(second["isNewUser"] == false && second["localId"] == first["localId"], "\(second.text)")
    }

    @Test("R10.5 a link is for the address it went to and for signing in; a link for something else does not sign in")
    func bound() async throws {
        let bench = try await FirebaseBench()
        let code = try await code(bench, "ada@example.com")
        let other = try await signIn(bench, "eve@example.com", code)
        #expect(other.code == "INVALID_EMAIL" && other.text.contains("does not match the sign-in email address"))
        #expect(try await bench.call("signInWithEmailLink", ["oobCode": code]).code == "MISSING_EMAIL")
        #expect(
            try await bench.call("signInWithEmailLink", ["email": "ada@example.com"]).code == "MISSING_OOB_CODE")
        #expect(try await signIn(bench, "ada@example.com", "x").code == "INVALID_OOB_CODE")
        #expect(try await bench.call("update", ["oobCode": code]).code == "INVALID_OOB_CODE")
        let reset: JSONObject = ["oobCode": code, "newPassword": .string(FirebaseBench.password)]
        #expect(try await bench.call("resetPassword", reset).code == "INVALID_OOB_CODE")
        // It was spent by none of these.
        #expect(try await signIn(bench, "ada@example.com", code).status == 200)
        try await bench.addUser("bob@example.com")
        _ = try await bench.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "bob@example.com"])
        let recovery = FirebaseBench.parameter("oobCode", of: try await bench.mail("bob@example.com").link)
        #expect(
            try await signIn(bench, "bob@example.com", .string(try #require(recovery))).code == "INVALID_OOB_CODE")
    }

    @Test("R10.5 an operator is given the link for anybody, and it signs in as the mailed one")
    func operatorsLink() async throws {
        let bench = try await FirebaseBench()
        let reply = try await bench.administer(
            "/accounts:sendOobCode",
            ["requestType": "EMAIL_SIGNIN", "email": "new@example.com", "returnOobLink": true])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(FirebaseBench.parameter("mode", of: reply["oobLink"]?.stringValue) == "signIn")
        #expect(try await bench.mailCount("new@example.com") == 0)
        let session = try await signIn(bench, "new@example.com", try #require(reply["oobCode"]))
        #expect(session.status == 200 && session["isNewUser"] == true, "\(session.text)")
    }

    @Test("R10.5 an anonymous user takes the address that a link proves, and goes on under their identifier")
    func upgrade() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        let anonymous = try await bench.call("signUp", ["returnSecureToken": true])
        let id = try #require(anonymous["localId"])
        let code = try await code(bench, "ada@example.com")
        let linked = try await signIn(bench, "ada@example.com", code, idToken: anonymous["idToken"])
        #expect(linked.status == 200 && linked["localId"] == id && linked["isNewUser"] == false, "\(linked.text)")
        let claims = try FirebaseBench.claims(linked["idToken"]?.stringValue)
        #expect(claims["sub"] == id && claims["email_verified"] == true && claims["provider_id"] == nil)
        #expect(try await bench.refresh(try #require(anonymous["refreshToken"]?.stringValue)).status == 400)
        bench.advance(.minutes(2))
        let again = try await signIn(bench, "ada@example.com", try await self.code(bench, "ada@example.com"))
        #expect(again["localId"] == id)
        let users = try await bench.administer("/accounts:batchGet", method: .get)["users"]?.arrayValue
        #expect(users?.count == 1, "the account that the link was sent to is gone")
    }

    @Test("R10.2 a link takes no address of an account that somebody has, and gives nobody a second one")
    func taken() async throws {
        let bench = try await FirebaseBench { $0.signUp.anonymousEnabled = true }
        try await bench.addUser("ada@example.com")
        let anonymous = try await bench.call("signUp", ["returnSecureToken": true])
        let code = try await code(bench, "ada@example.com")
        #expect(try await signIn(bench, "ada@example.com", code, idToken: anonymous["idToken"]).code == "EMAIL_EXISTS")
        // Nor was it spent.
        let ada = try await signIn(bench, "ada@example.com", code)
        #expect(ada.status == 200, "\(ada.text)")
        let other = try await self.code(bench, "other@example.com")
        #expect(try await signIn(bench, "other@example.com", other, idToken: ada["idToken"]).code == "EMAIL_EXISTS")
    }

    @Test("R10.1 whoever finds the open session of a user without an address gives it no address of their own")
    func recent() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let session = try await account.signIn(account.claims("player") { $0["claims"] = ["team": "red"] })
        bench.advance(.minutes(6))
        let code = try await code(bench, "eve@example.com")
        let late = try await signIn(bench, "eve@example.com", code, idToken: session["idToken"])
        #expect(late.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(late.text)")
        let again = try await account.signIn(account.claims("player") { $0["claims"] = ["team": "red"] })
        let linked = try await signIn(bench, "eve@example.com", code, idToken: again["idToken"])
        #expect(linked["localId"] == "player", "\(linked.text)")
        // What the backend vouched for goes on.
        #expect(try FirebaseBench.claims(linked["idToken"]?.stringValue)["team"] == "red")
    }

    @Test("R10.5 where links sign nobody in, none is sent, made or taken")
    func disabled() async throws {
        let bench = try await FirebaseBench { $0.signUp.emailLinkEnabled = false }
        let request: JSONObject = ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com"]
        #expect(try await bench.call("sendOobCode", request).code == "OPERATION_NOT_ALLOWED")
        #expect(try await signIn(bench, "ada@example.com", "x").code == "OPERATION_NOT_ALLOWED")
        let handed = request.merging(["returnOobLink": true])
        #expect(try await bench.administer("/accounts:sendOobCode", handed).code == "OPERATION_NOT_ALLOWED")
        #expect(try await bench.mailCount("ada@example.com") == 0)
    }
}
