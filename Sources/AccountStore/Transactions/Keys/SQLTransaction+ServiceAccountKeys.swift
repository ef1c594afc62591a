// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "account", "public_jwk", "scopes", "created_at", "revoked_at",
    ]

    private static func read(_ row: any SQLRow) throws -> ServiceAccountKey {
        ServiceAccountKey(
            id: try row.identifier(0), directoryID: try row.identifier(1), account: try row.text(2),
            publicJWK: try row.text(3),
            // Scope tokens hold no blanks (RFC 6749, section 3.3).
            scopes: try row.text(4).split(separator: " ").map(String.init), createdAt: try row.instant(5),
            revokedAt: try row.optionalInstant(6))
    }

    func serviceAccountKeys(in directory: DirectoryID) throws -> [ServiceAccountKey] {
        try connection.query(
            Statement.select(
                "service_account_keys", Self.columns, "WHERE directory_id = ? ORDER BY created_at DESC, id DESC"),
            [SQLValue(directory)], Self.read)
    }

    func serviceAccountKeys(of account: String, in directory: DirectoryID) throws -> [ServiceAccountKey] {
        try connection.query(
            Statement.select(
                "service_account_keys", Self.columns,
                "WHERE directory_id = ? AND account = ? AND revoked_at IS NULL ORDER BY created_at DESC, id DESC"),
            [SQLValue(directory), SQLValue(account)], Self.read)
    }

    func serviceAccountKey(_ id: ServiceAccountKeyID, in directory: DirectoryID) throws -> ServiceAccountKey? {
        try connection.first(
            Statement.select("service_account_keys", Self.columns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(id), SQLValue(directory)], Self.read)
    }

    func insert(_ key: ServiceAccountKey) throws {
        _ = try execute(
            Statement.insert("service_account_keys", Self.columns),
            [
                SQLValue(key.id), SQLValue(key.directoryID), SQLValue(key.account), SQLValue(key.publicJWK),
                SQLValue(key.scopes.joined(separator: " ")), SQLValue(key.createdAt), SQLValue(key.revokedAt),
            ])
    }

    func revokeServiceAccountKey(
        _ id: ServiceAccountKeyID, in directory: DirectoryID, at now: Instant
    ) throws -> Bool {
        try execute(
            "UPDATE service_account_keys SET revoked_at = ? WHERE id = ? AND directory_id = ? AND revoked_at IS NULL",
            [SQLValue(now), SQLValue(id), SQLValue(directory)]) == 1
    }
}
