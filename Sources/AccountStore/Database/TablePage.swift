// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Some rows of a table in the order of its key, as they are stored.
struct TablePage: Sendable {
    let table: SchemaTable
    var rows: [[SQLValue]]

    /// The key of the last row.
    var end: [SQLValue]? { rows.last.map(table.key(of:)) }
}

extension SchemaTable {
    /// Says of a database that it is half a copy of another one. It is no row of either.
    static let copying = "copying"

    private var columnList: String { columns.map(\.name).joined(separator: ", ") }

    func key(of row: [SQLValue]) -> [SQLValue] {
        key.compactMap { name in columns.firstIndex { $0.name == name }.map { row[$0] } }
    }

    /// - Throws: `AuthErrorCode.internalFailure` that names the table, where nothing tells its rows apart: some would
    ///   be left out.
    private func requireKey() throws(AuthError) {
        guard key.isEmpty else { return }
        throw AuthError(
            .internalFailure, reason: "\(name): it has neither a primary key nor a unique index over all rows")
    }

    /// - Throws: `AuthErrorCode.internalFailure` that names the table, and the row for a value of another kind than its
    ///   column's, and where nothing tells its rows apart.
    func page(after end: [SQLValue]?, limit: Int, on connection: any SQLConnection) throws -> TablePage {
        try requireKey()
        var conditions: [String] = []
        if name == "marks" { conditions.append("name <> '\(Self.copying)'") }
        if end != nil {
            let places = key.map { _ in "?" }.joined(separator: ", ")
            conditions.append("(\(key.joined(separator: ", "))) > (\(places))")
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = "SELECT \(columnList) FROM \(name) \(condition) ORDER BY \(key.joined(separator: ", ")) LIMIT ?"
        return TablePage(table: self, rows: try connection.query(sql, (end ?? []) + [SQLValue(limit)], values))
    }

    private func values(_ row: any SQLRow) throws -> [SQLValue] {
        do {
            return try columns.indices.map { try value(row, $0) }
        } catch let error as StoredRowError {
            let key = self.key.map { name in
                columns.firstIndex { $0.name == name }.flatMap { try? value(row, $0).shown } ?? "?"
            }
            throw AuthError(
                .internalFailure,
                reason:
                    "\(name).\(columns[error.column].name) of \(key.joined(separator: ", ")): a value of another kind")
        }
    }

    private func value(_ row: any SQLRow, _ index: Int) throws -> SQLValue {
        guard !row.isNull(index) else { return .null }
        return switch columns[index].kind {
        case .text: .text(try row.text(index))
        case .integer: .integer(try row.integer(index))
        case .blob: .blob(try row.blob(index))
        }
    }

    /// Writes rows that may be there already.
    func insert(_ rows: [[SQLValue]], on connection: any SQLConnection) throws {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        _ = try connection.execute(
            "INSERT INTO \(name) (\(columnList)) VALUES (\(places)) ON CONFLICT DO NOTHING", each: rows)
    }

    /// The key of its last row.
    ///
    /// - Throws: as ``page(after:limit:on:)``.
    func end(on connection: any SQLConnection) throws -> [SQLValue]? {
        try requireKey()
        let order = key.map { $0 + " DESC" }.joined(separator: ", ")
        return try connection.first("SELECT \(columnList) FROM \(name) ORDER BY \(order) LIMIT 1", []) { row in
            self.key(of: try columns.indices.map { try value(row, $0) })
        }
    }
}

/// How many rows a table has, and what is in them.
package struct TableContents: Sendable, Equatable {
    package let table: String
    package var rows = 0
    private var hash = SHA256()

    init(_ table: String) {
        self.table = table
    }

    /// SHA-256 of all its rows in the order of their key, in lower-case hexadecimal digits: the same in every kind of
    /// database.
    package var digest: String { Hex.encode(Array(hash.finalize())) }

    package static func == (left: TableContents, right: TableContents) -> Bool {
        left.table == right.table && left.rows == right.rows && left.digest == right.digest
    }

    mutating func add(_ page: TablePage) {
        rows += page.rows.count
        var bytes: [UInt8] = []
        for value in page.rows.joined() {
            // What it is, how long it is, and itself: no two rows look alike.
            let content: (kind: UInt8, bytes: [UInt8]) =
                switch value {
                case .null: (0, [])
                case .integer(let number): (1, Self.bytes(UInt64(bitPattern: number)))
                case .text(let text): (2, Array(text.utf8))
                case .blob(let blob): (3, blob)
                }
            bytes.append(content.kind)
            bytes += Self.bytes(UInt64(content.bytes.count))
            bytes += content.bytes
        }
        hash.update(data: bytes)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }
}
