// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "description", "precedence", "role", "created_at", "updated_at",
    ]
    private static let joined = columns.names.map { "user_groups." + $0 }.joined(separator: ", ")

    private static func read(_ row: any SQLRow) throws -> Group {
        Group(
            id: try row.identifier(0), directoryID: try row.identifier(1), name: try row.text(2),
            description: try row.optionalText(3), precedence: try row.optionalInteger(4),
            role: try row.optionalText(5), createdAt: try row.instant(6), updatedAt: try row.instant(7))
    }

    func groups(in directory: DirectoryID) throws -> [Group] {
        try connection.query(
            Statement.select("user_groups", Self.columns, "WHERE directory_id = ? ORDER BY name"),
            [SQLValue(directory)], Self.read)
    }

    func group(named name: String, in directory: DirectoryID) throws -> Group? {
        try connection.first(
            Statement.select("user_groups", Self.columns, "WHERE directory_id = ? AND name = ?"),
            [SQLValue(directory), SQLValue(name)], Self.read)
    }

    /// Asked at every sign-in and refresh. Not `IN (SELECT …)`, for which SQLite makes a tree each time, with a pager
    /// of its own.
    private static let ofUser = """
        SELECT \(joined) FROM group_members JOIN user_groups ON user_groups.id = group_members.group_id
        WHERE group_members.directory_id = ? AND group_members.user_id = ?
        ORDER BY precedence IS NULL, precedence, name
        """

    func groups(of user: UserID, in directory: DirectoryID) throws -> [Group] {
        try connection.query(Self.ofUser, [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func groups(of users: [UserID], in directory: DirectoryID) throws -> [UserID: [Group]] {
        let found = try query(of: users, in: directory) {
            """
            SELECT \(Self.joined), group_members.user_id FROM group_members
            JOIN user_groups ON user_groups.id = group_members.group_id
            WHERE group_members.directory_id = ? AND group_members.user_id IN (\($0))
            ORDER BY precedence IS NULL, precedence, name
            """
        } _: { row in
            (group: try Self.read(row), user: UserID(try row.text(Self.columns.names.count)))
        }
        return Dictionary(grouping: found, by: \.user).mapValues { $0.map(\.group) }
    }

    func isInOperatorsGroup(_ user: UserID, in directory: DirectoryID) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM group_members WHERE directory_id = ? AND user_id = ? AND by_provider = 0 LIMIT 1",
            [SQLValue(directory), SQLValue(user)], { _ in true }) ?? false
    }

    func members(of group: GroupID, in directory: DirectoryID, after: UserID?, limit: Int) throws -> [UserID] {
        try connection.query(
            """
            SELECT user_id FROM group_members
            WHERE group_id = (SELECT id FROM user_groups WHERE id = ? AND directory_id = ?) AND user_id > ?
            ORDER BY user_id LIMIT ?
            """, [SQLValue(group), SQLValue(directory), SQLValue(after?.rawValue ?? ""), SQLValue(limit)],
            { try $0.identifier(0) })
    }

    func insert(_ group: Group) throws {
        _ = try execute(
            Statement.insert("user_groups", Self.columns),
            [
                SQLValue(group.id), SQLValue(group.directoryID), SQLValue(group.name), SQLValue(group.description),
                SQLValue(group.precedence), SQLValue(group.role), SQLValue(group.createdAt),
                SQLValue(group.updatedAt),
            ])
    }

    func update(_ group: Group) throws {
        let changed = try execute(
            Statement.update(
                "user_groups", ["name", "description", "precedence", "role", "updated_at"],
                where: "id = ? AND directory_id = ?"),
            [
                SQLValue(group.name), SQLValue(group.description), SQLValue(group.precedence),
                SQLValue(group.role), SQLValue(group.updatedAt), SQLValue(group.id), SQLValue(group.directoryID),
            ])
        guard changed == 1 else { throw StoreConflict.stale("group") }
    }

    func deleteGroup(_ id: GroupID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM user_groups WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }

    func addMember(
        _ user: UserID, to group: GroupID, in directory: DirectoryID, byProvider: Bool, at now: Instant
    ) throws -> Bool {
        // The group must be of this Directory; the foreign key says the same of the user.
        let isNew =
            try execute(
                """
                INSERT INTO group_members (group_id, directory_id, user_id, added_at, by_provider)
                SELECT id, directory_id, ?, ?, ? FROM user_groups WHERE id = ? AND directory_id = ?
                ON CONFLICT (group_id, user_id) DO NOTHING
                """,
                [SQLValue(user), SQLValue(now), SQLValue(byProvider), SQLValue(group), SQLValue(directory)]) == 1
        if !isNew, !byProvider {
            _ = try execute(
                """
                UPDATE group_members SET by_provider = 0
                WHERE group_id = ? AND directory_id = ? AND user_id = ? AND by_provider = 1
                """, [SQLValue(group), SQLValue(directory), SQLValue(user)])
        }
        return isNew
    }

    func removeMember(_ user: UserID, from group: GroupID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM group_members WHERE group_id = ? AND directory_id = ? AND user_id = ?",
            [SQLValue(group), SQLValue(directory), SQLValue(user)]) == 1
    }
}
