// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    /// How many users are read at once where a condition is judged on each of them.
    private static let stride = 500

    func users(
        in directory: DirectoryID, matching filter: UserFilter, after: UserPosition?, limit: Int, at now: Instant
    ) throws -> UserPage {
        guard limit > 0 else { return UserPage(users: [], next: after) }
        switch filter {
        case .email(let match):
            return try users(
                in: directory, "email", tie: "email_holder", match.mapped { $0.lowercased() }, after, limit)
        case .called(let match, let dialect, let isCaseSensitive):
            let names: Calling = isCaseSensitive ? .exactName : .name
            return try users(in: directory, called: match, by: [names, .own, .brought], dialect, after, limit)
        case .identifier(let match, let dialect):
            return try users(in: directory, called: match, by: [.own, .brought], dialect, after, limit)
        case .phone(let match):
            let digits = match.mapped { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
            return try users(in: directory, "phone", tie: "phone_holder", digits, after, limit)
        case .enabled(let isEnabled):
            let condition = isEnabled ? "(banned_until IS NULL OR banned_until <= ?)" : "banned_until > ?"
            return try walk(directory, "CASE WHEN \(condition) THEN 1 ELSE 0 END", [SQLValue(now)], after, limit) {
                try $0.flag(1)
            }
        case .standing(let wanted):
            guard !wanted.isEmpty else { return UserPage(users: [], next: nil) }
            // As ``User/isConfirmed``.
            let condition = """
                email_verified_at IS NOT NULL OR phone_verified_at IS NOT NULL OR confirmed_at IS NOT NULL
                OR (email IS NULL AND phone IS NULL AND (origin <> ? OR is_anonymous = 1))
                """
            let column = "CASE WHEN temporary_password = 1 THEN 2 WHEN \(condition) THEN 1 ELSE 0 END"
            let columns = column + ", CASE WHEN password_hash IS NULL THEN 1 ELSE 0 END, app_metadata"
            return try walk(directory, columns, [SQLValue(User.Origin.signUp.rawValue)], after, limit) { row in
                // As ``User/isFederated``. What can't be read says nothing of a provider.
                if try row.flag(2), let metadata = try? UserWords.appMetadata(row, 3), User.isFederated(metadata) {
                    return wanted.contains(.federated)
                }
                return switch try row.integer(1) {
                case 2: wanted.contains(.temporaryPassword)
                case 1: wanted.contains(.confirmed)
                default: wanted.contains(.unconfirmed)
                }
            }
        case .attribute(let name, let dialect, let shared, let match):
            return try walk(directory, "dialect_data, user_metadata", [], after, limit) { row in
                // What can't be read has no names.
                let own = (try? DialectData(row.object(1)))?[dialect].byUser[name]?.stringValue
                let common = shared.flatMap { field in (try? row.object(2)).flatMap { User.shared(field, in: $0) } }
                guard let text = own ?? common else { return false }
                return switch match {
                case .exact(let wanted): text.utf8.elementsEqual(wanted.utf8)
                case .prefix(let start): text.utf8.starts(with: start.utf8)
                }
            }
        }
    }

    func users(_ ids: [UserID], in directory: DirectoryID) throws -> [User] {
        let form = BatchForm.of(ids.count)
        let found = try batches(of: ids.map { SQLValue($0) }, form).flatMap { batch in
            try users(
                "WHERE directory_id = ? AND id IN (\(form.placeholders)) AND deleted_at IS NULL",
                [SQLValue(directory)] + batch)
        }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// By a column that has an index of its own, and in its order: nobody is looked at who is not returned.
    ///
    /// - Parameter tie: tells those apart who have one value, behind the column in its index.
    private func users(
        in directory: DirectoryID, _ column: String, tie: String, _ match: UserFilter.Match, _ after: UserPosition?,
        _ limit: Int
    ) throws -> UserPage {
        // One that is no text, as a damaged row may have, is no place to go on from.
        var condition = "\(tie) < ?"
        var arguments = [SQLValue(directory), SQLValue("\u{10FFFF}")]
        let after = after.map(Tied.init)
        switch match {
        case .exact(let value):
            condition += " AND \(column) = ?"
            arguments.append(SQLValue(value))
            if let after {
                condition += " AND \(tie) > ?"
                arguments.append(SQLValue(after.tie))
            }
        case .prefix(let start):
            // A range finds a prefix by the index, whatever LIKE would make of the characters in it.
            condition += " AND \(column) >= ? AND \(column) < ?"
            arguments += [SQLValue(after.map { max(start, $0.value) } ?? start), SQLValue(start + "\u{10FFFF}")]
            if let after {
                condition += " AND (\(column), \(tie)) > (?, ?)"
                arguments += [SQLValue(after.value), SQLValue(after.tie)]
            }
        }
        let found = try connection.query(
            """
            SELECT id, \(column), \(tie) FROM users WHERE directory_id = ? AND deleted_at IS NULL AND \(condition)
            ORDER BY \(column), \(tie) LIMIT ?
            """, arguments + [SQLValue(limit + 1)]
        ) { row in (id: UserID(try row.text(0)), position: Tied(value: try row.text(1), tie: try row.text(2))) }
        let page = found.prefix(limit)
        return UserPage(
            users: try users(page.map(\.id), in: directory),
            next: found.count > limit ? page.last?.position.position : nil)
    }

    /// Walks through the users in the order of their identifiers: what is inside their metadata has no index, and no
    /// name that all databases share.
    ///
    /// - Parameter columns: what `isWanted` sees of each behind the identifier.
    private func walk(
        _ directory: DirectoryID, _ columns: String, _ arguments: [SQLValue], _ after: UserPosition?, _ limit: Int,
        _ isWanted: (any SQLRow) throws -> Bool
    ) throws -> UserPage {
        var found: [UserID] = []
        var last = after?.text ?? ""
        for _ in 0..<(UserPage.mostLookedAt / Self.stride) {
            let part = try connection.query(
                """
                SELECT id, \(columns) FROM users WHERE directory_id = ? AND id > ? AND deleted_at IS NULL
                ORDER BY id LIMIT ?
                """, arguments + [SQLValue(directory), SQLValue(last), SQLValue(Self.stride)]
            ) { row in (id: UserID(try row.text(0)), isWanted: try isWanted(row)) }
            found += part.lazy.filter(\.isWanted).map(\.id)
            if found.count > limit { break }
            guard part.count == Self.stride, let end = part.last else {
                return UserPage(users: try users(found, in: directory), next: nil)
            }
            last = end.id.rawValue
        }
        let page = Array(found.prefix(limit))
        let next = found.count > limit ? page.last?.rawValue ?? last : last
        return UserPage(users: try users(page, in: directory), next: UserPosition(next))
    }
}

/// A place in an index: a value, and which of those that have it.
private struct Tied {
    /// In no address, number or name.
    private static let separator: Character = "\u{0}"

    let value: String
    let tie: String

    init(value: String, tie: String) {
        self.value = value
        self.tie = tie
    }

    init(_ position: UserPosition) {
        let parts = position.text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        value = parts.first.map(String.init) ?? ""
        tie = parts.count > 1 ? String(parts[1]) : ""
    }

    var position: UserPosition { UserPosition(value + String(Self.separator) + tie) }
}

extension UserFilter.Match {
    func mapped(_ change: (String) -> String) -> Self {
        switch self {
        case .exact(let value): .exact(change(value))
        case .prefix(let start): .prefix(change(start))
        }
    }
}
