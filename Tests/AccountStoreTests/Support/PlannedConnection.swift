// SPDX-License-Identifier: Apache-2.0

@testable import AccountStore
@testable import AccountStoreSQLite

/// Runs every statement as the store would, and notes how SQLite goes about each.
final class PlannedConnection: SQLConnection {
    struct Plan: CustomStringConvertible {
        let statement: String
        let steps: [String]

        var description: String { statement + "\n" + steps.map { "    " + $0 }.joined(separator: "\n") }
    }

    private let connection: any SQLConnection
    private var known: Set<String>
    private(set) var plans: [Plan] = []

    /// - Parameter known: statements that need not be noted.
    init(_ connection: any SQLConnection, except known: Set<String> = []) {
        self.connection = connection
        self.known = known
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try note(sql, arguments)
        return try connection.execute(sql, arguments)
    }

    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Void) throws {
        try note(sql, arguments)
        try connection.forEachRow(sql, arguments, read)
    }

    private func note(_ sql: String, _ arguments: [SQLValue]) throws {
        guard known.insert(sql).inserted else { return }
        // The fourth column of a plan is its text.
        let steps = try connection.query("EXPLAIN QUERY PLAN " + sql, arguments) { try $0.text(3) }
        plans.append(Plan(statement: sql, steps: steps))
    }
}
