// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

extension PlatformSchema {
    /// What is read, by a column that the oldest version has whose accounts can be taken over.
    static let tables = [
        ("users", "deleted_at"), ("identities", "provider_id"), ("sessions", "refreshed_at"),
        ("refresh_tokens", "session_id"), ("mfa_factors", "secret"), ("mfa_amr_claims", "authentication_method"),
    ]

    /// - Throws: ``AuthErrorCode/unavailable`` for what is missing, with the statement that mends it.
    func requireTables(_ connection: any SQLConnection) throws {
        guard
            try connection.first(
                "SELECT CASE WHEN has_schema_privilege(oid, 'USAGE') THEN 1 ELSE 0 END FROM pg_namespace WHERE nspname = ?",
                [.text(namespace)], { try $0.integer(0) }) == 1
        else {
            throw AuthError(
                .unavailable,
                reason: "there is no schema \(namespace), or this role may not use it: GRANT USAGE ON SCHEMA")
        }
        for (table, column) in Self.tables {
            guard
                try connection.first(
                    """
                    SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(?::text) AND attname = ? AND NOT attisdropped
                    """, [.text("\(namespace).\(table)"), .text(column)], { _ in true }) == true
            else {
                throw AuthError(
                    .unavailable,
                    reason:
                        "\(namespace).\(table) with a column \(column) is not there, or not to be seen by this role. "
                        + "Let the server whose tables they are bring them up to date first")
            }
            let rights = table == "users" || table == "identities" || table == "sessions" ? Self.written : ["SELECT"]
            for right in rights {
                guard
                    try connection.first(
                        "SELECT CASE WHEN has_table_privilege(?::text, ?::text) THEN 1 ELSE 0 END",
                        [.text("\(namespace).\(table)"), .text(right)], { try $0.integer(0) }) == 1
                else {
                    throw AuthError(
                        .unavailable,
                        reason: "this role lacks a right: GRANT \(right) ON \(namespace).\(table) TO it, "
                            + "or connect as the role that the tables belong to")
                }
            }
            // To whom row-level security applies a table seems to be empty, and counts of it agree.
            guard
                try connection.first(
                    "SELECT CASE WHEN row_security_active(?::text) THEN 1 ELSE 0 END",
                    [.text("\(namespace).\(table)")], { try $0.integer(0) }) == 0
            else {
                throw AuthError(
                    .unavailable,
                    reason:
                        "row-level security hides rows of \(namespace).\(table) from this role: connect as the role "
                        + "that the table belongs to, or ALTER ROLE … BYPASSRLS")
            }
        }
    }

    private static let written = ["SELECT", "INSERT", "UPDATE", "DELETE"]
}
