// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol IdentityPoolReading {
    /// In order of identifiers: at most `limit` with one above `after`.
    func identityPools(in directory: DirectoryID, after: IdentityPoolID?, limit: Int) throws -> [IdentityPool]
    /// By its identifier alone: calls name no Directory.
    func identityPool(_ id: IdentityPoolID) throws -> IdentityPool?
    /// The same; also one that was merged.
    func poolIdentity(_ id: PoolIdentityID) throws -> PoolIdentity?
    /// Those that lead to an identity, in the order in which they came.
    func logins(of identity: PoolIdentityID) throws -> [PoolLogin]
    func identity(of login: PoolLogin, in pool: IdentityPoolID) throws -> PoolIdentity?
    /// In order of identifiers: at most `limit` with one above `after`.
    func poolIdentities(
        in pool: IdentityPoolID, after: PoolIdentityID?, withMerged: Bool, limit: Int
    ) throws -> [PoolIdentity]
}

public protocol IdentityPoolWriting: IdentityPoolReading {
    func insert(_ pool: IdentityPool) throws
    /// Writes everything but the identifier and the Directory, and raises the version.
    /// - Throws: ``StoreConflict/stale(_:)`` where the version is no longer this one.
    func update(_ pool: IdentityPool) throws
    /// Whether there was one. Its identities go with it.
    func deleteIdentityPool(_ id: IdentityPoolID, in directory: DirectoryID) throws -> Bool
    func insert(_ identity: PoolIdentity) throws
    /// Writes whether it is authenticated, what it was merged into, and when it was changed.
    func update(_ identity: PoolIdentity) throws
    /// Whether there was one. Its logins go with it.
    func deletePoolIdentity(_ id: PoolIdentityID, in directory: DirectoryID) throws -> Bool
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `pool_login.subject` where it leads to an identity of the pool.
    func insert(_ login: PoolLogin, of identity: PoolIdentity, at now: Instant) throws
    func moveLogins(of identity: PoolIdentityID, to other: PoolIdentityID) throws
    /// Whether the identity had it.
    func delete(_ login: PoolLogin, of identity: PoolIdentityID) throws -> Bool
}
