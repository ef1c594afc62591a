// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

extension PlatformSchema {
    public func finish(_ takeOver: TakeOver, at now: Instant) async throws -> TakeOver {
        let tables = try await comparedTables()
        return try await store.writeAtLength { [self] transaction in
            let connection = transaction.connection
            try lock(tables, connection)
            if let done = try transaction.accounts.takeOver(of: takeOver.source), done.finishedAt != nil { return done }
            return try finish(takeOver, at: now, transaction, connection)
        }
    }

    private func finish(
        _ takeOver: TakeOver, at now: Instant, _ transaction: OpenTransaction, _ connection: any SQLConnection
    ) throws -> TakeOver {
        let changed = try changedTables(since: takeOver, connection)
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
        var finished = takeOver
        finished.finishedAt = now
        try transaction.accounts.put(finished)
        // From this moment on what becomes of them is written there too, and by nobody else.
        guard let connection = connection as? PostgresConnection else {
            throw AuthError(.internalFailure, reason: "another driver's connection")
        }
        try connection.commands(mirror(of: takeOver.directoryID).installation)
        return finished
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

    /// Against whoever would write meanwhile, once those who are at it have done. Before anything is read: what a transaction sees is
    /// what there was at its first question.
    func lock(_ tables: [String], _ connection: any SQLConnection) throws {
        _ = try connection.execute(
            "LOCK TABLE " + tables.map { "\(namespace).\($0)" }.joined(separator: ", ") + " IN SHARE MODE", [])
    }

    /// The tables whose rows are counted.
    func comparedTables() async throws -> [String] {
        try await store.readStatements { [self] in try compared($0.connection) }
    }

    private func compared(_ connection: any SQLConnection) throws -> [String] {
        try Self.tables.dropLast().map(\.0) + (hasPasskeys(connection) ? [Self.passkeys] : [])
    }

    /// By the transactions that wrote their rows. Numbers of transactions begin again after four thousand million: rows that are
    /// old by their own account are not looked at.
    private func changedTables(since takeOver: TakeOver, _ connection: any SQLConnection) throws -> [String] {
        let moment = String(UInt64(bitPattern: takeOver.moment) & 0xFFFF_FFFF)
        let yesterday = (takeOver.startedAt - .hours(24)).rfc3339
        return try compared(connection).filter { table in
            try connection.first(
                """
                SELECT 1 FROM \(namespace).\(table) WHERE age(xmin) BETWEEN 0 AND age(?::text::xid)
                AND COALESCE(updated_at, created_at, now()) > ?::text::timestamptz LIMIT 1
                """, [.text(moment), .text(yesterday)], { _ in true }) == true
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
