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
        let (direction, beyond) = oldestFirst ? ("ASC", ">") : ("DESC", "<")
        let order = "ORDER BY created_at \(direction), id \(direction)"
        let start = after.flatMap(MadePlace.init)
        var condition = "directory_id = ? AND deleted_at IS NULL"
        var arguments = [SQLValue(directory)]
        if let start {
            condition += " AND (created_at, id) \(beyond) (?, ?)"
            arguments += start.arguments
        }
        // The last one to be looked at, by the index alone; none where fewer are left.
        let end = try connection.first(
            "SELECT created_at, id FROM users WHERE \(condition) \(order) LIMIT 1 OFFSET ?",
            arguments + [SQLValue(UserPage.mostLookedAt - 1)]
        ) { MadePlace(createdAt: try $0.instant(0), id: try $0.text(1)) }
        if let end {
            condition += " AND (created_at, id) \(oldestFirst ? "<=" : ">=") (?, ?)"
            arguments += end.arguments
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
                place: MadePlace(createdAt: try row.instant(1), id: try row.text(0)),
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

/// A place in the order in which users were made.
private struct MadePlace {
    let createdAt: Instant
    let id: String

    init(createdAt: Instant, id: String) {
        self.createdAt = createdAt
        self.id = id
    }

    init?(_ position: UserPosition) {
        let parts = position.text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]) else { return nil }
        createdAt = Instant(microseconds: microseconds)
        id = String(parts[1])
    }

    var position: UserPosition { UserPosition("\(createdAt.microseconds) \(id)") }
    var arguments: [SQLValue] { [SQLValue(createdAt), SQLValue(id)] }
}
