// SPDX-License-Identifier: Apache-2.0

/// What a statement's text says of what it changes.
enum StatementKind: Sendable, Hashable {
    /// One row more, or an error.
    case insertion(table: String)
    /// As many rows as there are.
    case change(table: String)
    /// Likewise, with what refers to them.
    case deletion(table: String)
    /// What nothing is guessed of.
    case other

    init(_ sql: String) {
        let words = sql.split(maxSplits: 3, whereSeparator: { " \n(".contains($0) }).map(String.init)
        guard words.count > 2, !sql.contains("RETURNING") else {
            self = .other
            return
        }
        switch words[0] {
        case "DELETE": self = .deletion(table: words[2])
        case "UPDATE": self = .change(table: words[1])
        case "INSERT" where sql.contains(") VALUES (") && !sql.contains("ON CONFLICT"):
            self = .insertion(table: words[2])
        case "INSERT": self = .change(table: words[2])
        default: self = .other
        }
    }
}
