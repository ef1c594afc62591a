// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

// How triggers are put on tables that others are at meanwhile, and taken away.
extension SchemaMirror {
    /// Less than PostgreSQL waits before it looks for a deadlock (`deadlock_timeout`, a second by default): where an
    /// app's transaction and this one wait for each other, it is this one that gives way.
    static let lockMilliseconds = 500

    /// Ours before theirs, as a write of ours comes to them: the other way round every write under way would wait for
    /// theirs at its commit, and this would wait for it.
    var lockedTables: [String] {
        Self.tables.map { "\(ours).\($0.ours)" } + Self.tables.map { "\(theirs).\($0.theirs)" }
    }

    /// In transactions of its own: a brief one that nobody else writes beside, and a filling while they do.
    ///
    /// - Throws: what ``requireTables(_:)`` and ``MirrorFill`` throw; `AuthErrorCode.unavailable` where somebody holds
    ///   a table for a minute. Cut short in its filling, it is to be called again, or ``MirrorFill`` alone.
    func install(_ connection: PostgresConnection, _ fill: (MirrorFill) -> MirrorFill = { $0 }) throws {
        try TableChange.alone(in: ours, on: connection) { try installAlone(connection, fill) }
    }

    /// With the migrator's lock held.
    func installAlone(_ connection: PostgresConnection, _ fill: (MirrorFill) -> MirrorFill = { $0 }) throws {
        try requireTablesAlone(connection)
        try change(connection) { try connection.commands(installation) }
        try fill(MirrorFill(mirror: self))(connection)
    }

    /// Goes on with what an installation of this version has begun, with the migrator's lock held.
    func fillAlone(_ connection: PostgresConnection) throws {
        try requireTablesAlone(connection)
        try MirrorFill(mirror: self)(connection)
    }

    /// In one transaction with what `isWanted` writes, while nobody is served.
    ///
    /// - Parameters:
    ///   - others: tables of theirs that nobody is to write meanwhile, besides those that are mirrored.
    ///   - isWanted: asked before it installs, and once nobody else writes; again where the transaction is begun anew.
    ///     What it writes is written with the installation, or where it says `false` by itself.
    /// - Throws: what ``requireTables(_:)`` and `isWanted` throw; `AuthErrorCode.unavailable` where somebody holds a
    ///   table for a minute.
    func install(
        _ connection: PostgresConnection, locking others: [String], where isWanted: () throws -> Bool
    ) throws {
        try TableChange.alone(in: ours, on: connection) {
            try requireTablesAlone(connection)
            try change(connection, locking: others) {
                guard try isWanted() else { return }
                try connection.commands(installation)
                try MirrorFill(mirror: self).callInside(connection)
            }
        }
    }

    private func requireTablesAlone(_ connection: PostgresConnection) throws {
        connection.begin(.snapshot)
        defer { connection.rollBack() }
        try requireTables(connection)
    }

    /// Leaves the other server's tables as they are, in transactions of its own.
    ///
    /// - Parameter last: statements that go before.
    func remove(_ connection: PostgresConnection, after last: [String] = []) throws {
        try TableChange.alone(in: ours, on: connection) {
            try change(connection) { try connection.commands(last + [Self.removal(ours: ours)]) }
        }
    }

    /// - Parameter body: run in a transaction beside which nobody writes the tables; again where it is begun anew.
    private func change(
        _ connection: PostgresConnection, locking others: [String] = [], _ body: () throws -> Void
    ) throws {
        // To hang a trigger on a table its readers are left alone; to take one away they are not.
        let mode = try hasTriggers(connection) ? "ACCESS EXCLUSIVE" : "SHARE ROW EXCLUSIVE"
        // Before anything is read, so that whoever was writing is seen.
        let tables = lockedTables + others.map { "\(theirs).\($0)" }.filter { !lockedTables.contains($0) }
        try TableChange.repeated(on: connection, lockMilliseconds: Self.lockMilliseconds) {
            try connection.commands(["LOCK TABLE \(tables.joined(separator: ", ")) IN \(mode) MODE"])
            try body()
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
