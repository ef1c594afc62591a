// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct CodeTests {
    @Test("A reset is asked for alike with known and unknown addresses; its code is looked at, then spent")
    func reset() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let session = try await bench.signIn("ada@example.com")
        bench.advance(.seconds(5))
        for email in ["ada@example.com", "nobody@example.com"] {
            let reply = try await bench.call(
                "sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(email)])
            #expect(reply.status == 200)
            #expect(
                reply.json == ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email)])
        }
        let link = try await bench.mail("ada@example.com", kind: "recovery").link
        #expect(FirebaseBench.parameter("mode", of: link) == "resetPassword")
        let code: JSONValue = .string(try #require(FirebaseBench.parameter("oobCode", of: link)))
        for _ in 0..<2 {
            let looked = try await bench.call("resetPassword", ["oobCode": code])
            #expect(looked["requestType"] == "PASSWORD_RESET" && looked["email"] == "ada@example.com")
        }
        #expect(
            try await bench.call("resetPassword", ["oobCode": code, "newPassword": "x"]).code == "WEAK_PASSWORD")
        // A code of this kind confirms nothing by itself.
        #expect(try await bench.call("update", ["oobCode": code]).code == "INVALID_OOB_CODE")
        let new = "Another-horse-8-battery"
        let spent = try await bench.call("resetPassword", ["oobCode": code, "newPassword": .string(new)])
        #expect(spent.status == 200, "\(spent.text)")
        #expect(
            spent.json == [
                "kind": "identitytoolkit#ResetPasswordResponse", "requestType": "PASSWORD_RESET",
                "email": "ada@example.com",
            ])
        #expect(
            try await bench.call("resetPassword", ["oobCode": code, "newPassword": .string(new)]).code
                == "INVALID_OOB_CODE")
        #expect(try await bench.call("resetPassword", ["oobCode": code]).code == "INVALID_OOB_CODE")
        #expect(try await bench.refresh(session["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        #expect(try await bench.signIn("ada@example.com", password: new).status == 200)
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
    }

    @Test("The app's language, or the system's, is the mail's and the link's")
    func language() async throws {
        let bench = try await FirebaseBench()
        for (index, headers) in [
            [.locale: "de"], [.acceptLanguage: "de-AT,en;q=0.5"], [.locale: "null", .acceptLanguage: "de"],
        ].enumerated() as EnumeratedSequence<[HTTPFields]> {
            let email = "user\(index)@example.com"
            try await bench.addUser(email)
            let body: JSONObject = ["requestType": "PASSWORD_RESET", "email": .string(email)]
            _ = try await bench.send(
                .post, "/v1/accounts:sendOobCode?key=" + bench.key, body: JSONValue.object(body).text,
                headers: headers)
            let link = try await bench.mail(email, kind: "recovery").link
            #expect(FirebaseBench.parameter("lang", of: link) == "de", "\(headers)")
        }
    }

    @Test("The request's type goes by name and by number, and what is not one is named")
    func types() async throws {
        let bench = try await FirebaseBench()
        for type in [1, "1", "PASSWORD_RESET"] as [JSONValue] {
            let reply = try await bench.call("sendOobCode", ["request_type": type, "email": "x@example.com"])
            #expect(reply.status == 200, "\(type)")
        }
        for (body, code) in [
            ([:], "MISSING_REQ_TYPE"), (["requestType": 0], "MISSING_REQ_TYPE"),
            (["requestType": "PASSWORD_RESET"], "MISSING_EMAIL"),
            (["requestType": "PASSWORD_RESET", "email": "x"], "INVALID_EMAIL"),
            (["requestType": "VERIFY_EMAIL"], "MISSING_ID_TOKEN"),
            (["requestType": "EMAIL_SIGNIN"], "MISSING_EMAIL"),
            (["requestType": "RECOVER_EMAIL", "email": "a@example.com"], "INVALID_REQ_TYPE"),
            (
                ["requestType": "PASSWORD_RESET", "email": "a@example.com", "returnOobLink": true],
                "INSUFFICIENT_PERMISSION"
            ),
            (
                ["requestType": 1, "email": "a@example.com", "continueUrl": "https://evil.example/"],
                "UNAUTHORIZED_DOMAIN"
            ),
            (["requestType": 1, "email": "a@example.com", "continueUrl": "evil"], "INVALID_CONTINUE_URI"),
        ] as [(JSONObject, String)] {
            let reply = try await bench.call("sendOobCode", body)
            #expect(reply.status == 400 && reply.code == code, "\(code): \(reply.text)")
        }
        #expect(try await bench.call("resetPassword", [:]).code == "MISSING_OOB_CODE")
        #expect(try await bench.call("resetPassword", ["oobCode": "x"]).code == "INVALID_OOB_CODE")
    }

    @Test("R10.5 An opened link confirms the address once, and leads where the app wanted, and nowhere else")
    func page() async throws {
        let bench = try await FirebaseBench()
        let signedUp = try await bench.call(
            "signUp", ["email": "ada@example.com", "password": .string(FirebaseBench.password)])
        bench.advance(.minutes(2))
        let sent = try await bench.call(
            "sendOobCode",
            [
                "requestType": "VERIFY_EMAIL", "idToken": signedUp["idToken"] ?? "",
                "continueUrl": "https://app.example/in?x=1#/welcome?a=b",
            ])
        #expect(sent.status == 200, "\(sent.text)")
        let link = try #require(try await bench.mail("ada@example.com").link)
        #expect(FirebaseBench.parameter("continueUrl", of: link) == "https://app.example/in?x=1#/welcome?a=b")
        let path = String(link.dropFirst("https://auth.example".count))
        let opened = try await bench.press(link)
        #expect(
            opened.status == 303 && opened.headers[.location] == "https://app.example/in?x=1#/welcome?a=b",
            "\(opened.text)")
        #expect(try await bench.send(.get, path).status == 400)
        let looked = try await bench.call("lookup", ["idToken": signedUp["idToken"] ?? ""])
        #expect(looked["users"]?.arrayValue?.first?.objectValue?["emailVerified"] == true, "\(looked.text)")
        let elsewhere = try await bench.send(
            .get, "/__/auth/action?mode=signIn&oobCode=x&continueUrl=https%3A%2F%2Fevil.example%2F")
        #expect(elsewhere.status == 400 && elsewhere.headers[.location] == nil)
        #expect(elsewhere.text.contains("This link belongs to an app"), "\(elsewhere.text)")
        for query in ["", "?mode=verifyEmail", "?mode=x&oobCode=y", "?mode=verifyEmail&oobCode=y&tenantId=nobody"] {
            #expect([400, 404].contains(try await bench.send(.get, "/__/auth/action" + query).status), "\(query)")
        }
    }

    @Test("A change of address counts once the new one is proved")
    func change() async throws {
        let bench = try await FirebaseBench { $0.oneTime.secureEmailChange = false }
        try await bench.addUser("ada@example.com")
        let session = try await bench.signIn("ada@example.com")
        let reply = try await bench.call(
            "sendOobCode",
            [
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": session["idToken"] ?? "",
                "newEmail": "new@example.com",
            ])
        #expect(reply.status == 200 && reply["email"] == "ada@example.com", "\(reply.text)")
        let link = try await bench.mail("new@example.com").link
        #expect(FirebaseBench.parameter("mode", of: link) == "verifyAndChangeEmail")
        let code: JSONValue = .string(try #require(FirebaseBench.parameter("oobCode", of: link)))
        let looked = try await bench.call("resetPassword", ["oobCode": code])
        #expect(looked["requestType"] == "VERIFY_AND_CHANGE_EMAIL", "\(looked.text)")
        #expect(looked["email"] == "ada@example.com" && looked["newEmail"] == "new@example.com")
        #expect(try await bench.call("update", ["oobCode": code])["email"] == "new@example.com")
        #expect(try await bench.signIn("new@example.com").status == 200)
        #expect(try await bench.signIn("ada@example.com").code == "INVALID_LOGIN_CREDENTIALS")
    }

    @Test(
        "V3.5.3 R8.7 to open a mailed link changes nothing; its page's button confirms, and goes where the app wanted"
    )
    func linkPage() async throws {
        let bench = try await FirebaseBench {
            $0.redirectAllowList = ["https://app.example/**"]
            $0.signUp.unverifiedSignIn = .refuse
        }
        _ = try await bench.call("signUp", ["email": "ada@example.com", "password": .string(FirebaseBench.password)])
        let link = try #require(try await bench.mail("ada@example.com").link)
        let code = try #require(FirebaseBench.parameter("oobCode", of: link))
        let path = String(link.dropFirst("https://auth.example".count))
        for method in [HTTPRequest.Method.get, .head, .get] {
            let page = try await bench.send(method, path)
            if method == .get {
                #expect(page.status == 200 && page.text.contains("<form method=\"post\" action=\"action\">"))
                #expect(page.text.contains(code) && page.text.contains("ada@example.com"))
            }
            #expect(try await bench.signIn("ada@example.com").code == "UNVERIFIED_EMAIL")
        }
        #expect(try await bench.send(.get, path + "&lang=de").status == 400)
        let german = path.replacing("lang=en", with: "lang=de")
        #expect(try await bench.send(.get, german).text.contains("<html lang=\"de\">"))
        for foreign in ["https://evil.test", "null"] {
            #expect(try await bench.press(link, origin: foreign).status == 403)
        }
        let pressed = try await bench.press(link, continueURL: "https://app.example/done")
        #expect(pressed.status == 303 && pressed.headers[.location] == "https://app.example/done")
        #expect(try await bench.signIn("ada@example.com").status == 200)
        #expect(try await bench.press(link, origin: nil).status == 400)
        #expect(try await bench.send(.get, path).status == 400)
    }

    @Test("Where the Directory is set so, a mailed link confirms when it is opened, as the platform's do")
    func linkConfirms() async throws {
        let bench = try await FirebaseBench {
            $0.oneTime.linkConfirms = .get
            $0.signUp.unverifiedSignIn = .refuse
        }
        _ = try await bench.call("signUp", ["email": "ada@example.com", "password": .string(FirebaseBench.password)])
        let link = try #require(try await bench.mail("ada@example.com").link)
        #expect(
            [200, 303].contains(try await bench.send(.get, String(link.dropFirst("https://auth.example".count))).status)
        )
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }
}
