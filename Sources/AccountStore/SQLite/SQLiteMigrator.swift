// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import GRDB

/// Brings a database's schema up to date. Two processes that start together take turns: each step is one immediate
/// transaction that looks first.
struct SQLiteMigrator {
    let pool: DatabasePool
    var migrations = Migration.all

    /// - Throws: `AuthErrorCode.unavailable` for a database written by a newer version.
    func migrate() throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY)")
            let newest = try Int.fetchOne(database, sql: "SELECT MAX(number) FROM schema_migrations") ?? 0
            guard newest <= (migrations.last?.number ?? 0) else {
                throw AuthError(
                    .unavailable, reason: "the database was written by a newer version (schema \(newest))")
            }
            for migration in migrations {
                try database.inTransaction(.immediate) {
                    let isDone = try Bool.fetchOne(
                        database, sql: "SELECT COUNT(*) FROM schema_migrations WHERE number = ?",
                        arguments: [migration.number])
                    guard isDone != true else { return .commit }
                    for statement in migration.statements { try database.execute(sql: statement) }
                    try database.execute(
                        sql: "INSERT INTO schema_migrations (number) VALUES (?)", arguments: [migration.number])
                    return .commit
                }
            }
        }
    }
}
