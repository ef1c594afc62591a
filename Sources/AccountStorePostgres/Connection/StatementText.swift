// SPDX-License-Identifier: Apache-2.0

/// Statements as they are written once, in PostgreSQL's words.
enum StatementText {
    /// `?` for an argument becomes `$1`, `$2` and so on. Those within quotes stay.
    static func numbered(_ sql: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var number = 0
        var isQuoted = false
        for byte in sql.utf8 {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            guard byte == UInt8(ascii: "?"), !isQuoted else {
                text.append(byte)
                continue
            }
            number += 1
            text += Array("$\(number)".utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A statement of the schema. Texts are compared byte by byte, as SQLite does, whatever the database's language:
    /// what comes after what in a list, and which addresses are the same, must not hang on where it was made.
    static func schema(_ sql: String) -> String {
        var text = ""
        var word = ""
        var isQuoted = false
        func end() {
            switch word {
            case "BLOB": text += "BYTEA"
            case "TEXT": text += "TEXT COLLATE \"C\""
            default: text += word
            }
            word = ""
        }
        for character in sql {
            if character == "'" { isQuoted.toggle() }
            guard !isQuoted, character.isLetter || character == "_" else {
                end()
                text.append(character)
                continue
            }
            word.append(character)
        }
        end()
        guard let found = text.range(of: ") WITHOUT ROWID") else { return text }
        return String(text[..<found.lowerBound]) + ")" + String(text[found.upperBound...])
    }

    /// Whether a statement does nothing, however often and early it is asked. What PostgreSQL's own functions do nobody
    /// knows here.
    static func onlyReads(_ sql: String) -> Bool {
        sql.hasPrefix("SELECT") && !sql.hasPrefix("SELECT pg_") && !sql.hasPrefix("SELECT set_config")
    }

    /// Whether a row that must be unique, or one that is referred to, can make it fail. What fails so is undone by
    /// itself, and the transaction goes on, as it does in SQLite; PostgreSQL needs a savepoint for that.
    static func mayConflict(_ sql: String) -> Bool {
        !sql.hasPrefix("DELETE") && !sql.hasSuffix("DO NOTHING")
    }
}

extension String {
    /// Without Foundation.
    fileprivate func range(of other: String) -> Range<String.Index>? {
        guard let start = indices.first(where: { self[$0...].hasPrefix(other) }) else { return nil }
        return start..<index(start, offsetBy: other.count)
    }
}
