// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit
import Testing

@testable import FirebaseAPI

@Suite struct SignInTests {
    @Test("A password signs in; the answer has the platform's members and no others")
    func password() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let reply = try await bench.signIn("ADA@example.com")
        #expect(reply.status == 200, "\(reply.text)")
        #expect(
            reply.json.names == [
                "kind", "localId", "email", "displayName", "registered", "idToken", "refreshToken", "expiresIn",
            ])
        #expect(reply["kind"] == "identitytoolkit#VerifyPasswordResponse")
        #expect(reply["localId"]?.stringValue == id)
        #expect(reply["email"] == "ada@example.com")
        #expect(reply["displayName"] == "")
        #expect(reply["registered"] == true)
        #expect(reply["expiresIn"] == "3600")
    }

    @Test("The ID token has the claims of section 2.1, and those only, beside the session")
    func claims() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"]?.stringValue
        let parsed = try ParsedJWS(parsing: try #require(token).utf8)
        #expect(parsed.header.algorithm == .rs256)
        #expect(parsed.header.keyID != nil)
        let claims = try FirebaseBench.claims(token)
        #expect(
            Set(claims.names) == [
                "iss", "aud", "auth_time", "user_id", "sub", "iat", "exp", "email", "email_verified", "firebase",
                "session_id",
            ])
        #expect(claims["iss"] == "https://securetoken.google.com/default")
        #expect(claims["aud"] == "default")
        #expect(claims["sub"]?.stringValue == id)
        #expect(claims["user_id"]?.stringValue == id)
        #expect(claims["iat"]?.integerValue == bench.now.seconds)
        #expect(claims["auth_time"]?.integerValue == bench.now.seconds)
        #expect(claims["exp"]?.integerValue == bench.now.seconds + 3600)
        #expect(claims["email_verified"] == true)
        #expect(
            claims["firebase"] == ["identities": ["email": ["ada@example.com"]], "sign_in_provider": "password"])
    }

    @Test("Unknown, wrong and passwordless are one error; banned is said only to whoever knows the password")
    func verdicts() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        try await bench.addUser("new@example.com", confirmed: false)
        _ = try await bench.administer("/accounts", ["email": "none@example.com", "emailVerified": true])
        for email in ["ada@example.com", "none@example.com", "nobody@example.com", "new@example.com"] {
            let reply = try await bench.signIn(email, password: "wrong")
            #expect(reply.status == 400 && reply.code == "INVALID_LOGIN_CREDENTIALS", "\(email) \(reply.text)")
        }
        #expect(try await bench.signIn("new@example.com").status == 200)
        _ = try await bench.administer("/accounts:update", ["localId": .string(id), "disableUser": true])
        #expect(try await bench.signIn("ada@example.com").code == "USER_DISABLED")
        #expect(try await bench.signIn("ada@example.com", password: "wrong").code == "INVALID_LOGIN_CREDENTIALS")
        _ = try await bench.administer("/accounts:update", ["localId": .string(id), "disableUser": false])
        #expect(try await bench.signIn("ada@example.com").status == 200)
    }

    @Test("What is missing or malformed is named")
    func malformed() async throws {
        let bench = try await FirebaseBench()
        for (body, code) in [
            (["password": "x"], "MISSING_EMAIL"), (["email": "a@example.com"], "MISSING_PASSWORD"),
            (["email": "a@example.com", "password": ""], "MISSING_PASSWORD"),
            (["email": "x", "password": "x"], "INVALID_EMAIL"), (["email": "", "password": "x"], "INVALID_EMAIL"),
        ] as [(JSONObject, String)] {
            let reply = try await bench.call("signInWithPassword", body)
            #expect(reply.status == 400 && reply.code == code, "\(reply.text)")
        }
        let broken = try await bench.send(
            .post, FirebaseBench.toolkit + "/v1/accounts:signInWithPassword?key=" + bench.key, body: "{")
        #expect(broken.status == 400 && broken.text.contains("Invalid JSON payload received."))
        #expect(broken.json["error"]?.objectValue?["status"] == "INVALID_ARGUMENT")
    }

    @Test("The operation answers by every name it has: with and without the host, and in the API before this one")
    func names() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let body = #"{"email":"ada@example.com","password":"\#(FirebaseBench.password)","return_secure_token":true}"#
        for path in [
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword", "/v1/accounts:signInWithPassword",
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
            "/identitytoolkit/v3/relyingparty/verifyPassword",
        ] {
            let reply = try await bench.send(.post, path + "?key=" + bench.key, body: body)
            #expect(reply.status == 200 && reply["idToken"] != nil, "\(path) \(reply.text)")
            let wrongKey = try await bench.send(.post, path, body: body)
            #expect(wrongKey.status == 403, "\(path)")
        }
    }

    @Test("Paths that are none are not found, in this dialect's form")
    func nothing() async throws {
        let bench = try await FirebaseBench()
        for path in [
            "/identitytoolkit.googleapis.com/v1/nothing", "/v1/projects/x/nothing", "/identitytoolkit/x",
            "/v1/projects/default:createSomething",
            "/identitytoolkit.googleapis.com/v1/projects/default/tenants/t:createSomething",
        ] {
            let reply = try await bench.send(.post, path, body: "{}")
            #expect(reply.status == 404 && reply.json["error"]?.objectValue?["code"] == 404, "\(path)")
        }
    }

    @Test("What this dialect claims of the URL space is its own: nobody else's /v1 is among it")
    func surfaces() async throws {
        let prefixes = Set(try await FirebaseBench().dialect.surfaces.map(\.prefix))
        for path in ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com", "/__"] {
            #expect(prefixes.contains(path), "\(path)")
        }
        for prefix in prefixes {
            #expect(!["", "/", "/v1", "/v2", "/auth", "/dev"].contains(prefix))
            let isShared = prefix.hasPrefix("/v1/") || prefix.hasPrefix("/v2/")
            let isOwn = ["accounts", "projects", "token", "recaptcha", "sessionCookie", "passwordPolicy"]
                .contains { prefix.dropFirst(4).hasPrefix($0) }
            #expect(!isShared || isOwn, "\(prefix)")
        }
    }

    @Test(
        "G-8.1 G-8.2 G-8.6 five wrong passwords lock an address, known or not, and in whose words is the operator's to say"
    )
    func locked() async throws {
        for disclosure in [DirectorySettings.LockoutSettings.Disclosure.generic, .minutes] {
            let bench = try await FirebaseBench { $0.lockout.disclosure = disclosure }
            try await bench.addUser("ada@example.com")
            for address in ["ada@example.com", "nobody@example.com"] {
                for _ in 0..<4 {
                    let wrong = try await bench.signIn(address, password: "Wrong-horse-7-battery")
                    #expect(wrong.status == 400 && wrong.code == "INVALID_LOGIN_CREDENTIALS")
                }
                _ = try await bench.signIn(address, password: "Wrong-horse-7-battery")
                let locked = try await bench.signIn(address)
                let isTold = disclosure == .minutes
                #expect(locked.status == 400)
                #expect(locked.code == (isTold ? "TOO_MANY_ATTEMPTS_TRY_LATER" : "INVALID_LOGIN_CREDENTIALS"))
                #expect((locked.headers[.retryAfter] == "900") == isTold)
            }
        }
    }

    @Test("Guesses at one address are counted, with 400 as this platform has it")
    func limits() async throws {
        let bench = try await FirebaseBench { $0.limits.signInPerIdentifier = .init(count: 3, seconds: 900) }
        try await bench.addUser("ada@example.com")
        for _ in 0..<3 { _ = try await bench.signIn("ada@example.com", password: "wrong") }
        let reply = try await bench.signIn("ada@example.com")
        #expect(reply.status == 400 && reply.code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(reply.headers[.retryAfter] != nil)
    }

    @Test(
        "R9.4 a call is counted by its route before it is looked at, each route by its own limit, administrators by none"
    )
    func routeLimits() async throws {
        let bench = try await FirebaseBench {
            $0.limits.signIn = .init(count: 2, seconds: 300)
            $0.limits.verify = .init(count: 1, seconds: 300)
        }
        for _ in 0..<2 { #expect(try await bench.call("signInWithPassword", [:]).code == "MISSING_EMAIL") }
        #expect(try await bench.call("signInWithPassword", [:]).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        // What the body is about decides: the code of a mail is verified, without one the account is changed.
        #expect(try await bench.call("update", ["oobCode": "x"]).code == "INVALID_OOB_CODE")
        #expect(try await bench.call("update", ["oobCode": "x"]).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(try await bench.call("resetPassword", ["oobCode": "x"]).code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(try await bench.call("update", ["idToken": "x"]).code == "INVALID_ID_TOKEN")
        let administrators = try await bench.send(
            .post, "\(FirebaseBench.toolkit)/v1/accounts:resetPassword", body: "{\"oobCode\":\"x\"}",
            headers: [.authorization: "Bearer \(bench.secret)"])
        #expect(administrators.code == "INVALID_OOB_CODE")
    }
}

extension String {
    var replacingPlaces: String {
        split(separator: "/").map { $0.hasPrefix("{") ? "x" : String($0) }.reduce("") { $0 + "/" + $1 }
    }
}
