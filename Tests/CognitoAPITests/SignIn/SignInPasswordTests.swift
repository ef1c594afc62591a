// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: signing in by password")
struct SignInPasswordTests {
    static let wrong = "NotAuthorizedException: Incorrect username or password."

    @Test("R8.13 wrong passwords stop the address they come from, in every flow, and nobody at another address")
    func otherAddress() async throws {
        let (bench, client) = try await Self.world()
        func password(_ text: String, from address: String) async throws -> CognitoBench.Reply {
            try await bench.send(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(client.id),
                    "AuthParameters": ["USERNAME": "alice", "PASSWORD": .string(text)],
                ], signed: false, from: address)
        }
        // What stands behind the lock is looked at by itself.
        try await bench.changeAll { $0.lockout.attempts = 0 }
        let limit = bench.directory.settings.limits.signInPerIdentifier.count
        for _ in 0..<limit {
            #expect(try await password("Wrong-horse-7-battery", from: "203.0.113.5").refusal == Self.wrong)
        }
        let stopped = try await password(CognitoBench.password, from: "203.0.113.5")
        #expect(stopped.exception == "NotAuthorizedException" && stopped.message == "Password attempts exceeded")
        #expect(try await password(CognitoBench.password, from: "198.51.100.7").result("AccessToken") != nil)
    }

    @Test(
        "G-8.1 G-8.2 G-8.6 five wrong passwords lock a name, known or not, and in whose words is the operator's to say")
    func locked() async throws {
        let (bench, client) = try await Self.world()
        func password(_ text: String, of name: String) async throws -> CognitoBench.Reply {
            try await bench.send(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(client.id),
                    "AuthParameters": ["USERNAME": .string(name), "PASSWORD": .string(text)],
                ], signed: false)
        }
        for name in ["alice", "nobody"] {
            for _ in 0..<5 { #expect(try await password("Wrong-horse-7-battery", of: name).refusal == Self.wrong) }
            #expect(try await password(CognitoBench.password, of: name).refusal == Self.wrong)
        }
        try await bench.changeAll { $0.lockout.disclosure = .minutes }
        for name in ["alice", "nobody"] {
            let told = try await password(CognitoBench.password, of: name)
            #expect(told.exception == "NotAuthorizedException" && told.message == "Password attempts exceeded")
        }
        bench.advance(by: .minutes(15))
        #expect(try await password(CognitoBench.password, of: "alice").result("AccessToken") != nil)
    }

    /// A pool with a confirmed user `alice`, and a client that may do everything.
    static func world(
        _ client: JSONObject = [:]
    ) async throws -> (bench: CognitoBench, client: SignInClient) {
        let bench = try await CognitoBench()
        // A pool made by its API tells names apart by case unless it is asked not to.
        let pool = try await bench.makePool([
            "AliasAttributes": ["email"], "UsernameConfiguration": ["CaseSensitive": false],
        ])
        let settings: JSONObject = [
            "ExplicitAuthFlows": [
                "ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH",
                "ALLOW_ADMIN_USER_PASSWORD_AUTH",
            ],
            "PreventUserExistenceErrors": "ENABLED",
        ]
        let json = try await bench.makeClient(settings.merging(client), pool: pool)
        let made = SignInClient(
            bench: bench, pool: pool, id: json["ClientId"]?.stringValue ?? "",
            secret: json["ClientSecret"]?.stringValue)
        if made.secret == nil {
            try await bench.signedUp("alice", email: "alice@example.com", client: made.id, pool: pool)
        } else {
            try await addUser("alice", bench, pool)
        }
        return (bench, made)
    }

    /// A confirmed user, made by an administrator.
    static func addUser(_ name: String, _ bench: CognitoBench, _ pool: String) async throws {
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(pool), "Username": .string(name), "MessageAction": "SUPPRESS",
                "UserAttributes": [
                    ["Name": "email", "Value": .string(name + "@example.com")],
                    ["Name": "email_verified", "Value": "true"],
                ],
            ])
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(pool), "Username": .string(name), "Password": .string(CognitoBench.password),
                "Permanent": true,
            ])
    }

    @Test(
        "C-2 Y-FR2 a right password gives the three tokens and nothing else", arguments: ["alice", "alice@example.com"])
    func right(name: String) async throws {
        let (_, client) = try await Self.world()
        let reply = try await client.password(name, CognitoBench.password)
        #expect(reply.status == 200)
        #expect(Set(reply.json.names) == ["AuthenticationResult", "ChallengeParameters"])
        #expect(reply.json["ChallengeParameters"]?.objectValue?.isEmpty == true)
        let result = reply.json["AuthenticationResult"]?.objectValue ?? [:]
        #expect(Set(result.names) == ["AccessToken", "IdToken", "RefreshToken", "ExpiresIn", "TokenType"])
        #expect(result["ExpiresIn"]?.integerValue == 3600)
        #expect(result["TokenType"]?.stringValue == "Bearer")
    }

    @Test("G-1.3 a wrong password and an unknown user are answered alike")
    func concealed() async throws {
        let (_, client) = try await Self.world()
        let wrong = try await client.password("alice", "Wrong-horse-7-battery")
        let unknown = try await client.password("nobody", "Wrong-horse-7-battery")
        #expect(wrong.refusal == Self.wrong)
        #expect(unknown.refusal == Self.wrong)
        #expect(wrong.status == 400 && unknown.status == 400)
        #expect(Set(wrong.headers.map(\.name)) == Set(unknown.headers.map(\.name)))
    }

    @Test("D-2 a client that asked for it learns that there is no such user")
    func legacy() async throws {
        let (_, client) = try await Self.world(["PreventUserExistenceErrors": "LEGACY"])
        #expect(
            try await client.password("nobody", "x").refusal == "UserNotFoundException: User does not exist.")
        #expect(try await client.password("alice", "Wrong-horse-7").refusal == Self.wrong)
        await #expect(throws: (any Error).self) { try await client.begin("nobody") }
    }

    @Test("G-1.3 what is wrong with an account is said after a right password only")
    func status() async throws {
        let (bench, client) = try await Self.world()
        _ = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(client.id), "Username": "bob", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "bob@example.com"]],
            ])
        #expect(try await client.password("bob", "Wrong-horse-7-battery").refusal == Self.wrong)
        #expect(
            try await client.password("bob", CognitoBench.password).refusal
                == "UserNotConfirmedException: User is not confirmed.")
        #expect(
            try await client.srp("bob", CognitoBench.password).refusal
                == "UserNotConfirmedException: User is not confirmed.")
        _ = try await bench.done("AdminDisableUser", ["UserPoolId": .string(client.pool), "Username": "alice"])
        #expect(try await client.password("alice", "Wrong-horse-7-battery").refusal == Self.wrong)
        #expect(
            try await client.password("alice", CognitoBench.password).refusal
                == "NotAuthorizedException: User is disabled.")
        #expect(
            try await client.srp("alice", CognitoBench.password).refusal
                == "NotAuthorizedException: User is disabled.")
    }

    @Test("D-2 a flow that the client was not registered for is refused by name")
    func flows() async throws {
        let (_, client) = try await Self.world(["ExplicitAuthFlows": ["ALLOW_CUSTOM_AUTH"]])
        for flow in ["USER_PASSWORD_AUTH", "USER_SRP_AUTH", "REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"] {
            #expect(
                try await client.initiate(flow, ["USERNAME": "alice", "PASSWORD": "x"]).refusal
                    == "InvalidParameterException: \(flow) flow not enabled for this client")
        }
    }

    @Test(
        "D-2 flows of administrators are refused to everybody else",
        arguments: ["ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH"])
    func administratorFlows(flow: String) async throws {
        let (bench, client) = try await Self.world()
        let parameters: JSONObject = ["USERNAME": "alice", "PASSWORD": .string(CognitoBench.password)]
        #expect(
            try await client.initiate(flow, parameters).refusal
                == "InvalidParameterException: Initiate Auth method not supported")
        let body: JSONObject = [
            "UserPoolId": .string(client.pool), "ClientId": .string(client.id), "AuthFlow": .string(flow),
            "AuthParameters": .object(parameters),
        ]
        #expect(try await bench.send("AdminInitiateAuth", body, signed: false).status == 400)
        #expect(try await bench.send("AdminInitiateAuth", body).result("AccessToken") != nil)
        #expect(
            try await bench.send("AdminInitiateAuth", body.merging(["AuthFlow": "USER_PASSWORD_AUTH"])).refusal
                == "InvalidParameterException: Initiate Auth method not supported")
    }

    @Test("issue 4: flows and challenges that this server does not do are said to be unsupported")
    func unsupported() async throws {
        let (_, client) = try await Self.world()
        #expect(
            try await client.initiate("CUSTOM_AUTH", ["USERNAME": "alice"]).exception
                == "UnsupportedOperationException")
        // By exceptions that the operation's model declares.
        for (challenge, exception) in [
            ("DEVICE_SRP_AUTH", "InvalidUserPoolConfigurationException"),
            ("CUSTOM_CHALLENGE", "InvalidParameterException"),
        ] {
            #expect(try await client.respond(challenge, ["USERNAME": "alice"]).exception == exception)
        }
        #expect(try await client.initiate("NO_AUTH", [:]).exception == "InvalidParameterException")
        #expect(try await client.respond("NO_CHALLENGE", [:]).exception == "InvalidParameterException")
    }

    @Test("D-2 a missing parameter is named")
    func missing() async throws {
        let (_, client) = try await Self.world()
        func refusal(_ flow: String, _ parameters: JSONObject) async throws -> String {
            try await client.initiate(flow, parameters).refusal
        }
        let missing = "InvalidParameterException: Missing required parameter "
        #expect(try await refusal("USER_PASSWORD_AUTH", [:]) == missing + "USERNAME")
        #expect(try await refusal("USER_PASSWORD_AUTH", ["USERNAME": ""]) == missing + "USERNAME")
        #expect(try await refusal("USER_PASSWORD_AUTH", ["USERNAME": "alice"]) == missing + "PASSWORD")
        #expect(try await refusal("USER_SRP_AUTH", ["USERNAME": "alice"]) == missing + "SRP_A")
        #expect(try await refusal("REFRESH_TOKEN_AUTH", [:]) == missing + "REFRESH_TOKEN")
        #expect(
            try await client.initiate("USER_PASSWORD_AUTH", ["USERNAME": 7]).exception == "SerializationException")
    }

    @Test("D-2 a client with a secret proves it with the name in the request")
    func secretHash() async throws {
        let (_, client) = try await Self.world(["GenerateSecret": true])
        #expect(client.secret != nil)
        #expect(try await client.password("alice", CognitoBench.password).status == 200)
        #expect(try await client.password("alice@example.com", CognitoBench.password).status == 200)
        var stranger = client
        stranger.secret = nil
        #expect(
            try await stranger.password("alice", CognitoBench.password).refusal
                == "NotAuthorizedException: Client \(client.id) is configured with secret but SECRET_HASH was not received"
        )
        stranger.secret = "another secret"
        #expect(
            try await stranger.password("alice", CognitoBench.password).refusal
                == "NotAuthorizedException: Unable to verify secret hash for client \(client.id)")
        #expect(try await client.srp("alice", CognitoBench.password).status == 200)
    }

    @Test("R60 too many attempts at one user are refused, by whatever name and flow")
    func attempts() async throws {
        let (bench, client) = try await Self.world()
        for attempt in 0..<20 {
            let name = attempt % 2 == 0 ? "alice" : "alice@example.com"
            #expect(try await client.password(name, "Wrong-horse-7-battery").refusal == Self.wrong)
        }
        let refused = "NotAuthorizedException: Password attempts exceeded"
        #expect(try await client.password("ALICE", CognitoBench.password).refusal == refused)
        #expect(try await client.srp("alice", CognitoBench.password).refusal == refused)
        bench.advance(by: .minutes(15))
        #expect(try await client.password("alice", CognitoBench.password).status == 200)
    }

    @Test("D-5 a client of no pool has the service's own error")
    func unknownClient() async throws {
        let (bench, _) = try await Self.world()
        let reply = try await bench.send(
            "InitiateAuth", ["ClientId": "nobody", "AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": [:]],
            signed: false)
        #expect(reply.refusal == "ResourceNotFoundException: User pool client nobody does not exist.")
    }
}
