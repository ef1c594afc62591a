// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "name", "settings", "token_key", "created_at", "updated_at", "version",
    ]

    private func read(_ row: any SQLRow) throws -> Directory {
        let id: DirectoryID = try row.identifier(0)
        let tokenKey = try opened(row, 3, .tokenKey, in: id, row: id.rawValue)
        return Directory(
            id: id, name: try row.text(1), settings: try row.parsed(2) { try SettingsEncoding.settings($0) },
            tokenKey: Secret(tokenKey),
            createdAt: try row.instant(4), updatedAt: try row.instant(5), version: try row.integer(6))
    }

    func directory(_ id: DirectoryID) throws -> Directory? {
        try connection.first(
            Statement.select("directories", Self.columns, "WHERE id = ?"), [SQLValue(id)], read)
    }

    func directory(named name: String) throws -> Directory? {
        try connection.first(
            Statement.select("directories", Self.columns, "WHERE name = ?"), [SQLValue(name)], read)
    }

    func directories() throws -> [Directory] {
        try connection.query(Statement.select("directories", Self.columns, "ORDER BY name"), [], read)
    }

    func insert(_ directory: Directory) throws {
        _ = try execute(
            Statement.insert("directories", Self.columns),
            [
                SQLValue(directory.id), SQLValue(directory.name),
                SQLValue(SettingsEncoding.text(directory.settings)),
                try sealedTokenKey(of: directory), SQLValue(directory.createdAt), SQLValue(directory.updatedAt),
                SQLValue(directory.version),
            ])
        try note(.directories)
    }

    func update(_ directory: Directory) throws {
        let changed = try execute(
            Statement.update(
                "directories", ["name", "settings", "token_key", "updated_at", "version"],
                where: "id = ? AND version = ?"),
            [
                SQLValue(directory.name), SQLValue(SettingsEncoding.text(directory.settings)),
                try sealedTokenKey(of: directory), SQLValue(directory.updatedAt), SQLValue(directory.version + 1),
                SQLValue(directory.id), SQLValue(directory.version),
            ])
        guard changed == 1 else { throw StoreConflict.stale("directory") }
        try note(.directories)
    }

    private func sealedTokenKey(of directory: Directory) throws -> SQLValue {
        try sealed(directory.tokenKey.reveal(), .tokenKey, in: directory.id, row: directory.id.rawValue)
    }

    func deleteDirectory(_ id: DirectoryID) throws -> Bool {
        guard try execute("DELETE FROM directories WHERE id = ?", [SQLValue(id)]) == 1 else { return false }
        try note(.directories, .clients, .signingKeys, .identityProviders)
        return true
    }
}
