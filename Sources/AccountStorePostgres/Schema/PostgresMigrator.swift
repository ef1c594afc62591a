// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

/// Brings a database's schema up to date. Processes that start together take turns, by an advisory lock.
struct PostgresMigrator {
    let schema: String
    var migrations = Migration.all

    /// Whether the database has no tables of this program's.
    func isMissing(_ connection: PostgresConnection) throws -> Bool {
        connection.begin(.snapshot)
        defer { connection.rollBack() }
        do {
            return try connection.query(
                "SELECT to_regclass(?) IS NULL", [.text("\(schema).schema_migrations")]
            ) { try $0.integer(0) } == [1]
        } catch {
            throw PostgresFailure.domainError(error)
        }
    }

    /// Servers of the version before go on meanwhile, where the steps serve them.
    ///
    /// - Throws: `AuthErrorCode.unavailable` for a database written by a newer version that this one may not work
    ///   beside, or by one before a release, and where somebody holds a table for minutes.
    func migrate(_ connection: PostgresConnection) throws {
        do {
            try connection.commands(["CREATE SCHEMA IF NOT EXISTS \(schema)"])
        } catch let failure as PostgresFailure where failure.sqlState == "23505" {
            // Two at once: the other one has made it.
        } catch let failure as PostgresFailure where failure.sqlState == "42501" {
            // Who may make none is asked for that also where it is there.
            try requireSchema(connection)
        }
        try TableChange.alone(in: schema, on: connection) {
            try TableChange.repeated(on: connection) { try step(connection) }
        }
    }

    /// - Throws: `AuthErrorCode.unavailable` with the statement by which somebody else makes it.
    private func requireSchema(_ connection: PostgresConnection) throws {
        let isThere: [Bool]
        do {
            isThere = try connection.query(
                "SELECT 1 FROM pg_namespace WHERE nspname = ?", [.text(schema)]
            ) { _ in true }
        } catch {
            throw PostgresFailure.domainError(error)
        }
        guard isThere.isEmpty else { return }
        throw AuthError(
            .unavailable,
            reason: "database: this role may not make the schema \(schema): as one that may, CREATE SCHEMA \(schema) "
                + "AUTHORIZATION the role, or GRANT CREATE ON DATABASE")
    }

    private func step(_ connection: PostgresConnection) throws {
        _ = try connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_migrations (number BIGINT PRIMARY KEY, digest TEXT, serves BIGINT)", [])
        let done = try present(connection)
        for migration in migrations where !done.contains(Int64(migration.number)) {
            try connection.commands(migration.statements.map(StatementText.schema))
            _ = try connection.execute(
                "INSERT INTO schema_migrations (number, digest, serves) VALUES (?, ?, ?)",
                [.integer(Int64(migration.number)), .text(migration.digest), .integer(Int64(migration.serves))])
        }
    }

    /// Puts this version's triggers in the place of those that an older one has left: what those write is as old as
    /// they are. And in the place of those that are gone: a restore brings back our schema without what hung on the
    /// other server's tables. Where only the filling of those was cut short, it goes on. Servers that start together
    /// take turns; others serve meanwhile.
    func renewMirror(_ connection: PostgresConnection) throws {
        guard try mirrorToRenew(connection) != nil else { return }
        try TableChange.alone(in: schema, on: connection) {
            guard let found = try mirrorToRenew(connection) else { return }
            do {
                if found.isOutdated {
                    try found.mirror.installAlone(connection)
                } else {
                    try found.mirror.fillAlone(connection)
                }
            } catch let error as AuthError where error.code == .invalidRequest {
                throw AuthError(
                    .unavailable,
                    reason:
                        "database: what is written to \(found.mirror.namespace) is of an older version, or not whole, and "
                        + "can't be renewed (\(error.reason ?? "")): latchkey database mirror --install, as those tables' owner"
                )
            }
        }
    }

    private func mirrorToRenew(_ connection: PostgresConnection) throws -> InstalledMirror? {
        connection.begin(.snapshot)
        defer { connection.rollBack() }
        guard let found = try SchemaMirror.installed(connection, ours: schema) else { return nil }
        return found.isOutdated || found.isToBeFilled ? found : nil
    }

    /// The number of the newest migration that a database with tables of this program's has had.
    func version(_ connection: PostgresConnection) throws -> Int {
        connection.begin(.snapshot)
        defer { connection.rollBack() }
        do {
            return Int(try present(connection).last ?? 0)
        } catch {
            throw PostgresFailure.domainError(error)
        }
    }

    /// - Returns: the numbers of the migrations that were done.
    private func present(_ connection: PostgresConnection) throws -> [Int64] {
        let done = try connection.query("SELECT number, digest FROM schema_migrations ORDER BY number", []) {
            (number: try $0.integer(0), digest: $0.isNull(1) ? nil : try $0.text(1))
        }
        let known = Int64(migrations.last?.number ?? 0)
        if let newest = done.last?.number, newest > known {
            let serves = try connection.query(
                "SELECT MAX(COALESCE(serves, number)) FROM schema_migrations WHERE number > ?", [.integer(known)]
            ) { try $0.integer(0) }.first
            guard let serves, serves <= known else {
                throw AuthError(
                    .unavailable,
                    reason:
                        "its tables are those of a newer version, schema \(newest), beside which no version before schema "
                        + "\(serves ?? newest) may work; this version's is \(known)")
            }
        }
        for (number, digest) in done where number <= known {
            guard migrations.contains(where: { Int64($0.number) == number && $0.digest == digest }) else {
                throw AuthError(
                    .unavailable,
                    reason: "its tables are those of a development version before this one, which nothing changes into "
                        + "today's. Start with a new schema; users come along by `latchkey user export` and `import`")
            }
        }
        return done.map(\.number)
    }
}
