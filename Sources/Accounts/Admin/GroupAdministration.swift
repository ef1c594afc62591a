// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Groups and who is in them. Only an operator or an administrator decides that, never the user.
public struct GroupAdministration: Sendable {
    private let store: any AccountStoring
    private let random: any RandomSource

    public init(_ ports: AccountPorts) {
        store = ports.store
        random = ports.random
    }

    /// - Parameters:
    ///   - name: 1 to 128 printable characters without blanks, unique in the Directory.
    ///   - description: at most 2,048 bytes.
    ///   - precedence: lower goes first where a user is in several; not negative.
    /// - Throws: `AuthErrorCode.invalidRequest`, `.conflict` when the name is taken, `.forbidden`.
    public func create(
        name: String, description: String? = nil, precedence: Int64? = nil, call: CallContext
    ) async throws -> Group {
        try call.requireAdministrator()
        let name = Self.composed(name)
        guard Self.isName(name) else {
            throw AuthError(.invalidRequest, reason: "1 to 128 bytes without blanks", field: "name")
        }
        try Self.check(description, precedence)
        let group = Group(
            id: random.identifier(at: call.now), directoryID: call.directory.id, name: name,
            description: description, precedence: precedence, createdAt: call.now, updatedAt: call.now)
        return try await store.administer { tx in
            try tx.insert(group)
            try tx.append(event(["created": .string(name)], nil, call))
            return group
        }
    }

    /// In order of their names.
    public func list(call: CallContext) async throws -> [Group] {
        try call.requireAdministrator()
        return try await store.read { try $0.groups(in: call.directory.id) }
    }

    /// - Throws: `AuthErrorCode.notFound`.
    public func get(_ name: String, call: CallContext) async throws -> Group {
        try call.requireAdministrator()
        return try await store.read { try Self.find(name, call, $0) }
    }

    /// Replaces the description and the precedence.
    ///
    /// - Throws: `AuthErrorCode.notFound`, `.invalidRequest`.
    public func update(
        _ name: String, description: String?, precedence: Int64?, call: CallContext
    ) async throws -> Group {
        try call.requireAdministrator()
        try Self.check(description, precedence)
        return try await store.administer { tx in
            var group = try Self.find(name, call, tx)
            group.description = description
            group.precedence = precedence
            group.updatedAt = call.now
            try tx.update(group)
            try tx.append(event(["updated": .string(name)], nil, call))
            return group
        }
    }

    /// Deletes the group; its members stay.
    ///
    /// - Throws: `AuthErrorCode.notFound`.
    public func delete(_ name: String, call: CallContext) async throws {
        try call.requireAdministrator()
        try await store.administer { tx in
            let group = try Self.find(name, call, tx)
            _ = try tx.deleteGroup(group.id, in: call.directory.id)
            try tx.append(event(["deleted": .string(name)], nil, call))
        }
    }

    /// Adds the user. Whether they were not yet in the group.
    ///
    /// - Throws: `AuthErrorCode.notFound` for the group, `.userNotFound`.
    @discardableResult
    public func add(_ user: UserID, to name: String, call: CallContext) async throws -> Bool {
        try call.requireAdministrator()
        return try await store.administer { tx in
            let group = try Self.find(name, call, tx)
            guard let member = try tx.user(user, in: call.directory.id), member.deletedAt == nil else {
                throw AuthError(.userNotFound)
            }
            let isNew = try tx.addMember(user, to: group.id, in: call.directory.id, at: call.now)
            if isNew { try tx.append(event(["added_to": .string(name)], user, call)) }
            return isNew
        }
    }

    /// Takes the user out. Whether they were in the group. Tokens issued earlier name the group until they expire.
    ///
    /// - Throws: `AuthErrorCode.notFound` for the group.
    @discardableResult
    public func remove(_ user: UserID, from name: String, call: CallContext) async throws -> Bool {
        try call.requireAdministrator()
        return try await store.administer { tx in
            let group = try Self.find(name, call, tx)
            let was = try tx.removeMember(user, from: group.id, in: call.directory.id)
            if was { try tx.append(event(["removed_from": .string(name)], user, call)) }
            return was
        }
    }

    /// In order of identifiers: at most `limit` (1 to 1,000) members with an identifier above `after`.
    ///
    /// - Throws: `AuthErrorCode.notFound`.
    public func members(
        of name: String, after: UserID? = nil, limit: Int = 100, call: CallContext
    ) async throws -> [UserID] {
        try call.requireAdministrator()
        return try await store.read { tx in
            let group = try Self.find(name, call, tx)
            return try tx.members(
                of: group.id, in: call.directory.id, after: after, limit: min(max(limit, 1), 1000))
        }
    }

    /// The user's groups in order of precedence, then name.
    public func groups(of user: UserID, call: CallContext) async throws -> [Group] {
        try call.requireAdministrator()
        return try await store.read { try $0.groups(of: user, in: call.directory.id) }
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

    private static func check(_ description: String?, _ precedence: Int64?) throws(AuthError) {
        guard description.map({ $0.utf8.count <= 2048 }) ?? true else {
            throw AuthError(.invalidRequest, reason: "at most 2,048 bytes", field: "description")
        }
        guard precedence.map({ $0 >= 0 }) ?? true else {
            throw AuthError(.invalidRequest, reason: "not negative", field: "precedence")
        }
    }

    private func event(_ details: JSONObject, _ user: UserID?, _ call: CallContext) -> AuditEvent {
        AuditEvent(.groupChanged, user: user, email: nil, details: details, call: call, random: random)
    }
}
