// SPDX-License-Identifier: Apache-2.0

/// A table as the migrations make it: what every row of it can be read and written by, whatever it is for.
package struct SchemaTable: Sendable {
    enum Kind: String, Sendable {
        case text = "TEXT"
        case integer = "BIGINT"
        case blob = "BLOB"
    }

    let name: String
    let columns: [(name: String, kind: Kind)]
    /// The columns that tell its rows apart, none of which may be null. Empty where nothing does: such a table can't be
    /// read row by row, and whoever asks for that is refused.
    let key: [String]

    /// In the order in which they are made: no row refers to a table after its own.
    static let all: [SchemaTable] = tables(of: Migration.all.flatMap(\.statements))

    package static var names: [String] { all.map(\.name) }

    static func tables(of statements: [String]) -> [SchemaTable] {
        statements.compactMap { SchemaTable($0, among: statements) }
    }

    /// - Returns: `nil` for a statement that makes no table.
    private init?(_ statement: String, among statements: [String]) {
        guard let made = Self.parts(of: statement, after: "CREATE TABLE") else { return nil }
        name = made.name
        var columns: [(String, Kind)] = []
        var key: [String] = []
        for part in made.parts {
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            if let kind = words.dropFirst().first.flatMap({ Kind(rawValue: $0) }) {
                columns.append((words[0], kind))
                if part.contains("PRIMARY KEY") { key = [words[0]] }
            } else if part.hasPrefix("PRIMARY KEY") {
                key = Self.list(part)
            }
        }
        if key.isEmpty {
            // One that is unique in all rows does as well.
            key =
                statements.lazy.compactMap { Self.parts(of: $0, after: "CREATE UNIQUE INDEX", on: made.name) }
                .first { !$0.isPartial }?.parts ?? []
        }
        self.columns = columns
        self.key = key
    }

    /// What stands between the outer parentheses of a statement, part by part.
    private static func parts(
        of statement: String, after begin: String, on table: String? = nil
    ) -> (name: String, parts: [String], isPartial: Bool)? {
        guard statement.hasPrefix(begin), let open = statement.firstIndex(of: "(") else { return nil }
        let words = statement[..<open].dropFirst(begin.count).split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first, table == nil || words.last == table else { return nil }
        var (depth, part, parts) = (0, "", [String]())
        var rest = statement[open...]
        while let sign = rest.popFirst() {
            if sign == "(" { depth += 1 }
            if sign == ")" { depth -= 1 }
            if depth == 0 || depth == 1 && sign == "," {
                parts.append(part)
                part = ""
                if depth == 0 { break }
            } else if depth > 1 || sign != "(" {
                part.append(sign)
            }
        }
        return (name, parts.map(trimmed), rest.contains("WHERE"))
    }

    /// `PRIMARY KEY (a, b)`.
    private static func list(_ part: String) -> [String] {
        guard let open = part.firstIndex(of: "("), let close = part.lastIndex(of: ")") else { return [] }
        return part[part.index(after: open)..<close].split(separator: ",").map { trimmed(String($0)) }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
