// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Everything of one database, moved into another of whichever kind, row by row as it is stored: sealed values stay
/// sealed, by the same data keys, so the same master key opens both.
///
/// It goes in small turns, each a transaction of the target's. One that was cut short says so of itself, and goes on
/// where it was. Nobody else may write to either meanwhile; whether somebody did is found at the end, when both are
/// compared.
package struct DatabaseCopy: Sendable {
    private static let rowsAtOnce = 500

    private let source: any AccountDatabase
    private let target: any AccountDatabase

    package init(from source: any AccountDatabase, to target: any AccountDatabase) {
        self.source = source
        self.target = target
    }

    /// - Parameter progress: told of a table's name and of how many of its rows have been written.
    /// - Returns: what both databases have, table by table.
    /// - Throws: `AuthErrorCode.conflict` while a server runs over either, for a target with rows that no copy has
    ///   begun, or where the two are not the same in the end; what the databases throw.
    package func callAsFunction(
        at now: Instant, progress: @Sendable (_ table: String, _ rows: Int) -> Void = { _, _ in }
    ) async throws -> [TableContents] {
        try await requireNoServer()
        try await begin(at: now)
        for table in SchemaTable.all {
            do {
                try await copy(table, progress)
            } catch let error as AuthError {
                throw AuthError(error.code, reason: "\(table.name): \(error.reason ?? error.code.rawValue)")
            }
        }
        var contents: [TableContents] = []
        for table in SchemaTable.all {
            let (here, there) = (try await source.contents(of: table), try await target.contents(of: table))
            guard here == there else {
                throw AuthError(
                    .conflict,
                    reason:
                        "\(table.name): \(here.rows) rows became \(there.rows), or others: somebody has written to one of the "
                        + "two. Stop the servers, empty the target and begin again")
            }
            contents.append(there)
        }
        await target.refreshStatistics()
        // One that was started meanwhile may write what was compared already.
        try await requireNoServer()
        try await target.writeStatements {
            _ = try $0.statements.execute("DELETE FROM marks WHERE name = ?", [SQLValue(SchemaTable.copying)])
        }
        return contents
    }

    private func requireNoServer() async throws {
        try await source.requireNoServer()
        try await target.requireNoServer()
    }

    private func begin(at now: Instant) async throws {
        try await target.writeStatements { transaction in
            let statements = transaction.statements
            guard try !statements.isHalfCopied() else { return }
            for table in SchemaTable.all {
                guard try table.end(on: statements.connection) == nil else {
                    throw AuthError(.conflict, reason: "the target is not empty: there are rows in \(table.name)")
                }
            }
            _ = try statements.execute(
                "INSERT INTO marks (name, at) VALUES (?, ?)", [SQLValue(SchemaTable.copying), SQLValue(now)])
        }
    }

    private func copy(_ table: SchemaTable, _ progress: (String, Int) -> Void) async throws {
        // Among the marks is the copy's own.
        var end =
            table.name == "marks"
            ? nil : try await target.readStatements { try table.end(on: $0.statements.connection) }
        var count = 0
        while true {
            try Task.checkCancellation()
            let page = try await source.readStatements { [end] in
                try table.page(after: end, limit: Self.rowsAtOnce, on: $0.statements.connection)
            }
            guard let last = page.end else { return }
            try await target.writeStatements { try table.insert(page.rows, on: $0.statements.connection) }
            end = last
            count += page.rows.count
            progress(table.name, count)
        }
    }
}

extension SQLAccountStore {
    /// Whether a copy into it was begun and not finished: no server may open it.
    package func isHalfCopied() async throws -> Bool {
        try await readStatements { try $0.statements.isHalfCopied() }
    }

    /// What every table has, read in turns.
    ///
    /// - Parameter damaged: told of each value that is to be a JSON object and is none.
    package func contents(damaged: (DamagedValue) -> Void = { _ in }) async throws -> [TableContents] {
        var contents: [TableContents] = []
        for table in SchemaTable.all {
            contents.append(try await self.contents(of: table) { table.damage(in: $0).forEach(damaged) })
        }
        return contents
    }

    func contents(of table: SchemaTable, _ look: (TablePage) -> Void = { _ in }) async throws -> TableContents {
        var contents = TableContents(table.name)
        var end: [SQLValue]?
        repeat {
            try Task.checkCancellation()
            let page = try await readStatements { [end] in
                try table.page(after: end, limit: 500, on: $0.statements.connection)
            }
            contents.add(page)
            look(page)
            end = page.end
        } while end != nil
        return contents
    }
}

extension SQLTransaction {
    func isHalfCopied() throws -> Bool {
        try connection.first("SELECT at FROM marks WHERE name = ?", [SQLValue(SchemaTable.copying)]) { _ in true }
            ?? false
    }
}
