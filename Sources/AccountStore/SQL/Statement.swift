// SPDX-License-Identifier: Apache-2.0

/// The columns of a table in the order in which its rows are read and written, joined once.
struct Columns: ExpressibleByArrayLiteral {
    let names: [String]
    let list: String
    let placeholders: String

    init(arrayLiteral names: String...) {
        self.names = names
        list = names.joined(separator: ", ")
        placeholders = names.map { _ in "?" }.joined(separator: ", ")
    }
}

/// Builds the repetitive statements from a table's columns, so that a column is named in one place. Those of most
/// requests are built once: a text that stays where it is leads to its prepared statement without being read.
enum Statement {
    /// That a row which is found by its own key is the Directory's, said so that no index is used for it: where nobody
    /// has counted a table yet, PostgreSQL takes one of those that begin with the Directory for as good as the key, and
    /// looks through all of its rows.
    static let isOfDirectory = "directory_id || '' = ?"

    static func insert(_ table: String, _ columns: Columns) -> String {
        "INSERT INTO \(table) (\(columns.list)) VALUES (\(columns.placeholders))"
    }

    static func update(_ table: String, _ columns: [String], where condition: String) -> String {
        "UPDATE \(table) SET " + columns.map { $0 + " = ?" }.joined(separator: ", ") + " WHERE " + condition
    }

    static func select(_ table: String, _ columns: Columns, _ rest: String) -> String {
        "SELECT \(columns.list) FROM \(table) \(rest)"
    }
}
