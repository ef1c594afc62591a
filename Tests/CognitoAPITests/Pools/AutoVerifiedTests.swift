// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("AutoVerifiedAttributes") struct AutoVerifiedTests {
    private static let flows: JSONObject = ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]]

    private static func signUp(
        _ bench: CognitoBench, _ client: String, _ name: String, _ attributes: [(String, String)]
    ) async throws -> CognitoBench.Reply {
        try await bench.send(
            "SignUp",
            [
                "ClientId": .string(client), "Username": .string(name), "Password": .string(CognitoBench.password),
                "UserAttributes": .array(attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] }),
            ], signed: false)
    }

    @Test(
        "R10.4 a pool without them sends no code and says of none, and an administrator confirms",
        arguments: [("ada", [:]), ("ada@example.com", ["UsernameAttributes": ["email"]])] as [(String, JSONObject)])
    func none(name: String, members: JSONObject) async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(members.merging(["AutoVerifiedAttributes": []]))
        let client = try await bench.clientID(Self.flows, pool: pool)
        let answer = try await Self.signUp(bench, client, name, [("email", "ada@example.com")])
        #expect(answer.status == 200, "\(answer.refusal)")
        #expect(answer.json["UserConfirmed"] == false && answer.json["UserSub"] != nil)
        #expect(answer.json["CodeDeliveryDetails"] == nil)
        #expect(try await bench.message(to: "ada@example.com", in: pool) == nil)
        let named: JSONObject = ["UserPoolId": .string(pool), "Username": .string(name)]
        #expect(try await bench.done("AdminGetUser", named)["UserStatus"] == "UNCONFIRMED")
        for asked in [name, "nobody@example.com"] {
            let again = try await bench.send(
                "ResendConfirmationCode", ["ClientId": .string(client), "Username": .string(asked)])
            #expect(
                again.refusal
                    == "InvalidParameterException: Cannot resend codes. Auto verification not turned on.")
        }
        let app = SignInClient(bench: bench, pool: pool, id: client)
        #expect(try await app.password(name, CognitoBench.password).exception == "UserNotConfirmedException")
        _ = try await bench.done("AdminConfirmSignUp", named)
        let signedIn = try await app.password(name, CognitoBench.password)
        #expect(signedIn.status == 200, "\(signedIn.refusal)")
        #expect(try await bench.done("AdminGetUser", named).attribute("email_verified") == "false")
        #expect(try await bench.message(to: "ada@example.com", in: pool, kind: "confirmation") == nil)
    }

    @Test("R10.4 the code goes where the pool verifies, and confirms that alone")
    func phone() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(["AutoVerifiedAttributes": ["phone_number"]])
        let client = try await bench.clientID(pool: pool)
        let answer = try await Self.signUp(
            bench, client, "ada", [("email", "ada@example.com"), ("phone_number", "+4930123456")])
        #expect(
            answer.json["CodeDeliveryDetails"]
                == ["Destination": "+******3456", "DeliveryMedium": "SMS", "AttributeName": "phone_number"])
        #expect(try await bench.message(to: "ada@example.com", in: pool) == nil)
        let first = try await bench.code(to: "+4930123456", in: pool)
        bench.advance(by: .seconds(1))
        _ = try await bench.done("ResendConfirmationCode", ["ClientId": .string(client), "Username": "ada"])
        let code = try await bench.code(to: "+4930123456", in: pool)
        #expect(code != first)
        _ = try await bench.done(
            "ConfirmSignUp", ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": .string(code)])
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        #expect(user["UserStatus"] == "CONFIRMED")
        #expect(user.attribute("phone_number_verified") == "true" && user.attribute("email_verified") == "false")
    }

    @Test("R10.4 a name that was signed up with is taken at once, and its first password stands")
    func repeated() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let client = try await bench.clientID(Self.flows, pool: pool)
        let attributes = [("email", "ada@example.com")]
        #expect(try await Self.signUp(bench, client, "ada", attributes).status == 200)
        let code = try await bench.code(to: "ada@example.com", in: pool)
        for password in ["Another-horse-8-battery", CognitoBench.password] {
            let again = try await bench.send(
                "SignUp",
                [
                    "ClientId": .string(client), "Username": "ada", "Password": .string(password),
                    "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
                ])
            #expect(again.refusal == "UsernameExistsException: User already exists")
        }
        #expect(try await bench.code(to: "ada@example.com", in: pool) == code)
        _ = try await bench.done(
            "ConfirmSignUp", ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": .string(code)])
        let app = SignInClient(bench: bench, pool: pool, id: client)
        #expect(try await app.password("ada", CognitoBench.password).status == 200)
        #expect(try await app.password("ada", "Another-horse-8-battery").exception == "NotAuthorizedException")
    }
}
