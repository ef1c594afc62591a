// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import Passwords
import TestBench
import Testing

@testable import CognitoAPI

@Suite("A sub brought from another pool") struct SubjectTests {
    /// Imports a user whose password is ``CognitoBench/password``, called so by this dialect and by another.
    private static func move(
        _ bench: CognitoBench, _ sub: String, _ more: JSONObject = [:]
    ) async throws {
        let hash = try await bench.ports.passwords.hash(Secret(CognitoBench.password))
        let line: JSONObject = [
            "external_identifiers": ["cognito": .string(sub), "another": "Uid.7"], "email": "ada@example.com",
            "email_verified_at": "2026-01-01T00:00:00Z", "password_hash": .string(hash.encoded),
        ]
        var lines = [line.merging(more).text]
        let random = bench.ports.random
        let dialects: Set = [CognitoDialect.name, DialectName("another")]
        let summary = try await UserImport(store: bench.ports.store, random: random, dialects: dialects).run(
            into: bench.directory, at: bench.now, nextLine: { lines.popLast() })
        #expect(summary.imported == 1)
    }

    private static func claims(_ token: JSONValue?) throws -> JSONObject {
        try JSONObject(parsing: try ParsedJWS(parsing: try #require(token?.stringValue).utf8).payload)
    }

    @Test(
        "R9.12 tokens, attributes and lists show it, and operations find the user by it",
        arguments: ["7c5ab6b0-1111-4000-8000-000000000001", "7C5AB6B0-1111-4000-8000-000000000002", "legacy.sub-3"])
    func life(sub: String) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        try await Self.move(bench, sub)
        let answer = try await bench.done(
            "InitiateAuth",
            [
                "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": .string(sub), "PASSWORD": .string(CognitoBench.password)],
            ])
        let result = try #require(answer["AuthenticationResult"]?.objectValue)
        let (access, id) = (try Self.claims(result["AccessToken"]), try Self.claims(result["IdToken"]))
        #expect(access["sub"]?.stringValue == sub && access["username"]?.stringValue == sub)
        #expect(id["sub"]?.stringValue == sub && id["cognito:username"]?.stringValue == sub)
        let user = try await bench.done("GetUser", ["AccessToken": result["AccessToken"] ?? ""])
        #expect(user["Username"]?.stringValue == sub)
        #expect(user.attribute("sub") == sub)

        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": .string(sub)]
        let got = try await bench.done("AdminGetUser", named)
        #expect(got["Username"]?.stringValue == sub)
        #expect(got.attribute("sub") == sub)
        for filter in ["sub = \"\(sub)\"", "email = \"ada@example.com\""] {
            let list = try await bench.done(
                "ListUsers", ["UserPoolId": .string(bench.poolID), "Filter": .string(filter)])
            let users = list["Users"]?.arrayValue ?? []
            #expect(users.count == 1 && users.first?.objectValue?["Username"]?.stringValue == sub, "\(filter)")
        }
        // Nobody is called by what another dialect calls them.
        let other = try await bench.done(
            "ListUsers", ["UserPoolId": .string(bench.poolID), "Filter": "sub = \"uid.7\""])
        #expect(other["Users"]?.arrayValue?.isEmpty == true)
        _ = try await bench.done("AdminDisableUser", named)
        #expect(try await bench.done("AdminGetUser", named)["Enabled"] == false)
        #expect(try await bench.send("GetUser", ["AccessToken": result["AccessToken"] ?? ""]).status == 400)
        _ = try await bench.done("AdminDeleteUser", named)
        #expect(try await bench.send("AdminGetUser", named).exception == "UserNotFoundException")
    }

    @Test("R9.12 a user name is still shown before it, and nobody signs up by the name of another's sub")
    func names() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        try await Self.move(bench, "legacy-sub", ["username": "ada"])
        let got = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "legacy-sub"])
        #expect(got["Username"] == "ada")
        for operation in ["SignUp", "AdminCreateUser"] {
            let reply = try await bench.send(
                operation,
                [
                    "ClientId": .string(client), "UserPoolId": .string(bench.poolID), "Username": "legacy-sub",
                    "Password": .string(CognitoBench.password), "MessageAction": "SUPPRESS",
                    "UserAttributes": [["Name": "email", "Value": "eve@example.com"]],
                ])
            #expect(reply.exception == "UsernameExistsException", "\(operation) \(reply.json.text)")
        }
    }

    @Test("R9.12 a refresh takes the secret hash that was made with it")
    func refresh() async throws {
        let bench = try await CognitoBench()
        let made = try await bench.makeClient([
            "GenerateSecret": true,
            "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
        ])
        let (client, secret) = (
            ClientID(made["ClientId"]?.stringValue ?? ""), Secret(made["ClientSecret"]?.stringValue ?? "")
        )
        try await Self.move(bench, "legacy-sub")
        func hash(_ name: String) -> JSONValue {
            .string(SecretHash.compute(username: name, client: client, secret: secret))
        }
        let answer = try await bench.done(
            "InitiateAuth",
            [
                "ClientId": .string(client.rawValue), "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": [
                    "USERNAME": "ada@example.com", "PASSWORD": .string(CognitoBench.password),
                    "SECRET_HASH": hash("ada@example.com"),
                ],
            ])
        let token = answer["AuthenticationResult"]?.objectValue?["RefreshToken"] ?? ""
        for (name, status) in [("legacy-sub", 200), ("ada@example.com", 200), ("Uid.7", 400)] {
            let reply = try await bench.send(
                "InitiateAuth",
                [
                    "ClientId": .string(client.rawValue), "AuthFlow": "REFRESH_TOKEN_AUTH",
                    "AuthParameters": ["REFRESH_TOKEN": token, "SECRET_HASH": hash(name)],
                ])
            #expect(reply.status == status, "\(name) \(reply.json.text)")
        }
    }
}
