// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Links to identity providers") struct LinkTests {
    private static func google(_ pool: String) -> JSONObject {
        [
            "UserPoolId": .string(pool), "ProviderName": "Google", "ProviderType": "Google",
            "ProviderDetails": ["client_id": "g-1", "client_secret": "s-1", "authorize_scopes": "openid email"],
            "AttributeMapping": ["username": "sub", "email": "email"],
        ]
    }

    private static func named(_ provider: String, _ value: String, by attribute: String = "Cognito_Subject")
        -> JSONValue
    {
        [
            "ProviderName": .string(provider), "ProviderAttributeName": .string(attribute),
            "ProviderAttributeValue": .string(value),
        ]
    }

    /// A pool with Google, and a user whom an operator made.
    private static func pool(_ bench: CognitoBench) async throws -> String {
        let pool = try await bench.makePool()
        _ = try await bench.done("CreateIdentityProvider", google(pool))
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(pool), "Username": "ada", "MessageAction": "SUPPRESS",
                "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ])
        return pool
    }

    private static func attribute(_ name: String, of user: JSONObject) -> String? {
        let list = (user["UserAttributes"] ?? user["Attributes"])?.arrayValue ?? []
        return list.compactMap(\.objectValue).first { $0["Name"]?.stringValue == name }?["Value"]?.stringValue
    }

    @Test("R12.6 an operator links a provider's user, which is shown, and takes the link back")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool = try await Self.pool(bench)
        let link: JSONObject = [
            "UserPoolId": .string(pool), "DestinationUser": Self.named("Cognito", "ada"),
            "SourceUser": Self.named("Google", "1234"),
        ]
        #expect(try await bench.done("AdminLinkProviderForUser", link).isEmpty)
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        let shown = try JSONValue(parsing: try #require(Self.attribute("identities", of: user)).utf8)
        let entry = try #require(shown.arrayValue?.first?.objectValue)
        #expect(entry["userId"] == "1234" && entry["providerName"] == "Google" && entry["providerType"] == "Google")
        #expect(entry["issuer"] == .null && entry["primary"] == false)
        #expect(entry["dateCreated"] == .integer(CognitoBench.now.seconds * 1000))
        #expect(user["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        let list = try await bench.done(
            "ListUsers", ["UserPoolId": .string(pool), "AttributesToGet": ["identities"]])
        let listed = try #require(list["Users"]?.arrayValue?.first?.objectValue)
        #expect(listed["Attributes"]?.arrayValue?.count == 1 && Self.attribute("identities", of: listed) != nil)
        let again = try await bench.send("AdminLinkProviderForUser", link)
        #expect(again.exception == "InvalidParameterException" && again.message?.contains("already linked") == true)
        let off: JSONObject = ["UserPoolId": .string(pool), "User": Self.named("Google", "1234")]
        #expect(try await bench.done("AdminDisableProviderForUser", off).isEmpty)
        #expect(try await bench.send("AdminDisableProviderForUser", off).exception == "UserNotFoundException")
        let after = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        #expect(Self.attribute("identities", of: after) == nil)
    }

    @Test("R12.6 the user directory itself is disabled too: the password goes, and the user stays")
    func native() async throws {
        let bench = try await CognitoBench()
        let pool = try await Self.pool(bench)
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]], pool: pool)
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(pool), "Username": "ada", "Password": .string(CognitoBench.password),
                "Permanent": true,
            ])
        let signIn: JSONObject = [
            "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
        ]
        #expect(try await bench.send("InitiateAuth", signIn).status == 200)
        let off: JSONObject = ["UserPoolId": .string(pool), "User": Self.named("Cognito", "ada")]
        #expect(try await bench.done("AdminDisableProviderForUser", off).isEmpty)
        #expect(try await bench.send("InitiateAuth", signIn).exception == "NotAuthorizedException")
        #expect(try await bench.send("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"]).status == 200)
    }

    @Test("R12.6 R11.5 what can't be linked is refused by an exception that the model declares, and nothing is linked")
    func refused() async throws {
        let bench = try await CognitoBench()
        let pool = try await Self.pool(bench)
        let client = try await bench.clientID(pool: pool)
        _ = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "stranger", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "victim@example.com"]],
            ])
        let (good, source) = (Self.named("Cognito", "ada"), Self.named("Google", "1234"))
        let long = String(repeating: "x", count: 300)
        let rows: [(JSONValue, JSONValue, String)] = [
            (.null, source, "InvalidParameterException"), (good, .null, "InvalidParameterException"),
            ("x", source, "SerializationException"), (good, [:], "InvalidParameterException"),
            (good, ["ProviderName": 1], "SerializationException"),
            (good, Self.named("Cognito", "bob"), "InvalidParameterException"),
            (good, Self.named("Facebook", "1234"), "ResourceNotFoundException"),
            (good, Self.named("google", "1234"), "ResourceNotFoundException"),
            (good, Self.named("", "1234"), "InvalidParameterException"),
            (good, Self.named("Google", ""), "InvalidParameterException"),
            (good, Self.named("Google", long), "InvalidParameterException"),
            (good, Self.named("Google", "ada@example.com", by: "email"), "InvalidParameterException"),
            (Self.named("Cognito", "nobody"), source, "UserNotFoundException"),
            (Self.named("Cognito", ""), source, "UserNotFoundException"),
            (Self.named("Cognito", long), source, "UserNotFoundException"),
            (Self.named("Google", "5555"), source, "UserNotFoundException"),
            (Self.named("Cognito", "stranger"), source, "InvalidParameterException"),
        ]
        for (destination, source, exception) in rows {
            let reply = try await bench.send(
                "AdminLinkProviderForUser",
                ["UserPoolId": .string(pool), "DestinationUser": destination, "SourceUser": source])
            #expect(reply.status == 400 && reply.exception == exception, "\(source.text): \(reply.message ?? "")")
        }
        for (user, exception) in [
            (JSONValue.null, "InvalidParameterException"), (Self.named("Google", "1234"), "UserNotFoundException"),
            (Self.named("Facebook", "1"), "ResourceNotFoundException"),
            (Self.named("Cognito", "ada", by: "email"), "InvalidParameterException"),
            (Self.named("Cognito", "nobody"), "UserNotFoundException"),
        ] {
            let reply = try await bench.send(
                "AdminDisableProviderForUser", ["UserPoolId": .string(pool), "User": user])
            #expect(reply.status == 400 && reply.exception == exception, "\(user.text): \(reply.message ?? "")")
        }
        let list = try await bench.done("ListUsers", ["UserPoolId": .string(pool)])["Users"]?.arrayValue ?? []
        #expect(list.compactMap(\.objectValue).allSatisfy { Self.attribute("identities", of: $0) == nil })
        // A claim that is the subject under another name is the subject.
        let mapped = try await bench.send(
            "AdminLinkProviderForUser",
            [
                "UserPoolId": .string(pool), "DestinationUser": good,
                "SourceUser": Self.named("Google", "1234", by: "username"),
            ])
        #expect(mapped.status == 200, "\(mapped.message ?? "")")
        // A user whom the provider knows is named by that, too.
        for index in 1...5 {
            let reply = try await bench.send(
                "AdminLinkProviderForUser",
                [
                    "UserPoolId": .string(pool), "DestinationUser": Self.named("Google", "1234"),
                    "SourceUser": Self.named("Google", "more-\(index)"),
                ])
            #expect(reply.exception == (index < 5 ? nil : "LimitExceededException"), "\(index)")
        }
    }
}
