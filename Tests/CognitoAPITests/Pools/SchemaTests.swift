// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Schemas") struct SchemaTests {
    @Test(
        "R10.4 a value is of its attribute's type and within its bounds",
        arguments: [
            (
                "Number", "1", "9", ["1", "9", "+4", "1.5"],
                ["0", "10", "-1", "x", "", "1e1", "0x1", "1.", ".5", "--1", "nan"]
            ),
            (
                "Number", "9007199254740993", "18446744073709551616", ["9007199254740993", "18446744073709551615"],
                ["9007199254740992", "36893488147419103232"]
            ),
            ("String", "2", "3", ["ab", "äöü"], ["a", "abcd"]),
            ("Boolean", nil, nil, ["true", "False"], ["yes", "1"]),
            (
                "DateTime", nil, nil,
                ["2026-11-22", "2026-11-22T04:05:06Z", "2026-11-22T04:05:06+01:00", "1780000000"],
                ["tomorrow", "2026-13-01", "22.11.2026"]
            ),
        ] as [(String, String?, String?, [String], [String])])
    func values(type: String, least: String?, most: String?, good: [String], bad: [String]) throws {
        var bounds = JSONObject()
        bounds[type == "Number" ? "MinValue" : "MinLength"] = least.map { .string($0) }
        bounds[type == "Number" ? "MaxValue" : "MaxLength"] = most.map { .string($0) }
        var json: JSONObject = ["Name": "x", "AttributeDataType": .string(type)]
        json[type == "Number" ? "NumberAttributeConstraints" : "StringAttributeConstraints"] = .object(bounds)
        let declared = try PoolAttribute(json)
        // As it is after it was stored.
        let attribute = try #require(PoolAttribute(kept: declared.kept))
        #expect(attribute == declared)
        for value in good { try attribute.check(value) }
        for value in bad {
            let error = #expect(throws: WireError.self, "\(value)") { try attribute.check(value) }
            #expect(error?.exception == "InvalidParameterException")
            #expect(error?.message.hasPrefix("Attributes did not conform to the schema: custom:x: ") == true)
        }
    }

    @Test(
        "R10.4 an attribute with bounds that no value has is refused",
        arguments: [
            ["Name": "x", "StringAttributeConstraints": ["MinLength": "3", "MaxLength": "2"]],
            ["Name": "x", "StringAttributeConstraints": ["MaxLength": "2049"]],
            ["Name": "x", "StringAttributeConstraints": ["MinLength": "-1"]],
            ["Name": "x", "StringAttributeConstraints": ["MinLength": "many"]],
            [
                "Name": "x", "AttributeDataType": "Number",
                "NumberAttributeConstraints": ["MinValue": "2", "MaxValue": "1"],
            ],
            ["Name": "x", "NumberAttributeConstraints": ["MaxValue": "9"]],
            ["Name": "x", "AttributeDataType": "Boolean", "StringAttributeConstraints": ["MaxLength": "9"]],
            ["Name": "x", "AttributeDataType": "Text"], ["Name": "email", "DeveloperOnlyAttribute": true],
            ["Name": "a name that is too long"], ["Name": ""], [:],
        ] as [JSONObject])
    func declarations(json: JSONObject) throws {
        #expect(throws: WireError.self) { try PoolAttribute(json) }
    }

    @Test("R10.4 a name with a colon is the same after it was stored")
    func colons() throws {
        for isDeveloperOnly in [false, true] {
            let declared = try PoolAttribute(["Name": "a:b", "DeveloperOnlyAttribute": .bool(isDeveloperOnly)])
            #expect(PoolAttribute(kept: declared.kept) == declared)
        }
        let custom = try PoolAttribute(["Name": "email"], isCustom: true)
        #expect(custom.name == "custom:email" && PoolAttribute(kept: custom.kept) == custom)
    }

    @Test("R10.4 what the schema says holds at sign-up, and for an administrator's and the user's own changes")
    func everywhere() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "Schema": [
                [
                    "Name": "email", "AttributeDataType": "String", "Mutable": false, "Required": true,
                    "StringAttributeConstraints": ["MaxLength": "20"],
                ],
                ["Name": "nickname", "AttributeDataType": "String", "Required": true],
                ["Name": "team", "StringAttributeConstraints": ["MaxLength": "3"]],
            ]
        ])
        let client = try await bench.clientID(pool: pool)
        func pairs(_ values: [(String, String)]) -> JSONValue {
            .array(values.map { ["Name": .string($0.0), "Value": .string($0.1)] })
        }
        let prefix = "Attributes did not conform to the schema: "
        let right = [("email", "ada@example.com"), ("nickname", "ada")]
        let wrong: [([(String, String)], String)] = [
            ([right[0]], prefix + "nickname: The attribute is required\n"),
            ([right[0], ("nickname", "")], prefix + "nickname: The attribute is required\n"),
            ([right[1]], prefix + "email: The attribute is required\n"),
            (
                [("email", "ada@a-long-name.example"), right[1]],
                prefix + "email: String must be no longer than 20 characters"
            ),
            (right + [("custom:team", "lions")], prefix + "custom:team: String must be no longer than 3 characters"),
            (right + [("team", "abc")], prefix + "team: Attribute does not exist in the schema.\n"),
        ]
        for (attributes, message) in wrong {
            let signUp = try await bench.send(
                "SignUp",
                [
                    "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                    "UserAttributes": pairs(attributes),
                ], signed: false)
            let create = try await bench.send(
                "AdminCreateUser",
                [
                    "UserPoolId": .string(pool), "Username": "ada", "MessageAction": "SUPPRESS",
                    "UserAttributes": pairs(attributes),
                ])
            for reply in [signUp, create] {
                #expect(reply.exception == "InvalidParameterException" && reply.message == message, "\(attributes)")
            }
        }
        _ = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                "UserAttributes": pairs(right + [("custom:team", "abc")]),
            ])
        let subject = try await bench.done("AdminGetUser", ["UserPoolId": .string(pool), "Username": "ada"])
            .attribute("sub")
        let token = try await bench.accessToken(of: subject ?? "", client: client, pool: pool)
        let changes: [([(String, String)], String)] = [
            ([("email", "eve@example.com")], "user.email: Attribute cannot be updated.\n"),
            ([("nickname", "")], prefix + "nickname: The attribute is required\n"),
            ([("custom:team", "lions")], prefix + "custom:team: String must be no longer than 3 characters"),
        ]
        for (attributes, message) in changes {
            let own = try await bench.send(
                "UpdateUserAttributes", ["AccessToken": .string(token), "UserAttributes": pairs(attributes)],
                signed: false)
            let administrators = try await bench.send(
                "AdminUpdateUserAttributes",
                ["UserPoolId": .string(pool), "Username": "ada", "UserAttributes": pairs(attributes)])
            for reply in [own, administrators] {
                #expect(reply.exception == "InvalidParameterException" && reply.message == message, "\(attributes)")
            }
        }
        for (operation, body): (String, JSONObject) in [
            ("DeleteUserAttributes", ["AccessToken": .string(token)]),
            ("AdminDeleteUserAttributes", ["UserPoolId": .string(pool), "Username": "ada"]),
        ] {
            let reply = try await bench.send(operation, body.merging(["UserAttributeNames": ["nickname"]]))
            #expect(reply.message == prefix + "nickname: The attribute is required\n", "\(operation)")
        }
    }
}
