// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let activityColumns: Columns = [
        "id", "directory_id", "user_id", "type", "description", "duration_seconds", "at",
    ]

    func profile(of user: UserID, in directory: DirectoryID) throws -> Profile? {
        try connection.first(
            "SELECT name, picture, locale, updated_at FROM profiles WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)]
        ) { try Self.read($0, of: user, in: directory) }
    }

    private static func read(_ row: any SQLRow, of user: UserID, in directory: DirectoryID) throws -> Profile {
        Profile(
            userID: user, directoryID: directory, name: try row.optionalText(0), picture: try row.optionalText(1),
            locale: try row.optionalText(2), updatedAt: try row.instant(3))
    }

    func profiles(of users: [UserID], in directory: DirectoryID) throws -> [UserID: Profile] {
        let found = try query(of: users, in: directory) {
            "SELECT name, picture, locale, updated_at, user_id FROM profiles "
                + "WHERE directory_id = ? AND user_id IN (\($0))"
        } _: {
            try Self.read($0, of: $0.identifier(4), in: directory)
        }
        return Dictionary(found.map { ($0.userID, $0) }) { first, _ in first }
    }

    func upsert(_ profile: Profile) throws {
        _ = try execute(
            """
            INSERT INTO profiles (directory_id, user_id, name, picture, locale, updated_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory_id, user_id) DO UPDATE SET name = excluded.name, picture = excluded.picture,
            locale = excluded.locale, updated_at = excluded.updated_at
            """,
            [
                SQLValue(profile.directoryID), SQLValue(profile.userID), SQLValue(profile.name),
                SQLValue(profile.picture), SQLValue(profile.locale), SQLValue(profile.updatedAt),
            ])
    }

    func activities(
        of user: UserID, in directory: DirectoryID, matching filter: ActivityFilter, after: ActivityPosition?,
        limit: Int
    ) throws -> [Activity] {
        var condition = "WHERE directory_id = ? AND user_id = ?"
        var arguments = [SQLValue(directory), SQLValue(user)]
        if let type = filter.type {
            condition += " AND type = ?"
            arguments.append(SQLValue(type))
        }
        if let from = filter.from {
            condition += " AND at >= ?"
            arguments.append(SQLValue(from))
        }
        if let until = filter.until {
            condition += " AND at < ?"
            arguments.append(SQLValue(until))
        }
        if let after {
            condition += " AND (at, id) < (?, ?)"
            arguments += [SQLValue(after.at), SQLValue(after.id)]
        }
        return try connection.query(
            Statement.select("activities", Self.activityColumns, condition + " ORDER BY at DESC, id DESC LIMIT ?"),
            arguments + [SQLValue(limit)]
        ) { row in
            Activity(
                id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
                type: try row.text(3), description: try row.text(4), durationSeconds: try row.integer(5),
                at: try row.instant(6))
        }
    }

    func insert(_ activity: Activity) throws {
        _ = try execute(
            Statement.insert("activities", Self.activityColumns),
            [
                SQLValue(activity.id), SQLValue(activity.directoryID), SQLValue(activity.userID),
                SQLValue(activity.type), SQLValue(activity.description), SQLValue(activity.durationSeconds),
                SQLValue(activity.at),
            ])
    }
}
