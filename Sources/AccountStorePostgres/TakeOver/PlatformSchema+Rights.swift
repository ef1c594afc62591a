// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

extension PlatformSchema {
    /// What is read, by a column that no version is without whose accounts can be taken over, and whose tables can be
    /// written.
    static let tables = [
        ("users", "is_anonymous"), ("identities", "provider_id"), ("sessions", "refreshed_at"),
        ("refresh_tokens", "session_id"), ("mfa_factors", "phone"), ("mfa_amr_claims", "authentication_method"),
    ]

    /// What each table is asked, and what is said where the answer is no.
    private static let questions: [(sql: String, refusal: @Sendable (String) -> String)] = [
        ("has_table_privilege(?::text, 'SELECT')", { "this role lacks a right: GRANT SELECT ON \($0)" }),
        // To whom it applies a table seems to be empty, and counts of it agree.
        (
            "NOT row_security_active(?::text)",
            { "row-level security hides rows of \($0) from this role, which does not own it" }
        ),
        // Whose alone it is to lock them, and to hang triggers on them.
        (
            "(SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(?::text))",
            { "this role does not own \($0)" }
        ),
    ]

    /// - Throws: ``AuthErrorCode/unavailable`` for what is missing, with what mends it.
    func requireTables(_ connection: any SQLConnection) throws {
        func asks(_ sql: String, _ arguments: [SQLValue]) throws -> Bool {
            try connection.first("SELECT CASE WHEN \(sql) THEN 1 ELSE 0 END", arguments) { try $0.integer(0) } == 1
        }
        guard
            try asks(
                "(SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = ?)", [.text(namespace)])
        else {
            throw Self.refusal("there is no schema \(namespace), or this role may not use it: GRANT USAGE ON SCHEMA")
        }
        let passkeys = try hasPasskeys(connection) ? [(Self.passkeys, "credential_id")] : []
        for (table, column) in Self.tables + passkeys {
            let name = "\(namespace).\(table)"
            guard
                try asks(
                    """
                    EXISTS (SELECT FROM pg_attribute
                        WHERE attrelid = to_regclass(?::text) AND attname = ? AND NOT attisdropped)
                    """, [.text(name), .text(column)])
            else {
                throw Self.refusal(
                    "\(name) with a column \(column) is not there: let the server whose tables they are bring them up to date"
                )
            }
            for question in Self.questions where try !asks(question.sql, [.text(name)]) {
                throw Self.refusal(question.refusal(name) + ". Connect as the role that the tables belong to")
            }
        }
    }

    private static func refusal(_ reason: String) -> AuthError { AuthError(.unavailable, reason: reason) }
}
