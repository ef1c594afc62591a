// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Reads a row column by column and notes what can't be read, instead of giving the row up: a list goes on, and what is
/// left of the row can still be shown, exported and deleted.
struct TolerantRow {
    private let row: any SQLRow
    private let columns: Columns
    private(set) var damage: [StoredDamage] = []

    init(_ row: any SQLRow, _ columns: Columns) {
        self.row = row
        self.columns = columns
    }

    /// - Parameter fallback: stands for what can't be read.
    mutating func read<Value>(
        _ index: Int, or fallback: Value, _ read: (any SQLRow, Int) throws -> Value
    ) -> Value {
        do {
            return try read(row, index)
        } catch {
            damage.append(StoredDamage(column: columns.names[index], raw: raw(index)))
            return fallback
        }
    }

    mutating func identifier<Tag>(_ index: Int) -> Identifier<Tag> {
        read(index, or: Identifier(raw(index))) { try $0.identifier($1) }
    }

    mutating func text(_ index: Int) -> String? { read(index, or: nil) { try $0.optionalText($1) } }
    mutating func flag(_ index: Int) -> Bool { read(index, or: false) { try $0.flag($1) } }
    mutating func instant(_ index: Int) -> Instant { read(index, or: .epoch) { try $0.instant($1) } }
    mutating func optionalInstant(_ index: Int) -> Instant? { read(index, or: nil) { try $0.optionalInstant($1) } }
    mutating func object(_ index: Int) -> JSONObject { read(index, or: [:]) { try $0.object($1) } }

    /// A null stands for none.
    mutating func externalIdentifiers(_ index: Int) -> ExternalIdentifiers {
        read(index, or: ExternalIdentifiers()) { row, index in
            row.isNull(index) ? ExternalIdentifiers() : try ExternalIdentifiers(row.object(index))
        }
    }

    mutating func parsed<Value>(_ index: Int, _ parse: (String) throws -> Value) -> Value? {
        read(index, or: nil) { try $0.optionalParsed($1, parse) }
    }

    private func raw(_ index: Int) -> String {
        if let text = try? row.text(index) { return text }
        if let number = try? row.integer(index) { return String(number) }
        return (try? row.blob(index)).map { Hex.encode($0) } ?? ""
    }
}

extension Instant {
    /// Stands for a time that can't be read.
    static let epoch = Instant(microseconds: 0)
}
