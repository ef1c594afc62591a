// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    /// Where a text stands that a user may be called by. Each has an index, and its texts one order.
    enum Calling: Sendable {
        /// Whatever its case.
        case name
        /// In a Directory whose names are told apart by it.
        case exactName
        /// Our own identifier.
        case own
        /// One that was brought along, for whichever dialect.
        case brought

        fileprivate var columns: (text: String, user: String, rest: String) {
            switch self {
            case .name, .exactName: ("username_key", "id", "users WHERE deleted_at IS NULL AND directory_id = ?")
            case .own: ("id", "id", "users WHERE deleted_at IS NULL AND directory_id = ?")
            case .brought: ("identifier", "user_id", "user_identifiers WHERE directory_id = ?")
            }
        }

        /// Of names the key is compared.
        fileprivate func sought(_ match: UserFilter.Match) -> UserFilter.Match {
            switch self {
            case .name: match.mapped { Username.key($0, isCaseSensitive: false) }
            case .exactName: match.mapped { Username.key($0, isCaseSensitive: true) }
            case .own, .brought: match
            }
        }
    }

    /// A text found in one of the places, and whose it is.
    private struct Called {
        var text: String
        var user: UserID
    }

    /// Users by what a dialect calls them, in the order of these texts. A text that is found and is not what the
    /// dialect calls its user, such as another dialect's, is passed over, so that a page may be short although others
    /// follow.
    func users(
        in directory: DirectoryID, called match: UserFilter.Match, by places: [Calling], _ dialect: DialectName,
        _ after: UserPosition?, _ limit: Int
    ) throws -> UserPage {
        let found = try places.flatMap { try texts(in: directory, $0, $0.sought(match), after, limit) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        // Of exact texts there is one in each place at most.
        let page = if case .exact = match { found[...] } else { found.prefix(limit) }
        let users = try users(page.map(\.user), in: directory)
        let byID = Dictionary(users.map { ($0.id, $0) }) { first, _ in first }
        let takesNames = places.contains(.name) || places.contains(.exactName)
        // One user's own texts may be the same.
        var seen: Set<UserID> = []
        let called = page.compactMap { called -> User? in
            guard let user = byID[called.user], !seen.contains(user.id) else { return nil }
            let name = takesNames ? user.username?.key : nil
            guard (name ?? user.identifier(in: dialect)).utf8.elementsEqual(called.text.utf8) else { return nil }
            seen.insert(user.id)
            return user
        }
        return UserPage(
            users: called, next: found.count > page.count ? page.last.map { UserPosition($0.text) } : nil)
    }

    private func texts(
        in directory: DirectoryID, _ place: Calling, _ match: UserFilter.Match, _ after: UserPosition?, _ limit: Int
    ) throws -> [Called] {
        let (text, user, rest) = place.columns
        let condition: String
        var arguments = [SQLValue(directory)]
        switch match {
        case .exact(let value):
            // There is one at most.
            guard after == nil else { return [] }
            condition = "\(text) = ?"
            arguments.append(SQLValue(value))
        case .prefix(let start):
            // A range finds a prefix by the index, whatever LIKE would make of the characters in it.
            let from = after.flatMap { $0.text < start ? nil : $0.text }
            condition = "\(text) \(from == nil ? ">=" : ">") ? AND \(text) < ? ORDER BY \(text)"
            arguments += [SQLValue(from ?? start), SQLValue(start + "\u{10FFFF}")]
        }
        return try connection.query(
            "SELECT \(text), \(user) FROM \(rest) AND \(condition) LIMIT ?",
            arguments + [SQLValue(limit + 1)]
        ) { row in Called(text: try row.text(0), user: UserID(try row.text(1))) }
    }
}
