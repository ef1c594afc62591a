// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit
import TestBench
import Testing

@testable import CognitoAPI

@Suite("A user name of the form of a UUID") struct UUIDNameTests {
    private static let name = "7C5ab6b0-1111-4000-8000-000000000001"
    private static let flows: JSONObject = ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]]

    private static func body(_ bench: CognitoBench, _ client: String, _ name: String, _ email: String) -> JSONObject {
        [
            "ClientId": .string(client), "UserPoolId": .string(bench.poolID), "Username": .string(name),
            "Password": .string(CognitoBench.password), "TemporaryPassword": .string(CognitoBench.password),
            "MessageAction": "SUPPRESS", "UserAttributes": [["Name": "email", "Value": .string(email)]],
        ]
    }

    @Test("R10.4 signs up, confirms, signs in, is found by it and by the sub, and is shown as it was given")
    func life() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(Self.flows)
        let subject = try #require(
            try await bench.signedUp(Self.name, email: "ada@example.com", client: client)["UserSub"]?.stringValue)
        #expect(subject != Self.name.lowercased())
        let signedIn = try await SignInClient(bench: bench, pool: bench.poolID, id: client).password(
            Self.name.lowercased(), CognitoBench.password)
        let token = try #require(signedIn.result("AccessToken"), "\(signedIn.refusal)")
        #expect(try await bench.done("GetUser", ["AccessToken": .string(token)])["Username"]?.stringValue == Self.name)
        for text in [Self.name, subject] {
            let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": .string(text)]
            let user = try await bench.done("AdminGetUser", named)
            #expect(user["Username"]?.stringValue == Self.name && user.attribute("sub") == subject)
        }
        for filter in ["username = \"\(Self.name)\"", "sub = \"\(subject)\"", "sub ^= \"\(subject.prefix(9))\""] {
            let list = try await bench.done(
                "ListUsers", ["UserPoolId": .string(bench.poolID), "Filter": .string(filter)])
            #expect(list.names("Users", "Username") == [Self.name], "\(filter)")
        }
    }

    @Test(
        "R10.4 nobody is made by a name that is another's sub, in any case", arguments: ["SignUp", "AdminCreateUser"])
    func subjects(operation: String) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let subject = try #require(
            try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]?.stringValue)
        for name in [subject, subject.uppercased()] {
            let reply = try await bench.send(operation, Self.body(bench, client, name, "eve@example.com"))
            #expect(reply.exception == "UsernameExistsException", "\(reply.json.text)")
            let user = try await bench.done(
                "AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": .string(name)])
            #expect(user["Username"] == "ada")
        }
        let free = try await bench.send(operation, Self.body(bench, client, Self.name, "eve@example.com"))
        #expect(free.status == 200, "\(free.json.text)")
        let again = try await bench.send(
            operation, Self.body(bench, client, Self.name.uppercased(), "mallory@example.com"))
        #expect(again.exception == "UsernameExistsException")
    }

    @Test("R10.4 nobody is brought along, or made by an identifier, that is another's name")
    func identifiers() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        try await bench.signedUp(Self.name, email: "ada@example.com", client: client)
        let id = Self.name.lowercased()
        for line: JSONObject in [["id": .string(id)], ["external_identifiers": ["cognito": .string(id)]]] {
            var lines = [line.merging(["email": "eve@example.com"]).text]
            let summary = try await UserImport(
                store: bench.ports.store, random: bench.ports.random, dialects: [CognitoDialect.name]
            ).run(into: bench.directory, at: bench.now, nextLine: { lines.popLast() })
            #expect(summary.imported == 0 && summary.faults == 1, "\(line.text)")
        }
        var attributes = UserAttributes()
        attributes.id = UserID(id)
        attributes.email = try EmailAddress("eve@example.com")
        let call = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en,
            links: SiteLinks(ServerURL("https://auth.example")),
            actor: .commandLine)
        await #expect(throws: AuthError.self) {
            try await UserAdministration(bench.ports).create(attributes, call: call)
        }
    }

    @Test("R10.4 once a user is gone, nobody's token is of whoever takes their sub for a name")
    func former() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let subject = try #require(
            try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]?.stringValue)
        let token = try await bench.accessToken(of: subject, client: client)
        _ = try await bench.done("AdminDeleteUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        _ = try await bench.done("SignUp", Self.body(bench, client, subject, "eve@example.com"))
        let reply = try await bench.send("GetUser", ["AccessToken": .string(token)], signed: false)
        #expect(reply.status == 400, "\(reply.json.text)")
    }
}
