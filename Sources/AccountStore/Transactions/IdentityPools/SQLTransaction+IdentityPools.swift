// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "settings", "created_at", "updated_at", "version",
    ]
    private static let identityColumns: Columns = [
        "id", "pool_id", "directory_id", "is_authenticated", "merged_into", "created_at", "updated_at",
    ]
    private static let loginColumns: Columns = [
        "pool_id", "provider", "issuer", "subject", "identity_id", "created_at",
    ]

    // MARK: Pools

    private static func read(_ row: any SQLRow) throws -> IdentityPool {
        var pool = IdentityPool(
            id: try row.identifier(0), directoryID: try row.identifier(1), name: try row.text(2),
            createdAt: try row.instant(4), updatedAt: try row.instant(5), version: try row.integer(6))
        try IdentityPoolEncoding.read(row.object(3), into: &pool, column: 3)
        return pool
    }

    func identityPools(in directory: DirectoryID, after: IdentityPoolID?, limit: Int) throws -> [IdentityPool] {
        try connection.query(
            Statement.select(
                "identity_pools", Self.columns, "WHERE directory_id = ? AND id > ? ORDER BY id LIMIT ?"),
            [SQLValue(directory), SQLValue(after?.rawValue ?? ""), SQLValue(limit)], Self.read)
    }

    func identityPool(_ id: IdentityPoolID) throws -> IdentityPool? {
        try connection.first(
            Statement.select("identity_pools", Self.columns, "WHERE id = ?"), [SQLValue(id)], Self.read)
    }

    func insert(_ pool: IdentityPool) throws {
        _ = try execute(
            Statement.insert("identity_pools", Self.columns),
            [
                SQLValue(pool.id), SQLValue(pool.directoryID), SQLValue(pool.name),
                try SQLValue(IdentityPoolEncoding.json(pool)), SQLValue(pool.createdAt), SQLValue(pool.updatedAt),
                SQLValue(pool.version),
            ])
    }

    func update(_ pool: IdentityPool) throws {
        let changed = try execute(
            Statement.update(
                "identity_pools", ["name", "settings", "updated_at", "version"],
                where: "id = ? AND directory_id = ? AND version = ?"),
            [
                SQLValue(pool.name), try SQLValue(IdentityPoolEncoding.json(pool)), SQLValue(pool.updatedAt),
                SQLValue(pool.version + 1), SQLValue(pool.id), SQLValue(pool.directoryID), SQLValue(pool.version),
            ])
        guard changed == 1 else { throw StoreConflict.stale("identity pool") }
    }

    func deleteIdentityPool(_ id: IdentityPoolID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM identity_pools WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }

    // MARK: Identities

    private static func readIdentity(_ row: any SQLRow) throws -> PoolIdentity {
        PoolIdentity(
            id: try row.identifier(0), poolID: try row.identifier(1), directoryID: try row.identifier(2),
            isAuthenticated: try row.flag(3), mergedInto: try row.optionalText(4).map { PoolIdentityID($0) },
            createdAt: try row.instant(5), updatedAt: try row.instant(6))
    }

    func poolIdentity(_ id: PoolIdentityID) throws -> PoolIdentity? {
        try connection.first(
            Statement.select("pool_identities", Self.identityColumns, "WHERE id = ?"), [SQLValue(id)],
            Self.readIdentity)
    }

    func poolIdentities(
        in pool: IdentityPoolID, after: PoolIdentityID?, withMerged: Bool, limit: Int
    ) throws -> [PoolIdentity] {
        let condition = withMerged ? "" : "AND merged_into IS NULL "
        return try connection.query(
            Statement.select(
                "pool_identities", Self.identityColumns,
                "WHERE pool_id = ? AND id > ? \(condition)ORDER BY id LIMIT ?"),
            [SQLValue(pool), SQLValue(after?.rawValue ?? ""), SQLValue(limit)], Self.readIdentity)
    }

    func insert(_ identity: PoolIdentity) throws {
        _ = try execute(
            Statement.insert("pool_identities", Self.identityColumns),
            [
                SQLValue(identity.id), SQLValue(identity.poolID), SQLValue(identity.directoryID),
                SQLValue(identity.isAuthenticated), SQLValue(identity.mergedInto), SQLValue(identity.createdAt),
                SQLValue(identity.updatedAt),
            ])
    }

    func update(_ identity: PoolIdentity) throws {
        let changed = try execute(
            Statement.update(
                "pool_identities", ["is_authenticated", "merged_into", "updated_at"],
                where: "id = ? AND directory_id = ?"),
            [
                SQLValue(identity.isAuthenticated), SQLValue(identity.mergedInto), SQLValue(identity.updatedAt),
                SQLValue(identity.id), SQLValue(identity.directoryID),
            ])
        guard changed == 1 else { throw StoreConflict.stale("pool identity") }
    }

    func deletePoolIdentity(_ id: PoolIdentityID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM pool_identities WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }

    // MARK: Logins

    func logins(of identity: PoolIdentityID) throws -> [PoolLogin] {
        try connection.query(
            Statement.select(
                "pool_logins", Self.loginColumns, "WHERE identity_id = ? ORDER BY created_at, provider, subject"),
            [SQLValue(identity)]
        ) { row in
            guard let provider = LoginProvider(try row.text(1)) else { throw StoredRowError(column: 1) }
            return PoolLogin(provider, issuer: try row.text(2), subject: try row.text(3))
        }
    }

    func identity(of login: PoolLogin, in pool: IdentityPoolID) throws -> PoolIdentity? {
        try connection.first(
            Statement.select(
                "pool_identities", Self.identityColumns,
                """
                WHERE id = (SELECT identity_id FROM pool_logins
                    WHERE pool_id = ? AND provider = ? AND issuer = ? AND subject = ?)
                """), [SQLValue(pool)] + Self.values(of: login), Self.readIdentity)
    }

    func insert(_ login: PoolLogin, of identity: PoolIdentity, at now: Instant) throws {
        _ = try execute(
            Statement.insert("pool_logins", Self.loginColumns),
            [SQLValue(identity.poolID)] + Self.values(of: login) + [SQLValue(identity.id), SQLValue(now)])
    }

    func moveLogins(of identity: PoolIdentityID, to other: PoolIdentityID) throws {
        _ = try execute(
            "UPDATE pool_logins SET identity_id = ? WHERE identity_id = ?", [SQLValue(other), SQLValue(identity)])
    }

    func delete(_ login: PoolLogin, of identity: PoolIdentityID) throws -> Bool {
        try execute(
            "DELETE FROM pool_logins WHERE identity_id = ? AND provider = ? AND issuer = ? AND subject = ?",
            [SQLValue(identity)] + Self.values(of: login)) == 1
    }

    private static func values(of login: PoolLogin) -> [SQLValue] {
        [SQLValue(login.provider.text), SQLValue(login.issuer), SQLValue(login.subject)]
    }
}
