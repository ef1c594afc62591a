// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("AdminCreateUser and its like, ListUsers") struct AdminUserTests {
    private static func create(
        _ bench: CognitoBench, _ name: String, _ attributes: [(String, String)] = [], _ more: JSONObject = [:]
    ) async throws -> CognitoBench.Reply {
        let body: JSONObject = [
            "UserPoolId": .string(bench.poolID), "Username": .string(name), "MessageAction": "SUPPRESS",
            "UserAttributes": .array(attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] }),
        ]
        return try await bench.send("AdminCreateUser", body.merging(more))
    }

    private static func named(_ bench: CognitoBench, _ name: String, _ more: JSONObject = [:]) -> JSONObject {
        let body: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": .string(name)]
        return body.merging(more)
    }

    @Test(
        "V6.4.1 an administrator makes a user, who is mailed their name and a temporary password that meets the policy")
    func create() async throws {
        let bench = try await CognitoBench()
        let reply = try await Self.create(
            bench, "ada", [("email", "ada@example.com"), ("name", "Ada")], ["MessageAction": .null])
        let user = try #require(reply.json["User"]?.objectValue)
        #expect(user["Username"] == "ada")
        #expect(user["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        #expect(user["Enabled"] == true)
        #expect(user["UserCreateDate"] == .integer(CognitoBench.now.seconds))
        #expect(user.attribute("name") == "Ada")
        #expect(user.attribute("email_verified") == "false")
        let message = try #require(try await bench.message(to: "ada@example.com"))
        let password = try #require(message.code)
        #expect(message.kind == "temporary_password")
        #expect(message.text.contains("ada") && message.text.contains(password))
        #expect(password.utf8.count >= 14)

        // Again, with another password; the one before is dead.
        bench.advance(by: .hours(1))
        let resent = try await bench.done("AdminCreateUser", Self.named(bench, "ada", ["MessageAction": "RESEND"]))
        #expect(resent["User"]?.objectValue?["UserStatus"] == "FORCE_CHANGE_PASSWORD")
        #expect(try await bench.code(to: "ada@example.com") != password)
    }

    @Test("Nothing is sent where nothing is to be sent, and the administrator's own password is taken")
    func suppressed() async throws {
        let bench = try await CognitoBench()
        let reply = try await Self.create(
            bench, "ada", [("email", "ada@example.com"), ("email_verified", "true")],
            ["TemporaryPassword": "Temporary-horse-7"])
        #expect(reply.json["User"]?.objectValue?.attribute("email_verified") == "true")
        #expect(try await bench.message(to: "ada@example.com") == nil)
        let weak = try await Self.create(bench, "bob", [], ["TemporaryPassword": "short"])
        #expect(weak.exception == "InvalidPasswordException")
        // A number alone would need a text message, which this server does not make of a password.
        let texted = try await Self.create(bench, "bob", [("phone_number", "+4930123456")], ["MessageAction": .null])
        #expect(texted.exception == "InvalidParameterException")
        let nowhere = try await Self.create(bench, "nobody", [], ["MessageAction": .null])
        #expect(nowhere.json["User"]?.objectValue?["UserStatus"] == "FORCE_CHANGE_PASSWORD", "\(nowhere.json)")
        let medium = try await Self.create(
            bench, "bob", [("email", "bob@example.com")], ["MessageAction": .null, "DesiredDeliveryMediums": ["SMS"]])
        #expect(medium.exception == "InvalidParameterException")
        #expect(try await Self.create(bench, "bob").status == 200)
    }

    @Test("A taken name or address is said")
    func taken() async throws {
        let bench = try await CognitoBench()
        _ = try await Self.create(bench, "ada", [("email", "ada@example.com")])
        let name = try await Self.create(bench, "Ada")
        #expect(name.exception == "UsernameExistsException")
        #expect(name.message == "User account already exists")
        // An address beside a name is nobody's name, until it is proved.
        let address = try await Self.create(bench, "eve", [("email", "ADA@example.com")])
        #expect(address.status == 200)
        let proved: [(String, String)] = [("email", "ada@example.com"), ("email_verified", "true")]
        #expect(try await Self.create(bench, "zoe", proved).status == 200)
        #expect(try await Self.create(bench, "tim", proved).exception == "AliasExistsException")
        #expect(try await Self.create(bench, "ada@example.com").exception == "UsernameExistsException")
        let unknown = try await bench.send(
            "AdminCreateUser", Self.named(bench, "nobody", ["MessageAction": "RESEND"]))
        #expect(unknown.exception == "UserNotFoundException")
        _ = try await bench.done(
            "AdminSetUserPassword",
            Self.named(bench, "ada", ["Password": .string(CognitoBench.password), "Permanent": true]))
        let settled = try await bench.send("AdminCreateUser", Self.named(bench, "ada", ["MessageAction": "RESEND"]))
        #expect(settled.exception == "UnsupportedUserStateException")
    }

    @Test("R10.1 a permanent password confirms the user and none of their addresses, another is to be changed")
    func password() async throws {
        let bench = try await CognitoBench()
        _ = try await Self.create(bench, "ada", [("email", "ada@example.com")])
        func status() async throws -> JSONValue? {
            let user = try await bench.done("AdminGetUser", Self.named(bench, "ada"))
            #expect(user.attribute("email_verified") == "false")
            return user["UserStatus"]
        }
        for (isPermanent, expected) in [(true, "CONFIRMED"), (false, "FORCE_CHANGE_PASSWORD")] {
            let reply = try await bench.done(
                "AdminSetUserPassword",
                Self.named(
                    bench, "ada",
                    ["Password": .string("Horse-\(expected)-7-x"), "Permanent": .bool(isPermanent)]))
            #expect(reply.isEmpty)
            #expect(try await status() == .string(expected))
        }
    }

    @Test("R10.1 an administrator confirms a user and no address, disables, enables, signs out and deletes")
    func states() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let answer = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ])
        let subject = answer["UserSub"]?.stringValue ?? ""
        let named = Self.named(bench, "ada")
        _ = try await bench.done("AdminConfirmSignUp", named)
        let confirmed = try await bench.done("AdminGetUser", named)
        #expect(confirmed["UserStatus"] == "CONFIRMED" && confirmed.attribute("email_verified") == "false")
        let again = try await bench.send("AdminConfirmSignUp", named)
        #expect(again.message == "User cannot be confirmed. Current status is CONFIRMED")

        func read(_ token: String) async throws -> String? {
            try await bench.send("GetUser", ["AccessToken": .string(token)], signed: false).message
        }
        var token = try await bench.accessToken(of: subject, client: client)
        #expect(try await read(token) == nil)
        _ = try await bench.done("AdminDisableUser", named)
        #expect(try await bench.done("AdminGetUser", named)["Enabled"] == false)
        #expect(try await read(token) == "User is disabled.")
        _ = try await bench.done("AdminEnableUser", named)
        #expect(try await bench.done("AdminGetUser", named)["Enabled"] == true)
        #expect(try await read(token) != nil)

        bench.advance(by: .seconds(2))
        token = try await bench.accessToken(of: subject, client: client)
        #expect(try await read(token) == nil)
        _ = try await bench.done("AdminUserGlobalSignOut", named)
        #expect(try await read(token) == "Access Token has been revoked")
        _ = try await bench.done("AdminDeleteUser", named)
        let gone = try await bench.send("AdminGetUser", named)
        #expect(gone.exception == "UserNotFoundException")
    }

    @Test("An administrator's address counts at once, and is proved only where they say so")
    func update() async throws {
        let bench = try await CognitoBench()
        _ = try await Self.create(bench, "ada", [("email", "ada@example.com"), ("email_verified", "true")])
        func update(_ pairs: [(String, String)]) async throws -> JSONObject {
            let list: [JSONValue] = pairs.map { ["Name": .string($0.0), "Value": .string($0.1)] }
            _ = try await bench.done(
                "AdminUpdateUserAttributes", Self.named(bench, "ada", ["UserAttributes": .array(list)]))
            return try await bench.done("AdminGetUser", Self.named(bench, "ada"))
        }
        let unproved = try await update([
            ("email", "new@example.com"), ("nickname", "A"), ("phone_number", "+4930123456"),
        ])
        #expect(unproved.attribute("email") == "new@example.com")
        #expect(unproved.attribute("email_verified") == "false")
        #expect(unproved.attribute("phone_number") == "+4930123456")
        #expect(unproved.attribute("phone_number_verified") == "false")
        let proved = try await update([("email_verified", "true"), ("nickname", "")])
        #expect(proved.attribute("email_verified") == "true")
        #expect(proved.attribute("nickname") == nil)
        let local = try await bench.send(
            "AdminUpdateUserAttributes",
            Self.named(bench, "ada", ["UserAttributes": [["Name": "phone_number", "Value": "030123"]]]))
        #expect(local.exception == "InvalidParameterException")
        #expect(local.message == "Invalid phone number format.")
    }

    @Test("R10.4 users are listed in pages, by filter, and with the attributes that were asked for")
    func list() async throws {
        let bench = try await CognitoBench()
        for number in 0..<7 {
            _ = try await Self.create(
                bench, "user\(number)",
                [("email", "user\(number)@example.com"), ("given_name", number < 3 ? "Ada" : "Eve")])
        }
        _ = try await bench.done("AdminDisableUser", Self.named(bench, "user6"))
        func list(_ members: JSONObject) async throws -> JSONObject {
            let body: JSONObject = ["UserPoolId": .string(bench.poolID)]
            return try await bench.done("ListUsers", body.merging(members))
        }
        var seen: [String] = []
        var token: JSONValue?
        repeat {
            var members: JSONObject = ["Limit": 3]
            members["PaginationToken"] = token
            let page = try await list(members)
            seen += page.names("Users", "Username")
            token = page["PaginationToken"]
        } while token != nil
        #expect(seen.sorted() == (0..<7).map { "user\($0)" })
        for (filter, count) in [
            (#"given_name = "Ada""#, 3), (#"email ^= "user1"#, -1), (#"email ^= "USER1""#, 1),
            (#"username = "user2""#, 1), (#"status = "Disabled""#, 1), (#"status = "Enabled""#, 6),
            (#"username ^= "user""#, 7), (#"name = "x""#, 0),
        ] {
            if count < 0 {
                let reply = try await bench.send(
                    "ListUsers", ["UserPoolId": .string(bench.poolID), "Filter": .string(filter)])
                #expect(reply.exception == "InvalidParameterException")
            } else {
                #expect(
                    try await list(["Filter": .string(filter)]).names("Users", "Username").count == count, "\(filter)")
            }
        }
        _ = try await bench.done(
            "AdminSetUserPassword",
            Self.named(bench, "user3", ["Password": .string(CognitoBench.password), "Permanent": true]))
        for (filter, names) in [
            (#"cognito:user_status = "CONFIRMED""#, ["user3"]), (#"cognito:user_status = "Unconfirmed""#, []),
            (#"cognito:user_status ^= "CONF""#, ["user3"]), (#"cognito:user_status = "RESET_REQUIRED""#, []),
        ] {
            #expect(try await list(["Filter": .string(filter)]).names("Users", "Username") == names, "R10.4 \(filter)")
        }
        let forced = try await list(["Filter": #"cognito:user_status = "force_change_password""#])
        #expect(forced["Users"]?.arrayValue?.count == 6)
        #expect(
            forced["Users"]?.arrayValue?.allSatisfy { $0.objectValue?["UserStatus"] == "FORCE_CHANGE_PASSWORD" } == true
        )
        let narrow = try await list(["AttributesToGet": ["email"], "Limit": 1])
        #expect(narrow["Users"]?.arrayValue?.first?.objectValue?["Attributes"]?.arrayValue?.count == 1)
        let subject = try await bench.done("AdminGetUser", Self.named(bench, "user2")).attribute("sub") ?? ""
        #expect(try await list(["Filter": .string("sub = \"\(subject)\"")]).names("Users", "Username") == ["user2"])
    }
}
