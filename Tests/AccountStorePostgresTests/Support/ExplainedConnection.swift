// SPDX-License-Identifier: Apache-2.0

@testable import AccountStore

/// Runs every statement as the store would, and notes how PostgreSQL goes about each.
final class ExplainedConnection: SQLConnection {
    /// A look into a table by an index.
    struct Search: CustomStringConvertible {
        let statement: String
        let index: String
        /// What it looks for by equality, in no order.
        let columns: Set<String>

        var description: String { "\(index) by \(columns.sorted()) in \(statement)" }
    }

    private let connection: any SQLConnection
    private(set) var searches: [Search] = []
    /// Plans that look through a whole table.
    private(set) var walks: [String] = []

    init(_ connection: any SQLConnection) { self.connection = connection }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try note(sql, arguments)
        return try connection.execute(sql, arguments)
    }

    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Void) throws {
        try note(sql, arguments)
        try connection.forEachRow(sql, arguments, read)
    }

    private func note(_ sql: String, _ arguments: [SQLValue]) throws {
        guard !sql.hasPrefix("SET "), !sql.hasPrefix("NOTIFY ") else { return }
        let lines = try connection.query("EXPLAIN (COSTS OFF) " + sql, arguments) { try $0.text(0) }
        if lines.contains(where: { $0.contains("Seq Scan") }) { walks.append(lines.joined(separator: "\n")) }
        for (place, line) in lines.enumerated() {
            guard
                let index =
                    (line.firstMatch(of: /Index (Only )?Scan (Backward )?using (\w+)/)?.3
                        ?? line.firstMatch(of: /Bitmap Index Scan on (\w+)/)?.1)
            else { continue }
            // What belongs to a node follows it, until the next one.
            let details = lines.dropFirst(place + 1).prefix { !$0.contains("->") }
            let condition = details.first { $0.contains("Index Cond:") } ?? ""
            let columns = condition.matches(of: #/\((\w+) = /#).map { String($0.1) }
            searches.append(Search(statement: sql, index: String(index), columns: Set(columns)))
        }
    }

    /// The columns of an index, in their order.
    func columns(ofIndex index: String) throws -> [String] {
        try connection.query(
            """
            SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass(?::text) AND attnum > 0 ORDER BY attnum
            """, [.text(index)]
        ) { try $0.text(0) }
    }
}
