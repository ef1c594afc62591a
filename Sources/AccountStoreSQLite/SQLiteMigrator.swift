// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import GRDB

/// Brings a database's schema up to date. Two processes that start together take turns: each step is one immediate
/// transaction that looks first.
struct SQLiteMigrator {
    var migrations = Migration.all

    /// Whether the database may be opened at all, to be asked before anything is written: even turning the log on
    /// changes the file.
    ///
    /// - Returns: The number of its newest migration; `nil` for an empty database.
    /// - Throws: `AuthErrorCode.unavailable` for a database written by a newer version, by one before a release, or by
    ///   another program.
    @discardableResult
    func inspect(_ database: Database) throws -> Int? {
        // Asked of SQLite itself: GRDB remembers what it saw, and another process may be making the tables.
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('schema_migrations')")
        guard !columns.isEmpty else {
            guard try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0 else {
                throw AuthError(.unavailable, reason: "it belongs to another program")
            }
            return nil
        }
        // Another program may keep a table of this common name.
        guard columns == ["number", "digest"] else {
            throw columns == ["number"] ? Self.older : AuthError(.unavailable, reason: "it belongs to another program")
        }
        let newest = try Int.fetchOne(database, sql: "SELECT MAX(number) FROM schema_migrations") ?? 0
        guard newest <= (migrations.last?.number ?? 0) else {
            throw AuthError(.unavailable, reason: "it was written by a newer version, schema \(newest)")
        }
        for row in try Row.fetchAll(database, sql: "SELECT number, digest FROM schema_migrations") {
            let (number, digest): (Int, String?) = (row[0], row[1])
            guard let step = migrations.first(where: { $0.number == number }), step.digest == digest else {
                throw Self.older
            }
        }
        return newest
    }

    /// Steps are edited until they ship.
    private static let older = AuthError(
        .unavailable,
        reason: "its tables are those of a development version before this one, which nothing changes into today's. "
            + "Move it away and start with a new one; users come along by that version's `latchkey user export` and "
            + "this one's `latchkey user import`")

    /// - Throws: As ``inspect(_:)`` does.
    func migrate(_ database: some DatabaseWriter) throws {
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                guard try inspect(database) == nil else { return .rollback }
                try database.execute(sql: "CREATE TABLE schema_migrations (number BIGINT PRIMARY KEY, digest TEXT)")
                return .commit
            }
            for migration in migrations {
                try database.inTransaction(.immediate) {
                    let isDone = try Bool.fetchOne(
                        database, sql: "SELECT COUNT(*) FROM schema_migrations WHERE number = ?",
                        arguments: [migration.number])
                    guard isDone != true else { return .rollback }
                    for statement in migration.statements { try database.execute(sql: statement) }
                    try database.execute(
                        sql: "INSERT INTO schema_migrations (number, digest) VALUES (?, ?)",
                        arguments: [migration.number, migration.digest])
                    return .commit
                }
            }
        }
    }
}
