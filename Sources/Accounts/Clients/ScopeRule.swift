// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// Which scopes a client may be registered for.
public enum ScopeRule: Sendable {
    /// Whichever the operator names: what they mean is settled between client and API.
    case any
    /// These, and what a ``ResourceServer`` of the Directory has, as it stands when the client is written.
    case ofResourceServers(besides: Set<String>)

    /// - Throws: ``UnknownScope``.
    func check(_ client: Client, _ tx: any ResourceServerReading) throws {
        guard case .ofResourceServers(let usual) = self else { return }
        let asked = client.settings.authorization.scopes.filter { !usual.contains($0) }
        guard !asked.isEmpty else { return }
        let known = Set(try tx.resourceServers(in: client.directoryID).flatMap(\.scopeTexts))
        if let unknown = asked.first(where: { !known.contains($0) }) { throw UnknownScope(scope: unknown) }
    }
}

/// A scope that no resource server has.
public struct UnknownScope: Error, Sendable, Hashable {
    public var scope: String
}
