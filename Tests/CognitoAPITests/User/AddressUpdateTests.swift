// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("UpdateUserAttributes with an address or a number") struct AddressUpdateTests {
    /// ada with a session, in a pool where addresses sign in.
    private struct Signed {
        let bench: CognitoBench
        let pool: String
        let app: SignInClient
        let token: String

        init(_ members: JSONObject = [:]) async throws {
            bench = try await CognitoBench()
            let usual: JSONObject = [
                "AliasAttributes": ["email"], "AutoVerifiedAttributes": ["email", "phone_number"],
            ]
            pool = try await bench.makePool(usual.merging(members))
            let client = try await bench.clientID(
                ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]], pool: pool)
            try await bench.signedUp("ada", email: "ada@example.com", client: client, pool: pool)
            app = SignInClient(bench: bench, pool: pool, id: client)
            token = try await app.password("ada", CognitoBench.password).result("AccessToken") ?? ""
        }

        func update(_ attributes: [(String, String)]) async throws -> CognitoBench.Reply {
            try await send(
                "UpdateUserAttributes",
                ["UserAttributes": .array(attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] })])
        }

        func send(_ operation: String, _ members: JSONObject = [:]) async throws -> CognitoBench.Reply {
            try await bench.send(operation, members.merging(["AccessToken": .string(token)]), signed: false)
        }

        func signsIn(_ name: String) async throws -> Bool {
            try await app.password(name, CognitoBench.password).status == 200
        }

        func verify(_ attribute: String, at recipient: String) async throws -> Int {
            let code = try await bench.code(to: recipient, in: pool)
            return try await send(
                "VerifyUserAttribute", ["AttributeName": .string(attribute), "Code": .string(code)]
            ).status
        }
    }

    @Test("R10.4 the new address is shown at once, unverified, and neither it nor the former one finds anybody")
    func atOnce() async throws {
        let ada = try await Signed()
        #expect(try await ada.signsIn("ada@example.com"))
        let answer = try await ada.update([("email", "countess@example.org")])
        #expect(
            answer.json["CodeDeliveryDetailsList"]
                == [["Destination": "c***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"]])
        for user in [
            try await ada.send("GetUser").json,
            try await ada.bench.done("AdminGetUser", ["UserPoolId": .string(ada.pool), "Username": "ada"]),
        ] {
            #expect(user.attribute("email") == "countess@example.org")
            #expect(user.attribute("email_verified") == "false")
        }
        // Nobody is found by either, here or by what other dialects ask; the account goes on by its name.
        let directory = try await ada.bench.directory(ofPool: ada.pool)
        for address in ["ada@example.com", "countess@example.org"] {
            #expect(try await !ada.signsIn(address), "\(address)")
            let found = try await ada.bench.ports.store.read {
                try $0.user(email: EmailAddress(address), in: directory.id)
            }
            #expect(found == nil, "\(address)")
        }
        #expect(try await ada.signsIn("ada"))
        // Whoever had it is told.
        let notice = try #require(
            try await ada.bench.message(to: "ada@example.com", in: ada.pool, kind: "email_changed"))
        #expect(notice.text.contains("countess@example.org"))
        #expect(try await ada.verify("email", at: "countess@example.org") == 200)
        #expect(try await ada.signsIn("countess@example.org"))
        let after = try await ada.bench.done("AdminGetUser", ["UserPoolId": .string(ada.pool), "Username": "ada"])
        #expect(after.attribute("email_verified") == "true" && after["UserStatus"] == "CONFIRMED")
    }

    @Test("R10.4 where the pool asks for it, the former address stays until the new one is verified")
    func kept() async throws {
        let settings: JSONObject = ["AttributesRequireVerificationBeforeUpdate": ["email"]]
        let ada = try await Signed(["UserAttributeUpdateSettings": .object(settings)])
        #expect(try await ada.update([("email", "countess@example.org")]).status == 200)
        let seen = try await ada.send("GetUser").json
        #expect(seen.attribute("email") == "ada@example.com" && seen.attribute("email_verified") == "true")
        #expect(try await ada.signsIn("ada@example.com"))
        #expect(try await ada.verify("email", at: "countess@example.org") == 200)
        #expect(try await ada.signsIn("countess@example.org"))
        #expect(try await !ada.signsIn("ada@example.com"))
    }

    @Test("R10.4 the address that a user is called by stays until the new one is verified")
    func called() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(["UsernameAttributes": ["email"]])
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]], pool: pool)
        try await bench.signedUp("ada@example.com", email: "ada@example.com", client: client, pool: pool)
        let app = SignInClient(bench: bench, pool: pool, id: client)
        let token = try await app.password("ada@example.com", CognitoBench.password).result("AccessToken") ?? ""
        _ = try await bench.done(
            "UpdateUserAttributes",
            [
                "AccessToken": .string(token),
                "UserAttributes": [["Name": "email", "Value": "countess@example.org"]],
            ])
        #expect(try await app.password("ada@example.com", CognitoBench.password).status == 200)
        #expect(try await app.password("countess@example.org", CognitoBench.password).status != 200)
    }

    @Test("R10.4 address and number change in one call, each with a code of its own")
    func both() async throws {
        let ada = try await Signed()
        _ = try await ada.update([("phone_number", "+4930111111")])
        #expect(try await ada.verify("phone_number", at: "+4930111111") == 200)
        let answer = try await ada.update([("email", "countess@example.org"), ("phone_number", "+4930222222")])
        #expect(answer.json["CodeDeliveryDetailsList"]?.arrayValue?.count == 2)
        var seen = try await ada.send("GetUser").json
        #expect(seen.attribute("phone_number") == "+4930222222")
        #expect(seen.attribute("phone_number_verified") == "false")
        #expect(try await ada.verify("phone_number", at: "+4930222222") == 200)
        #expect(try await ada.verify("email", at: "countess@example.org") == 200)
        seen = try await ada.bench.done("AdminGetUser", ["UserPoolId": .string(ada.pool), "Username": "ada"])
        #expect(seen.attribute("phone_number_verified") == "true" && seen.attribute("email_verified") == "true")
    }

    @Test("R10.4 a pool that verifies nothing sends nothing until it is asked, and an administrator may vouch")
    func unasked() async throws {
        let ada = try await Signed(["AutoVerifiedAttributes": ["email"]])
        let answer = try await ada.update([("phone_number", "+4930222222")])
        #expect(answer.json["CodeDeliveryDetailsList"] == [])
        #expect(try await ada.bench.message(to: "+4930222222", in: ada.pool) == nil)
        #expect(try await ada.send("GetUser").json.attribute("phone_number_verified") == "false")
        _ = try await ada.send("GetUserAttributeVerificationCode", ["AttributeName": "phone_number"])
        #expect(try await ada.verify("phone_number", at: "+4930222222") == 200)
        _ = try await ada.update([("email", "countess@example.org")])
        _ = try await ada.bench.done(
            "AdminUpdateUserAttributes",
            [
                "UserPoolId": .string(ada.pool), "Username": "ada",
                "UserAttributes": [["Name": "email_verified", "Value": "true"]],
            ])
        let seen = try await ada.bench.done("AdminGetUser", ["UserPoolId": .string(ada.pool), "Username": "ada"])
        #expect(seen.attribute("email") == "countess@example.org" && seen.attribute("email_verified") == "true")
    }

    @Test("R10.4 R8.8 an old session takes nobody's address away")
    func oldSession() async throws {
        let ada = try await Signed()
        ada.bench.advance(by: .minutes(59))
        let subject = try await ada.send("GetUser").json.attribute("sub") ?? ""
        let token = try await ada.bench.accessToken(
            of: subject, client: ada.app.id, pool: ada.pool,
            changes: ["exp": .integer(ada.bench.now.seconds + 86_400)])
        ada.bench.advance(by: .minutes(61))
        let refused = try await ada.bench.send(
            "UpdateUserAttributes",
            ["AccessToken": .string(token), "UserAttributes": [["Name": "email", "Value": "eve@example.com"]]],
            signed: false)
        #expect(refused.exception == "NotAuthorizedException")
        #expect(try await ada.signsIn("ada@example.com"))
    }

    @Test(
        "R10.4 address and number are deleted, by the user and by an administrator, by name and by a blank value",
        arguments: ["DeleteUserAttributes", "UpdateUserAttributes", "Admin", "AdminUpdateUserAttributes"])
    func deleted(way: String) async throws {
        let ada = try await Signed()
        _ = try await ada.update([("phone_number", "+4930111111")])
        #expect(try await ada.verify("phone_number", at: "+4930111111") == 200)
        let names: JSONObject = ["UserAttributeNames": ["email", "phone_number"]]
        let blanks: JSONObject = [
            "UserAttributes": [["Name": "email", "Value": ""], ["Name": "phone_number", "Value": ""]]
        ]
        let named: JSONObject = ["UserPoolId": .string(ada.pool), "Username": "ada"]
        let reply =
            switch way {
            case "DeleteUserAttributes": try await ada.send(way, names)
            case "UpdateUserAttributes": try await ada.send(way, blanks)
            case "Admin": try await ada.bench.send("AdminDeleteUserAttributes", names.merging(named))
            default: try await ada.bench.send(way, blanks.merging(named))
            }
        #expect(reply.status == 200, "\(reply.refusal)")
        let user = try await ada.bench.done("AdminGetUser", named)
        #expect(user.names("UserAttributes", "Name") == ["sub"] && user["UserStatus"] == "CONFIRMED")
        #expect(try await ada.signsIn("ada"))
        #expect(try await !ada.signsIn("ada@example.com"))
        // Whoever had them is told, and they are free. The clock moves so that the messages have an order.
        ada.bench.advance(by: .seconds(1))
        #expect(
            try await ada.bench.message(to: "ada@example.com", in: ada.pool, kind: "email_removed") != nil)
        try await ada.bench.signedUp("eve", email: "ada@example.com", client: ada.app.id, pool: ada.pool)
    }

    @Test("R10.4 nobody loses what they are called by, or what the pool requires")
    func undeletable() async throws {
        let bench = try await CognitoBench()
        for members: JSONObject in [
            ["UsernameAttributes": ["email"]],
            ["Schema": [["Name": "email", "Required": true, "AttributeDataType": "String"]]],
        ] {
            let pool = try await bench.makePool(members)
            let client = try await bench.clientID(pool: pool)
            let name = members["Schema"] == nil ? "ada@example.com" : "ada"
            try await bench.signedUp(name, email: "ada@example.com", client: client, pool: pool)
            let named: JSONObject = ["UserPoolId": .string(pool), "Username": .string(name)]
            let reply = try await bench.send(
                "AdminDeleteUserAttributes", named.merging(["UserAttributeNames": ["email"]]))
            #expect(reply.exception == "InvalidParameterException")
            #expect(try await bench.done("AdminGetUser", named).attribute("email") == "ada@example.com")
        }
    }
}
