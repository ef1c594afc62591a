// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes logins from an identity, by whoever shows one of them. Without any it is nobody's.
public struct UnlinkPoolLogins: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - providers: whose logins are taken away; each must have one.
    ///   - shown: logins of the identity's, one at least.
    ///   - call: of the pool's Directory.
    /// - Throws: ``IdentityPoolRefusal``; ``AuthErrorCode/identityProviderUnavailable``.
    public func callAsFunction(
        _ providers: [LoginProvider], from id: PoolIdentityID, shown: [ShownLogin], in pool: IdentityPool,
        call: CallContext
    ) async throws {
        let proven = try await PoolLoginJudge(ports: ports, pool: pool, call: call).proven(shown).map(\.login)
        try await ports.write(call) { step in
            let logins = try step.tx.logins(of: id)
            guard var identity = try step.tx.poolIdentity(id), identity.poolID == pool.id, identity.mergedInto == nil
            else { throw IdentityPoolRefusal.identityNotFound }
            guard logins.contains(where: proven.contains) else {
                throw IdentityPoolRefusal.resolution(logins.isEmpty ? .forbidden : .notItsLogins)
            }
            for provider in providers {
                let taken = logins.filter { $0.provider == provider }
                guard !taken.isEmpty else { throw IdentityPoolRefusal.loginNotLinked }
                for login in taken { _ = try step.tx.delete(login, of: id) }
            }
            identity.updatedAt = step.now
            try step.tx.update(identity)
            try step.record(
                .poolIdentityChanged, user: nil,
                details: ["unlinked": .array(providers.map { .string($0.text) }), "from": .string(id.rawValue)])
        }
    }
}
