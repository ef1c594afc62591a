// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An identity of a pool, and what its holder has shown in this call.
public struct ResolvedIdentity: Sendable {
    public var identity: PoolIdentity
    public var pool: IdentityPool
    /// Those that were shown and judged; empty for a guest.
    public var shown: [ProvenLogin]
    /// All that lead to it.
    public var logins: [PoolLogin]

    /// What is told of it to whoever grants access: see ``IdentityPool/principalTags``.
    public var tags: [String: String] {
        var tags: [String: String] = [:]
        for login in shown {
            guard let mapping = pool.principalTags[login.login.provider] else { continue }
            tags.merge(mapping.tags(of: login.login.provider, login.claims)) { first, _ in first }
        }
        return tags
    }

    /// The role that it is given credentials for.
    ///
    /// - Parameter wanted: that the caller asks for, of several that their token says.
    /// - Throws: ``IdentityPoolRefusal/role(_:)``.
    public func role(wanted: String?) throws(IdentityPoolRefusal) -> String {
        let outcome = RoleChoice.choose(
            in: pool, for: shown.map { .init(source: $0.source, claims: $0.claims, roles: $0.roles) },
            isAuthenticated: identity.isAuthenticated, wanted: wanted)
        guard case .role(let role) = outcome else { throw .role(outcome) }
        return role
    }
}

/// Finds the identity of whoever shows logins, makes one where there is none, and merges those that are one person's
/// (``IdentityResolution``).
public struct ResolvePoolIdentity: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - shown: none for a guest.
    ///   - named: the identity that the caller says they are.
    ///   - isTrusted: whether the caller is the operator's own program. It must be an administrator then.
    ///   - call: of the pool's Directory.
    /// - Throws: ``IdentityPoolRefusal``; ``AuthErrorCode/identityProviderUnavailable``, ``AuthErrorCode/forbidden``.
    public func callAsFunction(
        _ shown: [ShownLogin], named: PoolIdentityID? = nil, in pool: IdentityPool, isTrusted: Bool = false,
        call: CallContext
    ) async throws -> ResolvedIdentity {
        if isTrusted { try call.requireAdministrator() }
        // The network is outside of the transaction.
        let proven = try await PoolLoginJudge(ports: ports, pool: pool, call: call).proven(shown)
        let question = Question(logins: proven.map(\.login), named: named, pool: pool.id, isTrusted: isTrusted)
        let known = try await ports.store.read { tx in
            let (verdict, pool) = try question.verdict(tx)
            guard case .use(let id, linking: [], merging: []) = verdict else { return try question.refuse(verdict) }
            return try Self.resolved(id, pool, proven, tx)
        }
        if let known { return known }
        return try await ports.write(call) { step in
            let (verdict, pool) = try question.verdict(step.tx)
            let id = try PoolIdentitySettling(step: step, pool: pool).settle(verdict)
            return try Self.resolved(id, pool, proven, step.tx)
        }
    }

    /// The identity by the word of this server's own token, which its dialect has judged.
    ///
    /// - Throws: ``IdentityPoolRefusal/identityNotFound``, also for one that is a guest's or has no login any more.
    public func vouched(_ id: PoolIdentityID, in pool: IdentityPool) async throws -> ResolvedIdentity {
        try await ports.store.read { tx in
            guard let identity = try tx.poolIdentity(id), identity.poolID == pool.id, identity.mergedInto == nil,
                identity.isAuthenticated, try !tx.logins(of: id).isEmpty
            else { throw IdentityPoolRefusal.identityNotFound }
            return try Self.resolved(id, pool, [], tx)
        }
    }

    private static func resolved(
        _ id: PoolIdentityID, _ pool: IdentityPool, _ proven: [ProvenLogin], _ tx: any IdentityPoolReading
    ) throws -> ResolvedIdentity {
        guard let identity = try tx.poolIdentity(id) else { throw IdentityPoolRefusal.identityNotFound }
        return ResolvedIdentity(identity: identity, pool: pool, shown: proven, logins: try tx.logins(of: id))
    }

    /// What is asked of the store, once to see and once to do.
    private struct Question: Sendable {
        var logins: [PoolLogin]
        var named: PoolIdentityID?
        var pool: IdentityPoolID
        var isTrusted: Bool

        func verdict(_ tx: any IdentityPoolReading) throws -> (IdentityResolution.Verdict, IdentityPool) {
            guard let pool = try tx.identityPool(pool) else { throw IdentityPoolRefusal.poolNotFound }
            var holders: [PoolIdentity] = []
            for login in logins {
                guard let holder = try tx.identity(of: login, in: pool.id), !holders.contains(holder) else { continue }
                holders.append(holder)
            }
            let verdict = IdentityResolution.verdict(
                named: try namedIdentity(tx, hasLogins: !holders.isEmpty).map { try known($0, tx) }, proven: logins,
                holders: try holders.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { try known($0, tx) },
                allowsGuests: pool.allowsGuests, isTrusted: isTrusted)
            return (verdict, pool)
        }

        /// One that was merged is nobody's any more: an app that remembers it is led on by its user's login.
        private func namedIdentity(_ tx: any IdentityPoolReading, hasLogins: Bool) throws -> PoolIdentity? {
            guard let named else { return nil }
            guard let identity = try tx.poolIdentity(named), identity.poolID == pool else {
                throw IdentityPoolRefusal.identityNotFound
            }
            guard identity.mergedInto != nil else { return identity }
            guard hasLogins else { throw IdentityPoolRefusal.identityNotFound }
            return nil
        }

        private func known(
            _ identity: PoolIdentity, _ tx: any IdentityPoolReading
        ) throws -> IdentityResolution.Known {
            IdentityResolution.Known(identity, try tx.logins(of: identity.id))
        }

        /// `nil` for what is to be written.
        func refuse(_ verdict: IdentityResolution.Verdict) throws(IdentityPoolRefusal) -> ResolvedIdentity? {
            if case .refuse(let refusal) = verdict { throw .resolution(refusal) }
            return nil
        }
    }
}

/// Writes what was decided of an identity.
struct PoolIdentitySettling {
    let step: FlowStep
    let pool: IdentityPool

    /// - Throws: ``IdentityPoolRefusal/resolution(_:)``.
    func settle(_ verdict: IdentityResolution.Verdict) throws -> PoolIdentityID {
        switch verdict {
        case .refuse(let refusal): throw IdentityPoolRefusal.resolution(refusal)
        case .create(let linking):
            let identity = PoolIdentity(
                id: step.random.identifier(), poolID: pool.id, directoryID: pool.directoryID,
                isAuthenticated: !linking.isEmpty, createdAt: step.now, updatedAt: step.now)
            try step.tx.insert(identity)
            for login in linking { try step.tx.insert(login, of: identity, at: step.now) }
            return identity.id
        case .use(let id, let linking, let merging):
            guard var identity = try step.tx.poolIdentity(id) else { throw IdentityPoolRefusal.identityNotFound }
            for other in merging { try merge(other, into: identity) }
            for login in linking { try step.tx.insert(login, of: identity, at: step.now) }
            guard !linking.isEmpty || !merging.isEmpty else { return id }
            // Also what was a guest's, and had a login's identity merged into it.
            identity.isAuthenticated = try identity.isAuthenticated || !step.tx.logins(of: id).isEmpty
            identity.updatedAt = step.now
            try step.tx.update(identity)
            return id
        }
    }

    private func merge(_ id: PoolIdentityID, into identity: PoolIdentity) throws {
        guard var other = try step.tx.poolIdentity(id) else { throw IdentityPoolRefusal.identityNotFound }
        try step.tx.moveLogins(of: id, to: identity.id)
        other.mergedInto = identity.id
        other.updatedAt = step.now
        try step.tx.update(other)
        try step.record(
            .poolIdentityChanged, user: nil,
            details: ["merged": .string(id.rawValue), "into": .string(identity.id.rawValue)])
    }
}
