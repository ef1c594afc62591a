// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Logins of identity pools") struct IdentityPoolLoginTests {
    private typealias Bench = IdentityPoolBench

    @Test("H-2 R12.7 a login has one identity, another login its own, and both shown together are one")
    func identities() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let one = try await bench.id(Bench.google("1"), in: pool)
        #expect(one.hasPrefix("us-east-1:"))
        #expect(try await bench.id(Bench.google("1"), in: pool) == one)
        #expect(try await bench.id(Bench.google("2"), in: pool) != one)
        // Of two the older goes on, and of two of one moment either.
        bench.cognito.advance(by: .seconds(1))
        let apple = try await bench.id(Bench.apple("1"), in: pool)
        #expect(apple != one)
        #expect(
            try await bench.id(Bench.google("1").merging(Bench.apple("1")), in: pool) == one, "the older one goes on")
        #expect(try await bench.id(Bench.apple("1"), in: pool) == one)
        let shown = try await bench.done("DescribeIdentity", ["IdentityId": .string(one)])
        #expect(
            shown["Logins"]?.arrayValue?.compactMap(\.stringValue).sorted()
                == ["accounts.google.com", "appleid.apple.com"])
        let list: JSONObject = ["IdentityPoolId": .string(pool), "MaxResults": 60]
        #expect(try await bench.done("ListIdentities", list)["Identities"]?.arrayValue?.count == 3)
        let live = try await bench.done("ListIdentities", list.merging(["HideDisabled": true]))
        #expect(live["Identities"]?.arrayValue?.count == 2)
        #expect(
            try await bench.said("GetCredentialsForIdentity", ["IdentityId": .string(apple)], signed: false)
                == "ResourceNotFoundException: Identity '\(apple)' not found.")
        let moved = try await bench.done(
            "GetCredentialsForIdentity",
            ["IdentityId": .string(apple), "Logins": .object(Bench.apple("1"))], signed: false)
        #expect(moved["IdentityId"]?.stringValue == one, "an app that remembers the old one is led on")
    }

    @Test("R12.7 of fifty who come at once with one login, all are one; with another login merging, all stay one")
    func races() async throws {
        let bench = try await Bench(signIns: 1000)
        let pool = try await bench.pool()
        func ids(_ calls: [JSONObject]) async throws -> Set<String> {
            try await withThrowingTaskGroup(of: String.self) { group in
                for logins in calls { group.addTask { try await bench.id(logins, in: pool) } }
                return try await group.reduce(into: []) { $0.insert($1) }
            }
        }
        let google = try await ids(Array(repeating: Bench.google("1"), count: 50))
        #expect(google.count == 1)
        // Of two the older goes on, and of two of one moment either.
        bench.cognito.advance(by: .seconds(1))
        let apple = try await bench.id(Bench.apple("1"), in: pool)
        let both = Bench.google("1").merging(Bench.apple("1"))
        let raced = try await ids((0..<30).map { [both, Bench.apple("1"), Bench.google("1")][$0 % 3] })
        #expect(raced.isSubset(of: google.union([apple])))
        #expect(try await ids([both, Bench.apple("1"), Bench.google("1")]) == google)
        let live: JSONObject = ["IdentityPoolId": .string(pool), "MaxResults": 60, "HideDisabled": true]
        #expect(try await bench.done("ListIdentities", live)["Identities"]?.arrayValue?.count == 1)
    }

    @Test("R12.7 guests are let in where the pool says so, and log in as who they are")
    func guests() async throws {
        let bench = try await Bench()
        let closed: JSONObject = ["IdentityPoolId": .string(try await bench.pool())]
        #expect(
            try await bench.said("GetId", closed, signed: false)
                == "NotAuthorizedException: Unauthenticated access is not supported for this identity pool.")
        let open: JSONObject = [
            "IdentityPoolId": .string(try await bench.pool(["AllowUnauthenticatedIdentities": true]))
        ]
        let guest = try await bench.done("GetId", open, signed: false)["IdentityId"] ?? .null
        #expect(try await bench.done("GetId", open, signed: false)["IdentityId"] != guest, "each is another")
        _ = try await bench.done("GetCredentialsForIdentity", ["IdentityId": guest], signed: false)
        #expect(bench.credentials.requests.last?.role == Bench.guestRole)
        let logged: JSONObject = ["IdentityId": guest, "Logins": .object(Bench.google("1"))]
        let user = try await bench.done("GetCredentialsForIdentity", logged, signed: false)
        #expect(user["IdentityId"] == guest)
        #expect(bench.credentials.requests.last?.role == Bench.role)
        #expect(
            try await bench.said("GetCredentialsForIdentity", ["IdentityId": guest], signed: false)
                == "NotAuthorizedException: Access to Identity '\(guest.stringValue ?? "")' is forbidden.")
        #expect(
            try await bench.said(
                "GetCredentialsForIdentity", ["IdentityId": guest, "Logins": .object(Bench.google("2"))],
                signed: false)
                == "NotAuthorizedException: Logins don't match. Please include at least one valid login for this "
                + "identity or identity pool.")
    }

    @Test("R12.7 a login is taken away by whoever shows one of the identity's, and is then somebody new")
    func unlinking() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool(["AllowUnauthenticatedIdentities": true])
        let both = Bench.google("1").merging(Bench.apple("1"))
        let id = try await bench.id(both, in: pool)
        func unlink(_ logins: JSONObject, _ names: JSONValue) async throws -> String {
            try await bench.said(
                "UnlinkIdentity", ["IdentityId": .string(id), "Logins": .object(logins), "LoginsToRemove": names],
                signed: false)
        }
        #expect(try await unlink(Bench.google("2"), ["accounts.google.com"]).hasPrefix("NotAuthorizedException"))
        #expect(try await unlink(Bench.google("1"), ["graph.facebook.com"]).hasPrefix("ResourceNotFoundException"))
        #expect(try await unlink(Bench.google("1"), ["appleid.apple.com"]) == "status 200")
        #expect(try await bench.id(Bench.apple("1"), in: pool) != id)
        #expect(try await unlink(Bench.google("1"), ["accounts.google.com"]) == "status 200")
        // It was somebody's: nobody has it as a guest, whatever they log in by.
        for logins in [[:], Bench.google("1"), Bench.google("3")] as [JSONObject] {
            let said = try await bench.said(
                "GetCredentialsForIdentity", ["IdentityId": .string(id), "Logins": .object(logins)], signed: false)
            #expect(said == "NotAuthorizedException: Access to Identity '\(id)' is forbidden.")
        }
    }

    @Test(
        "R12.7 a provider's token is taken from its issuer and for the pool's client alone, `azp` before `aud`",
        arguments: [
            ("", [:], nil), ("azp ours", ["aud": "web", "azp": "g-1"], nil),
            ("azp foreign", ["azp": "other"], "Token is not from a supported provider of this identity pool."),
            ("aud foreign", ["aud": "other"], "Invalid login token. Couldn't verify signed token."),
            ("azp is a list", ["azp": ["g-1"]], "Token is not from a supported provider of this identity pool."),
            ("issuer", ["iss": "https://evil.example"], "Invalid login token. Couldn't verify signed token."),
            ("expired a moment ago", ["exp": 1_779_999_999], nil), ("4 minutes ago", ["exp": 1_779_999_760], nil),
            ("5 minutes ago", ["exp": 1_779_999_700], "Invalid login token. Token expired: 1780000000 >= 1779999700"),
        ] as [(String, JSONObject, String?)])
    func judgement(_ name: String, _ claims: JSONObject, _ refusal: String?) async throws {
        let bench = try await Bench()
        let call: JSONObject = [
            "IdentityPoolId": .string(try await bench.pool()), "Logins": .object(Bench.google("1", claims)),
        ]
        let said = try await bench.said("GetId", call, signed: false)
        #expect(said == refusal.map { "NotAuthorizedException: \($0)" } ?? "status 200", "\(name)")
    }

    @Test("R12.7 R46 what is signed by nobody, of no provider of the pool's, or no token opens nothing")
    func forged() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let forged = JudgingProviders.token("1", isSigned: false)
        for (logins, wanted) in [
            ([Bench.googleName: .string(forged)], "Invalid login token. Couldn't verify signed token."),
            ([Bench.googleName: "opaque"], "Invalid login token. Couldn't verify signed token."),
            (
                ["graph.facebook.com": "opaque"],
                "Token is not from a supported provider of this identity pool."
            ),
            (
                ["login.example.com": .string(forged)],
                "Logins don't match. Please include at least one valid login for this identity or identity pool."
            ),
        ] as [(JSONObject, String)] {
            let call: JSONObject = ["IdentityPoolId": .string(pool), "Logins": .object(logins)]
            #expect(try await bench.said("GetId", call, signed: false) == "NotAuthorizedException: \(wanted)")
        }
        let developer: JSONObject = ["IdentityPoolId": .string(pool), "Logins": ["login.acme": "ada"]]
        for signed in [true, false] {
            #expect(
                try await bench.said("GetId", developer, signed: signed)
                    == "InvalidParameterException: Please provide a valid public provider.", "an app vouches for nobody"
            )
        }
        let both: JSONObject = ["IdentityPoolId": .string(pool), "Logins": .object(Bench.google("1"))]
        bench.providers.goDown()
        #expect(try await bench.said("GetId", both, signed: false).hasPrefix("ExternalServiceException"))
    }

    @Test(
        "R12.7 a user pool's ID token of the pool's client is a login, and a session that is over none where that is asked"
    )
    func users() async throws {
        let bench = try await Bench()
        let client = try await bench.cognito.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        let other = try await bench.cognito.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        try await bench.cognito.signedUp("ada", email: "ada@example.com", client: client)
        func tokens(_ client: String) async throws -> JSONObject {
            try await bench.cognito.done(
                "InitiateAuth",
                [
                    "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
                    "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
                ])["AuthenticationResult"]?.objectValue ?? [:]
        }
        let signedIn = try await tokens(client)
        let name = "cognito-idp.us-east-1.amazonaws.com/" + bench.cognito.poolID
        // As SDKs spell it that take it from the issuer.
        let own = "auth.example/" + bench.cognito.poolID
        func pool(checks: Bool) async throws -> String {
            try await bench.pool([
                "CognitoIdentityProviders": [
                    [
                        "ProviderName": .string(name), "ClientId": .string(client),
                        "ServerSideTokenCheck": .bool(checks),
                    ]
                ]
            ])
        }
        let (lax, strict) = (try await pool(checks: false), try await pool(checks: true))
        let id = signedIn["IdToken"] ?? .null
        for pool in [lax, strict] {
            let identity = try await bench.id([name: id], in: pool)
            #expect(try await bench.id([own: id], in: pool) == identity)
            #expect(
                try await bench.done("DescribeIdentity", ["IdentityId": .string(identity)])["Logins"]
                    == [.string(name)])
        }
        func said(_ token: JSONValue, in pool: String, by name: String = name) async throws -> String {
            let call: JSONObject = ["IdentityPoolId": .string(pool), "Logins": [name: token]]
            return try await bench.said("GetId", call, signed: false)
        }
        #expect(
            try await said(signedIn["AccessToken"] ?? .null, in: lax)
                == "NotAuthorizedException: Invalid login token. Missing a required claim: aud")
        #expect(
            try await said(try await tokens(other)["IdToken"] ?? .null, in: lax)
                == "NotAuthorizedException: Token is not from a supported provider of this identity pool.")
        #expect(
            try await said(id, in: lax, by: name.dropLast() + "Z").hasPrefix("NotAuthorizedException"), "another pool's"
        )
        #expect(
            try await said(.string(JudgingProviders.token("1")), in: lax)
                == "NotAuthorizedException: Invalid login token. Issuer doesn't match providerName")
        _ = try await bench.cognito.send("GlobalSignOut", ["AccessToken": signedIn["AccessToken"] ?? .null])
        #expect(try await said(id, in: lax) == "status 200", "until it expires")
        #expect(
            try await said(id, in: strict) == "NotAuthorizedException: Invalid login token. Token has been revoked.")
    }

    @Test(
        "H-2 R12.7 Facebook's access token is a login, and so is its Limited Login's ID token, of the app's own client")
    func facebook() async throws {
        let bench = try await Bench()
        let name = "graph.facebook.com"
        let pool = try await bench.pool(["SupportedLoginProviders": [name: "f-1", Bench.googleName: "g-1"]])
        func said(_ token: String, in pool: String) async throws -> String {
            try await bench.said(
                "GetId", ["IdentityPoolId": .string(pool), "Logins": [name: .string(token)]], signed: false)
        }
        let unsupported = "NotAuthorizedException: Token is not from a supported provider of this identity pool."
        let good = JudgingProviders.accessToken("7")
        #expect(try await said(good, in: pool) == unsupported, "nobody has its secret")
        let made = try await bench.cognito.send(
            "CreateIdentityProvider",
            [
                "UserPoolId": .string(bench.cognito.poolID), "ProviderName": "Facebook", "ProviderType": "Facebook",
                "ProviderDetails": [
                    "client_id": "f-1", "client_secret": "s", "authorize_scopes": "public_profile",
                    "api_version": "v23.0",
                ],
            ])
        #expect(made.status == 200, "\(made.message ?? "")")

        let id = try await bench.id([name: .string(good)], in: pool)
        let later = JudgingProviders.accessToken("7", number: 2)
        #expect(try await bench.id([name: .string(later)], in: pool) == id, "the user, whatever the token")
        let limited = JudgingProviders.token("7", issuer: JudgingProviders.facebook, audience: "f-1")
        #expect(try await bench.id([name: .string(limited)], in: pool) == id, "Limited Login's ID token")
        let other = try await bench.id([name: .string(JudgingProviders.accessToken("8"))], in: pool)
        #expect(other != id)
        let shown = try await bench.done("DescribeIdentity", ["IdentityId": .string(id)])
        #expect(shown["Logins"] == [.string(name)])
        let given = try await bench.done(
            "GetCredentialsForIdentity", ["IdentityId": .string(id), "Logins": [name: .string(good)]], signed: false)
        #expect(given["IdentityId"] == .string(id) && bench.credentials.requests.last?.role == Bench.role)

        let invalid = "NotAuthorizedException: Invalid login token. Couldn't verify signed token."
        for bad in [
            "opaque", JudgingProviders.accessToken("7", app: "f-2"),
            JudgingProviders.token("7", issuer: JudgingProviders.facebook, audience: "f-2"),
            JudgingProviders.token("7", issuer: JudgingProviders.facebook, audience: "f-1", isSigned: false),
            JudgingProviders.token("7", audience: "f-1"),
        ] { #expect(try await said(bad, in: pool) == invalid, "\(bad)") }
        let foreign = try await bench.pool(["SupportedLoginProviders": [name: "f-2"]])
        #expect(
            try await said(JudgingProviders.accessToken("7", app: "f-2"), in: foreign) == unsupported,
            "another app's, of which nobody has the secret")
        bench.providers.goDown()
        #expect(try await said(good, in: pool).hasPrefix("ExternalServiceException"))
    }
}
