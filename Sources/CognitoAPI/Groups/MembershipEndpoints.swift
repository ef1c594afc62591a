// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Who is in a group: `AdminAddUserToGroup`, `AdminRemoveUserFromGroup`, `AdminListGroupsForUser`, `ListUsersInGroup`.
enum MembershipEndpoints {
    /// Adding a member again changes nothing.
    static func add(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.groupName)
        let user = try await call.namedUser()
        _ = try await GroupEndpoints.named { try await $0.add(user.id, to: name, call: call.flow) }(call)
        return [:]
    }

    /// Removing somebody who is no member changes nothing.
    static func remove(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.groupName)
        let user = try await call.namedUser()
        _ = try await GroupEndpoints.named { try await $0.remove(user.id, from: name, call: call.flow) }(call)
        return [:]
    }

    static func groups(_ call: DialectCall) async throws -> JSONObject {
        let page = try Page(
            call.input, of: ["groups of a user", call.directory.id.rawValue, try call.input.required(.username)],
            limit: "Limit", token: .nextToken)
        let user = try await call.namedUser()
        let all = try await call.accounts.groupAdministration.groups(of: user.id, call: call.flow)
        // By name, since a page must not lose its place when a precedence changes.
        let (groups, next) = page.cut(all, by: \.name)
        var json: JSONObject = ["Groups": .array(groups.map { .object(GroupEndpoints.encode($0, call)) })]
        json["NextToken"] = next
        return json
    }

    static func users(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.groupName)
        let page = try Page(
            call.input, of: ["users of a group", call.directory.id.rawValue, name], limit: "Limit", token: .nextToken)
        let members = try await GroupEndpoints.named {
            try await $0.members(of: name, after: page.after.map { UserID($0) }, limit: page.size, call: call.flow)
        }(call)
        var json: JSONObject = ["Users": .array(members.records.map { .object(UserWire.encode($0, call)) })]
        json["NextToken"] = members.next.map { page.next(after: $0.rawValue) }
        return json
    }
}
