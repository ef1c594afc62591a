// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

/// What this server does not do answers as a project in which it is switched off.
@Suite struct SwitchedOffTests {
    /// A body that gets past what is asked of every request.
    private static let bodies = [
        "{}",
        #"{"requestUri":"http://localhost","postBody":"id_token=x&providerId=google.com","localId":"x","idToken":"x"}"#,
        #"{"requestUri":"://","postBody":"%","expression":[{"email":"x"}],"limit":"2","phoneNumber":"+15555550100"}"#,
    ]

    @Test("R10.5 nothing that a client of the platform can call is answered as not built, at any of its paths")
    func noneIsMissing() async throws {
        for isDevelopment in [false, true] {
            let bench = try await FirebaseBench(development: isDevelopment) {
                $0.limits = .init()
                for path in [
                    \DirectorySettings.Limits.signIn, \.signUp, \.verify, \.oneTimeToken, \.anonymous, \.tokenRefresh,
                ] { $0.limits[keyPath: path] = .init(count: 100_000, seconds: 300) }
            }
            for route in Route.all where isDevelopment || route.access != .emulator {
                for path in route.paths {
                    for body in Self.bodies {
                        for token in [nil, isDevelopment ? "owner" : bench.secret] {
                            var headers: HTTPFields = [.contentType: "application/json"]
                            headers[.authorization] = token.map { "Bearer " + $0 }
                            let place = path.replacing("{project}", with: "default").replacingPlaces
                            let reply = try await bench.send(
                                route.method, place + "?key=" + bench.key, body: route.method == .get ? nil : body,
                                headers: headers)
                            #expect(reply.status < 500, "\(route.method) \(place) \(body): \(reply.text)")
                            #expect(!reply.text.contains("NOT_IMPLEMENTED"), "\(route.method) \(place)")
                        }
                    }
                }
            }
        }
    }

    @Test("R10.5 every operation of the platform's API for accounts is one of ours")
    func known() {
        let paths = Set(Route.all.flatMap(\.paths))
        for operation in [
            "createAuthUri", "delete", "issueSamlResponse", "lookup", "resetPassword", "sendOobCode",
            "sendVerificationCode", "signInWithCustomToken", "signInWithEmailLink", "signInWithGameCenter",
            "signInWithIdp", "signInWithPassword", "signInWithPhoneNumber", "signUp", "update", "verifyIosClient",
        ] {
            #expect(paths.contains("/v1/accounts:" + operation), "\(operation)")
        }
        for operation in [
            "mfaEnrollment:start", "mfaEnrollment:finalize", "mfaEnrollment:withdraw", "mfaSignIn:start",
            "mfaSignIn:finalize", "passkeyEnrollment:start", "passkeyEnrollment:finalize", "passkeySignIn:start",
            "passkeySignIn:finalize",
        ] {
            #expect(paths.contains("/v2/accounts/" + operation), "\(operation)")
        }
        #expect(paths.contains("/v2/accounts:revokeToken"))
        for operation in [
            "", ":batchCreate", ":batchDelete", ":batchGet", ":delete", ":lookup", ":query", ":sendOobCode", ":update",
        ] {
            for place in ["", "/tenants/{tenant}"] {
                #expect(paths.contains("/v1/projects/{project}\(place)/accounts" + operation), "\(operation)")
            }
        }
    }

    @Test(
        "R10.5 a provider that is not set up is refused as there, after what is wrong with the request",
        arguments: [
            (#"{}"#, "MISSING_REQUEST_URI"), (#"{"requestUri":"nowhere"}"#, "INVALID_REQUEST_URI"),
            (#"{"requestUri":"http://localhost"}"#, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            (#"{"requestUri":"http://localhost","postBody":"id_token=x"}"#, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
            (#"{"requestUri":"http://localhost","pendingToken":"x"}"#, "INVALID_PENDING_TOKEN"),
            (
                #"{"requestUri":"http://localhost","postBody":"providerId=google.com","idToken":"x"}"#,
                "INVALID_ID_TOKEN"
            ),
            (#"{"requestUri":"http://localhost","postBody":"providerId=google.com&id_token=x"}"#, nil),
            (#"{"requestUri":"http://localhost/?code=1&providerId=apple.com"}"#, nil),
        ] as [(String, String?)])
    func provider(body: String, code: String?) async throws {
        let bench = try await FirebaseBench()
        for path in ["/v1/accounts:signInWithIdp", "/identitytoolkit/v3/relyingparty/verifyAssertion"] {
            let reply = try await bench.send(.post, path + "?key=" + bench.key, body: body)
            #expect(reply.status == 400 && reply.code == code ?? "OPERATION_NOT_ALLOWED", "\(reply.text)")
            guard code == nil else { continue }
            #expect(reply.text.contains("OPERATION_NOT_ALLOWED : The identity provider configuration is not found."))
        }
        #expect(try await bench.send(.post, "/v1/accounts:signInWithIdp", body: body).status == 403)
    }

    @Test("R10.5 second factors and passkeys answer as a project without them")
    func factors() async throws {
        let bench = try await FirebaseBench { $0.factors.totp = .off }
        try await bench.addUser("ada@example.com")
        let token = try #require(try await bench.signIn("ada@example.com")["idToken"])
        func call(_ operation: String, _ body: JSONObject) async throws -> FirebaseBench.Reply {
            try await bench.send(
                .post, "\(FirebaseBench.toolkit)/v2/accounts/\(operation)?key=\(bench.key)",
                body: JSONValue.object(body).text)
        }
        let sms = "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
        let totp = "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled."
        let cases: [(String, JSONObject, String)] = [
            ("mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": [:]], sms),
            ("mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]], totp),
            ("mfaEnrollment:start", ["phoneEnrollmentInfo": [:]], "MISSING_ID_TOKEN"),
            ("mfaEnrollment:start", ["idToken": token], "Request contains an invalid argument."),
            ("mfaEnrollment:finalize", ["idToken": token, "totpVerificationInfo": [:]], "MISSING_SESSION_INFO"),
            ("mfaEnrollment:withdraw", ["mfaEnrollmentId": "x"], "MISSING_ID_TOKEN"),
            ("mfaEnrollment:withdraw", ["idToken": token], "MISSING_MFA_ENROLLMENT_ID"),
            ("mfaEnrollment:withdraw", ["idToken": token, "mfaEnrollmentId": "x"], "MFA_ENROLLMENT_NOT_FOUND"),
            (
                "mfaSignIn:start", ["mfaPendingCredential": "x", "mfaEnrollmentId": "y", "phoneSignInInfo": [:]],
                "INVALID_MFA_PENDING_CREDENTIAL"
            ),
            (
                "mfaSignIn:finalize",
                [
                    "mfaPendingCredential": "x", "mfaEnrollmentId": "y",
                    "totpVerificationInfo": ["verificationCode": "1"],
                ], "INVALID_MFA_PENDING_CREDENTIAL"
            ),
            ("passkeyEnrollment:start", [:], "MISSING_ID_TOKEN"),
            (
                "passkeyEnrollment:start", ["idToken": token],
                "OPERATION_NOT_ALLOWED : Passkey sign-in is not enabled."
            ),
            ("passkeyEnrollment:finalize", ["idToken": token], "MISSING_AUTHENTICATOR_RESPONSE"),
            ("passkeySignIn:start", [:], "OPERATION_NOT_ALLOWED : Passkey sign-in is not enabled."),
            ("passkeySignIn:finalize", [:], "MISSING_AUTHENTICATOR_RESPONSE"),
        ]
        for (operation, body, message) in cases {
            let reply = try await call(operation, body)
            #expect(reply.status == 400, "\(operation): \(reply.text)")
            #expect(reply.json["error"]?.objectValue?["message"] == .string(message), "\(operation): \(reply.text)")
        }
        for (rest, code) in [("/tenants/t:getIamPolicy", 403), ("/tenants/t:nothing", 404)] {
            #expect(try await bench.administer(rest, version: "v2").status == code)
        }
        let initialized = try await bench.administer("/identityPlatform:initializeAuth", version: "v2")
        #expect(initialized.code == "INVALID_PROJECT_ID")
    }

    @Test("R10.5 users are found by what they are known by, and listed in the order in which they were made")
    func query() async throws {
        let bench = try await FirebaseBench()
        var ids: [String] = []
        for index in 0..<4 {
            ids.append(try await bench.addUser("user\(index)@example.com"))
            bench.advance(.seconds(1))
        }
        func query(_ body: JSONObject) async throws -> ([String], JSONValue?) {
            let reply = try await bench.administer("/accounts:query", body)
            let users = (reply["userInfo"]?.arrayValue ?? []).compactMap { $0.objectValue?["localId"]?.stringValue }
            return (users, reply["recordsCount"])
        }
        #expect(try await query([:]) == (ids, "4"))
        #expect(try await query(["limit": "2", "offset": 1, "order": "DESC"]) == ([ids[2], ids[1]], "4"))
        #expect(try await query(["returnUserInfo": false]) == ([], "4"))
        let by: JSONValue = [
            ["email": "USER3@example.com"], ["userId": .string(ids[0])], ["email": "none@example.com"],
            ["userId": .string(ids[1]), "email": "user0@example.com"],
        ]
        #expect(try await query(["expression": by]) == ([ids[3], ids[0]], "2"))
        for body in [["sortBy": "NAME"], ["limit": 501], ["offset": -1], ["offset": 9_999_999], ["expression": [[:]]]]
            as [JSONObject]
        {
            #expect(try await bench.administer("/accounts:query", body).status == 400)
        }
    }
}
