// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The users whom the operator's own programs vouch for in a pool. Every call needs an administrator as its actor.
public struct DeveloperIdentities: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whom the operator's programs call so, or how they call an identity.
    ///
    /// - Parameters:
    ///   - id: the identity; `nil` to find it by the subject.
    ///   - subject: what the programs call the user; where both are given they must go together.
    /// - Returns: the identity, and all names that it has.
    /// - Throws: ``IdentityPoolRefusal``, `AuthErrorCode.forbidden`.
    public func names(
        of id: PoolIdentityID?, subject: String?, in pool: IdentityPool, call: CallContext
    ) async throws -> (id: PoolIdentityID, names: [String]) {
        try call.requireAdministrator()
        let provider = try Self.provider(of: pool)
        return try await ports.store.read { tx in
            let found = try subject.map { try Self.find($0, provider, pool, tx) }
            if let id, let found, found.id != id { throw IdentityPoolRefusal.developerUserElsewhere }
            guard let identity = try found ?? id.flatMap({ try tx.poolIdentity($0) }), identity.poolID == pool.id,
                identity.mergedInto == nil
            else { throw IdentityPoolRefusal.identityNotFound }
            let names = try tx.logins(of: identity.id).filter { $0.provider == provider }.map(\.subject)
            return (identity.id, names)
        }
    }

    /// Makes two users one, as the operator's programs know them: the identity of the second goes on with the logins of
    /// both.
    ///
    /// - Throws: ``IdentityPoolRefusal``, `AuthErrorCode.forbidden`.
    public func merge(
        _ source: String, into destination: String, of name: String, in pool: IdentityPool, call: CallContext
    ) async throws -> PoolIdentityID {
        try call.requireAdministrator()
        let provider = try Self.provider(of: pool, named: name)
        return try await ports.write(call) { step in
            let known = { (subject: String) in
                let identity = try Self.find(subject, provider, pool, step.tx)
                return IdentityResolution.Known(identity, try step.tx.logins(of: identity.id))
            }
            let verdict = IdentityResolution.merger(of: try known(source), into: try known(destination))
            return try PoolIdentitySettling(step: step, pool: pool).settle(verdict)
        }
    }

    /// Takes a name from an identity: whoever is called so next has a new one.
    ///
    /// - Throws: ``IdentityPoolRefusal``, `AuthErrorCode.forbidden`.
    public func unlink(
        _ subject: String, of name: String, from id: PoolIdentityID, in pool: IdentityPool, call: CallContext
    ) async throws {
        try call.requireAdministrator()
        let provider = try Self.provider(of: pool, named: name)
        try await ports.write(call) { step in
            var identity = try Self.find(subject, provider, pool, step.tx)
            guard identity.id == id else { throw IdentityPoolRefusal.developerUserElsewhere }
            _ = try step.tx.delete(PoolLogin(provider, subject: subject), of: id)
            identity.updatedAt = step.now
            try step.tx.update(identity)
            try step.record(
                .poolIdentityChanged, user: nil,
                details: ["unlinked": [.string(provider.text)], "from": .string(id.rawValue)])
        }
    }

    private static func provider(
        of pool: IdentityPool, named name: String? = nil
    ) throws(IdentityPoolRefusal) -> LoginProvider {
        guard let own = pool.developerProvider, name == nil || name == own else { throw .notTheDeveloperProvider }
        return .developer(own)
    }

    private static func find(
        _ subject: String, _ provider: LoginProvider, _ pool: IdentityPool, _ tx: any IdentityPoolReading
    ) throws -> PoolIdentity {
        guard let identity = try tx.identity(of: PoolLogin(provider, subject: subject), in: pool.id) else {
            throw IdentityPoolRefusal.developerUserNotFound
        }
        return identity
    }
}
