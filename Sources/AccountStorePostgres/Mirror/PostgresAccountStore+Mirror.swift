// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

extension PostgresAccountStore {
    private static let toldDifferences = 1_000

    /// Writes what becomes of a Directory's users into another server's tables from now on (``SchemaMirror``), and
    /// lets nobody else write them. What stands there already is left as it is, who is missing is added,
    /// and sessions that are none of ours end: in turns, while servers go on. Done again, it is done anew.
    ///
    /// - Parameters:
    ///   - namespace: the schema of those tables, in the same database.
    ///   - dialect: whose names the users have there.
    /// - Throws: ``AuthErrorCode/invalidRequest`` where there are no such tables, where they are of a version without
    ///   all of the columns, or where this connection's role is not their owner's; ``AuthErrorCode/changeRefused``
    ///   with a row's name where an app's triggers or keys keep it out. The mirror is installed then, and is filled
    ///   further by whoever opens the database next.
    package func installMirror(namespace: String, of directory: DirectoryID, dialect: DialectName) async throws {
        let mirror = try SchemaMirror(namespace: namespace, directory: directory, dialect: dialect, ours: schema)
        try await withOwnTransactions { try mirror.install($0) }
    }

    /// Leaves those tables as they are to whoever writes them then.
    package func removeMirror() async throws {
        guard let mirror = try await mirror() else { return }
        try await withOwnTransactions { try mirror.remove($0) }
    }

    /// Where changes are mirrored; `nil` where they are not.
    package func mirror() async throws -> SchemaMirror? {
        try await withConnection(.snapshot) { [schema] in try SchemaMirror.installed($0, ours: schema)?.mirror }
    }

    /// By its word that all is there, and by the count of its triggers, which go while servers run with the tables that
    /// somebody drops or restores, and which a restore may disable. They are put back at a server's start alone: in the
    /// midst of a restore they would refuse it.
    package func mirrorFault() async throws -> String? {
        let found = try await readStatements { [schema] in
            try SchemaMirror.installed($0.connection, ours: schema)
        }
        guard let found, found.version == SchemaMirror.version else { return nil }
        let namespace = found.mirror.namespace
        if !found.isWhole {
            return
                "triggers between \(schema) and \(namespace) are gone or disabled: what is changed here is not there, or the "
                + "other way round. latchkey database mirror --install, or a server's start, puts them back"
        }
        guard !found.isFilled else { return nil }
        return
            "\(namespace) has not all of \(schema) yet: latchkey database mirror --install is at it, or was cut short; it, or "
            + "a server's start, goes on with it"
    }

    /// Compares every row, while servers may go on: each turn sees one moment.
    ///
    /// - Throws: ``AuthErrorCode/notFound`` where there is no mirror.
    package func checkMirror() async throws -> MirrorReport {
        guard let mirror = try await mirror() else { throw AuthError(.notFound, reason: "there is no mirror") }
        var report = MirrorReport()
        report.counts = try await withConnection(.snapshot) { connection in
            let rows = try connection.query("SELECT kind, ours, mirrored FROM \(mirror.ours).mirror_counts()", []) {
                (
                    MirrorReport.Kind(rawValue: try $0.text(0)),
                    MirrorReport.Count(ours: Int(try $0.integer(1)), mirrored: Int(try $0.integer(2)))
                )
            }
            return Dictionary(rows.compactMap { row in row.0.map { ($0, row.1) } }) { first, _ in first }
        }
        var position: String? = ""
        while let after = position {
            let turn = try await withConnection(.snapshot) { try mirror.differences($0, after: after) }
            report.differences += turn.differences.prefix(Self.toldDifferences - report.differences.count)
            position = turn.last
        }
        let rest = Int64(Self.toldDifferences - report.differences.count)
        report.differences += try await withConnection(.snapshot) { connection in
            try connection.query("SELECT found::text FROM \(mirror.ours).mirror_left_over(\(rest)) found", []) {
                MirrorReport.Difference(kind: .user, id: try $0.text(0), how: "left over")
            }
        }
        return report
    }
}

extension SchemaMirror {
    /// Users that are compared in one transaction.
    private static let comparedAtOnce: Int64 = 10_000

    /// - Returns: what differs in the next turn, and how far that is; `nil` after the last.
    fileprivate func differences(
        _ connection: PostgresConnection, after: String
    ) throws -> (differences: [MirrorReport.Difference], last: String?) {
        let rows = try connection.query(
            "SELECT looked_at, kind, row_id, how FROM \(ours).mirror_differences(?, \(Self.comparedAtOnce))",
            [.text(after)]
        ) { row in
            let kind = row.isNull(1) ? nil : MirrorReport.Kind(rawValue: try row.text(1))
            return (
                last: row.isNull(0) ? nil : try row.text(0),
                difference: try kind.map {
                    MirrorReport.Difference(kind: $0, id: try row.text(2), how: try row.text(3))
                }
            )
        }
        return (rows.compactMap(\.difference), rows.last?.last)
    }

    /// What is written there, and must be there.
    private static let columns = [
        "users": [
            "instance_id", "id", "aud", "role", "email", "encrypted_password", "email_confirmed_at", "invited_at",
            "confirmation_token", "confirmation_sent_at", "recovery_token", "recovery_sent_at",
            "email_change_token_new", "email_change", "email_change_sent_at", "email_change_token_current",
            "email_change_confirm_status", "phone", "phone_confirmed_at", "phone_change", "phone_change_token",
            "phone_change_sent_at", "reauthentication_token", "reauthentication_sent_at", "last_sign_in_at",
            "raw_app_meta_data", "raw_user_meta_data", "created_at", "updated_at", "banned_until", "is_sso_user",
            "deleted_at", "is_anonymous",
        ],
        "identities": [
            "id", "user_id", "provider", "provider_id", "identity_data", "last_sign_in_at", "created_at", "updated_at",
        ],
        "mfa_factors": [
            "id", "user_id", "friendly_name", "factor_type", "status", "created_at", "updated_at", "phone",
        ],
        "sessions": [
            "id", "user_id", "created_at", "updated_at", "factor_id", "aal", "not_after", "refreshed_at", "user_agent",
            "ip",
        ],
    ]

    /// - Throws: ``AuthErrorCode/invalidRequest`` for what the installation would fail for, or its first change.
    func requireTables(_ connection: PostgresConnection) throws {
        // First: without it the tables' names alone are refused, and nobody is told why.
        let mayUse = try connection.query(
            "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_catalog.pg_namespace WHERE nspname = ?",
            [.text(namespace)]
        ) { try $0.integer(0) != 0 }
        guard mayUse != [false] else {
            throw AuthError(
                .invalidRequest, reason: "the database's role may not use the schema \(namespace)", field: "namespace")
        }
        for (table, columns) in Self.columns.sorted(by: { $0.key < $1.key }) {
            let present = Set(
                try connection.query(
                    """
                    SELECT attname::text FROM pg_catalog.pg_attribute
                    WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped
                    """, [.text("\(theirs).\(table)")]
                ) { try $0.text(0) })
            let missing = columns.filter { !present.contains($0) }
            guard missing.isEmpty else {
                throw AuthError(
                    .invalidRequest,
                    reason: present.isEmpty
                        ? "there is no table \(namespace).\(table)"
                        : "\(namespace).\(table) is of too old a version: it has no \(missing.joined(separator: ", "))",
                    field: "namespace")
            }
        }
        let isOwner = try connection.query(
            "SELECT pg_has_role(relowner, 'USAGE') FROM pg_catalog.pg_class WHERE oid = to_regclass(?)",
            [.text("\(theirs).users")]
        ) { try $0.integer(0) != 0 }
        guard isOwner == [true] else {
            throw AuthError(
                .invalidRequest, reason: "the database's role is not that of the tables' owner", field: "namespace")
        }
    }
}
