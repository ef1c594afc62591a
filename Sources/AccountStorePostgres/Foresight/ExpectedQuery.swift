// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// A query that is asked before the transaction has come to it. What it is asked by may be a column of another one's
/// answer, which the server puts in.
struct ExpectedQuery: Sendable {
    enum Argument: Sendable {
        case value(SQLValue)
        /// Of the first row that another query finds, which is asked in the same breath; and what it is instead where
        /// that finds none.
        case column(Int, of: Int, in: Question, otherwise: SQLValue?)

        /// `nil` for what the server puts in.
        var value: SQLValue? { if case .value(let value) = self { value } else { nil } }
    }

    let name: QueryName
    let arguments: [Argument]

    /// Its arguments, where all are known here.
    var values: [SQLValue]? {
        var values: [SQLValue] = []
        for argument in arguments {
            guard let value = argument.value else { return nil }
            values.append(value)
        }
        return values
    }

    /// What goes over the wire: the query, with a query within it for what the server puts in.
    var question: Question {
        if let values { return Question(sql: name.sql, arguments: values) }
        var (sql, arguments, number) = ([UInt8](), [SQLValue](), 0)
        var isQuoted = false
        for byte in name.sql.utf8 {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            guard byte == UInt8(ascii: "?"), !isQuoted, number < self.arguments.count else {
                sql.append(byte)
                continue
            }
            switch self.arguments[number] {
            case .value(let value):
                sql.append(byte)
                arguments.append(value)
            case .column(let index, let count, let source, let otherwise):
                let columns = (0..<count).map { "c\($0)" }.joined(separator: ", ")
                let column = "(SELECT c\(index) FROM (\(source.sql)) AS source (\(columns)) LIMIT 1)"
                sql += Array((otherwise == nil ? column : "COALESCE(\(column), ?)").utf8)
                arguments += source.arguments + [otherwise].compactMap(\.self)
            }
            number += 1
        }
        return Question(sql: String(decoding: sql, as: UTF8.self), arguments: arguments)
    }

    /// Which question it turned out to be the answer to.
    ///
    /// - Parameter found: the only row of the answer to another one; empty where there was none, `nil` where it is not
    ///   known.
    /// - Returns: `nil` where that can't be said.
    func asked(_ found: (Question) -> [SQLValue]?) -> Question? {
        var values: [SQLValue] = []
        for argument in arguments {
            switch argument {
            case .value(let value): values.append(value)
            case .column(let index, _, let source, let otherwise):
                guard let row = found(source) else { return nil }
                // A null is one, or what is too long to be asked by: the server knows which, and nobody here.
                guard let value = row.isEmpty ? otherwise : index < row.count ? row[index] : nil,
                    row.isEmpty || value != .null
                else { return nil }
                values.append(value)
            }
        }
        return Question(sql: name.sql, arguments: values)
    }
}
