// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Groups and who is in them. Only an operator or an administrator decides that, never the user.
public struct GroupAdministration: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - name: 1 to 128 printable characters without blanks, unique in the Directory.
    ///   - description: at most 2,048 bytes.
    ///   - precedence: lower goes first where a user is in several; not negative.
    ///   - role: what other services give its members credentials for; at most 2,048 bytes.
    /// - Throws: `AuthErrorCode.invalidRequest`, `.conflict` when the name is taken, `.forbidden`.
    public func create(
        name: String, description: String? = nil, precedence: Int64? = nil, role: String? = nil, call: CallContext
    ) async throws -> Group {
        try call.requireAdministrator()
        let name = Self.composed(name)
        guard Self.isName(name) else {
            throw AuthError(.invalidRequest, reason: "1 to 128 bytes without blanks", field: "name")
        }
        try Self.check(description, precedence, role)
        let group = Group(
            id: ports.random.identifier(at: call.now), directoryID: call.directory.id, name: name,
            description: description, precedence: precedence, role: role, createdAt: call.now, updatedAt: call.now)
        return try await ports.write(call) { step in
            try step.tx.insert(group)
            try step.record(.groupChanged, user: nil, details: ["created": .string(name)])
            return group
        }
    }

    /// In order of their names.
    public func list(call: CallContext) async throws -> [Group] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.groups(in: call.directory.id) }
    }

    /// - Throws: `AuthErrorCode.notFound`.
    public func get(_ name: String, call: CallContext) async throws -> Group {
        try call.requireAdministrator()
        return try await ports.store.read { try Self.find(name, call, $0) }
    }

    /// Replaces the description and the precedence, and the role where one is given.
    ///
    /// - Throws: `AuthErrorCode.notFound`, `.invalidRequest`.
    public func update(
        _ name: String, description: String?, precedence: Int64?, role: String? = nil, call: CallContext
    ) async throws -> Group {
        try call.requireAdministrator()
        try Self.check(description, precedence, role)
        return try await ports.write(call) { step in
            var group = try Self.find(name, call, step.tx)
            group.description = description
            group.precedence = precedence
            group.role = role ?? group.role
            group.updatedAt = call.now
            try step.tx.update(group)
            try step.record(.groupChanged, user: nil, details: ["updated": .string(name)])
            return group
        }
    }

    /// Deletes the group; its members stay.
    ///
    /// - Throws: `AuthErrorCode.notFound`.
    public func delete(_ name: String, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            let group = try Self.find(name, call, step.tx)
            _ = try step.tx.deleteGroup(group.id, in: step.directory)
            try step.record(.groupChanged, user: nil, details: ["deleted": .string(name)])
        }
    }

    /// Adds the user. Whether they were not yet in the group.
    ///
    /// - Throws: `AuthErrorCode.notFound` for the group, `.userNotFound`.
    @discardableResult
    public func add(_ user: UserID, to name: String, call: CallContext) async throws -> Bool {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let group = try Self.find(name, call, step.tx)
            _ = try step.tx.liveUser(user, in: step.directory)
            let isNew = try step.tx.addMember(user, to: group.id, in: step.directory, at: call.now)
            if isNew { try step.record(.groupChanged, user: user, details: ["added_to": .string(name)]) }
            return isNew
        }
    }

    /// Takes the user out. Whether they were in the group. Tokens issued earlier name the group until they expire.
    ///
    /// - Throws: `AuthErrorCode.notFound` for the group.
    @discardableResult
    public func remove(_ user: UserID, from name: String, call: CallContext) async throws -> Bool {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let group = try Self.find(name, call, step.tx)
            let was = try step.tx.removeMember(user, from: group.id, in: step.directory)
            if was { try step.record(.groupChanged, user: user, details: ["removed_from": .string(name)]) }
            return was
        }
    }

    /// A page of members in order of their identifiers.
    ///
    /// - Parameters:
    ///   - after: the last identifier of the page before.
    ///   - limit: 1 to 1,000.
    /// - Returns: the members, and the last identifier of the page where another follows.
    /// - Throws: `AuthErrorCode.notFound`.
    public func members(
        of name: String, after: UserID? = nil, limit: Int = 100, call: CallContext
    ) async throws -> (records: [UserRecord], next: UserID?) {
        try call.requireAdministrator()
        let limit = min(max(limit, 1), 1000)
        return try await ports.store.scan(in: call.directory.id) { tx in
            let group = try Self.find(name, call, tx)
            let found = try tx.members(of: group.id, in: call.directory.id, after: after, limit: limit + 1)
            let page = Array(found.prefix(limit))
            let users = try tx.users(page, in: call.directory.id)
            return (try UserRecord.all(users, in: call.directory.id, tx), found.count > limit ? page.last : nil)
        }
    }

    /// The user's groups in order of precedence, then name.
    public func groups(of user: UserID, call: CallContext) async throws -> [Group] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.groups(of: user, in: call.directory.id) }
    }

    /// Two spellings that look alike are one name. What is too long for one stays as it is, and is none.
    static func composed(_ name: String) -> String {
        name.utf8.count <= 512 && StreamSafeText.accepts(name) ? name.composed : name
    }

    static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private static func find(_ name: String, _ call: CallContext, _ tx: any GroupReading) throws -> Group {
        guard let group = try tx.group(named: Self.composed(name), in: call.directory.id) else {
            throw AuthError(.notFound, reason: "no such group", field: "group")
        }
        return group
    }

    private static func check(
        _ description: String?, _ precedence: Int64?, _ role: String?
    ) throws(AuthError) {
        guard role.map({ (1...2048).contains($0.utf8.count) }) ?? true else {
            throw AuthError(.invalidRequest, reason: "1 to 2,048 bytes", field: "role")
        }
        guard description.map({ $0.utf8.count <= 2048 }) ?? true else {
            throw AuthError(.invalidRequest, reason: "at most 2,048 bytes", field: "description")
        }
        guard precedence.map({ $0 >= 0 }) ?? true else {
            throw AuthError(.invalidRequest, reason: "not negative", field: "precedence")
        }
    }
}
