// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Isolation of pools") struct IsolationTests {
    /// Enough members for every operation to get as far as looking for its user.
    private static func body(pool: String, user: String) -> JSONObject {
        [
            "UserPoolId": .string(pool), "Username": .string(user), "GroupName": "team",
            "Password": .string(CognitoBench.password), "Permanent": true, "MessageAction": "RESEND",
            "UserAttributes": [["Name": "name", "Value": "Eve"]], "UserAttributeNames": ["name"],
        ]
    }

    @Test("V8.4.1 no administrative operation reaches a user, group or client of another pool by its names")
    func administration() async throws {
        let bench = try await CognitoBench()
        let other = try await bench.makePool()
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH"]])
        let subject = try #require(
            try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]?.stringValue)
        _ = try await bench.done("CreateGroup", ["UserPoolId": .string(bench.poolID), "GroupName": "team"])
        let before = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        for operation in Operation.users + Operation.groups where operation.name != "CreateGroup" {
            for name in ["ada", subject] {
                let reply = try await bench.send(operation.name, Self.body(pool: other, user: name))
                if ["ListUsers", "ListGroups"].contains(operation.name) {
                    #expect(reply.json.names("Users", "Username").isEmpty, "\(operation.name)")
                    #expect(reply.json.names("Groups", "GroupName").isEmpty, "\(operation.name)")
                } else {
                    #expect(
                        ["UserNotFoundException", "ResourceNotFoundException"].contains(reply.exception ?? ""),
                        "\(operation.name): \(reply.json)")
                }
            }
        }
        for operation in ["DescribeUserPoolClient", "UpdateUserPoolClient", "DeleteUserPoolClient"] {
            let reply = try await bench.send(
                operation, ["UserPoolId": .string(other), "ClientId": .string(client)])
            #expect(reply.exception == "ResourceNotFoundException", "\(operation)")
        }
        let after = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(after == before)
    }

    @Test("V8.4.1 a client of another pool does not know the user, and their token is of its own pool alone")
    func people() async throws {
        let bench = try await CognitoBench()
        let other = try await bench.makePool()
        let client = try await bench.clientID()
        let stranger = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"], pool: other)
        let subject =
            try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]?.stringValue ?? ""
        for operation in ["ConfirmSignUp", "ResendConfirmationCode", "ForgotPassword", "ConfirmForgotPassword"] {
            for name in ["ada", subject] {
                let reply = try await bench.send(
                    operation,
                    [
                        "ClientId": .string(stranger), "Username": .string(name), "ConfirmationCode": "123456",
                        "Password": .string(CognitoBench.password),
                    ], signed: false)
                #expect(reply.exception == "UserNotFoundException", "\(operation)")
            }
        }
        // Every operation of a signed-in user, with a session of one pool under the other's name and key.
        for operation in Operation.all {
            guard case .user = operation.access else { continue }
            let token = try await bench.accessToken(of: subject, client: client, issuer: other)
            let reply = try await bench.send(operation.name, ["AccessToken": .string(token)], signed: false)
            #expect(reply.exception != nil, "\(operation.name)")
            #expect(reply.json["Username"] == nil)
        }
        // The same name is free in the other pool, and is another person there.
        let twin = try await bench.signedUp("ada", email: "ada@example.com", client: stranger, pool: other)
        #expect(twin["UserSub"]?.stringValue != subject)
    }
}
