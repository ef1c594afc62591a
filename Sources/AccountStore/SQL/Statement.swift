// SPDX-License-Identifier: Apache-2.0

/// Builds the repetitive statements from a table's columns, so that a column is named in one place.
enum Statement {
    static func insert(_ table: String, _ columns: [String]) -> String {
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES ("
            + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    }

    static func update(_ table: String, _ columns: [String], where condition: String) -> String {
        "UPDATE \(table) SET " + columns.map { $0 + " = ?" }.joined(separator: ", ") + " WHERE " + condition
    }

    static func select(_ table: String, _ columns: [String], _ rest: String) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(table) \(rest)"
    }
}
