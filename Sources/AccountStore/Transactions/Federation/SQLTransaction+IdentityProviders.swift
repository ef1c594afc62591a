// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "kind", "settings", "secret", "created_at", "updated_at", "version",
    ]

    private func read(_ row: any SQLRow) throws -> IdentityProvider {
        var provider = IdentityProvider(
            id: try row.identifier(0), directoryID: try row.identifier(1), name: try row.text(2),
            kind: try row.one(3), createdAt: try row.instant(6), updatedAt: try row.instant(7),
            version: try row.integer(8))
        try FederationEncoding.read(row.object(4), into: &provider, column: 4)
        if !row.isNull(5) {
            provider.secret = Secret(
                try openedText(row, 5, .providerSecret, in: provider.directoryID, row: provider.id.rawValue))
        }
        return provider
    }

    func identityProviders(in directory: DirectoryID) throws -> [IdentityProvider] {
        try connection.query(
            Statement.select("identity_providers", Self.columns, "WHERE directory_id = ? ORDER BY name"),
            [SQLValue(directory)], read)
    }

    func identityProvider(named name: String, in directory: DirectoryID) throws -> IdentityProvider? {
        try connection.first(
            Statement.select("identity_providers", Self.columns, "WHERE directory_id = ? AND name = ?"),
            [SQLValue(directory), SQLValue(name)], read)
    }

    func hasIdentities(of provider: String, in directory: DirectoryID) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM identities WHERE directory_id = ? AND provider = ? AND subject <> '' LIMIT 1",
            [SQLValue(directory), SQLValue(provider)]
        ) { _ in true } ?? false
    }

    func insert(_ provider: IdentityProvider) throws {
        _ = try execute(
            Statement.insert("identity_providers", Self.columns),
            [
                SQLValue(provider.id), SQLValue(provider.directoryID), SQLValue(provider.name),
                SQLValue(provider.kind.rawValue), try SQLValue(FederationEncoding.json(provider)),
                try sealedSecret(of: provider), SQLValue(provider.createdAt), SQLValue(provider.updatedAt),
                SQLValue(provider.version),
            ])
        try note(.identityProviders)
    }

    func update(_ provider: IdentityProvider) throws {
        let changed = try execute(
            Statement.update(
                "identity_providers", ["settings", "secret", "updated_at", "version"],
                where: "id = ? AND directory_id = ? AND version = ?"),
            [
                try SQLValue(FederationEncoding.json(provider)), try sealedSecret(of: provider),
                SQLValue(provider.updatedAt), SQLValue(provider.version + 1), SQLValue(provider.id),
                SQLValue(provider.directoryID), SQLValue(provider.version),
            ])
        guard changed == 1 else { throw StoreConflict.stale("identity provider") }
        try note(.identityProviders)
    }

    func deleteIdentityProvider(named name: String, in directory: DirectoryID) throws -> Bool {
        let deleted = try execute(
            "DELETE FROM identity_providers WHERE directory_id = ? AND name = ?", [SQLValue(directory), SQLValue(name)])
        if deleted == 1 { try note(.identityProviders) }
        return deleted == 1
    }

    private func sealedSecret(of provider: IdentityProvider) throws -> SQLValue {
        try sealed(provider.secret?.reveal(), .providerSecret, in: provider.directoryID, row: provider.id.rawValue)
    }
}
