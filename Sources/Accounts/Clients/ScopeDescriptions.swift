// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What scopes of resource servers allow, in the operator's words, for whoever is asked to let a client have them.
public struct ScopeDescriptions: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter scopes: of one client: a registration bounds their number.
    /// - Returns: by scope; without those that no resource server of the call's Directory has.
    public func callAsFunction(_ scopes: [String], call: CallContext) async throws -> [String: String] {
        let servers = Dictionary(grouping: scopes) { scope in scope.lastIndex(of: "/").map { String(scope[..<$0]) } }
        let identifiers = servers.keys.compactMap(\.self)
        guard !identifiers.isEmpty else { return [:] }
        let found = try await ports.store.read { tx in
            try identifiers.compactMap { try tx.resourceServer($0, in: call.directory.id) }
        }
        let pairs = found.flatMap { server in
            server.scopes.map { (server.identifier + "/" + $0.name, $0.description) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first }).filter { scopes.contains($0.key) }
    }
}
