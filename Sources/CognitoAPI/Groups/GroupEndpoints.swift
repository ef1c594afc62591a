// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Groups: `CreateGroup`, `GetGroup`, `UpdateGroup`, `DeleteGroup`, `ListGroups`.
enum GroupEndpoints {
    static func create(_ call: DialectCall) async throws -> JSONObject {
        do {
            let group = try await call.accounts.groupAdministration.create(
                name: try call.input.required(.groupName), description: try call.input.text(.description),
                precedence: try precedence(call), role: try call.input.text(roleARN), call: call.flow)
            return answer(group, call)
        } catch let error as AuthError where error.code == .conflict {
            throw WireError("GroupExistsException", "A group with the name already exists.")
        }
    }

    static func get(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.groupName)
        return answer(try await named { try await $0.get(name, call: call.flow) }(call), call)
    }

    /// What is not given stays as it is.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.groupName)
        let description = try call.input.text(.description)
        let precedence = try precedence(call)
        let role = try call.input.text(roleARN)
        let group = try await named { administration in
            let present = try await administration.get(name, call: call.flow)
            return try await administration.update(
                name, description: description ?? present.description, precedence: precedence ?? present.precedence,
                role: role, call: call.flow)
        }(call)
        return answer(group, call)
    }

    static func delete(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.groupName)
        try await named { try await $0.delete(name, call: call.flow) }(call)
        return [:]
    }

    static func list(_ call: DialectCall) async throws -> JSONObject {
        let page = try Page(call.input, of: ["groups", call.directory.id.rawValue], limit: "Limit", token: .nextToken)
        let (groups, next) = page.cut(try await call.accounts.groupAdministration.list(call: call.flow), by: \.name)
        var json: JSONObject = ["Groups": .array(groups.map { .object(encode($0, call)) })]
        json["NextToken"] = next
        return json
    }

    // MARK: Shared

    /// Says a missing group in the service's words.
    static func named<Value: Sendable>(
        _ body: @escaping @Sendable (GroupAdministration) async throws -> Value
    ) -> (DialectCall) async throws -> Value {
        { call in
            do {
                return try await body(call.accounts.groupAdministration)
            } catch let error as AuthError where error.code == .notFound {
                throw WireError.notFound("Group not found.")
            }
        }
    }

    static func encode(_ group: Group, _ call: DialectCall) -> JSONObject {
        var json: JSONObject = ["GroupName": .string(group.name), "UserPoolId": .string(call.poolID)]
        json["Description"] = group.description.map { .string($0) }
        json["Precedence"] = group.precedence.map { .integer($0) }
        json["RoleArn"] = group.role.map { .string($0) }
        json["LastModifiedDate"] = group.updatedAt.wireDate
        json["CreationDate"] = group.createdAt.wireDate
        return json
    }

    private static func answer(_ group: Group, _ call: DialectCall) -> JSONObject {
        ["Group": .object(encode(group, call))]
    }

    private static func precedence(_ call: DialectCall) throws -> Int64? {
        try call.input.integer("Precedence", in: 0...Int64(Int32.max))
    }

    /// What identity pools give its members credentials for, where they go by tokens.
    private static let roleARN = Member("RoleArn", 20...2048)
}
