// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "kind", "prefix", "hash", "scopes", "created_at", "expires_at", "revoked_at",
        "last_used_at",
    ]

    private static func read(_ row: any SQLRow) throws -> APIKey {
        APIKey(
            id: try row.identifier(0), directoryID: try row.identifier(1), name: try row.text(2), kind: try row.one(3),
            prefix: try row.text(4), hash: try row.blob(5),
            // Scope tokens hold no blanks (RFC 6749, section 3.3).
            scopes: try row.text(6).split(separator: " ").map(String.init), createdAt: try row.instant(7),
            expiresAt: try row.optionalInstant(8), revokedAt: try row.optionalInstant(9),
            lastUsedAt: try row.optionalInstant(10))
    }

    func apiKeys(in directory: DirectoryID) throws -> [APIKey] {
        try connection.query(
            Statement.select("api_keys", Self.columns, "WHERE directory_id = ? ORDER BY created_at DESC, id DESC"),
            [SQLValue(directory)], Self.read)
    }

    func apiKey(hash: [UInt8]) throws -> APIKey? {
        try connection.first(
            Statement.select("api_keys", Self.columns, "WHERE hash = ?"), [SQLValue(hash)], Self.read)
    }

    func insert(_ key: APIKey) throws {
        _ = try execute(
            Statement.insert("api_keys", Self.columns),
            [
                SQLValue(key.id), SQLValue(key.directoryID), SQLValue(key.name), SQLValue(key.kind.rawValue),
                SQLValue(key.prefix), SQLValue(key.hash), SQLValue(key.scopes.joined(separator: " ")),
                SQLValue(key.createdAt), SQLValue(key.expiresAt), SQLValue(key.revokedAt), SQLValue(key.lastUsedAt),
            ])
    }

    func revokeAPIKey(_ id: APIKeyID, in directory: DirectoryID, at now: Instant) throws -> Bool {
        try execute(
            "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND \(Statement.isOfDirectory) AND revoked_at IS NULL",
            [SQLValue(now), SQLValue(id), SQLValue(directory)]) == 1
    }

    func touchAPIKey(_ id: APIKeyID, in directory: DirectoryID, at now: Instant) throws {
        _ = try execute(
            "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND \(Statement.isOfDirectory)",
            [SQLValue(now), SQLValue(id), SQLValue(directory)])
    }
}
