// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Makes and changes identity pools, and looks at what is in them. Every call needs an administrator as its actor, and
/// changes are audited.
public struct IdentityPoolAdministration: Sendable {
    /// Of a Directory.
    static let maximum = 1000

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - change: of one that has the defaults. It may be called more than once.
    ///   - call: of the Directory that it is made in.
    /// - Throws: `AuthErrorCode.conflict` with the field `count` for one too many, `.metadataTooLarge`, `.forbidden`;
    ///   what `change` throws.
    public func create(
        call: CallContext, _ change: @Sendable @escaping (inout IdentityPool) throws -> Void
    ) async throws -> IdentityPool {
        try call.requireAdministrator()
        let made = IdentityPool(
            id: ports.random.identifier(), directoryID: call.directory.id, name: "", createdAt: call.now,
            updatedAt: call.now)
        return try await ports.write(call) { step in
            var pool = made
            try change(&pool)
            let present = try step.tx.identityPools(in: step.directory, after: nil, limit: Self.maximum)
            guard present.count < Self.maximum else {
                throw AuthError(.conflict, reason: "at most \(Self.maximum) identity pools", field: "count")
            }
            try step.tx.insert(pool)
            try Self.record("created", pool.id, step)
            return pool
        }
    }

    /// In order of identifiers: at most `limit` above `after`.
    public func list(after: IdentityPoolID?, limit: Int, call: CallContext) async throws -> [IdentityPool] {
        try call.requireAdministrator()
        return try await ports.store.read {
            try $0.identityPools(in: call.directory.id, after: after, limit: limit)
        }
    }

    /// - Parameters:
    ///   - change: of what is stored now. It may be called more than once.
    ///   - call: of the pool's Directory.
    /// - Throws: ``IdentityPoolRefusal/poolNotFound``; `AuthErrorCode.conflict` with the field `developer_provider` for
    ///   another name of the operator's programs than they had, `.metadataTooLarge`, `.forbidden`; what `change`
    ///   throws.
    public func update(
        _ id: IdentityPoolID, call: CallContext, _ change: @Sendable @escaping (inout IdentityPool) throws -> Void
    ) async throws -> IdentityPool {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            guard let stored = try step.tx.identityPool(id), stored.directoryID == step.directory else {
                throw IdentityPoolRefusal.poolNotFound
            }
            var pool = stored
            try change(&pool)
            // Users are known under it.
            guard stored.developerProvider == nil || pool.developerProvider == stored.developerProvider else {
                throw AuthError(.conflict, reason: "users are known under its name", field: "developer_provider")
            }
            pool.updatedAt = call.now
            try step.tx.update(pool)
            try Self.record("updated", id, step)
            pool.version += 1
            return pool
        }
    }

    /// With all its identities.
    ///
    /// - Throws: ``IdentityPoolRefusal/poolNotFound``, `AuthErrorCode.forbidden`.
    public func delete(_ id: IdentityPoolID, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            guard try step.tx.deleteIdentityPool(id, in: step.directory) else { throw IdentityPoolRefusal.poolNotFound }
            try Self.record("deleted", id, step)
        }
    }

    // MARK: Identities

    /// In order of identifiers, with their logins: at most `limit` above `after`.
    public func identities(
        of pool: IdentityPoolID, after: PoolIdentityID?, withMerged: Bool, limit: Int, call: CallContext
    ) async throws -> [IdentityResolution.Known] {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            try tx.poolIdentities(in: pool, after: after, withMerged: withMerged, limit: limit).map {
                IdentityResolution.Known($0, try tx.logins(of: $0.id))
            }
        }
    }

    /// Also one that was merged. `nil` where there is none.
    public func identity(_ id: PoolIdentityID, call: CallContext) async throws -> IdentityResolution.Known? {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            try tx.poolIdentity(id).map { IdentityResolution.Known($0, try tx.logins(of: id)) }
        }
    }

    /// Of those that are not there nothing is said.
    public func deleteIdentities(_ ids: [PoolIdentityID], call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            for id in ids {
                guard let identity = try step.tx.poolIdentity(id),
                    try step.tx.deletePoolIdentity(id, in: identity.directoryID)
                else { continue }
                try step.record(.poolIdentityChanged, user: nil, details: ["deleted": .string(id.rawValue)])
            }
        }
    }

    private static func record(_ what: String, _ id: IdentityPoolID, _ step: FlowStep) throws {
        try step.record(.identityPoolChanged, user: nil, details: [what: .string(id.rawValue)])
    }
}

/// The pools as calls find them that anybody makes: by identifiers that name no Directory.
public struct IdentityPools: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    public func pool(_ id: IdentityPoolID) async throws -> IdentityPool? {
        try await ports.store.read { try $0.identityPool(id) }
    }

    /// The pool of an identity, also of one that was merged.
    public func pool(of id: PoolIdentityID) async throws -> IdentityPool? {
        try await ports.store.read { tx in try tx.poolIdentity(id).flatMap { try tx.identityPool($0.poolID) } }
    }
}
