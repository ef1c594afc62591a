// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    /// How many users are read at once where a condition is judged on each of them.
    private static let scanLength = 500

    func users(
        in directory: DirectoryID, matching filter: UserFilter, after: UserID?, limit: Int, at now: Instant
    ) throws -> [User] {
        switch filter {
        case .email(let match):
            return try users(in: directory, "email", match.mapped { $0.lowercased() }, after, limit)
        case .username(let match):
            return try users(in: directory, "username_key", match.mapped(Username.folded), after, limit)
        case .phone(let match):
            let digits = match.mapped { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
            return try users(in: directory, "phone", digits, after, limit)
        case .id(let id):
            guard limit > 0, id.rawValue > after?.rawValue ?? "" else { return [] }
            return try users(
                "WHERE directory_id = ? AND id = ? AND deleted_at IS NULL", [SQLValue(directory), SQLValue(id)])
        case .enabled(let isEnabled):
            return try users(
                in: directory,
                condition: isEnabled ? "(banned_until IS NULL OR banned_until <= ?)" : "banned_until > ?",
                [SQLValue(now)], after, limit)
        case .confirmed(let isConfirmed):
            let condition =
                "(email_verified_at IS NOT NULL OR phone_verified_at IS NOT NULL OR (email IS NULL AND phone IS NULL))"
            return try users(in: directory, condition: isConfirmed ? condition : "NOT " + condition, [], after, limit)
        case .attribute(let name, let dialect, let shared, let match):
            return try scan(directory, after, limit) { user in
                let kept = user.dialectData[dialect].byUser[name]?.stringValue
                guard let text = kept ?? shared.flatMap(user.shared) else { return false }
                return switch match {
                case .exact(let wanted): text.utf8.elementsEqual(wanted.utf8)
                case .prefix(let start): text.utf8.starts(with: start.utf8)
                }
            }
        }
    }

    /// By a column that has an index of its own: the matching identifiers first, so that nobody else is looked at.
    private func users(
        in directory: DirectoryID, _ column: String, _ match: UserFilter.Match, _ after: UserID?, _ limit: Int
    ) throws -> [User] {
        let live = "SELECT id FROM users WHERE directory_id = ? AND deleted_at IS NULL AND \(column)"
        let condition: String
        let bounds: [SQLValue]
        switch match {
        case .exact(let value): (condition, bounds) = ("= ?", [SQLValue(value)])
        // A range finds a prefix by the index, whatever LIKE would make of the characters in it.
        case .prefix(let start):
            (condition, bounds) = (">= ? AND \(column) < ?", [SQLValue(start), SQLValue(start + "\u{10FFFF}")])
        }
        return try users(
            "WHERE directory_id = ? AND id IN (\(live) \(condition)) AND id > ? ORDER BY id LIMIT ?",
            [SQLValue(directory), SQLValue(directory)] + bounds + [SQLValue(after?.rawValue ?? ""), SQLValue(limit)])
    }

    private func users(
        in directory: DirectoryID, condition: String, _ arguments: [SQLValue], _ after: UserID?, _ limit: Int
    ) throws -> [User] {
        try users(
            "WHERE directory_id = ? AND id > ? AND deleted_at IS NULL AND \(condition) ORDER BY id LIMIT ?",
            [SQLValue(directory), SQLValue(after?.rawValue ?? "")] + arguments + [SQLValue(limit)])
    }

    /// Walks through the users: what is inside their metadata has no index, and no name that all databases share.
    private func scan(
        _ directory: DirectoryID, _ after: UserID?, _ limit: Int, _ isWanted: (User) -> Bool
    ) throws -> [User] {
        var found: [User] = []
        var last = after
        while found.count < limit {
            let page = try users(in: directory, after: last, limit: Self.scanLength)
            found += page.filter(isWanted).prefix(limit - found.count)
            guard page.count == Self.scanLength, let end = page.last else { break }
            last = end.id
        }
        return found
    }
}

extension UserFilter.Match {
    fileprivate func mapped(_ change: (String) -> String) -> Self {
        switch self {
        case .exact(let value): .exact(change(value))
        case .prefix(let start): .prefix(change(start))
        }
    }
}
