// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "name", "version", "kind", "is_demanded", "texts", "effective_at", "created_at",
    ]

    private static func read(_ row: any SQLRow) throws -> Terms {
        Terms(
            directoryID: try row.identifier(0),
            reference: TermsReference(unchecked: try row.text(1), try row.text(2)), kind: try row.one(3),
            isDemanded: try row.flag(4), texts: try texts(row, 5), effectiveAt: try row.instant(6),
            createdAt: try row.instant(7))
    }

    private static func texts(_ row: any SQLRow, _ column: Int) throws -> [String: Terms.Text] {
        var texts: [String: Terms.Text] = [:]
        for member in try row.object(column).members {
            guard let text = member.value.objectValue, let title = text["title"]?.stringValue else {
                throw StoredRowError(column: column)
            }
            texts[member.name] = Terms.Text(title: title, url: text["url"]?.stringValue)
        }
        return texts
    }

    private static func value(of texts: [String: Terms.Text]) throws -> SQLValue {
        var json = JSONObject()
        for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
            var entry: JSONObject = ["title": .string(text.title)]
            entry["url"] = text.url.map { .string($0) }
            json[language] = .object(entry)
        }
        return try SQLValue(json)
    }

    private static let ofDirectory = Statement.select(
        "terms", columns, "WHERE directory_id = ? ORDER BY name, effective_at")

    func terms(in directory: DirectoryID) throws -> [Terms] {
        try connection.query(Self.ofDirectory, [SQLValue(directory)], Self.read)
    }

    func insert(_ terms: Terms) throws {
        _ = try execute(
            Statement.insert("terms", Self.columns),
            [
                SQLValue(terms.directoryID), SQLValue(terms.name), SQLValue(terms.version),
                SQLValue(terms.kind.rawValue), SQLValue(terms.isDemanded), try Self.value(of: terms.texts),
                SQLValue(terms.effectiveAt), SQLValue(terms.createdAt),
            ])
    }

    func update(_ terms: Terms) throws {
        let changed = try execute(
            Statement.update("terms", ["is_demanded"], where: "directory_id = ? AND name = ? AND version = ?"),
            [
                SQLValue(terms.isDemanded), SQLValue(terms.directoryID), SQLValue(terms.name),
                SQLValue(terms.version),
            ])
        guard changed == 1 else { throw StoreConflict.stale("terms") }
    }

    func deleteTerms(_ reference: TermsReference, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM terms WHERE directory_id = ? AND name = ? AND version = ?",
            [SQLValue(directory), SQLValue(reference.name), SQLValue(reference.version)]) == 1
    }
}
