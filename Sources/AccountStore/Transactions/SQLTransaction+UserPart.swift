// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    /// How many users are read at once of those that may match.
    private static let stride = 500

    func users(
        in directory: DirectoryID, holding part: UserPart, oldestFirst: Bool, offset: Int, limit: Int
    ) throws -> [User] {
        guard limit > 0 else { return [] }
        let (direction, beyond) = oldestFirst ? ("ASC", ">") : ("DESC", "<")
        var (found, passed): ([UserID], Int) = ([], 0)
        var last: (createdAt: Instant, id: String)?
        while true {
            let after = last.map { [SQLValue($0.createdAt), SQLValue($0.id)] } ?? []
            // The second pattern only spares reading most of those who don't match: what the text says is judged outside,
            // since what is inside of an object has no name that all databases share.
            let candidates = try connection.query(
                """
                SELECT id, created_at, email, user_metadata FROM users
                WHERE directory_id = ? AND deleted_at IS NULL\(after.isEmpty ? "" : " AND (created_at, id) \(beyond) (?, ?)")
                    AND (lower(email) LIKE ? ESCAPE '!' OR lower(user_metadata) LIKE ? ESCAPE '!')
                ORDER BY created_at \(direction), id \(direction) LIMIT ?
                """,
                [SQLValue(directory)] + after
                    + [SQLValue(Self.pattern(part.text)), SQLValue(Self.metadataPattern(part)), SQLValue(Self.stride)]
            ) { row in
                (
                    id: try row.text(0), createdAt: try row.instant(1),
                    isWanted: part.isIn(email: try row.optionalText(2), try? row.object(3))
                )
            }
            for candidate in candidates where candidate.isWanted {
                passed += 1
                if passed > offset { found.append(UserID(candidate.id)) }
                if found.count == limit { return try users(found, in: directory) }
            }
            guard candidates.count == Self.stride, let end = candidates.last else {
                return try users(found, in: directory)
            }
            last = (end.createdAt, end.id)
        }
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
