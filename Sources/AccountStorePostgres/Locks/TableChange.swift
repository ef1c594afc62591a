// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A change of tables that others are at meanwhile: one at a time, wherever it runs, and waiting so briefly for a table
/// that nobody queues behind it for long.
enum TableChange {
    /// How long one waits for a table, and how often. Everybody who comes to the table meanwhile waits behind it.
    static let lockMilliseconds = 1_000
    private static let attempts = 120

    /// While no other process of this schema's changes tables.
    ///
    /// - Throws: a ``PostgresFailure`` of `body`'s in the domain's words; its transaction is rolled back.
    static func alone(in schema: String, on connection: PostgresConnection, _ body: () throws -> Void) throws {
        let lock = SQLLock(number: PostgresLock.migration.number(in: schema))
        do {
            // Before the transaction, whose first statement says what it sees: what the one before left.
            try connection.commands([lock.taken])
            try body()
        } catch {
            connection.rollBack()
            // The server gives it up with the connection at the latest.
            try? connection.commands([lock.given])
            throw PostgresFailure.domainError(error)
        }
        do {
            try connection.commands([lock.given])
        } catch {
            throw PostgresFailure.domainError(error)
        }
    }

    private struct SQLLock {
        let number: Int64
        var taken: String { "SELECT pg_advisory_lock(\(number))" }
        var given: String { "SELECT pg_advisory_unlock(\(number))" }
    }

    /// In a transaction, again where somebody holds a table, or came between.
    ///
    /// - Parameter body: runs in each of them.
    /// - Throws: ``PostgresFailure``, and what `body` throws; the transaction is rolled back.
    static func repeated(
        on connection: PostgresConnection, lockMilliseconds: Int = lockMilliseconds, _ body: () throws -> Void
    ) throws {
        for attempt in 1... {
            do {
                connection.begin(.serializable)
                try connection.commands(["SET LOCAL lock_timeout TO \(lockMilliseconds)"])
                try body()
                return try connection.commit()
            } catch {
                // What a question of `body`'s failed for is told in the domain's words.
                let failure = error as? PostgresFailure ?? connection.failure
                connection.rollBack()
                guard let failure, failure.isLockTimeout || failure.isSerialization, attempt < attempts else {
                    throw error
                }
            }
        }
    }
}
