// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "secret", "settings", "created_at", "updated_at", "version",
    ]

    private func read(_ row: any SQLRow) throws -> Client {
        let (id, directory): (ClientID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        let secret =
            row.isNull(3) ? nil : Secret(try openedText(row, 3, .clientSecret, in: directory, row: id.rawValue))
        return Client(
            id: id, directoryID: directory, name: try row.text(2), secret: secret,
            settings: try row.parsed(4) { try SettingsEncoding.clientSettings($0) }, createdAt: try row.instant(5),
            updatedAt: try row.instant(6), version: try row.integer(7))
    }

    func client(_ id: ClientID) throws -> Client? {
        try connection.first(Statement.select("clients", Self.columns, "WHERE id = ?"), [SQLValue(id)], read)
    }

    func clients(in directory: DirectoryID) throws -> [Client] {
        try connection.query(
            Statement.select("clients", Self.columns, "WHERE directory_id = ? ORDER BY created_at, id"),
            [SQLValue(directory)], read)
    }

    func insert(_ client: Client) throws {
        _ = try execute(
            Statement.insert("clients", Self.columns),
            [
                SQLValue(client.id), SQLValue(client.directoryID), SQLValue(client.name),
                try sealedSecret(of: client), SQLValue(try SettingsEncoding.text(client.settings)),
                SQLValue(client.createdAt), SQLValue(client.updatedAt), SQLValue(client.version),
            ])
    }

    func update(_ client: Client) throws {
        let changed = try execute(
            Statement.update(
                "clients", ["name", "secret", "settings", "updated_at", "version"],
                where: "id = ? AND directory_id = ? AND version = ?"),
            [
                SQLValue(client.name), try sealedSecret(of: client),
                SQLValue(try SettingsEncoding.text(client.settings)), SQLValue(client.updatedAt),
                SQLValue(client.version + 1), SQLValue(client.id), SQLValue(client.directoryID),
                SQLValue(client.version),
            ])
        guard changed == 1 else { throw StoreConflict.stale("client") }
    }

    private func sealedSecret(of client: Client) throws -> SQLValue {
        try sealed(client.secret?.reveal(), .clientSecret, in: client.directoryID, row: client.id.rawValue)
    }

    func deleteClient(_ id: ClientID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM clients WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }
}
