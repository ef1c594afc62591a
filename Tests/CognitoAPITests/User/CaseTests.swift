// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("User names and their case") struct CaseTests {
    private static let flows: JSONObject = ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]]

    /// A pool in which somebody called `Ada` has a password.
    private static func pool(_ bench: CognitoBench, _ members: JSONObject) async throws -> SignInClient {
        let pool = try await bench.makePool(members)
        let client = SignInClient(bench: bench, pool: pool, id: try await bench.clientID(flows, pool: pool))
        try await make("Ada", email: "Ada@example.com", bench, pool)
        return client
    }

    private static func make(
        _ name: String, email: String, _ bench: CognitoBench, _ pool: String
    ) async throws {
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(pool), "Username": .string(name), "MessageAction": "SUPPRESS",
                "UserAttributes": [
                    ["Name": "email", "Value": .string(email)], ["Name": "email_verified", "Value": "true"],
                ],
            ])
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(pool), "Username": .string(name),
                "Password": .string(password(of: name)), "Permanent": true,
            ])
    }

    /// Another for each, in which the name does not stand.
    private static func password(of name: String) -> String {
        CognitoBench.password + String(name.unicodeScalars.reduce(0) { $0 + Int($1.value) })
    }

    private static func listed(_ bench: CognitoBench, _ pool: String, _ filter: String) async throws -> [String] {
        let reply = try await bench.done("ListUsers", ["UserPoolId": .string(pool), "Filter": .string(filter)])
        return reply.names("Users", "Username")
    }

    @Test(
        "R10.4 in a pool that says nothing of it, names that differ in case alone are two users, each signed in by their own"
    )
    func sensitive() async throws {
        let bench = try await CognitoBench()
        let client = try await Self.pool(bench, [:])
        let pool = client.pool
        let described = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])
        #expect(described["UserPool"]?.objectValue?["UsernameConfiguration"] == ["CaseSensitive": true])
        #expect(try await client.password("Ada", Self.password(of: "Ada")).result("AccessToken") != nil)
        #expect(try await client.password("ada", Self.password(of: "Ada")).result("AccessToken") == nil)
        try await Self.make("ada", email: "other@example.com", bench, pool)
        for name in ["Ada", "ada"] {
            #expect(try await client.password(name, Self.password(of: name)).result("AccessToken") != nil, "\(name)")
            #expect(try await Self.listed(bench, pool, "username = \"\(name)\"") == [name])
        }
        #expect(try await client.password("ADA", Self.password(of: "Ada")).result("AccessToken") == nil)
        #expect(try await Self.listed(bench, pool, "username ^= \"A\"") == ["Ada"])
        let again = try await bench.send(
            "AdminCreateUser",
            ["UserPoolId": .string(pool), "Username": "Ada", "MessageAction": "SUPPRESS"])
        #expect(again.exception == "UsernameExistsException")
        // A name's composition is never told apart: nobody sees it.
        try await Self.make("Zo\u{eb}", email: "zoe@example.com", bench, pool)
        #expect(try await client.password("Zoe\u{308}", Self.password(of: "Zo\u{eb}")).result("AccessToken") != nil)
        // What was written survives the update of another attribute.
        _ = try await bench.done(
            "AdminUpdateUserAttributes",
            [
                "UserPoolId": .string(pool), "Username": "Ada",
                "UserAttributes": [["Name": "nickname", "Value": "A"]],
            ])
        let ada = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        #expect(ada.attribute("nickname") == nil && ada["Username"] == "ada")
    }

    @Test("R10.4 in a pool without regard to case a name is one, whatever its case")
    func insensitive() async throws {
        let bench = try await CognitoBench()
        let client = try await Self.pool(bench, ["UsernameConfiguration": ["CaseSensitive": false]])
        #expect(try await client.password("aDA", Self.password(of: "Ada")).result("AccessToken") != nil)
        let again = try await bench.send(
            "AdminCreateUser",
            ["UserPoolId": .string(client.pool), "Username": "ada", "MessageAction": "SUPPRESS"])
        #expect(again.exception == "UsernameExistsException")
        #expect(try await Self.listed(bench, client.pool, "username = \"ADA\"") == ["Ada"])
    }

    @Test("R10.4 an address is one whatever its case, in a pool that tells names apart by it too")
    func addresses() async throws {
        let bench = try await CognitoBench()
        let client = try await Self.pool(bench, ["AliasAttributes": ["email"]])
        #expect(
            try await client.password("ada@EXAMPLE.com", Self.password(of: "Ada")).result("AccessToken") != nil)
    }

    @Test("R10.4 names that are imported are told apart as the pool has it, and nobody takes one for an identifier")
    func imported() async throws {
        let bench = try await CognitoBench()
        let client = try await Self.pool(bench, [:])
        let directory = try await bench.directory(ofPool: client.pool)
        func load(_ line: JSONObject) async throws -> Int {
            var lines = [line.text]
            return try await UserImport(
                store: bench.ports.store, random: bench.ports.random, dialects: [CognitoDialect.name]
            ).run(into: directory, at: bench.now, nextLine: { lines.popLast() }).imported
        }
        #expect(try await load(["id": "00000000-0000-4000-8000-000000000001", "username": "ada"]) == 1)
        #expect(try await load(["id": "00000000-0000-4000-8000-000000000002", "username": "Ada"]) == 0)
        #expect(
            try await load(["external_identifiers": ["cognito": "Ada"], "email": "d@example.com"]) == 0)
        #expect(try await Self.listed(bench, client.pool, "username = \"ada\"") == ["ada"])
    }

    @Test("R10.4 an update leaves it as it is")
    func update() async throws {
        let bench = try await CognitoBench()
        for isSensitive in [true, false] {
            let pool = try await bench.makePool(["UsernameConfiguration": ["CaseSensitive": .bool(isSensitive)]])
            _ = try await bench.done("UpdateUserPool", ["UserPoolId": .string(pool)])
            let shown = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])["UserPool"]
            #expect(shown?.objectValue?["UsernameConfiguration"] == ["CaseSensitive": .bool(isSensitive)])
        }
    }
}
