// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Users of a Directory in some order, and what is counted of them.
extension SQLTransaction {
    func users(
        in directory: DirectoryID, search: String?, oldestFirst: Bool, offset: Int, limit: Int
    ) throws -> [User] {
        let direction = oldestFirst ? "ASC" : "DESC"
        guard let search, !search.isEmpty else {
            return try users(
                "WHERE directory_id = ? AND deleted_at IS NULL "
                    + "ORDER BY created_at \(direction), id \(direction) LIMIT ? OFFSET ?",
                [SQLValue(directory), SQLValue(limit), SQLValue(offset)])
        }
        // A range finds a prefix by the index, whatever LIKE would make of the characters in it. Each of the four has
        // its own; the plus keeps the planner from walking through all users in the order of the page instead.
        let prefix = search.lowercased()
        let end = prefix + "\u{10FFFF}"
        let live = "SELECT id FROM users WHERE directory_id = ? AND deleted_at IS NULL AND "
        return try users(
            """
            WHERE directory_id = ? AND deleted_at IS NULL AND id IN (
                \(live) email >= ? AND email < ? UNION \(live) id >= ? AND id < ? UNION \(live) phone = ?
                UNION SELECT user_id FROM user_identifiers
                    WHERE directory_id = ? AND identifier >= ? AND identifier < ?)
            ORDER BY +created_at \(direction), id \(direction) LIMIT ? OFFSET ?
            """,
            [
                SQLValue(directory), SQLValue(directory), SQLValue(prefix), SQLValue(end), SQLValue(directory),
                SQLValue(prefix), SQLValue(end), SQLValue(directory), SQLValue(prefix), SQLValue(directory),
                SQLValue(search), SQLValue(search + "\u{10FFFF}"), SQLValue(limit), SQLValue(offset),
            ])
    }

    func users(
        in directory: DirectoryID, oldestFirst: Bool, after: UserPosition?, limit: Int
    ) throws -> UserPage {
        guard limit > 0 else { return UserPage(users: [], next: after) }
        let (condition, arguments) = MadePlace.condition(in: directory, oldestFirst: oldestFirst, after: after)
        let found = try users(
            "WHERE \(condition) \(MadePlace.order(oldestFirst: oldestFirst)) LIMIT ?", arguments + [SQLValue(limit)])
        return UserPage(users: found, next: found.count == limit ? found.last.map { MadePlace($0).position } : nil)
    }

    func userPosition(
        in directory: DirectoryID, oldestFirst: Bool, after: UserPosition?, passing count: Int
    ) throws -> UserPosition? {
        guard count > 0 else { return after }
        let (condition, arguments) = MadePlace.condition(in: directory, oldestFirst: oldestFirst, after: after)
        // Both columns are in the index: no user's row is looked at.
        return try connection.first(
            "SELECT created_at, id FROM users WHERE \(condition) \(MadePlace.order(oldestFirst: oldestFirst)) LIMIT 1 OFFSET ?",
            arguments + [SQLValue(count - 1)]
        ) { try MadePlace($0, 0, id: 1) }?.position
    }

    func passwordForms(in directory: DirectoryID, limit: Int) throws -> [String] {
        // From one form to the next by the index: as many steps as there are forms, however many users.
        var forms: [String] = []
        var form = ""
        while forms.count < limit {
            let next = try connection.first(
                """
                SELECT password_form FROM users
                WHERE directory_id = ? AND password_form > ? ORDER BY password_form LIMIT 1
                """, [SQLValue(directory), SQLValue(form)], { try $0.text(0) })
            guard let next else { break }
            form = next
            forms.append(next)
        }
        return forms
    }

    func userCount(in directory: DirectoryID) throws -> Int { try userTally(in: directory).count }

    func userTally(in directory: DirectoryID) throws -> UserTally {
        let tally = try connection.first(
            "SELECT user_count, user_changes FROM directories WHERE id = ?", [SQLValue(directory)]
        ) { UserTally(count: Int(try $0.integer(0)), changes: try $0.integer(1)) }
        return tally ?? UserTally(count: 0, changes: 0)
    }

    func users(in directory: DirectoryID, after: UserID?, limit: Int) throws -> [User] {
        try users(
            "WHERE directory_id = ? AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?",
            [SQLValue(directory), SQLValue(after?.rawValue ?? ""), SQLValue(limit)])
    }

    func usersDeleted(in directory: DirectoryID, before instant: Instant, limit: Int) throws -> [UserID] {
        try connection.query(
            """
            SELECT id FROM users WHERE directory_id = ? AND deleted_at < ? AND NOT EXISTS (
                SELECT 1 FROM erasures WHERE erasures.directory_id = users.directory_id AND erasures.user_id = users.id)
            ORDER BY deleted_at LIMIT ?
            """, [SQLValue(directory), SQLValue(instant), SQLValue(limit)]
        ) { try $0.identifier(0) }
    }
}
