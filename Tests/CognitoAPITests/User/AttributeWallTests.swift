// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Attributes, and who may write them") struct AttributeWallTests {
    private static let schema: JSONObject = [
        "Schema": [
            ["Name": "name", "AttributeDataType": "String", "Mutable": false],
            ["Name": "role", "AttributeDataType": "String", "Mutable": false],
            ["Name": "note", "AttributeDataType": "String", "DeveloperOnlyAttribute": true],
            ["Name": "picture", "AttributeDataType": "String", "StringAttributeConstraints": ["MaxLength": "20"]],
        ]
    ]

    private static let flows: JSONObject = ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]]

    private static func create(
        _ bench: CognitoBench, _ pool: String, _ attributes: [(String, String)]
    ) async throws {
        let list = (attributes + [("email", "ada@example.com"), ("email_verified", "true")]).map {
            JSONValue.object(["Name": .string($0.0), "Value": .string($0.1)])
        }
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(pool), "Username": "ada", "MessageAction": "SUPPRESS",
                "TemporaryPassword": .string(CognitoBench.password), "UserAttributes": .array(list),
            ])
    }

    private static func shown(_ bench: CognitoBench, _ pool: String) async throws -> JSONObject {
        try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
    }

    /// As another dialect writes what its users may.
    private static func writeElsewhere(_ metadata: JSONObject, _ bench: CognitoBench, _ pool: String) async throws {
        let directory = try await bench.directory(ofPool: pool)
        let name = try Username("ada")
        let user = try #require(try await bench.ports.store.read { try $0.user(username: name, in: directory.id) })
        var attributes = UserAttributes()
        attributes.userMetadata = metadata
        struct NoLinks: VerificationLinks {
            func link(
                for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
            ) -> String { "" }
        }
        let call = CallContext(
            directory: directory, now: bench.now, device: DeviceMetadata(), language: .en, links: NoLinks(),
            actor: .administrator("test"))
        _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
    }

    @Test("R8.5 what another dialect's users write is no attribute, and stands in for a name only where users write it")
    func elsewhere() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(Self.schema)
        try await Self.create(bench, pool, [("custom:role", "reader")])
        try await Self.writeElsewhere(
            [
                "name": "Mallory", "picture": "https://a.example/p", "given_name": "M", "custom:role": "admin",
                "dev:custom:note": "x", "sub": "x", "email_verified": "false",
            ], bench, pool)
        let user = try await Self.shown(bench, pool)
        let attributes = user["UserAttributes"]?.arrayValue?.compactMap { $0.objectValue } ?? []
        // The pool's name is written once and its picture has a bound; neither may be got round.
        #expect(user.attribute("name") == nil && user.attribute("given_name") == nil)
        #expect(user.attribute("custom:role") == "reader" && user.attribute("dev:custom:note") == nil)
        #expect(user.attribute("picture") == "https://a.example/p" && user.attribute("email_verified") == "true")
        #expect(attributes.count == 5, "\(attributes)")
        try await Self.writeElsewhere(["picture": "https://a.example/long"], bench, pool)
        #expect(try await Self.shown(bench, pool).attribute("picture") == nil)
        let named = try await bench.done(
            "ListUsers", ["UserPoolId": .string(pool), "Filter": "name = \"Mallory\""])
        #expect(named["Users"]?.arrayValue?.isEmpty == true)
    }

    @Test("R8.5 a user deletes no developer-only attribute, and nobody one that is written once")
    func deletion() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(Self.schema)
        let client = SignInClient(bench: bench, pool: pool, id: try await bench.clientID(Self.flows, pool: pool))
        try await Self.create(bench, pool, [("custom:role", "reader"), ("dev:custom:note", "kept")])
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(pool), "Username": "ada", "Password": .string(CognitoBench.password),
                "Permanent": true,
            ])
        let signedIn = try await client.password("ada", CognitoBench.password)
        let token = try #require(signedIn.result("AccessToken"), "\(signedIn.refusal)")
        for (name, byUser, byAdministrator) in [
            ("dev:custom:note", "NotAuthorizedException", nil),
            ("custom:role", "InvalidParameterException", "InvalidParameterException"),
        ] {
            let names: JSONObject = ["UserAttributeNames": [.string(name)]]
            let own = try await bench.send(
                "DeleteUserAttributes", names.merging(["AccessToken": .string(token)]), signed: false)
            #expect(own.exception == byUser, "\(name)")
            #expect(try await Self.shown(bench, pool).attribute(name) != nil, "\(name)")
            let administrator = try await bench.send(
                "AdminDeleteUserAttributes",
                names.merging(["UserPoolId": .string(pool), "Username": "ada"]))
            #expect(administrator.exception == byAdministrator, "\(name)")
        }
        let after = try await Self.shown(bench, pool)
        #expect(after.attribute("custom:role") == "reader" && after.attribute("dev:custom:note") == nil)
    }

    @Test("R8.5 choosing a password writes once what was left out, and changes nothing that is written once")
    func choosing() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(Self.schema)
        let client = SignInClient(bench: bench, pool: pool, id: try await bench.clientID(Self.flows, pool: pool))
        try await Self.create(bench, pool, [("custom:role", "reader")])
        let session = try await client.password("ada", CognitoBench.password).json["Session"]?.stringValue
        let answer: JSONObject = ["USERNAME": "ada", "NEW_PASSWORD": "Chosen-horse-8-staple"]
        for stolen in ["userAttributes.custom:role", "userAttributes.dev:custom:note"] {
            let reply = try await client.respond(
                "NEW_PASSWORD_REQUIRED", answer.merging([stolen: "admin"]), session: session)
            #expect(reply.status == 400, "\(stolen)")
        }
        let reply = try await client.respond(
            "NEW_PASSWORD_REQUIRED", answer.merging(["userAttributes.name": "Ada"]), session: session)
        #expect(reply.status == 200, "\(reply.refusal)")
        let user = try await Self.shown(bench, pool)
        #expect(user.attribute("name") == "Ada" && user.attribute("custom:role") == "reader")
    }
}
