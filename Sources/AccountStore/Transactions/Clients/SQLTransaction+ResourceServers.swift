// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "identifier", "name", "scopes", "created_at", "updated_at",
    ]

    private static func read(_ row: any SQLRow) throws -> ResourceServer {
        ResourceServer(
            directoryID: try row.identifier(0), identifier: try row.text(1), name: try row.text(2),
            scopes: try scopes(row, 3), createdAt: try row.instant(4), updatedAt: try row.instant(5))
    }

    private static func scopes(_ row: any SQLRow, _ column: Int) throws -> [ResourceServer.Scope] {
        guard let list = try row.object(column)["scopes"]?.arrayValue else { throw StoredRowError(column: column) }
        return try list.map { element in
            guard let scope = element.objectValue, let name = scope["name"]?.stringValue,
                let description = scope["description"]?.stringValue
            else { throw StoredRowError(column: column) }
            return ResourceServer.Scope(name: name, description: description)
        }
    }

    private static func value(of scopes: [ResourceServer.Scope]) throws -> SQLValue {
        let list: [JSONValue] = scopes.map { ["name": .string($0.name), "description": .string($0.description)] }
        return try SQLValue(["scopes": .array(list)])
    }

    func resourceServers(in directory: DirectoryID) throws -> [ResourceServer] {
        try connection.query(
            Statement.select("resource_servers", Self.columns, "WHERE directory_id = ? ORDER BY identifier"),
            [SQLValue(directory)], Self.read)
    }

    func resourceServer(_ identifier: String, in directory: DirectoryID) throws -> ResourceServer? {
        try connection.first(
            Statement.select("resource_servers", Self.columns, "WHERE directory_id = ? AND identifier = ?"),
            [SQLValue(directory), SQLValue(identifier)], Self.read)
    }

    func insert(_ server: ResourceServer) throws {
        _ = try execute(
            Statement.insert("resource_servers", Self.columns),
            [
                SQLValue(server.directoryID), SQLValue(server.identifier), SQLValue(server.name),
                try Self.value(of: server.scopes), SQLValue(server.createdAt), SQLValue(server.updatedAt),
            ])
    }

    func update(_ server: ResourceServer) throws {
        let changed = try execute(
            Statement.update(
                "resource_servers", ["name", "scopes", "updated_at"], where: "directory_id = ? AND identifier = ?"),
            [
                SQLValue(server.name), try Self.value(of: server.scopes), SQLValue(server.updatedAt),
                SQLValue(server.directoryID), SQLValue(server.identifier),
            ])
        guard changed == 1 else { throw StoreConflict.stale("resource server") }
    }

    func deleteResourceServer(_ identifier: String, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM resource_servers WHERE directory_id = ? AND identifier = ?",
            [SQLValue(directory), SQLValue(identifier)]) == 1
    }
}
