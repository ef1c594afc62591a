// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Resource servers") struct ResourceServerTests {
    private static let scopes: JSONValue = [
        ["ScopeName": "read", "ScopeDescription": "Reads"], ["ScopeName": "write", "ScopeDescription": "Writes"],
    ]

    @Test("R11.6 a resource server is made, described, changed, listed in pages and deleted")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool = JSONValue.string(bench.poolID)
        let named: JSONObject = ["UserPoolId": pool, "Identifier": "https://api.example"]
        let whole = named.merging(["Name": "The API", "Scopes": Self.scopes])
        let made = try await bench.done("CreateResourceServer", whole)["ResourceServer"]?.objectValue
        #expect(made == whole)
        #expect(try await bench.done("DescribeResourceServer", named)["ResourceServer"]?.objectValue == made)
        for letter in ["a", "b", "c", "d"] {
            _ = try await bench.done(
                "CreateResourceServer", ["UserPoolId": pool, "Identifier": .string(letter), "Name": "x"])
        }
        var seen: [String] = []
        var token: JSONValue?
        repeat {
            var body: JSONObject = ["UserPoolId": pool, "MaxResults": 2]
            body["NextToken"] = token
            let page = try await bench.done("ListResourceServers", body)
            seen += page.names("ResourceServers", "Identifier")
            token = page["NextToken"]
        } while token != nil
        #expect(seen == ["a", "b", "c", "d", "https://api.example"])
        // What is not given is the default again.
        let changed = try await bench.done("UpdateResourceServer", named.merging(["Name": "Other"]))
        #expect(changed["ResourceServer"]?.objectValue == named.merging(["Name": "Other", "Scopes": []]))
        #expect(try await bench.done("DeleteResourceServer", named).isEmpty)
        let gone = try await bench.send("DescribeResourceServer", named)
        #expect(
            gone.refusal == "ResourceNotFoundException: Resource server https://api.example does not exist.")
    }

    @Test("R11.6 one pool's resource servers are none of another's")
    func walls() async throws {
        let bench = try await CognitoBench()
        let other = try await bench.makePool()
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Identifier": "api"]
        _ = try await bench.done("CreateResourceServer", named.merging(["Name": "x", "Scopes": Self.scopes]))
        let elsewhere: JSONObject = ["UserPoolId": .string(other), "Identifier": "api", "Name": "y"]
        for operation in ["DescribeResourceServer", "UpdateResourceServer", "DeleteResourceServer"] {
            #expect(try await bench.send(operation, elsewhere).exception == "ResourceNotFoundException", "\(operation)")
        }
        #expect(try await bench.done("ListResourceServers", ["UserPoolId": .string(other)])["ResourceServers"] == [])
        _ = try await bench.done("CreateResourceServer", elsewhere)
        #expect(
            try await bench.done("DescribeResourceServer", named)["ResourceServer"]?.objectValue?["Name"] == "x")
    }

    private static func null(_ member: String) -> String {
        "InvalidParameterException: 1 validation error detected: Value null at '\(member)' failed to satisfy "
            + "constraint: Member must not be null"
    }

    @Test("R11.6 bad input to the operations of resource servers is refused in the service's words")
    func refused() async throws {
        let bench = try await CognitoBench()
        let pool = JSONValue.string(bench.poolID)
        _ = try await bench.done("CreateResourceServer", ["UserPoolId": pool, "Identifier": "api", "Name": "x"])
        let good: JSONObject = ["UserPoolId": pool, "Identifier": "new", "Name": "x"]
        let pattern = "Member must satisfy regular expression pattern"
        let cases: [(String, JSONObject, String)] = [
            ("CreateResourceServer", ["Identifier": .null], Self.null("identifier")),
            ("CreateResourceServer", ["Name": .null], Self.null("name")),
            ("CreateResourceServer", ["Identifier": "a b"], pattern),
            ("CreateResourceServer", ["Identifier": ""], "Member must have length greater than or equal to 1"),
            (
                "CreateResourceServer", ["Identifier": .string(String(repeating: "a", count: 257))],
                "Member must have length less than or equal to 256"
            ),
            ("CreateResourceServer", ["Identifier": 7], "SerializationException"),
            ("CreateResourceServer", ["Name": "<b>"], pattern),
            ("CreateResourceServer", ["Scopes": "read"], "SerializationException"),
            ("CreateResourceServer", ["Scopes": ["read"]], "SerializationException"),
            ("CreateResourceServer", ["Scopes": [["ScopeName": "read"]]], Self.null("scopeDescription")),
            ("CreateResourceServer", ["Scopes": [["ScopeName": "a/b", "ScopeDescription": "x"]]], pattern),
            ("CreateResourceServer", ["Scopes": [["ScopeName": "a", "ScopeDescription": ""]]], "have length"),
            (
                "CreateResourceServer",
                ["Scopes": .array([JSONValue](repeating: ["ScopeName": "a", "ScopeDescription": "x"], count: 101))],
                "Member must have length less than or equal to 100"
            ),
            (
                "CreateResourceServer",
                ["Scopes": .array([JSONValue](repeating: ["ScopeName": "a", "ScopeDescription": "x"], count: 2))],
                "Duplicate scope name a."
            ),
            (
                "CreateResourceServer", ["Identifier": "api"],
                "InvalidParameterException: api already exists in user pool \(bench.poolID)."
            ),
            ("CreateResourceServer", ["UserPoolId": "us-east-1_nobody"], "ResourceNotFoundException: User pool"),
            ("UpdateResourceServer", ["Identifier": "none"], "Resource server none does not exist."),
            ("UpdateResourceServer", ["Identifier": "api", "Name": .null], Self.null("name")),
            ("DescribeResourceServer", ["Identifier": .null], Self.null("identifier")),
            ("DeleteResourceServer", ["Identifier": "none"], "Resource server none does not exist."),
            ("ListResourceServers", ["MaxResults": 0], "Member must have value greater than or equal to 1"),
            ("ListResourceServers", ["MaxResults": 51], "Member must have value less than or equal to 50"),
            ("ListResourceServers", ["NextToken": "!"], "Invalid pagination token"),
        ]
        for (operation, members, said) in cases {
            let reply = try await bench.send(operation, good.merging(members))
            #expect(
                reply.status == 400 && reply.refusal.contains(said), "\(operation) \(members.text): \(reply.refusal)")
        }
        let list = try await bench.done("ListResourceServers", ["UserPoolId": pool])
        #expect(list.names("ResourceServers", "Identifier") == ["api"])
    }
}
