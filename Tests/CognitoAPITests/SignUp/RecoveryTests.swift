// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("ForgotPassword, ConfirmForgotPassword") struct RecoveryTests {
    private static func confirmation(
        _ client: String, _ name: String, _ code: String, _ password: String = "Another-horse-8-battery"
    ) -> JSONObject {
        [
            "ClientId": .string(client), "Username": .string(name), "ConfirmationCode": .string(code),
            "Password": .string(password),
        ]
    }

    @Test("G-3.4 a forgotten password is replaced by the mailed code, once, and the old one is dead")
    func life() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let subject = try #require(
            try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]?.stringValue)
        let token = try await bench.accessToken(of: subject, client: client)
        let asked: JSONObject = ["ClientId": .string(client), "Username": "ada"]
        let answer = try await bench.done("ForgotPassword", asked)
        #expect(
            answer["CodeDeliveryDetails"]
                == ["Destination": "***@***", "DeliveryMedium": "EMAIL", "AttributeName": "email"])
        let code = try await bench.code(to: "ada@example.com", kind: "recovery")
        let weak = try await bench.send("ConfirmForgotPassword", Self.confirmation(client, "ada", code, "short"))
        #expect(weak.exception == "InvalidPasswordException")
        let wrong = try await bench.send("ConfirmForgotPassword", Self.confirmation(client, "ada", "000000"))
        #expect(wrong.exception == "CodeMismatchException")
        // A weak password and a wrong code have cost the right one nothing.
        #expect(try await bench.done("ConfirmForgotPassword", Self.confirmation(client, "ada", code)).isEmpty)
        let again = try await bench.send("ConfirmForgotPassword", Self.confirmation(client, "ada", code))
        #expect(again.exception == "CodeMismatchException")
        // Every session has ended.
        let revoked = try await bench.send("GetUser", ["AccessToken": .string(token)], signed: false)
        #expect(revoked.exception == "NotAuthorizedException")
        #expect(revoked.message == "Access Token has been revoked")
    }

    @Test("G-3.6 nobody, a disabled user and one without a proved address are answered as a user is")
    func concealed() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        _ = try await bench.done("AdminDisableUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        var forms: Set<[String]> = []
        for name in ["ada", "nobody", "nobody@example.com", "ADA@example.com"] {
            let answer = try await bench.done(
                "ForgotPassword", ["ClientId": .string(client), "Username": .string(name)])
            let details = try #require(answer["CodeDeliveryDetails"]?.objectValue)
            #expect(details["DeliveryMedium"] == "EMAIL")
            forms.insert(details.names)
            let reply = try await bench.send("ConfirmForgotPassword", Self.confirmation(client, name, "123456"))
            #expect(reply.exception == "CodeMismatchException", "\(name)")
        }
        #expect(forms.count == 1)
        #expect(try await bench.message(to: "nobody@example.com") == nil)
    }

    @Test(
        "R8.10 where a code went is said from the name alone, whoever has it and by whatever they are reached",
        arguments: ["ForgotPassword", "ResendConfirmationCode"])
    func deliveryFollowsFromTheName(operation: String) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        func told(_ name: String) async throws -> JSONValue? {
            try await bench.done(operation, ["ClientId": .string(client), "Username": .string(name)])[
                "CodeDeliveryDetails"]
        }
        let names = ["ada", "bob", "cleo", "+491701234567", "ada@example.com", "both@example.com", "+491707654321"]
        var before: [JSONValue?] = []
        for name in names { before.append(try await told(name)) }
        func sign(_ name: String, _ attributes: [(String, String)]) async throws {
            _ = try await bench.done(
                "SignUp",
                [
                    "ClientId": .string(client), "Username": .string(name), "Password": .string(CognitoBench.password),
                    "UserAttributes": .array(
                        attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] }),
                ])
        }
        // One is reached by mail, one by text message, one by both, and confirmed in each state that there is.
        try await sign("ada", [("email", "ada@example.com")])
        try await sign("bob", [("phone_number", "+491701234567")])
        try await sign("cleo", [("email", "both@example.com"), ("phone_number", "+491707654321")])
        for isConfirmed in [false, true] {
            if isConfirmed {
                for name in ["ada", "bob", "cleo"] {
                    _ = try await bench.done(
                        "AdminConfirmSignUp", ["UserPoolId": .string(bench.poolID), "Username": .string(name)])
                }
            }
            bench.advance(by: .minutes(5))
            for (name, was) in zip(names, before) { #expect(try await told(name) == was, "\(name)") }
        }
        #expect(before[0] == before[1])
        #expect(before[3]?.objectValue?["DeliveryMedium"] == "SMS")
    }

    @Test("R10.4 where no text message can be sent, a LEGACY client is told so of a user who has only a number")
    func unreachable() async throws {
        let bench = try await CognitoBench(reachesPhones: false)
        let legacy = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"])
        let concealing = try await bench.clientID()
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(bench.poolID), "Username": "ada", "MessageAction": "SUPPRESS",
                "UserAttributes": [
                    ["Name": "phone_number", "Value": "+15555550100"],
                    ["Name": "phone_number_verified", "Value": "true"],
                ],
            ])
        func forget(_ client: String, _ name: String) async throws -> CognitoBench.Reply {
            try await bench.send("ForgotPassword", ["ClientId": .string(client), "Username": .string(name)])
        }
        #expect(try await forget(legacy, "ada").exception == "CodeDeliveryFailureException")
        #expect(try await forget(legacy, "nobody").exception == "UserNotFoundException")
        // To others somebody is as nobody.
        let forms = [try await forget(concealing, "ada").json, try await forget(concealing, "nobody").json]
        #expect(forms[0] == forms[1], "\(forms)")
    }

    @Test("LEGACY clients are told who is not there, disabled, or without a proved address")
    func legacy() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"])
        func reply(_ name: String) async throws -> CognitoBench.Reply {
            try await bench.send("ForgotPassword", ["ClientId": .string(client), "Username": .string(name)])
        }
        #expect(try await reply("nobody").exception == "UserNotFoundException")
        let unknown = try await bench.send("ConfirmForgotPassword", Self.confirmation(client, "nobody", "123456"))
        #expect(unknown.exception == "UserNotFoundException")
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(bench.poolID), "Username": "bob", "MessageAction": "SUPPRESS",
                "UserAttributes": [["Name": "email", "Value": "bob@example.com"]],
            ])
        #expect(try await reply("bob").exception == "InvalidParameterException")
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        _ = try await bench.done("AdminDisableUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(try await reply("ada").message == "User is disabled.")
        _ = try await bench.done("AdminEnableUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(
            try await reply("ada").json["CodeDeliveryDetails"]
                == ["Destination": "a***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"])
    }
}
