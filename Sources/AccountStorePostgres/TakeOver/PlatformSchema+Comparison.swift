// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

extension PlatformSchema {
    public func finish(_ takeOver: TakeOver, at now: Instant) async throws -> TakeOver {
        if let done = try await store.read({ try $0.takeOver(of: takeOver.source) }), done.finishedAt != nil {
            return done
        }
        let (tables, mirror) = (try await comparedTables(), try mirror(of: takeOver.directoryID))
        // All has come. Before the tables are locked, since what compares them is planned by it too.
        await store.refreshStatistics()
        return try await store.withOwnTransactions { [self] connection in
            var finished = takeOver
            // From its end on what becomes of them is written there too, and by nobody else.
            try mirror.install(connection, locking: tables) {
                let accounts = store.transaction(on: connection).accounts
                if let done = try accounts.takeOver(of: takeOver.source), done.finishedAt != nil {
                    finished = done
                    return false
                }
                try requireAll(takeOver, tables, connection)
                finished = takeOver
                finished.finishedAt = now
                try accounts.put(finished)
                return true
            }
            return finished
        }
    }

    private func requireAll(_ takeOver: TakeOver, _ tables: [String], _ connection: any SQLConnection) throws {
        let changed = try changedTables(since: takeOver, tables, connection)
        guard changed.isEmpty else {
            throw Self.refusal(
                "somebody has written to \(changed.joined(separator: ", ")) since \(takeOver.startedAt.rfc3339)")
        }
        let expected = takeOver.taken + takeOver.left
        for kind in TakeOver.Kind.allCases {
            let there = try count(kind, connection)
            guard there == expected[kind] else {
                throw Self.refusal(
                    "\(kind.rawValue): there are \(there) in \(namespace), and \(expected[kind]) were read")
            }
            guard let here = try ownCount(kind, of: takeOver.directoryID, connection) else { continue }
            guard here == takeOver.taken[kind] else {
                throw Self.refusal("\(kind.rawValue): \(takeOver.taken[kind]) were read, and \(here) are here")
            }
        }
    }

    private func mirror(of directory: DirectoryID) throws -> SchemaMirror {
        try SchemaMirror(namespace: namespace, directory: directory, dialect: dialect, ours: store.schema)
    }

    /// - Throws: ``AuthErrorCode/conflict`` where the accounts that were taken over were given back since.
    public func requireMirrored(_ directory: DirectoryID) async throws {
        guard try await store.mirror() == mirror(of: directory) else {
            throw AuthError(
                .conflict,
                reason:
                    "the accounts of \(namespace) were handed back: drop the schema \(store.schema) to take them over again"
            )
        }
    }

    private static func refusal(_ reason: String) -> AuthError {
        AuthError(
            .conflict,
            reason: reason
                + ". Stop whatever writes there, the server of before above all, and begin again: drop our schema "
                + "(nobody has been served from it), and start")
    }

    /// The tables that are read.
    func comparedTables() async throws -> [String] {
        try await store.readStatements { [self] transaction in
            try Self.tables.map(\.0) + (hasPasskeys(transaction.connection) ? [Self.passkeys] : [])
        }
    }

    private func changedTables(
        since takeOver: TakeOver, _ tables: [String], _ connection: any SQLConnection
    ) throws -> [String] {
        guard let before = try? JSONObject(parsing: takeOver.moment.utf8) else { return tables }
        let now = try fingerprints(tables, connection)
        return tables.filter { now[$0] == nil || before[$0] != now[$0] }
    }

    /// Of each table how many rows it has, and a sum over each row's key and the transaction that wrote it (`xmin`):
    /// another one after any change, whoever's clock says what, and however long ago the transaction began that makes
    /// it. Numbers of transactions can't say that by their order: one that had begun before, and had written to an
    /// app's tables alone, has a lower one and writes here afterwards.
    func fingerprints(_ tables: [String], _ connection: any SQLConnection) throws -> JSONObject {
        // Each row of each table is looked at: by an index that would be each page many times.
        _ = try connection.execute("SET LOCAL enable_seqscan TO on", [])
        return try tables.reduce(into: [:]) { prints, table in
            let sum = try connection.first(
                """
                SELECT count(*) || ' ' || COALESCE(bit_xor(hashtextextended(concat(id, ' ', xmin), 0)), 0)
                FROM \(namespace).\(table)
                """, [], { try $0.text(0) })
            prints[table] = sum.map { .string($0) }
        }
    }

    private func count(_ kind: TakeOver.Kind, _ connection: any SQLConnection) throws -> Int {
        let ofLiving = "JOIN \(namespace).users u ON u.id = x.user_id WHERE u.deleted_at IS NULL"
        let sql =
            switch kind {
            case .users: "SELECT count(*) FROM \(namespace).users WHERE deleted_at IS NULL"
            case .identities: "SELECT count(*) FROM \(namespace).identities x \(ofLiving)"
            case .factors:
                try "SELECT (SELECT count(*) FROM \(namespace).mfa_factors x \(ofLiving))"
                    + (hasPasskeys(connection)
                        ? " + (SELECT count(*) FROM \(namespace).\(Self.passkeys) x \(ofLiving))" : "")
            case .sessions: "SELECT count(*) FROM \(namespace).sessions x \(ofLiving)"
            case .tokens:
                """
                SELECT (SELECT count(*) FROM \(namespace).refresh_tokens r
                    JOIN \(namespace).sessions x ON x.id = r.session_id \(ofLiving) AND r.revoked IS NOT TRUE AND r.token <> '')
                + (SELECT count(*) FROM \(namespace).sessions x \(ofLiving)
                    AND (to_jsonb(x) ->> 'refresh_token_counter')::bigint >= 0
                    AND to_jsonb(x) ->> 'refresh_token_hmac_key' <> '')
                """
            }
        return Int(try connection.first(sql, []) { try $0.integer(0) } ?? 0)
    }

    /// `nil` where rows here are not counted as there.
    private func ownCount(
        _ kind: TakeOver.Kind, of directory: DirectoryID, _ connection: any SQLConnection
    ) throws -> Int? {
        guard kind != .tokens else { return nil }
        return Int(
            try connection.first(
                "SELECT count(*) FROM \(kind.rawValue) WHERE directory_id = ?", [.text(directory.rawValue)]
            ) { try $0.integer(0) } ?? 0)
    }
}
