// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import GRDB
import GRDBSQLite

/// A connection that reads. GRDB opens, sets up and closes it; reads go past GRDB's queue and its search for prepared
/// statements, which together cost as much as a look-up by key: whoever has taken the connection from ``SQLiteReaders``
/// has it alone, and hands it to no other.
final class SQLiteReader: @unchecked Sendable {
    private let queue: DatabaseQueue
    private let statements: PreparedStatements
    private var answers = RememberedAnswers()

    /// - Throws: as `DatabaseFile.openReader()`.
    init(_ file: DatabaseFile) throws {
        queue = try file.openReader()
        statements = PreparedStatements(queue.unsafeRead { $0.sqliteConnection })
    }

    /// Runs `body` on one snapshot of the database.
    func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try SQLiteConnection(statements).snapshot(body)
    }

    /// The answer to a question, remembered or found by `find`, on one snapshot of the database.
    func answer<Question: StoreQuestion>(
        _ question: Question, _ find: (SQLiteConnection) throws -> Question.Answer
    ) throws -> Question.Answer {
        try SQLiteConnection(statements).snapshot { connection in
            answers.forget(unlessOf: try connection.dataVersion())
            if let answer = answers.answer(to: question) { return answer }
            let answer = try find(connection)
            answers.remember(answer, to: question)
            return answer
        }
    }

    func close() throws {
        statements.finalize()
        try queue.close()
    }

    deinit {
        statements.finalize()
    }
}
