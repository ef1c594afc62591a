// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The identity providers that a Directory's users may come by: those that are stored, and those that the program has
/// put beside them, which stored ones of their names go before.
struct ConfiguredProviders {
    private let tx: any FederationReading
    private let ports: AccountPorts
    private let directory: DirectoryID

    init(_ tx: any FederationReading, _ ports: AccountPorts, in directory: DirectoryID) {
        self.tx = tx
        self.ports = ports
        self.directory = directory
    }

    init(_ step: FlowStep) {
        self.init(step.tx, step.ports, in: step.directory)
    }

    /// In order of their names.
    func all() throws -> [IdentityProvider] {
        let stored = try tx.identityProviders(in: directory)
        let names = Set(stored.map(\.name))
        return (stored + ports.standInProviders(directory).filter { !names.contains($0.name) })
            .sorted { $0.name < $1.name }
    }

    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``.
    func usable(_ name: String) throws -> IdentityProvider {
        guard IdentityProvider.isName(name) else { throw AuthError(.identityProviderNotFound) }
        let standIn = { ports.standInProviders(directory).first { $0.name == name } }
        guard let provider = try tx.identityProvider(named: name, in: directory) ?? standIn() else {
            throw AuthError(.identityProviderNotFound)
        }
        guard provider.isEnabled else { throw AuthError(.identityProviderDisabled) }
        return provider
    }
}

/// The identity providers of a Directory, as its dialects and pages need to know them. What operators do with them is
/// ``IdentityProviderAdministration``'s.
public struct IdentityProviders: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Those that users may come by, in order of their names. With their secrets, which are for nobody else.
    public func enabled(in directory: DirectoryID) async throws -> [IdentityProvider] {
        try await ports.store.read { try ConfiguredProviders($0, ports, in: directory).all() }.filter(\.isEnabled)
    }

    /// The same, and those that are switched off.
    public func all(in directory: DirectoryID) async throws -> [IdentityProvider] {
        try await ports.store.read { try ConfiguredProviders($0, ports, in: directory).all() }
    }

    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``.
    public func usable(_ name: String, in directory: DirectoryID) async throws -> IdentityProvider {
        try await ports.store.read { try ConfiguredProviders($0, ports, in: directory).usable(name) }
    }
}
