// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// Another server's tables of accounts, in a schema beside ours of the same database.
///
/// Whole rows are read as JSON that the database makes of them, so that a column that an older or a newer version of
/// that server has not, or has besides, is no matter here.
public struct PlatformSchema: AccountSource {
    /// Refresh tokens that are read of one session at most, but for the live ones: those that were left behind long ago
    /// open nothing anyway.
    private static let tokensOfSession = 32
    private static let limits = JSONLimits(members: 1_000_000, bytes: 256 << 20)

    let store: PostgresAccountStore
    /// As it is written into statements.
    let namespace: String
    /// Whose names the users have there.
    let dialect: DialectName

    /// - Parameter namespace: the schema's name.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for one of other than lower-case letters, digits and `_`, and for our
    ///   own.
    public init(_ store: PostgresAccountStore, namespace: String, dialect: DialectName) throws(AuthError) {
        guard namespace.wholeMatch(of: /[a-z_][a-z0-9_]{0,62}/) != nil, namespace != store.schema else {
            throw AuthError(.invalidRequest, reason: "the name of its schema")
        }
        self.store = store
        self.namespace = namespace
        self.dialect = dialect
    }

    public var name: String { namespace }

    /// What says of each table which transaction has written each of its rows.
    public func moment() async throws -> String {
        try await store.readStatements { [self] in try requireTables($0.connection) }
        let tables = try await comparedTables()
        // Before anything is read: what a transaction sees is what there was at its first question.
        let lock = "LOCK TABLE " + tables.map { "\(namespace).\($0)" }.joined(separator: ", ") + " IN SHARE MODE"
        return try await store.withOwnTransactions { [self] connection in
            var prints: JSONObject = [:]
            // Whoever is writing is waited for, so that what they write is of before.
            try TableChange.repeated(on: connection, lockMilliseconds: SchemaMirror.lockMilliseconds) {
                try connection.commands([lock])
                prints = try fingerprints(tables, connection)
            }
            return String(decoding: JSONValue.object(prints).serialized(), as: UTF8.self)
        }
    }

    public func accounts(
        after last: String?, limit: Int
    ) async throws -> [(id: String, account: JSONObject)] {
        let arguments = (last.map { [SQLValue.text($0)] } ?? []) + [.integer(Int64(limit))]
        return try await store.readStatements { transaction in
            let sql = statement(isFirst: last == nil, hasPasskeys: try hasPasskeys(transaction.connection))
            return try transaction.connection.query(sql, arguments) { row in
                let (id, text) = (try row.text(0), try row.text(1))
                do {
                    return (id, try JSONObject(parsing: text.utf8, limits: Self.limits))
                } catch {
                    throw AuthError(
                        .conflict,
                        reason: "\(id): more than is read of one account, or numbers of a size that nobody reads")
                }
            }
        }
    }

    /// Newer versions have a table of them.
    func hasPasskeys(_ connection: any SQLConnection) throws -> Bool {
        try connection.first(
            "SELECT CASE WHEN to_regclass(?::text) IS NULL THEN 0 ELSE 1 END",
            [.text("\(namespace).\(Self.passkeys)")]
        ) { try $0.integer(0) } == 1
    }

    static let passkeys = "webauthn_credentials"

    private func statement(isFirst: Bool, hasPasskeys: Bool) -> String {
        let place = isFirst ? "" : "AND u.id > ?::text::uuid"
        let passkeys =
            hasPasskeys
            ? """
                'passkeys', (
                    SELECT jsonb_agg(to_jsonb(p) ORDER BY p.created_at, p.id) FROM \(namespace).\(Self.passkeys) p
                    WHERE p.user_id = u.id),
            """ : ""
        return """
            SELECT u.id::text, (to_jsonb(u) || jsonb_build_object(
                'identities', (
                    SELECT jsonb_agg(to_jsonb(i) ORDER BY i.created_at, i.id) FROM \(namespace).identities i
                    WHERE i.user_id = u.id),
                'factors', (
                    SELECT jsonb_agg(to_jsonb(f) - 'last_webauthn_challenge_data' ORDER BY f.created_at, f.id)
                    FROM \(namespace).mfa_factors f WHERE f.user_id = u.id), \(passkeys)
                'sessions', (
                    SELECT jsonb_agg(to_jsonb(s) || jsonb_build_object(
                        'methods', (
                            SELECT jsonb_agg(to_jsonb(a)) FROM \(namespace).mfa_amr_claims a WHERE a.session_id = s.id),
                        'tokens', (
                            SELECT jsonb_agg(to_jsonb(t) ORDER BY t.id) FROM (
                                SELECT r.id, r.token, r.parent, r.revoked, r.created_at, r.updated_at,
                                    row_number() OVER (ORDER BY r.id DESC) AS place
                                FROM \(namespace).refresh_tokens r WHERE r.session_id = s.id) t
                            WHERE t.place <= \(Self.tokensOfSession) OR t.revoked IS NOT TRUE)))
                    FROM \(namespace).sessions s WHERE s.user_id = u.id)))::text
            FROM \(namespace).users u WHERE u.deleted_at IS NULL \(place) ORDER BY u.id LIMIT ?
            """
    }
}
