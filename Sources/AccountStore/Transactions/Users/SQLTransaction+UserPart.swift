// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    /// How many are read at once of those that may match.
    private static let stride = 500

    func userIDs(
        in directory: DirectoryID, holding part: UserPart, oldestFirst: Bool, after: UserPosition?, limit: Int
    ) throws -> (found: [UserID], next: UserPosition?) {
        guard limit > 0 else { return ([], after) }
        let order = MadePlace.order(oldestFirst: oldestFirst)
        var (condition, arguments) = MadePlace.condition(in: directory, oldestFirst: oldestFirst, after: after)
        // The last one to be looked at, by the index alone; none where fewer are left.
        let end = try connection.first(
            "SELECT created_at, id FROM users WHERE \(condition) \(order) LIMIT 1 OFFSET ?",
            arguments + [SQLValue(UserPage.mostLookedAt - 1)]
        ) { try MadePlace($0, 0, id: 1) }
        if let end {
            let before = end.condition(oldestFirst ? "<=" : ">=", in: directory)
            condition += " AND " + before.text
            arguments += before.arguments
        }
        // The second pattern only spares reading most of those who don't match: what the text says is judged outside,
        // since what is inside of an object has no name that all databases share.
        let candidates = try connection.query(
            """
            SELECT id, created_at, email, user_metadata FROM users
            WHERE \(condition) AND (lower(email) LIKE ? ESCAPE '!' OR lower(user_metadata) LIKE ? ESCAPE '!')
            \(order) LIMIT ?
            """,
            arguments + [
                SQLValue(Self.pattern(part.text)), SQLValue(Self.metadataPattern(part)), SQLValue(Self.stride),
            ]
        ) { row in
            (
                place: try MadePlace(row, 1, id: 0),
                isWanted: part.isIn(email: try row.optionalText(2), try? row.object(3))
            )
        }
        let found = candidates.filter(\.isWanted).map(\.place).prefix(limit)
        // Behind whom nobody was looked at: the last one found, the last one read, or the end of the turn.
        let next = found.count == limit ? found.last : candidates.count == Self.stride ? candidates.last?.place : end
        return (found.map { UserID($0.id) }, next?.position)
    }

    /// Whatever holds the text, with all of its characters for themselves.
    private static func pattern(_ text: String) -> String {
        "%" + text.reduce(into: "") { $0 += "!%_".contains($1) ? "!\($1)" : String($1) } + "%"
    }

    /// What an object that says the text has in it: the text itself where it is written as it is, else its name.
    private static func metadataPattern(_ part: UserPart) -> String {
        let isPlain = part.text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && !#""\/"#.utf8.contains($0) }
        return pattern(isPlain ? part.text : #""\#(part.member)""#)
    }
}
