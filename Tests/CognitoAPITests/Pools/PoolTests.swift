// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("User pools") struct PoolTests {
    @Test("A pool is made with the service's defaults, described, listed and deleted")
    func life() async throws {
        let bench = try await CognitoBench()
        let made = try #require(
            try await bench.done("CreateUserPool", ["PoolName": "My app, 2"])["UserPool"]?.objectValue)
        let id = try #require(made["Id"]?.stringValue)
        #expect(made["Name"] == "My app, 2")
        #expect(made["Arn"]?.stringValue?.hasSuffix(":userpool/" + id) == true)
        #expect(made["MfaConfiguration"] == "OFF")
        #expect(made["EstimatedNumberOfUsers"] == 0)
        #expect(
            made["Policies"]?.objectValue?["PasswordPolicy"]
                == [
                    "MinimumLength": 8, "RequireUppercase": true, "RequireLowercase": true, "RequireNumbers": true,
                    "RequireSymbols": true, "TemporaryPasswordValidityDays": 7,
                ])
        #expect(made["AutoVerifiedAttributes"] == nil)
        let schema = made["SchemaAttributes"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(schema.count == 20)
        let birthdate = schema.first { $0["Name"] == "birthdate" }
        #expect(birthdate?["StringAttributeConstraints"] == ["MinLength": "10", "MaxLength": "10"])
        let subject = schema.first { $0["Name"] == "sub" }
        #expect(subject?["Required"] == true && subject?["Mutable"] == false)
        #expect(subject?["StringAttributeConstraints"] == ["MinLength": "1", "MaxLength": "2048"])
        let updated = schema.first { $0["Name"] == "updated_at" }
        #expect(updated?["NumberAttributeConstraints"] == ["MinValue": "0"])

        let described = try await bench.done("DescribeUserPool", ["UserPoolId": .string(id)])
        #expect(described["UserPool"]?.objectValue == made)
        let list = try await bench.done("ListUserPools", ["MaxResults": 60])
        #expect(list.names("UserPools", "Id") == [id])
        #expect(try await bench.done("DeleteUserPool", ["UserPoolId": .string(id)]).isEmpty)
        let gone = try await bench.send("DescribeUserPool", ["UserPoolId": .string(id)])
        #expect(gone.message == "User pool \(id) does not exist.")
    }

    @Test(
        "R10.4 a Directory that was not made as a pool is none of the pools listed, and is described by its identifier")
    func standing() async throws {
        let bench = try await CognitoBench()
        #expect(try await bench.done("ListUserPools", ["MaxResults": 60])["UserPools"] == [])
        let named: JSONObject = ["UserPoolId": .string(bench.poolID)]
        #expect(try await bench.send("DescribeUserPool", named).status == 200)
        // Neither does changing it make it one, nor change how its users are named.
        _ = try await bench.done("UpdateUserPool", named)
        _ = try await bench.done("AddCustomAttributes", named.merging(["CustomAttributes": [["Name": "x"]]]))
        #expect(try await bench.done("ListUserPools", ["MaxResults": 60])["UserPools"] == [])
        #expect(!PoolSettings(try await bench.directory(ofPool: bench.poolID).settings).isDeclared)
    }

    @Test("Pools may share a title, and are listed in pages")
    func pages() async throws {
        let bench = try await CognitoBench()
        var ids: Set<String> = []
        for _ in 0..<5 { ids.insert(try await bench.makePool()) }
        #expect(ids.count == 5)
        var seen: [String] = []
        var token: JSONValue?
        repeat {
            var body: JSONObject = ["MaxResults": 2]
            body["NextToken"] = token
            let page = try await bench.done("ListUserPools", body)
            seen += page.names("UserPools", "Id")
            token = page["NextToken"]
        } while token != nil
        #expect(Set(seen) == ids && seen.count == 5)
        #expect(try await bench.send("ListUserPools", [:]).exception == "InvalidParameterException")
        #expect(try await bench.send("ListUserPools", ["MaxResults": 0]).exception == "InvalidParameterException")
    }

    @Test("The standing Directory and a protected pool are not deleted")
    func protected() async throws {
        let bench = try await CognitoBench()
        let standing = try await bench.send("DeleteUserPool", ["UserPoolId": .string(bench.poolID)])
        #expect(standing.exception == "InvalidParameterException")
        let pool = try await bench.makePool(["DeletionProtection": "ACTIVE"])
        let refused = try await bench.send("DeleteUserPool", ["UserPoolId": .string(pool)])
        #expect(refused.exception == "InvalidParameterException")
        #expect(try await bench.send("DescribeUserPool", ["UserPoolId": .string(pool)]).status == 200)
    }

    @Test("A pool's schema holds its users to it")
    func schema() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "Schema": [
                ["Name": "email", "Required": true, "AttributeDataType": "String"],
                [
                    "Name": "level", "AttributeDataType": "Number",
                    "NumberAttributeConstraints": ["MinValue": "1", "MaxValue": "9"],
                ],
                [
                    "Name": "team", "AttributeDataType": "String", "Mutable": false,
                    "StringAttributeConstraints": ["MaxLength": "4"],
                ],
                ["Name": "note", "AttributeDataType": "String", "DeveloperOnlyAttribute": true],
            ]
        ])
        let described = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])
        let names = described["UserPool"]?.objectValue?.names("SchemaAttributes", "Name") ?? []
        #expect(names.suffix(3) == ["custom:level", "custom:team", "dev:custom:note"])
        func create(_ name: String, _ pairs: [(String, String)]) async throws -> String? {
            let list: [JSONValue] = pairs.map { ["Name": .string($0.0), "Value": .string($0.1)] }
            let reply = try await bench.send(
                "AdminCreateUser",
                [
                    "UserPoolId": .string(pool), "Username": .string(name), "MessageAction": "SUPPRESS",
                    "UserAttributes": .array(list),
                ])
            return reply.message
        }
        let required = "Attributes did not conform to the schema: email: The attribute is required\n"
        #expect(try await create("ada", []) == required)
        let mail = ("email", "ada@example.com")
        for (name, value) in [
            ("custom:level", "10"), ("custom:level", "x"), ("custom:team", "lions"), ("custom:x", "1"),
        ] {
            #expect(try await create("ada", [mail, (name, value)])?.contains(name) == true, "\(name)")
        }
        #expect(
            try await create("ada", [mail, ("custom:level", "9"), ("custom:team", "cats"), ("dev:custom:note", "x")])
                == nil)
        let frozen = try await bench.send(
            "AdminUpdateUserAttributes",
            [
                "UserPoolId": .string(pool), "Username": "ada",
                "UserAttributes": [["Name": "custom:team", "Value": "dogs"]],
            ])
        #expect(frozen.message == "user.custom:team: Attribute cannot be updated.\n")
        let client = try await bench.clientID(pool: pool)
        let developer = try await bench.send(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "eve", "Password": .string(CognitoBench.password),
                "UserAttributes": [
                    ["Name": "email", "Value": "eve@example.com"], ["Name": "dev:custom:note", "Value": "x"],
                ],
            ])
        #expect(developer.exception == "NotAuthorizedException")
    }

    @Test(
        "R14.70 A function that is to send all messages is refused by its name, made or changed: nobody would run it",
        arguments: ["CustomEmailSender", "CustomSMSSender"])
    func senders(_ name: String) async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        let functions: JSONObject = [
            name: ["LambdaVersion": "V1_0", "LambdaArn": "arn:aws:lambda:eu-west-1:1:function:send"],
            "KMSKeyID": "arn:aws:kms:eu-west-1:1:key/one",
        ]
        let made = try await bench.send("CreateUserPool", ["PoolName": "x", "LambdaConfig": .object(functions)])
        let changed = try await bench.send(
            "UpdateUserPool", ["UserPoolId": .string(pool), "LambdaConfig": .object(functions)])
        for reply in [made, changed] {
            #expect(reply.exception == "InvalidParameterException")
            #expect(reply.message?.contains("\(name) is not supported") == true)
        }
    }

    @Test("What a pool would rely on and is not done here is refused when it is made")
    func refused() async throws {
        let bench = try await CognitoBench()
        let requests: [JSONObject] = [
            ["MfaConfiguration": "MAYBE"],
            ["LambdaConfig": ["PreSignUp": "arn:aws:lambda:x"]], ["LambdaConfig": ["KMSKeyID": "x"]],
            ["KeyConfiguration": ["KeyType": "CUSTOMER_MANAGED_KEY"]], ["IssuerConfiguration": ["Type": "UPDATED"]],
            ["Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["EMAIL_OTP"]]]],
            ["AccountRecoverySetting": ["RecoveryMechanisms": [["Name": "verified_phone_number", "Priority": 1]]]],
            ["AccountRecoverySetting": ["RecoveryMechanisms": [["Name": "verified_email"]]]],
            ["AccountRecoverySetting": ["RecoveryMechanisms": []]], ["UserPoolAddOns": [:]],
            ["EmailVerificationMessage": "no place"], ["UserPoolTags": ["": "x"]], ["UserPoolTier": "FREE"],
            ["VerificationMessageTemplate": ["EmailMessageByLink": "no place"]],
            ["AliasAttributes": ["email"], "UsernameAttributes": ["email"]],
            ["AliasAttributes": ["email", "preferred_username"]],
            ["Policies": ["PasswordPolicy": ["MinimumLength": 5]]], ["AutoVerifiedAttributes": ["name"]],
            ["Schema": [["Name": "x", "Required": true, "AttributeDataType": "String"]]],
            ["Schema": [["Name": "email", "AttributeDataType": "Number"]]], ["PoolName": ""], ["PoolName": "a<b"],
        ]
        for request in requests {
            let body: JSONObject = ["PoolName": "x"]
            let reply = try await bench.send("CreateUserPool", body.merging(request))
            #expect(reply.exception == "InvalidParameterException", "\(request.names)")
        }
        for request: JSONObject in [["SmsConfiguration": "x"], ["UserPoolTags": ["a": 1]], ["LambdaConfig": []]] {
            let reply = try await bench.send("CreateUserPool", (["PoolName": "x"] as JSONObject).merging(request))
            #expect(reply.exception == "SerializationException", "\(request.names)")
        }
        let paid: [JSONObject] = [
            ["UserPoolAddOns": ["AdvancedSecurityMode": "ENFORCED"]], ["DcrConfiguration": ["EnableStatus": "Enabled"]],
            ["AcrConfiguration": ["Level1": ["AcrValue": "urn:x"]]],
        ]
        for request in paid {
            let reply = try await bench.send("CreateUserPool", (["PoolName": "x"] as JSONObject).merging(request))
            #expect(reply.exception == "FeatureUnavailableInTierException", "\(request.names)")
        }
        #expect(try await bench.done("ListUserPools", ["MaxResults": 60])["UserPools"] == [])
    }

    @Test("What a pool is given is held to, and shown again")
    func policies() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "Policies": [
                "PasswordPolicy": [
                    "MinimumLength": 20, "RequireUppercase": false, "RequireSymbols": false,
                    "TemporaryPasswordValidityDays": 3,
                ]
            ],
            "EmailVerificationSubject": "Hello",
        ])
        let shown = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])["UserPool"]?.objectValue
        let policy = shown?["Policies"]?.objectValue?["PasswordPolicy"]?.objectValue
        #expect(policy?["MinimumLength"] == 20 && policy?["RequireUppercase"] == false)
        #expect(policy?["RequireLowercase"] == true && policy?["TemporaryPasswordValidityDays"] == 3)
        #expect(shown?["EmailVerificationSubject"] == "Hello")
        let directory = try await bench.directory(ofPool: pool)
        #expect(directory.settings.password.minimumLength == 20)
        #expect(directory.settings.password.temporaryLifetimeDays == 3)
        #expect(directory.settings.title == "Beispiel")
    }
}
