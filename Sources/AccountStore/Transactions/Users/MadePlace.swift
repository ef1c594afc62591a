// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A place in the order in which users were made.
struct MadePlace {
    /// Microseconds since 1970; `nil` where a damaged row has something else there, which SQLite orders too.
    private let createdAt: Int64?
    let id: String

    /// Where a user stands.
    init(_ user: User) {
        let isReadable = !user.damage.contains { $0.column == "created_at" }
        createdAt = isReadable ? user.createdAt.microseconds : nil
        id = user.id.rawValue
    }

    /// - Parameters:
    ///   - index: of the time's column.
    ///   - identifier: of the identifier's.
    init(_ row: any SQLRow, _ index: Int, id identifier: Int) throws {
        createdAt = try? row.integer(index)
        id = try row.text(identifier)
    }

    private static let unreadable = "?"

    init?(_ position: UserPosition) {
        let parts = position.text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        id = String(parts[1])
        createdAt = Int64(parts[0])
        guard createdAt != nil || parts[0] == Self.unreadable else { return nil }
    }

    var position: UserPosition { UserPosition("\(createdAt.map(String.init) ?? Self.unreadable) \(id)") }

    /// - Parameter comparison: of the two columns with the place's.
    func condition(_ comparison: String, in directory: DirectoryID) -> (text: String, arguments: [SQLValue]) {
        guard let createdAt else {
            let place = "(SELECT created_at, id FROM users WHERE directory_id = ? AND id = ?)"
            return ("(created_at, id) \(comparison) \(place)", [SQLValue(directory), .text(id)])
        }
        return ("(created_at, id) \(comparison) (?, ?)", [.integer(createdAt), .text(id)])
    }

    static func order(oldestFirst: Bool) -> String {
        oldestFirst ? "ORDER BY created_at, id" : "ORDER BY created_at DESC, id DESC"
    }

    /// Those of a Directory who come behind a place; all of them where there is none.
    static func condition(
        in directory: DirectoryID, oldestFirst: Bool, after position: UserPosition?
    ) -> (text: String, arguments: [SQLValue]) {
        let all = "directory_id = ? AND deleted_at IS NULL"
        guard let place = position.flatMap(MadePlace.init) else { return (all, [SQLValue(directory)]) }
        let behind = place.condition(oldestFirst ? ">" : "<", in: directory)
        return ("\(all) AND \(behind.text)", [SQLValue(directory)] + behind.arguments)
    }
}
