// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Groups") struct GroupTests {
    @Test("C-5 a group is made, changed, listed and deleted")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool = JSONValue.string(bench.poolID)
        let made = try await bench.done(
            "CreateGroup",
            ["UserPoolId": pool, "GroupName": "admin", "Description": "Operators", "Precedence": 1])
        let group = try #require(made["Group"]?.objectValue)
        #expect(
            group.names == [
                "GroupName", "UserPoolId", "Description", "Precedence", "LastModifiedDate", "CreationDate",
            ])
        #expect(group["UserPoolId"] == pool)
        let twice = try await bench.send("CreateGroup", ["UserPoolId": pool, "GroupName": "admin"])
        #expect(twice.exception == "GroupExistsException")
        let changed = try await bench.done(
            "UpdateGroup", ["UserPoolId": pool, "GroupName": "admin", "Precedence": 5])
        #expect(changed["Group"]?.objectValue?["Description"] == "Operators")
        #expect(changed["Group"]?.objectValue?["Precedence"] == 5)
        _ = try await bench.done("CreateGroup", ["UserPoolId": pool, "GroupName": "beta"])
        let page = try await bench.done("ListGroups", ["UserPoolId": pool, "Limit": 1])
        #expect(page.names("Groups", "GroupName") == ["admin"])
        let rest = try await bench.done(
            "ListGroups", ["UserPoolId": pool, "NextToken": page["NextToken"] ?? .null])
        #expect(rest.names("Groups", "GroupName") == ["beta"])
        #expect(rest["NextToken"] == nil)
        #expect(try await bench.done("DeleteGroup", ["UserPoolId": pool, "GroupName": "beta"]).isEmpty)
        for operation in ["GetGroup", "UpdateGroup", "DeleteGroup", "ListUsersInGroup"] {
            let reply = try await bench.send(operation, ["UserPoolId": pool, "GroupName": "beta"])
            #expect(reply.exception == "ResourceNotFoundException", "\(operation)")
            #expect(reply.message == "Group not found.")
        }
        let short = try await bench.send("CreateGroup", ["UserPoolId": pool, "GroupName": "r", "RoleArn": "short"])
        #expect(short.exception == "InvalidParameterException")
        for (operation, role) in [
            ("CreateGroup", "arn:aws:iam::123456789012:role/x"), ("UpdateGroup", "arn:aws:iam::123456789012:role/y"),
        ] {
            let json = try await bench.done(
                operation, ["UserPoolId": pool, "GroupName": "r", "RoleArn": .string(role)])
            #expect(json["Group"]?.objectValue?["RoleArn"] == .string(role), "\(operation)")
        }
    }

    @Test("Members are added and removed as often as one likes, and listed in pages")
    func members() async throws {
        let bench = try await CognitoBench()
        let pool = JSONValue.string(bench.poolID)
        for name in ["a", "b"] {
            _ = try await bench.done("CreateGroup", ["UserPoolId": pool, "GroupName": .string(name)])
        }
        for number in 0..<3 {
            _ = try await bench.done(
                "AdminCreateUser",
                ["UserPoolId": pool, "Username": .string("user\(number)"), "MessageAction": "SUPPRESS"])
            for _ in 0..<2 {
                let reply = try await bench.done(
                    "AdminAddUserToGroup",
                    ["UserPoolId": pool, "Username": .string("user\(number)"), "GroupName": "a"])
                #expect(reply.isEmpty)
            }
        }
        _ = try await bench.done("AdminAddUserToGroup", ["UserPoolId": pool, "Username": "user1", "GroupName": "b"])
        let first = try await bench.done("ListUsersInGroup", ["UserPoolId": pool, "GroupName": "a", "Limit": 2])
        let second = try await bench.done(
            "ListUsersInGroup",
            ["UserPoolId": pool, "GroupName": "a", "Limit": 2, "NextToken": first["NextToken"] ?? .null])
        let names = first.names("Users", "Username") + second.names("Users", "Username")
        #expect(names.sorted() == ["user0", "user1", "user2"])
        #expect(second["NextToken"] == nil)
        let groups = try await bench.done("AdminListGroupsForUser", ["UserPoolId": pool, "Username": "user1"])
        #expect(groups.names("Groups", "GroupName") == ["a", "b"])
        for _ in 0..<2 {
            _ = try await bench.done(
                "AdminRemoveUserFromGroup", ["UserPoolId": pool, "Username": "user1", "GroupName": "a"])
        }
        let left = try await bench.done("AdminListGroupsForUser", ["UserPoolId": pool, "Username": "user1"])
        #expect(left.names("Groups", "GroupName") == ["b"])
        let nobody = try await bench.send(
            "AdminAddUserToGroup", ["UserPoolId": pool, "Username": "nobody", "GroupName": "a"])
        #expect(nobody.exception == "UserNotFoundException")
        let nowhere = try await bench.send(
            "AdminAddUserToGroup", ["UserPoolId": pool, "Username": "user1", "GroupName": "c"])
        #expect(nowhere.exception == "ResourceNotFoundException")
    }
}
