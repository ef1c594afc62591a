// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

// How triggers are put on tables that others are at meanwhile, and taken away.
extension SchemaMirror {
    /// Less than PostgreSQL waits before it looks for a deadlock (`deadlock_timeout`, a second by default): where an app's transaction
    /// and this one wait for each other, it is this one that gives way.
    private static let lockMilliseconds = 500

    /// Ours before theirs, as a write of ours comes to them: the other way round every write under way would wait for theirs at its
    /// commit, and this would wait for it.
    var lockedTables: [String] {
        Self.tables.map { "\(ours).\($0.ours)" } + Self.tables.map { "\(theirs).\($0.theirs)" }
    }

    /// In transactions of its own.
    ///
    /// - Throws: what ``requireTables(_:)`` throws; `AuthErrorCode.unavailable` where somebody holds a table for a minute.
    func install(_ connection: PostgresConnection) throws {
        try TableChange.alone(in: ours, on: connection) { try installAlone(connection) }
    }

    /// With the migrator's lock held.
    func installAlone(_ connection: PostgresConnection) throws {
        connection.begin(.snapshot)
        do {
            defer { connection.rollBack() }
            try requireTables(connection)
        }
        try change(connection, by: installation)
    }

    /// Leaves the other server's tables as they are, in transactions of its own.
    ///
    /// - Parameter last: statements that go before.
    func remove(_ connection: PostgresConnection, after last: [String] = []) throws {
        try TableChange.alone(in: ours, on: connection) {
            try change(connection, by: last + [Self.removal(ours: ours)])
        }
    }

    private func change(_ connection: PostgresConnection, by statements: [String]) throws {
        // To hang a trigger on a table its readers are left alone; to take one away they are not.
        let mode = try hasTriggers(connection) ? "ACCESS EXCLUSIVE" : "SHARE ROW EXCLUSIVE"
        // Before anything is read, so that whoever was writing is seen.
        let lock = "LOCK TABLE \(lockedTables.joined(separator: ", ")) IN \(mode) MODE"
        try TableChange.repeated(on: connection, lockMilliseconds: Self.lockMilliseconds) {
            try connection.commands([lock] + statements)
        }
    }

    private func hasTriggers(_ connection: PostgresConnection) throws -> Bool {
        try connection.query(
            """
            SELECT 1 FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
            WHERE p.pronamespace = to_regnamespace(?) AND starts_with(p.proname, 'mirror_') LIMIT 1
            """, [.text(ours)]
        ) { _ in true } == [true]
    }
}
