// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import FirebaseAPI

@Suite struct CustomTokenTests {
    @Test("R10.5 a custom token signs its user in, who is made at the first and is the same at the second")
    func signsIn() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let first = try await account.signIn(account.claims("Player №1"))
        #expect(first.status == 200, "\(first.text)")
        #expect(first.json.names == ["kind", "isNewUser", "idToken", "refreshToken", "expiresIn"])
        #expect(first["kind"] == "identitytoolkit#VerifyCustomTokenResponse" && first["isNewUser"] == true)
        let claims = try FirebaseBench.claims(first["idToken"]?.stringValue)
        #expect(claims["sub"] == "Player №1" && claims["user_id"] == "Player №1")
        #expect(claims["firebase"] == ["identities": [:], "sign_in_provider": "custom"])
        #expect(claims["email"] == nil && claims["provider_id"] == nil)
        let second = try await account.signIn(account.claims("Player №1"))
        #expect(second["isNewUser"] == false)
        #expect(try FirebaseBench.claims(second["idToken"]?.stringValue)["sub"] == "Player №1")
        let users = try await bench.call("lookup", ["idToken": try #require(second["idToken"])])
        #expect(users["users"]?.arrayValue?.first?.objectValue?["localId"] == "Player №1", "\(users.text)")
    }

    @Test("R10.5 developer claims are in the ID token of that session, survive its refreshes, and are in no other")
    func developerClaims() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let id = try await bench.addUser("ada@example.com")
        let attributes: JSONObject = ["localId": .string(id), "customAttributes": #"{"plan":"free","level":1}"#]
        #expect(try await bench.administer("/accounts:update", attributes).status == 200)
        let claims = account.claims(.string(id)) { $0["claims"] = ["plan": "trial", "premium": true] }
        let session = try await account.signIn(claims)
        #expect(session["isNewUser"] == false, "\(session.text)")
        bench.advance(.minutes(50))
        let refreshed = try await bench.refresh(try #require(session["refreshToken"]?.stringValue))
        for token in [session["idToken"], refreshed["id_token"]] {
            let claims = try FirebaseBench.claims(token?.stringValue)
            #expect(claims["plan"] == "trial" && claims["premium"] == true && claims["level"] == 1)
        }
        let other = try FirebaseBench.claims(try await bench.signIn("ada@example.com")["idToken"]?.stringValue)
        #expect(other["plan"] == "free" && other["premium"] == nil)
    }

    @Test("R10.5 a custom token that is not whole, in time, for here and of this project's account is refused")
    func refused() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let stranger = try SigningKey.generate(.rs256, keyID: account.key.id.rawValue)
        let now = bench.now.seconds
        let cases: [(String, JSONObject, SigningKey?)] = [
            ("INVALID_CUSTOM_TOKEN", account.claims("u"), stranger),
            ("INVALID_CUSTOM_TOKEN", account.claims("u") { $0["aud"] = "default" }, nil),
            (
                "INVALID_CUSTOM_TOKEN", account.claims("u") { $0["sub"] = "someone@default.iam.gserviceaccount.com" },
                nil
            ),
            ("INVALID_CUSTOM_TOKEN", account.claims("u") { $0["exp"] = .integer(now + 3601) }, nil),
            (
                "INVALID_CUSTOM_TOKEN",
                account.claims("u") {
                    $0["iat"] = .integer(now - 3601)
                    $0["exp"] = .integer(now - 1)
                }, nil
            ),
            ("INVALID_CUSTOM_TOKEN", account.claims("u") { $0["iat"] = .integer(now + 600) }, nil),
            ("INVALID_CUSTOM_TOKEN", account.claims("u") { $0["exp"] = nil }, nil),
            ("INVALID_CUSTOM_TOKEN", account.claims(.string(String(repeating: "x", count: 129))), nil),
            ("INVALID_CUSTOM_TOKEN", account.claims("a\u{0}b"), nil),
            (
                "CREDENTIAL_MISMATCH",
                account.claims("u") {
                    $0["iss"] = "backend@other.iam.gserviceaccount.com"
                    $0["sub"] = "backend@other.iam.gserviceaccount.com"
                }, nil
            ),
            ("MISSING_IDENTIFIER", account.claims(""), nil),
            ("MISSING_IDENTIFIER", account.claims("u") { $0["uid"] = nil }, nil),
            ("FORBIDDEN_CLAIM", account.claims("u") { $0["claims"] = ["firebase": "x"] }, nil),
            ("INVALID_CLAIMS", account.claims("u") { $0["claims"] = [1] }, nil),
            (
                "CLAIMS_TOO_LARGE",
                account.claims("u") { $0["claims"] = ["x": .string(String(repeating: "x", count: 1000))] }, nil
            ),
            ("TENANT_ID_MISMATCH", account.claims("u") { $0["tenant_id"] = "elsewhere" }, nil),
        ]
        for (code, claims, key) in cases {
            let reply = try await account.signIn(claims, key: key)
            #expect(reply.status == 400 && reply.code == code, "\(code): \(claims.text): \(reply.text)")
        }
        for (code, body) in [
            ("MISSING_CUSTOM_TOKEN", [:]), ("MISSING_CUSTOM_TOKEN", ["token": ""]),
            ("INVALID_CUSTOM_TOKEN", ["token": "x"]), ("INVALID_CUSTOM_TOKEN", ["token": #"{"uid":"u"}"#]),
            (
                "INVALID_CUSTOM_TOKEN",
                ["token": .string(ServiceAccountBench.unsigned(account.claims("u")))]
            ),
        ] as [(String, JSONObject)] {
            let reply = try await bench.call("signInWithCustomToken", body)
            #expect(reply.status == 400 && reply.code == code, "\(code): \(reply.text)")
        }
        // Nobody was made by any of it.
        let list = try await bench.administer("/accounts:batchGet", method: .get)
        #expect(list.status == 200 && list["users"] == nil, "\(list.text)")
    }

    @Test("R10.5 a revoked key signs nobody in, another of the same account still does")
    func revoked() async throws {
        let bench = try await FirebaseBench()
        let old = try await ServiceAccountBench(bench)
        let new = try await ServiceAccountBench(bench)
        #expect(try await old.signIn(old.claims("u")).status == 200)
        try await bench.dialect.accounts.serviceAccountAdministration.revoke(
            old.key.id, in: bench.directory, at: bench.now)
        #expect(try await old.signIn(old.claims("u")).code == "INVALID_CUSTOM_TOKEN")
        #expect(try await new.signIn(new.claims("u")).status == 200)
        // A key whose scopes are others' may not sign users in.
        let reporter = try await ServiceAccountBench(bench, "reporter", scopes: ["reports:read"])
        #expect(try await reporter.signIn(reporter.claims("u")).code == "INVALID_CUSTOM_TOKEN")
    }

    @Test("R10.5 a disabled or deleted user, and one more where nobody may sign up, gets no session by a custom token")
    func unusable() async throws {
        let bench = try await FirebaseBench { $0.signUp.enabled = false }
        let account = try await ServiceAccountBench(bench)
        #expect(try await account.signIn(account.claims("new")).code == "ADMIN_ONLY_OPERATION")
        let id = try await bench.addUser("ada@example.com")
        #expect(try await account.signIn(account.claims(.string(id))).status == 200)
        _ = try await bench.administer("/accounts:update", ["localId": .string(id), "disableUser": true])
        #expect(try await account.signIn(account.claims(.string(id))).code == "USER_DISABLED")
    }

    @Test("R10.5 what nobody has signed signs in under development alone, in the forms that SDKs and tests make")
    func unsigned() async throws {
        let claims: JSONObject = [
            "iss": "firebase-auth-emulator@example.com", "sub": "firebase-auth-emulator@example.com",
            "aud": .string(ServiceAccountBench.audience), "uid": "dev-user", "claims": ["role": "tester"],
            "iat": 1, "exp": 2,
        ]
        let bodies: [JSONObject] = [
            ["token": .string(ServiceAccountBench.unsigned(claims)), "returnSecureToken": true],
            ["token": #"{"uid":"dev-user","claims":{"role":"tester"}}"#],
        ]
        let development = try await FirebaseBench(development: true)
        let production = try await FirebaseBench()
        for body in bodies {
            let reply = try await development.call("signInWithCustomToken", body)
            #expect(reply.status == 200, "\(reply.text)")
            let token = try FirebaseBench.claims(reply["idToken"]?.stringValue)
            #expect(token["sub"] == "dev-user" && token["role"] == "tester")
            #expect(try await production.call("signInWithCustomToken", body).code == "INVALID_CUSTOM_TOKEN")
        }
        // A signature that is there is judged, also there.
        let account = try await ServiceAccountBench(development)
        let forged = try await account.signIn(account.claims("u"), key: try SigningKey.generate(.rs256))
        #expect(forged.code == "INVALID_CUSTOM_TOKEN", "\(forged.text)")
    }

    @Test("R10.5 a tenant's custom token is signed by the project's account and names the tenant")
    func tenant() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let made = try await bench.administer("/tenants", ["displayName": "Players"], version: "v2")
        let name = try #require(made["name"]?.stringValue?.split(separator: "/").last.map(String.init), "\(made.text)")
        let claims = account.claims("u") { $0["tenant_id"] = .string(name) }
        let reply = try await account.signIn(claims, tenant: name)
        #expect(reply.status == 200, "\(reply.text)")
        let token = try FirebaseBench.claims(reply["idToken"]?.stringValue)
        #expect(token["firebase"]?.objectValue?["tenant"]?.stringValue == name)
        #expect(try await account.signIn(claims).code == "TENANT_ID_MISMATCH")
        #expect(try await account.signIn(account.claims("u"), tenant: name).code == "TENANT_ID_MISMATCH")
    }
}
