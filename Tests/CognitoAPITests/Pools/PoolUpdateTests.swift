// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Changing user pools") struct PoolUpdateTests {
    private static let function: JSONValue = "arn:aws:lambda:us-east-1:000000000000:function:one"

    private static func shown(_ bench: CognitoBench, _ pool: String) async throws -> JSONObject {
        try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])["UserPool"]?.objectValue ?? [:]
    }

    @Test("R10.4 a protected pool is deleted once UpdateUserPool says INACTIVE, and not by an update that says nothing")
    func protection() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let named: JSONObject = ["UserPoolId": .string(pool)]
        for change: JSONObject in [["DeletionProtection": "ACTIVE"], [:]] {
            #expect(try await bench.done("UpdateUserPool", named.merging(change)).isEmpty)
            #expect(try await Self.shown(bench, pool)["DeletionProtection"] == "ACTIVE")
            let refused = try await bench.send("DeleteUserPool", named)
            #expect(refused.exception == "InvalidParameterException")
            #expect(
                refused.message == "The user pool cannot be deleted because deletion protection is activated. "
                    + "Deletion protection must be inactivated first.")
        }
        _ = try await bench.done("UpdateUserPool", named.merging(["DeletionProtection": "INACTIVE"]))
        #expect(try await bench.done("DeleteUserPool", named).isEmpty)
        #expect(try await bench.send("UpdateUserPool", named).exception == "ResourceNotFoundException")
    }

    @Test("R10.4 a pool that another server has just protected is not deleted by what this one remembers of it")
    func staleProtection() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        _ = try await Self.shown(bench, pool)
        let directory = try await bench.directory(ofPool: pool)
        try await DirectoryAdministration(bench.ports).update(directory.id, at: bench.now) { settings in
            var pool = PoolSettings(settings)
            pool.isProtected = true
            pool.keep(in: &settings)
        }
        let refused = try await bench.send("DeleteUserPool", ["UserPoolId": .string(pool)])
        #expect(refused.exception == "InvalidParameterException")
    }

    @Test(
        "R10.4 an update that does not say it takes the default again, but for policies, tier and how users are named")
    func defaults() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "UsernameAttributes": ["email"], "AutoVerifiedAttributes": ["email"], "UserPoolTier": "LITE",
            "Policies": ["PasswordPolicy": ["MinimumLength": 15]], "UserPoolTags": ["team": "one"],
            "LambdaConfig": ["PostConfirmation": Self.function], "Schema": [["Name": "team"]],
            "AdminCreateUserConfig": ["AllowAdminCreateUserOnly": true], "SmsAuthenticationMessage": "It is {####}",
            "SmsConfiguration": ["SnsCallerArn": "arn:aws:iam::000000000000:role/sms", "ExternalId": "x"],
        ])
        let named: JSONObject = ["UserPoolId": .string(pool)]
        let before = try await Self.shown(bench, pool)
        #expect(before["LambdaConfig"] == ["PostConfirmation": Self.function])
        #expect(before["SmsConfiguration"]?.objectValue?["ExternalId"] == "x")
        #expect(before["AdminCreateUserConfig"]?.objectValue?["AllowAdminCreateUserOnly"] == true)
        let client = try await bench.clientID(pool: pool)
        let stranger: JSONObject = [
            "ClientId": .string(client), "Username": "ada@example.com", "Password": .string(CognitoBench.password),
        ]
        let refused = try await bench.send("SignUp", stranger, signed: false)
        #expect(refused.exception == "NotAuthorizedException")
        #expect(refused.message == "SignUp is not permitted for this user pool")

        _ = try await bench.done("UpdateUserPool", named.merging(["PoolName": "Renamed"]))
        let after = try await Self.shown(bench, pool)
        #expect(after["Name"] == "Renamed" && after["UserPoolTier"] == "LITE")
        #expect(after["Policies"] == before["Policies"] && after["SchemaAttributes"] == before["SchemaAttributes"])
        #expect(after["UsernameAttributes"] == ["email"])
        #expect(after["AutoVerifiedAttributes"] == nil && after["LambdaConfig"] == [:] && after["UserPoolTags"] == [:])
        #expect(after["SmsConfiguration"] == nil && after["SmsAuthenticationMessage"] == nil)
        #expect(after["AdminCreateUserConfig"]?.objectValue?["AllowAdminCreateUserOnly"] == false)
        #expect(try await bench.send("SignUp", stranger, signed: false).status == 200)
    }

    @Test("R10.4 of a Directory that another dialect or its operator made, an update leaves what it does not say")
    func foreign() async throws {
        let bench = try await CognitoBench(directory: {
            $0.signUp.enabled = false
            $0.password.minimumLength = 14
            $0.password.temporaryLifetimeDays = 3
            $0.devices.tracked = true
            $0.devices.rememberUnasked = false
            $0.devices.spareFactor = true
            $0.passkeys.enabled = true
            $0.factors.totp = .verify
            $0.factors.demand = .all
            $0.mail.subjects["recovery"] = "Ours"
        })
        func stored() async throws -> DirectorySettings {
            var settings = try await bench.directory(ofPool: bench.poolID).settings
            // What is a pool's alone is kept there.
            settings.attributes = [:]
            settings.password.requiredCharacters.sort()
            return settings
        }
        let before = try await stored()
        let named: JSONObject = ["UserPoolId": .string(bench.poolID)]
        _ = try await bench.done(
            "UpdateUserPool",
            named.merging(["UserPoolTags": ["team": "one"], "AdminCreateUserConfig": ["UnusedAccountValidityDays": 3]]))
        #expect(try await stored() == before)
        // Nor does what `DescribeUserPool` has shown, given back as it was.
        let shown = try await Self.shown(bench, bench.poolID)
        var again = named
        for name in ["Policies", "MfaConfiguration", "AdminCreateUserConfig", "DeviceConfiguration"] {
            again[name] = shown[name]
        }
        again["AdminCreateUserConfig"] = ["AllowAdminCreateUserOnly": true]
        _ = try await bench.done("UpdateUserPool", again)
        _ = try await bench.done(
            "SetUserPoolMfaConfig", named.merging(try await bench.done("GetUserPoolMfaConfig", named)))
        #expect(try await stored() == before)
        // What is said counts.
        _ = try await bench.done(
            "UpdateUserPool",
            named.merging([
                "AdminCreateUserConfig": ["AllowAdminCreateUserOnly": false],
                "DeviceConfiguration": ["ChallengeRequiredOnNewDevice": false],
            ]))
        let after = try await stored()
        #expect(after.signUp.enabled && after.devices.tracked && !after.devices.spareFactor)
    }

    @Test("R10.4 a refused update changes nothing, and names what it is refused for")
    func refused() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(["UserPoolTags": ["team": "one"]])
        let before = try await Self.shown(bench, pool)
        for (name, value): (String, JSONValue) in [
            ("MfaConfiguration", "MAYBE"), ("DeletionProtection", "MAYBE"), ("UserPoolAddOns", "x"),
            ("AutoVerifiedAttributes", ["name"]), ("PoolName", "a<b"),
            ("Policies", ["PasswordPolicy": ["MinimumLength": 5]]),
        ] {
            var body: JSONObject = ["UserPoolId": .string(pool), "UserPoolTags": ["team": "two"]]
            body[name] = value
            #expect(try await bench.send("UpdateUserPool", body).status == 400, "\(name)")
        }
        #expect(try await Self.shown(bench, pool) == before)
    }

    @Test("R10.4 of attributes that are added at once none is lost, and the same one is added once")
    func racing() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        func add(_ name: String) async throws -> CognitoBench.Reply {
            try await bench.send(
                "AddCustomAttributes",
                [
                    "UserPoolId": .string(pool),
                    "CustomAttributes": [["Name": .string(name), "AttributeDataType": "String"]],
                ])
        }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { try await add("n\(number / 2)").status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 4 && statuses.filter { $0 == 400 }.count == 4)
        let names = try await Self.shown(bench, pool).names("SchemaAttributes", "Name").filter {
            $0.hasPrefix("custom:")
        }
        #expect(names.sorted() == ["custom:n0", "custom:n1", "custom:n2", "custom:n3"])
        #expect(try await add("n0").message == "custom:n0: Existing attribute already has name custom:n0.")
        // A standard attribute's name is the pool's own here.
        #expect(try await add("email").status == 200)
        #expect(try await Self.shown(bench, pool).names("SchemaAttributes", "Name").contains("custom:email"))
        for list: JSONValue in [[], nil, [["AttributeDataType": "String"]], [["Name": "x", "Required": true]]] {
            let reply = try await bench.send(
                "AddCustomAttributes",
                (["UserPoolId": .string(pool)] as JSONObject).merging(["CustomAttributes": list]))
            #expect(reply.exception == "InvalidParameterException", "\(list)")
        }
    }

    @Test(
        "R10.4 a trigger that may refuse is never passed over: what would ask it is refused, as where it can't be invoked"
    )
    func triggers() async throws {
        let bench = try await CognitoBench()
        for (trigger, operation): (String, String) in [
            ("PreSignUp", "SignUp"), ("PreAuthentication", "InitiateAuth"), ("PreTokenGeneration", "InitiateAuth"),
            ("PostConfirmation", ""), ("CustomMessage", ""),
        ] {
            var triggers = JSONObject()
            triggers[trigger] = Self.function
            let pool = try await bench.makePool(["LambdaConfig": .object(triggers)])
            #expect(try await Self.shown(bench, pool)["LambdaConfig"] == .object(triggers))
            let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]], pool: pool)
            let signUp = try await bench.send(
                "SignUp",
                [
                    "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                    "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
                ], signed: false)
            let signIn = try await bench.send(
                "InitiateAuth",
                [
                    "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
                    "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
                ], signed: false)
            for (name, reply) in [("SignUp", signUp), ("InitiateAuth", signIn)] {
                #expect((reply.exception == "UnexpectedLambdaException") == (name == operation), "\(trigger) \(name)")
                if name == operation {
                    #expect(reply.message?.hasPrefix("\(trigger) invocation failed due to error ") == true)
                }
            }
        }
    }

    @Test("R10.4 where an administrator alone recovers, no code is sent and none taken")
    func recovery() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "AccountRecoverySetting": ["RecoveryMechanisms": [["Name": "admin_only", "Priority": 1]]]
        ])
        let client = try await bench.clientID(pool: pool)
        try await bench.signedUp("ada", email: "ada@example.com", client: client, pool: pool)
        let request: JSONObject = ["ClientId": .string(client), "Username": "ada"]
        let refused = try await bench.send("ForgotPassword", request, signed: false)
        #expect(refused.exception == "NotAuthorizedException")
        #expect(refused.message == "Contact administrator to reset password.")
        #expect(try await bench.message(to: "ada@example.com", in: pool, kind: "recovery") == nil)
        let confirmed = try await bench.send(
            "ConfirmForgotPassword",
            request.merging(["ConfirmationCode": "123456", "Password": .string(CognitoBench.password + "2")]),
            signed: false)
        #expect(confirmed.message == "Contact administrator to reset password.")
    }
}
