// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How many rows a table has.
package struct TableRows: Sendable {
    package let table: String
    package let rows: Int
}

extension SQLAccountStore {
    /// Counts the rows of every table: for operators, not for requests.
    package func rowCounts() async throws -> [TableRows] {
        try await scanStatements(in: nil) { transaction in
            try SchemaTable.all.map { table in
                let count = try transaction.statements.connection.first("SELECT COUNT(*) FROM \(table.name)", []) {
                    try $0.integer(0)
                }
                return TableRows(table: table.name, rows: Int(count ?? 0))
            }
        }
    }

    /// Opens every value of a sealed column, in turns, and keeps none.
    package func openEverything() async throws -> OpeningReport {
        var report = OpeningReport()
        for column in SealedColumn.all {
            var last: [String]?
            repeat {
                try Task.checkCancellation()
                let (step, next) = try await readStatements { [last] in
                    try $0.statements.openRows(of: column, after: last, limit: 500)
                }
                report.opened += step.opened
                report.damaged += step.damaged
                last = next
            } while last != nil
        }
        return report
    }
}
