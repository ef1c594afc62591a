// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "name", "directory_id", "kind", "attributes", "created_at", "updated_at",
    ]

    private static func read(_ row: any SQLRow) throws -> DirectoryDomain {
        DirectoryDomain(
            directoryID: try row.identifier(1), name: try row.text(0), kind: try row.one(2),
            attributes: try row.object(3), createdAt: try row.instant(4), updatedAt: try row.instant(5))
    }

    func domain(named name: String) throws -> DirectoryDomain? {
        try connection.first(
            Statement.select("directory_domains", Self.columns, "WHERE name = ?"), [SQLValue(name)], Self.read)
    }

    func domains(in directory: DirectoryID) throws -> [DirectoryDomain] {
        try connection.query(
            Statement.select("directory_domains", Self.columns, "WHERE directory_id = ? ORDER BY kind"),
            [SQLValue(directory)], Self.read)
    }

    func insert(_ domain: DirectoryDomain) throws {
        _ = try execute(
            Statement.insert("directory_domains", Self.columns),
            [
                SQLValue(domain.name), SQLValue(domain.directoryID), SQLValue(domain.kind.rawValue),
                try SQLValue(domain.attributes), SQLValue(domain.createdAt), SQLValue(domain.updatedAt),
            ])
        try note(.directories)
    }

    func update(_ domain: DirectoryDomain) throws {
        let changed = try execute(
            Statement.update(
                "directory_domains", ["attributes", "updated_at"], where: "name = ? AND directory_id = ?"),
            [
                try SQLValue(domain.attributes), SQLValue(domain.updatedAt), SQLValue(domain.name),
                SQLValue(domain.directoryID),
            ])
        guard changed == 1 else { throw StoreConflict.stale("domain") }
        try note(.directories)
    }

    func deleteDomain(named name: String, in directory: DirectoryID) throws -> Bool {
        let deleted = try execute(
            "DELETE FROM directory_domains WHERE name = ? AND directory_id = ?", [SQLValue(name), SQLValue(directory)])
        if deleted == 1 { try note(.directories) }
        return deleted == 1
    }
}
