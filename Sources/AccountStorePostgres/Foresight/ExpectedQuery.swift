// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// A query that is asked before the transaction has come to it. What it is asked by may be a column of another one's answer, which
/// the server puts in.
struct ExpectedQuery: Sendable {
    enum Argument: Sendable {
        case value(SQLValue)
        /// Of the first row that another query finds, which is asked in the same breath.
        case column(Int, of: Int, in: Question)
    }

    let name: QueryName
    let arguments: [Argument]

    /// Its arguments, where all are known here.
    var values: [SQLValue]? {
        var values: [SQLValue] = []
        for argument in arguments {
            guard case .value(let value) = argument else { return nil }
            values.append(value)
        }
        return values
    }

    /// What goes over the wire: the query, with a query within it for what the server puts in.
    var question: Question {
        var (sql, arguments, number) = ("", [SQLValue](), 0)
        var isQuoted = false
        for character in name.sql {
            if character == "'" { isQuoted.toggle() }
            guard character == "?", !isQuoted, number < self.arguments.count else {
                sql.append(character)
                continue
            }
            switch self.arguments[number] {
            case .value(let value):
                sql.append("?")
                arguments.append(value)
            case .column(let index, let count, let source):
                let columns = (0..<count).map { "c\($0)" }.joined(separator: ", ")
                sql += "(SELECT c\(index) FROM (\(source.sql)) AS source (\(columns)) LIMIT 1)"
                arguments += source.arguments
            }
            number += 1
        }
        return Question(sql: sql, arguments: arguments)
    }

    /// Which question it turned out to be the answer to.
    ///
    /// - Parameter found: the first row of the answer to another one; empty where there was none.
    /// - Returns: `nil` where the other one found nothing.
    func asked(_ found: (Question) -> [SQLValue]) -> Question? {
        var values: [SQLValue] = []
        for argument in arguments {
            switch argument {
            case .value(let value): values.append(value)
            case .column(let index, _, let source):
                let row = found(source)
                guard index < row.count else { return nil }
                values.append(row[index])
            }
        }
        return Question(sql: name.sql, arguments: values)
    }
}
