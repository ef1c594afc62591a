// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit
import Testing

@testable import CognitoAPI

@Suite("SignUp, ConfirmSignUp, ResendConfirmationCode") struct AccountSignUpTests {
    private static func body(_ client: String, _ name: String, _ attributes: [(String, String)] = []) -> JSONObject {
        [
            "ClientId": .string(client), "Username": .string(name), "Password": .string(CognitoBench.password),
            "UserAttributes": .array(attributes.map { ["Name": .string($0.0), "Value": .string($0.1)] }),
        ]
    }

    @Test("C-1 a user signs up by a name, is told where the code went, and confirms by it")
    func life() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let answer = try await bench.done(
            "SignUp",
            Self.body(client, "ada", [("email", "ada@example.com"), ("given_name", "Ada"), ("custom:plan", "x")]))
        #expect(answer["UserConfirmed"] == false)
        #expect(
            answer["CodeDeliveryDetails"]
                == ["Destination": "a***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email"])
        let subject = try #require(answer["UserSub"]?.stringValue)
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": "ada"]
        var user = try await bench.done("AdminGetUser", named)
        #expect(user["UserStatus"] == "UNCONFIRMED")
        #expect(user["Username"] == "ada")
        #expect(user["Enabled"] == true)
        #expect(user.attribute("sub") == subject)
        #expect(user.attribute("email_verified") == "false")
        #expect(user.attribute("given_name") == "Ada")
        #expect(user.attribute("custom:plan") == "x")

        let wrong = try await bench.send(
            "ConfirmSignUp", ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": "000000"])
        #expect(wrong.exception == "CodeMismatchException")
        #expect(wrong.message == "Invalid verification code provided, please try again.")
        let code = try await bench.code(to: "ada@example.com")
        _ = try await bench.done(
            "ConfirmSignUp", ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": .string(code)])
        user = try await bench.done("AdminGetUser", named)
        #expect(user["UserStatus"] == "CONFIRMED")
        #expect(user.attribute("email_verified") == "true")
        // The subject names them too.
        let same = try await bench.done(
            "AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": .string(subject)])
        #expect(same["Username"] == "ada")
    }

    @Test("An address is a name where the pool names users by it, and the service then calls them by their subject")
    func addresses() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(["UsernameAttributes": ["email"]])
        let client = try await bench.clientID(pool: pool)
        let answer = try await bench.done("SignUp", Self.body(client, "Ada@Example.com"))
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada@example.com"])
        #expect(user["Username"] == answer["UserSub"])
        // Shown as it was written, and compared without case.
        #expect(user.attribute("email") == "Ada@Example.com")
        let plain = try await bench.send("SignUp", Self.body(client, "ada"))
        #expect(plain.exception == "InvalidParameterException")
        #expect(plain.message == "Username should be an email.")
    }

    @Test("In a pool without address aliases a name that looks like an address is a name")
    func plainNames() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let client = try await bench.clientID(pool: pool)
        _ = try await bench.done(
            "SignUp", Self.body(client, "ada@home.example", [("email", "ada@example.com")]))
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada@home.example"])
        #expect(user["Username"] == "ada@home.example")
        #expect(user.attribute("email") == "ada@example.com")
        let aliased = try await bench.makePool(["AliasAttributes": ["email"]])
        let other = try await bench.clientID(pool: aliased)
        let refused = try await bench.send("SignUp", Self.body(other, "ada@home.example"))
        #expect(refused.message == "Username cannot be of email format, since user pool is configured for email alias.")
    }

    @Test("A taken name is said; a taken address only to clients that ask to be told")
    func taken() async throws {
        let bench = try await CognitoBench()
        let concealing = try await bench.clientID()
        let telling = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"])
        try await bench.signedUp("ada", email: "ada@example.com", client: concealing)
        for client in [concealing, telling] {
            let reply = try await bench.send("SignUp", Self.body(client, "ADA", [("email", "eve@example.com")]))
            #expect(reply.exception == "UsernameExistsException")
            #expect(reply.message == "User already exists")
        }
        let fresh = try await bench.done("SignUp", Self.body(concealing, "new@example.com"))
        let hidden = try await bench.done("SignUp", Self.body(concealing, "ada@example.com"))
        #expect(hidden["UserConfirmed"] == false)
        #expect(hidden.names == fresh.names)
        #expect(hidden["CodeDeliveryDetails"]?.objectValue?["Destination"] == "a***@e***")
        let told = try await bench.send("SignUp", Self.body(telling, "ada@example.com"))
        #expect(told.exception == "UsernameExistsException")
    }

    @Test("R10.4 an address is shown as it was written, in records and in tokens, and compared without case")
    func spelling() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        _ = try await bench.done("SignUp", Self.body(client, "ada", [("email", "Ada.L@Example.COM")]))
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": "ada"]
        func email() async throws -> String? { try await bench.done("AdminGetUser", named).attribute("email") }
        #expect(try await email() == "Ada.L@Example.COM")
        let listed = try await bench.done(
            "ListUsers", ["UserPoolId": .string(bench.poolID), "Filter": "email = \"ada.l@example.com\""])
        #expect(listed["Users"]?.arrayValue?.count == 1)
        func write(_ text: String) async throws {
            _ = try await bench.done(
                "AdminUpdateUserAttributes",
                named.merging(["UserAttributes": [["Name": "email", "Value": .string(text)]]]))
        }
        try await write("ADA.L@example.com")
        #expect(try await email() == "ADA.L@example.com")
        try await write("ada.l@example.com")
        #expect(try await email() == "ada.l@example.com")
        try await write("Other@example.com")
        #expect(try await email() == "Other@example.com")
        // Another dialect's change is shown as that has it.
        let id = try #require(try await bench.done("AdminGetUser", named).attribute("sub"))
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("Third@example.com")
        _ = try await UserAdministration(bench.ports).update(
            UserID(id), attributes,
            call: CallContext(
                directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en,
                links: SiteLinks(ServerURL("https://auth.example")), actor: .commandLine))
        #expect(try await email() == "third@example.com")
    }

    @Test("R10.4 two user names with one address are two users, each confirmed by a code of their own")
    func sharedAddress() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let client = try await bench.clientID(pool: pool)
        var subjects: Set<String> = []
        for name in ["ada", "eve"] {
            let answer = try await bench.signedUp(name, email: "shared@example.com", client: client, pool: pool)
            subjects.insert(try #require(answer["UserSub"]?.stringValue))
            let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": .string(name)])
            #expect(user["UserStatus"] == "CONFIRMED" && user.attribute("email_verified") == "true", "\(name)")
            #expect(user.attribute("sub") == answer["UserSub"]?.stringValue)
            bench.advance(by: .seconds(1))
        }
        #expect(subjects.count == 2)
        let listed = try await bench.done(
            "ListUsers", ["UserPoolId": .string(pool), "Filter": "email = \"shared@example.com\""])
        #expect(listed["Users"]?.arrayValue?.count == 2)
    }

    @Test("R10.4 where an address is an alias, a second user may name it and not prove it")
    func sharedAlias() async throws {
        let bench = try await CognitoBench()
        for pool in [bench.poolID, try await bench.makePool(["AliasAttributes": ["email"]])] {
            let client = try await bench.clientID(pool: pool)
            try await bench.signedUp("ada", email: "shared@example.com", client: client, pool: pool)
            bench.advance(by: .seconds(1))
            let answer = try await bench.done("SignUp", Self.body(client, "eve", [("email", "shared@example.com")]))
            let named: JSONObject = ["UserPoolId": .string(pool), "Username": "eve"]
            #expect(try await bench.done("AdminGetUser", named).attribute("sub") == answer["UserSub"]?.stringValue)
            let code = try await bench.code(to: "shared@example.com", in: pool, kind: "confirmation")
            let reply = try await bench.send(
                "ConfirmSignUp",
                ["ClientId": .string(client), "Username": "eve", "ConfirmationCode": .string(code)])
            #expect(reply.exception == "AliasExistsException")
            #expect(try await bench.done("AdminGetUser", named)["UserStatus"] == "UNCONFIRMED")
        }
    }

    @Test("R10.4 who is named by a number may share an address with others, and is confirmed by text message")
    func besideNumber() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "UsernameAttributes": ["phone_number"], "AutoVerifiedAttributes": ["phone_number"],
        ])
        let client = try await bench.clientID(pool: pool)
        var subjects: Set<String> = []
        for number in ["+4930111111", "+4930222222"] {
            let answer = try await bench.done("SignUp", Self.body(client, number, [("email", "shared@example.com")]))
            #expect(answer["CodeDeliveryDetails"]?.objectValue?["DeliveryMedium"] == "SMS")
            subjects.insert(answer["UserSub"]?.stringValue ?? "")
            _ = try await bench.done(
                "ConfirmSignUp",
                [
                    "ClientId": .string(client), "Username": .string(number),
                    "ConfirmationCode": .string(try await bench.code(to: number, in: pool)),
                ])
            let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": .string(number)])
            #expect(user["UserStatus"] == "CONFIRMED")
            #expect(user.attribute("email") == "shared@example.com" && user.attribute("email_verified") == "false")
            #expect(user.attribute("phone_number_verified") == "true")
        }
        #expect(subjects.count == 2)
    }

    @Test("R10.4 a name and a password are enough to sign up; an administrator then confirms the user")
    func nameAlone() async throws {
        let bench = try await CognitoBench()
        for pool in [bench.poolID, try await bench.makePool()] {
            let client = try await bench.clientID(
                ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]], pool: pool)
            var body = Self.body(client, "ada")
            body["UserAttributes"] = nil
            let answer = try await bench.done("SignUp", body)
            #expect(answer["UserConfirmed"] == false && answer["CodeDeliveryDetails"] == nil)
            let named: JSONObject = ["UserPoolId": .string(pool), "Username": "ada"]
            #expect(try await bench.done("AdminGetUser", named)["UserStatus"] == "UNCONFIRMED")
            let signIn: JSONObject = [
                "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
            ]
            #expect(try await bench.send("InitiateAuth", signIn).exception == "UserNotConfirmedException")
            _ = try await bench.done("AdminConfirmSignUp", named)
            #expect(try await bench.done("AdminGetUser", named)["UserStatus"] == "CONFIRMED")
            #expect(try await bench.done("InitiateAuth", signIn)["AuthenticationResult"] != nil)
        }
    }

    @Test("A password is held to the policy, and the answer says which rule it breaks")
    func weak() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        var body = Self.body(client, "ada", [("email", "ada@example.com")])
        for (password, rule) in [
            ("Ab1", "Password not long enough"), ("correct-horse-7", "Password must have uppercase characters"),
        ] {
            body["Password"] = .string(password)
            let reply = try await bench.send("SignUp", body)
            #expect(reply.exception == "InvalidPasswordException")
            #expect(reply.message == "Password did not conform with policy: \(rule)")
        }
    }

    @Test("V8.2.3 whoever signs up cannot vouch for themselves, nor write what the pool does not have")
    func attributes() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let verified = try await bench.send(
            "SignUp", Self.body(client, "ada", [("email", "ada@example.com"), ("email_verified", "true")]))
        #expect(verified.exception == "NotAuthorizedException")
        #expect(verified.message == "A client attempted to write unauthorized attribute")
        for name in ["sub", "role", "cognito:groups"] {
            let reply = try await bench.send(
                "SignUp", Self.body(client, "ada", [("email", "ada@example.com"), (name, "x")]))
            #expect(reply.exception == "InvalidParameterException", "\(name)")
        }
        let pool = try await bench.makePool()
        let other = try await bench.clientID(pool: pool)
        let undeclared = try await bench.send(
            "SignUp", Self.body(other, "ada", [("email", "ada@example.com"), ("custom:plan", "x")]))
        #expect(undeclared.message?.contains("custom:plan: Attribute does not exist in the schema.") == true)
        let narrow = try await bench.clientID(["WriteAttributes": ["email", "name"]])
        let unwritable = try await bench.send(
            "SignUp", Self.body(narrow, "ada", [("email", "ada@example.com"), ("given_name", "x")]))
        #expect(unwritable.exception == "NotAuthorizedException")
    }

    @Test("G-4.4 a code is sent again for whoever there is, and the answer is the same for nobody")
    func resend() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        _ = try await bench.done("SignUp", Self.body(client, "ada", [("email", "ada@example.com")]))
        let first = try await bench.code(to: "ada@example.com")
        bench.advance(by: .seconds(120))
        let known = try await bench.done(
            "ResendConfirmationCode", ["ClientId": .string(client), "Username": "ada"])
        #expect(known["CodeDeliveryDetails"]?.objectValue?["Destination"] == "***@***")
        #expect(try await bench.code(to: "ada@example.com") != first)
        let nobody = try await bench.done(
            "ResendConfirmationCode", ["ClientId": .string(client), "Username": "nobody"])
        #expect(nobody["CodeDeliveryDetails"] == known["CodeDeliveryDetails"])

        let telling = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"])
        let told = try await bench.send(
            "ResendConfirmationCode", ["ClientId": .string(telling), "Username": "nobody"])
        #expect(told.exception == "UserNotFoundException")
        #expect(told.message == "Username/client id combination not found.")
    }

    @Test("LEGACY clients are told that there is nothing to confirm")
    func confirmed() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"])
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        let again = try await bench.send(
            "ConfirmSignUp", ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": "123456"])
        #expect(again.exception == "NotAuthorizedException")
        #expect(again.message == "User cannot be confirmed. Current status is CONFIRMED")
        let resent = try await bench.send("ResendConfirmationCode", ["ClientId": .string(client), "Username": "ada"])
        #expect(resent.message == "User is already confirmed.")
    }

    @Test("Sign-up is closed where only administrators make users")
    func closed() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(["AdminCreateUserConfig": ["AllowAdminCreateUserOnly": true]])
        let client = try await bench.clientID(pool: pool)
        let reply = try await bench.send("SignUp", Self.body(client, "ada", [("email", "ada@example.com")]))
        #expect(reply.exception == "NotAuthorizedException")
        #expect(reply.message == "SignUp is not permitted for this user pool")
    }
}
