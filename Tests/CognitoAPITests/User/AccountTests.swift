// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("GetUser, UpdateUserAttributes, VerifyUserAttribute, ChangePassword, DeleteUser") struct AccountTests {
    private struct Signed {
        let bench: CognitoBench
        let client: String
        let subject: String
        let token: String

        init(_ members: JSONObject = [:], settings: JSONObject? = nil) async throws {
            bench = try await CognitoBench()
            client = try await bench.clientID(members)
            subject =
                try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]?.stringValue ?? ""
            token = try await bench.accessToken(of: subject, client: client)
        }

        func send(_ operation: String, _ members: JSONObject = [:]) async throws -> CognitoBench.Reply {
            let body: JSONObject = ["AccessToken": .string(token)]
            return try await bench.send(operation, body.merging(members), signed: false)
        }
    }

    @Test("D-5 the signed-in user reads what there is of them, without a signature")
    func get() async throws {
        let user = try await Signed()
        let reply = try await user.send("GetUser")
        #expect(reply.status == 200)
        #expect(reply.json["Username"] == "ada")
        #expect(reply.json.attribute("email") == "ada@example.com")
        #expect(reply.json.attribute("email_verified") == "true")
        #expect(reply.json.attribute("sub") == user.subject)
        #expect(reply.json["UserAttributes"]?.arrayValue?.count == 3)
    }

    @Test(
        "R8.8 an hour after the sign-in a token alone gives no new number and no new address, and a change is told",
        arguments: [("phone_number", "+491701234567"), ("email", "eve@example.com")])
    func wayIn(attribute: String, value: String) async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "AliasAttributes": ["email"], "AutoVerifiedAttributes": ["email", "phone_number"],
        ])
        let client = try await bench.clientID(pool: pool)
        let made = try await bench.signedUp("ada", email: "ada@example.com", client: client, pool: pool)
        let token = try await bench.accessToken(of: made["UserSub"]?.stringValue ?? "", client: client, pool: pool)
        let wanted: JSONObject = [
            "AccessToken": .string(token), "UserAttributes": [["Name": .string(attribute), "Value": .string(value)]],
        ]
        let early = try await bench.send("UpdateUserAttributes", wanted, signed: false)
        #expect(early.status == 200, "\(early.message ?? "")")
        let code = try await bench.code(to: value, in: pool)
        _ = try await bench.done(
            "VerifyUserAttribute",
            ["AccessToken": .string(token), "AttributeName": .string(attribute), "Code": .string(code)])
        let kind = attribute == "email" ? "email_changed" : "phone_changed"
        #expect(try await bench.message(to: "ada@example.com", in: pool, kind: kind) != nil)
        let subject = made["UserSub"]?.stringValue ?? ""
        let again = try await bench.accessToken(
            of: subject, client: client, pool: pool, changes: ["exp": .integer(bench.now.seconds + 86_400)])
        bench.advance(by: .minutes(61))
        let late = try await bench.accessToken(of: subject, client: client, pool: pool)
        // A session that was just opened may, an old one may not.
        let other: JSONObject = ["UserAttributes": [["Name": .string(attribute), "Value": "+491709876543"]]]
        let email: JSONObject = ["UserAttributes": [["Name": .string(attribute), "Value": "else@example.com"]]]
        let body = attribute == "email" ? email : other
        let refused = try await bench.send(
            "UpdateUserAttributes", body.merging(["AccessToken": .string(again)]), signed: false)
        #expect(refused.exception == "NotAuthorizedException")
        #expect(refused.message == "The user must sign in again for this change.")
        let allowed = try await bench.send(
            "UpdateUserAttributes", body.merging(["AccessToken": .string(late)]), signed: false)
        #expect(allowed.status == 200)
    }

    @Test("A client sees the attributes it may read, and the subject")
    func readable() async throws {
        let user = try await Signed(["ReadAttributes": ["email"]])
        let reply = try await user.send("GetUser")
        #expect(reply.json.names("UserAttributes", "Name") == ["email", "sub"])
    }

    @Test("R21 a token that is not the pool's own, not for this, or not any more, opens nothing")
    func tokens() async throws {
        let user = try await Signed()
        let bench = user.bench
        func refusal(_ changes: JSONObject) async throws -> String? {
            let token = try await bench.accessToken(of: user.subject, client: user.client, changes: changes)
            let reply = try await bench.send("GetUser", ["AccessToken": .string(token)], signed: false)
            return reply.exception == "NotAuthorizedException" ? reply.message : reply.exception
        }
        #expect(try await refusal(["token_use": "id"]) == "Invalid Access Token")
        #expect(try await refusal(["iss": "https://evil.example/us-east-1_x"]) == "Invalid Access Token")
        #expect(try await refusal(["scope": "openid"]) == "Access Token does not have required scopes")
        #expect(try await refusal(["exp": .integer(bench.now.seconds)]) == "Access Token has expired")
        #expect(
            try await refusal(["origin_jti": .string(bench.ports.random.uuid())]) == "Access Token has been revoked")
        #expect(try await refusal(["origin_jti": .null]) == "Invalid Access Token")
        let other = try await bench.makePool()
        let issuer = bench.dialect.issuer(of: try await bench.directory(ofPool: other))
        #expect(try await refusal(["iss": .string(issuer)]) == "Invalid Access Token")
        #expect(try await refusal(["client_id": .null]) == "Invalid Access Token")
        #expect(
            try await refusal(["client_id": .string(try await bench.clientID(pool: other))])
                == "Access Token has been revoked")
        #expect(try await refusal(["iat": .integer(bench.now.seconds - 60)]) == nil)
        let broken = try await bench.send("GetUser", ["AccessToken": "a.b.c"], signed: false)
        #expect(broken.message == "Invalid Access Token")
        #expect(try await user.send("GetUser").status == 200)
    }

    @Test("D-5 attributes are written and taken away; an address counts once its code was given")
    func update() async throws {
        let user = try await Signed()
        let answer = try await user.send(
            "UpdateUserAttributes",
            [
                "UserAttributes": [
                    ["Name": "given_name", "Value": "Ada"], ["Name": "custom:plan", "Value": "gold"],
                    ["Name": "email", "Value": "countess@example.org"],
                ]
            ])
        #expect(answer.status == 200)
        #expect(
            answer.json["CodeDeliveryDetailsList"]
                == [["Destination": "c***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"]])
        var seen = try await user.send("GetUser").json
        #expect(seen.attribute("given_name") == "Ada")
        #expect(seen.attribute("email") == "ada@example.com")
        for address in ["countess@example.org", "ada@example.com"] {
            let kind = address.hasPrefix("ada") ? "email_change_current" : "email_change_new"
            let code = try await user.bench.code(to: address, kind: kind)
            let proof = try await user.send(
                "VerifyUserAttribute", ["AttributeName": "email", "Code": .string(code)])
            #expect(proof.status == 200, "\(proof.message ?? "")")
        }
        // A changed address takes back the tokens issued before.
        let token = try await user.bench.accessToken(of: user.subject, client: user.client)
        seen = try await user.bench.done("GetUser", ["AccessToken": .string(token)])
        #expect(seen.attribute("email") == "countess@example.org")
        _ = try await user.bench.done(
            "DeleteUserAttributes", ["AccessToken": .string(token), "UserAttributeNames": ["custom:plan"]])
        seen = try await user.bench.done("GetUser", ["AccessToken": .string(token)])
        #expect(seen.attribute("custom:plan") == nil)
    }

    @Test("In a pool of this dialect's own one code changes the address")
    func oneCode() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let client = try await bench.clientID(pool: pool)
        let subject = try await bench.signedUp("ada", email: "ada@example.com", client: client, pool: pool)["UserSub"]?
            .stringValue
        let token = try await bench.accessToken(of: subject ?? "", client: client, pool: pool)
        _ = try await bench.done(
            "UpdateUserAttributes",
            ["AccessToken": .string(token), "UserAttributes": [["Name": "email", "Value": "new@example.com"]]])
        let code = try await bench.code(to: "new@example.com", in: pool)
        _ = try await bench.done(
            "VerifyUserAttribute",
            ["AccessToken": .string(token), "AttributeName": "email", "Code": .string(code)])
        let seen = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
        #expect(seen.attribute("email") == "new@example.com")
        #expect(seen.attribute("email_verified") == "true")
    }

    @Test("A number given beside an address at sign-up is nobody's until its code was given")
    func number() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        var subjects: [String] = []
        for name in ["ada", "eve"] {
            let answer = try await bench.done(
                "SignUp",
                [
                    "ClientId": .string(client), "Username": .string(name), "Password": .string(CognitoBench.password),
                    "UserAttributes": [
                        ["Name": "email", "Value": .string(name + "@example.com")],
                        ["Name": "phone_number", "Value": "+4930123456"],
                    ],
                ])
            #expect(answer["CodeDeliveryDetails"]?.objectValue?["AttributeName"] == "email")
            subjects.append(answer["UserSub"]?.stringValue ?? "")
        }
        let token = try await bench.accessToken(of: subjects[1], client: client)
        var seen = try await bench.done("GetUser", ["AccessToken": .string(token)])
        #expect(seen.attribute("phone_number") == "+4930123456")
        #expect(seen.attribute("phone_number_verified") == "false")
        let sent = try await bench.done(
            "GetUserAttributeVerificationCode", ["AccessToken": .string(token), "AttributeName": "phone_number"])
        #expect(sent["CodeDeliveryDetails"]?.objectValue?["Destination"] == "+******3456")
        _ = try await bench.done(
            "VerifyUserAttribute",
            [
                "AccessToken": .string(token), "AttributeName": "phone_number",
                "Code": .string(try await bench.code(to: "+4930123456")),
            ])
        seen = try await bench.done("GetUser", ["AccessToken": .string(token)])
        #expect(seen.attribute("phone_number_verified") == "true")
        let other = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(other.attribute("phone_number_verified") == "false")
    }

    @Test("V8.2.3 a user writes nothing that is not theirs to write")
    func unauthorized() async throws {
        let user = try await Signed(["WriteAttributes": ["email", "name"]])
        for (name, exception) in [
            ("email_verified", "NotAuthorizedException"), ("sub", "InvalidParameterException"),
            ("given_name", "NotAuthorizedException"), ("nonsense", "InvalidParameterException"),
        ] {
            let reply = try await user.send(
                "UpdateUserAttributes", ["UserAttributes": [["Name": .string(name), "Value": "true"]]])
            #expect(reply.exception == exception, "\(name)")
        }
        let code = try await user.send("VerifyUserAttribute", ["AttributeName": "name", "Code": "123456"])
        #expect(code.exception == "InvalidParameterException")
    }

    @Test("A wrong code verifies nothing, and the code can be sent again")
    func codes() async throws {
        let user = try await Signed()
        let verified = try await user.send("GetUserAttributeVerificationCode", ["AttributeName": "email"])
        #expect(verified.exception == "InvalidParameterException")
        _ = try await user.send(
            "UpdateUserAttributes", ["UserAttributes": [["Name": "email", "Value": "new@example.org"]]])
        let wrong = try await user.send("VerifyUserAttribute", ["AttributeName": "email", "Code": "000000"])
        #expect(wrong.exception == "CodeMismatchException")
        let first = try await user.bench.code(to: "new@example.org")
        user.bench.advance(by: .seconds(120))
        let again = try await user.send("GetUserAttributeVerificationCode", ["AttributeName": "email"])
        #expect(again.json["CodeDeliveryDetails"]?.objectValue?["Destination"] == "n***@e***")
        #expect(try await user.bench.code(to: "new@example.org") != first)
    }

    @Test("V6.2.3 a password is changed by whoever knows the one before, and wrong guesses are counted")
    func password() async throws {
        let user = try await Signed()
        func change(_ previous: String, _ proposed: String) async throws -> CognitoBench.Reply {
            try await user.send(
                "ChangePassword",
                ["PreviousPassword": .string(previous), "ProposedPassword": .string(proposed)])
        }
        let wrong = try await change("Wrong-horse-7-battery", "Another-horse-8-battery")
        #expect(wrong.exception == "NotAuthorizedException")
        #expect(wrong.message == "Incorrect username or password.")
        #expect(try await change(CognitoBench.password, "short").exception == "InvalidPasswordException")
        let limit = user.bench.directory.settings.limits.signInPerIdentifier.count
        // A password that the policy refuses was never compared, so it is no guess.
        for _ in 0..<(limit - 1) { _ = try await change("Wrong-horse-7-battery", "Another-horse-8-battery") }
        let limited = try await change(CognitoBench.password, "Another-horse-8-battery")
        #expect(limited.exception == "LimitExceededException")
        #expect(limited.message == "Attempt limit exceeded, please try after some time.")
        user.bench.advance(by: .minutes(16))
        #expect(try await change(CognitoBench.password, "Another-horse-8-battery").status == 200)
    }

    @Test("G-10.4 a user deletes their account, and it is gone")
    func delete() async throws {
        let user = try await Signed()
        let reply = try await user.send("DeleteUser")
        #expect(reply.status == 200 && reply.json.isEmpty)
        #expect(try await user.send("GetUser").exception != nil)
        let gone = try await user.bench.send(
            "AdminGetUser", ["UserPoolId": .string(user.bench.poolID), "Username": "ada"])
        #expect(gone.exception == "UserNotFoundException")
        #expect(gone.message == "User does not exist.")
        // The name and the address are free again.
        user.bench.advance(by: .minutes(2))
        try await user.bench.signedUp("ada", email: "ada@example.com", client: user.client)
    }
}
