// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: replacing a temporary password")
struct SignInNewPasswordTests {
    static let temporary = "Temporary-horse-7"
    static let chosen = "Chosen-horse-8-staple"

    /// A user `carol` with a temporary password.
    static func world(_ settings: JSONObject = [:]) async throws -> (bench: CognitoBench, client: SignInClient) {
        let (bench, client) = try await SignInPasswordTests.world(settings)
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(client.pool), "Username": "carol", "MessageAction": "SUPPRESS",
                "TemporaryPassword": .string(temporary),
                "UserAttributes": [["Name": "email", "Value": "carol@example.com"]],
            ])
        return (bench, client)
    }

    static func answer(_ password: String) -> JSONObject {
        ["USERNAME": "carol", "NEW_PASSWORD": .string(password)]
    }

    static func session(_ reply: CognitoBench.Reply) throws -> String {
        try #require(reply.json["Session"]?.stringValue, "\(reply.refusal)")
    }

    @Test(
        "R8.6 a stranger's SignUp with the address of an account that an administrator made leaves it as it is, for its owner"
    )
    func strangerSignsUp() async throws {
        let (bench, client) = try await Self.world()
        let named: JSONObject = ["UserPoolId": .string(client.pool), "Username": "carol"]
        let before = try await bench.done("AdminGetUser", named)
        let stranger = try await bench.send(
            "SignUp",
            [
                "ClientId": .string(client.id), "Username": "mallory",
                "Password": "Stranger-horse-9-staple",
                "UserAttributes": [
                    ["Name": "email", "Value": "carol@example.com"], ["Name": "given_name", "Value": "Mallory"],
                ],
            ])
        #expect(
            stranger.json["UserSub"] != nil && stranger.json["UserSub"] != before.attribute("sub").map { .string($0) })
        #expect(try await bench.done("AdminGetUser", named) == before)
        #expect(try await client.password("carol", "Stranger-horse-9-staple").refusal == SignInPasswordTests.wrong)
        let reply = try await client.password("carol", Self.temporary)
        let chosen = try await client.respond(
            "NEW_PASSWORD_REQUIRED", Self.answer(Self.chosen), session: try Self.session(reply))
        #expect(chosen.result("AccessToken") != nil, "\(chosen.refusal)")
        #expect(try await client.password("carol", Self.chosen).status == 200)
    }

    @Test("D-2 a temporary password opens the choice of another one, by password and by SRP")
    func challenge() async throws {
        let (bench, client) = try await Self.world()
        for reply in [
            try await client.password("carol", Self.temporary), try await client.srp("carol", Self.temporary),
        ] {
            #expect(reply.json["ChallengeName"]?.stringValue == "NEW_PASSWORD_REQUIRED", "\(reply.refusal)")
            #expect(reply.json["AuthenticationResult"] == nil)
            #expect(NewPasswordRequired.sessionLengths.contains(try Self.session(reply).utf8.count))
            let parameters = reply.json["ChallengeParameters"]?.objectValue ?? [:]
            #expect(Set(parameters.names) == ["USER_ID_FOR_SRP", "requiredAttributes", "userAttributes"])
            #expect(parameters["requiredAttributes"]?.stringValue == "[]")
            let attributes = try JSONObject(parsing: (parameters["userAttributes"]?.stringValue ?? "").utf8)
            #expect(attributes["email"]?.stringValue == "carol@example.com")
        }
        let session = try Self.session(try await client.password("carol", Self.temporary))
        let reply = try await client.respond("NEW_PASSWORD_REQUIRED", Self.answer(Self.chosen), session: session)
        #expect(reply.result("AccessToken") != nil, "\(reply.refusal)")
        #expect(try await client.password("carol", Self.temporary).refusal == SignInPasswordTests.wrong)
        #expect(try await client.password("carol", Self.chosen).status == 200)
        #expect(try await client.srp("carol", Self.chosen).status == 200)
        let user = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(client.pool), "Username": "carol"])
        #expect(user["UserStatus"]?.stringValue == "CONFIRMED")
    }

    @Test("D-2 a session is good for one change, also where two were given")
    func singleUse() async throws {
        let (_, client) = try await Self.world()
        let first = try Self.session(try await client.password("carol", Self.temporary))
        let second = try Self.session(try await client.password("carol", Self.temporary))
        #expect(
            try await client.respond("NEW_PASSWORD_REQUIRED", Self.answer(Self.chosen), session: first).status == 200)
        for session in [first, second] {
            #expect(
                try await client.respond("NEW_PASSWORD_REQUIRED", Self.answer("Third-horse-9-apple"), session: session)
                    .refusal
                    == "NotAuthorizedException: Invalid session for the user, session can only be used once.")
        }
        #expect(try await client.password("carol", Self.chosen).status == 200)
    }

    @Test("D-2 an administrator may answer in the user's place")
    func administrator() async throws {
        let (bench, client) = try await Self.world()
        let body: JSONObject = ["UserPoolId": .string(client.pool), "ClientId": .string(client.id)]
        let opened = try await bench.send(
            "AdminInitiateAuth",
            body.merging([
                "AuthFlow": "ADMIN_USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "carol", "PASSWORD": .string(Self.temporary)],
            ]))
        let answer = body.merging([
            "ChallengeName": "NEW_PASSWORD_REQUIRED", "Session": .string(try Self.session(opened)),
            "ChallengeResponses": .object(Self.answer(Self.chosen)),
        ])
        #expect(try await bench.send("AdminRespondToAuthChallenge", answer, signed: false).status == 400)
        #expect(try await bench.send("AdminRespondToAuthChallenge", answer).result("AccessToken") != nil)
    }

    @Test("D-2 a weak password leaves the session as it was")
    func weak() async throws {
        let (_, client) = try await Self.world()
        let session = try Self.session(try await client.password("carol", Self.temporary))
        #expect(
            try await client.respond("NEW_PASSWORD_REQUIRED", Self.answer("short"), session: session).exception
                == "InvalidPasswordException")
        #expect(
            try await client.respond("NEW_PASSWORD_REQUIRED", Self.answer(Self.chosen), session: session).status
                == 200)
    }

    @Test("D-2 a session that is late, forged, of another client or of another user is refused")
    func refusals() async throws {
        let (bench, client) = try await Self.world()
        let session = try Self.session(try await client.password("carol", Self.temporary))
        let invalid = "NotAuthorizedException: Invalid session for the user."
        func refusal(_ session: String?, _ by: SignInClient, _ answer: JSONObject) async throws -> String {
            try await by.respond("NEW_PASSWORD_REQUIRED", answer, session: session).refusal
        }
        var forged = Array(session.utf8)
        forged[30] = forged[30] == 65 ? 66 : 65
        let answer = Self.answer(Self.chosen)
        #expect(try await refusal(String(decoding: forged, as: UTF8.self), client, answer) == invalid)
        #expect(try await refusal(String(repeating: "A", count: 64), client, answer) == invalid)
        #expect(try await refusal("short", client, answer).hasPrefix("InvalidParameterException"))
        #expect(try await refusal(nil, client, answer).hasPrefix("InvalidParameterException"))
        #expect(try await refusal(session, client, answer.merging(["USERNAME": "alice"])) == invalid)
        #expect(try await refusal(session, client, answer.merging(["USERNAME": "nobody"])) == invalid)
        let other = SignInClient(
            bench: bench, pool: client.pool, id: try await bench.clientID(pool: client.pool))
        #expect(try await refusal(session, other, answer) == invalid)
        bench.advance(by: .minutes(3))
        #expect(
            try await refusal(session, client, answer)
                == "NotAuthorizedException: Invalid session for the user, session is expired.")
    }

    @Test("R10.1 D-2 attributes may be filled in on the way, and addresses may neither be changed nor are proved by it")
    func attributes() async throws {
        let (bench, client) = try await Self.world()
        let session = try Self.session(try await client.password("carol", Self.temporary))
        let changed = Self.answer(Self.chosen).merging(["userAttributes.email": "mallory@example.com"])
        #expect(
            try await client.respond("NEW_PASSWORD_REQUIRED", changed, session: session).refusal
                == "NotAuthorizedException: Cannot modify an already provided email")
        let filled = Self.answer(Self.chosen).merging([
            "userAttributes.email": "carol@example.com", "userAttributes.name": "Carol",
            "userAttributes.email_verified": "true",
        ])
        let reply = try await client.respond("NEW_PASSWORD_REQUIRED", filled, session: session)
        #expect(reply.status == 200, "\(reply.refusal)")
        let user = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(client.pool), "Username": "carol"])
        #expect(user.attribute("name") == "Carol")
        #expect(user.attribute("email") == "carol@example.com")
        // Nobody knows which way the temporary password came.
        #expect(user["UserStatus"] == "CONFIRMED" && user.attribute("email_verified") == "false")
        // So the address is no alias of hers.
        #expect(try await client.password("carol@example.com", Self.chosen).refusal == SignInPasswordTests.wrong)
        #expect(try await client.srp("carol", Self.chosen).status == 200)
    }

    @Test("V6.4.1 a temporary password ends with its term, and says so only to who knows it")
    func expired() async throws {
        let (bench, client) = try await Self.world()
        bench.advance(by: .days(8))
        #expect(
            try await client.password("carol", Self.temporary).refusal
                == "NotAuthorizedException: Temporary password has expired and must be reset by an administrator.")
        #expect(try await client.password("carol", "Wrong-horse-7").refusal == SignInPasswordTests.wrong)
    }
}
