// SPDX-License-Identifier: Apache-2.0

import Testing

import class GRDB.DatabaseQueue

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite struct PreparedStatementTests {
    private func withConnection(_ body: (SQLiteConnection) throws -> Void) throws {
        try DatabaseQueue().inDatabase { database in
            let statements = PreparedStatements(database.sqliteConnection)
            defer { statements.finalize() }
            try SQLiteConnection(statements).snapshot(body)
        }
    }

    private func number(_ connection: SQLiteConnection, _ sql: String) throws -> Int64? {
        var number: Int64?
        try connection.forEachRow(sql, []) { number = try $0.integer(0) }
        return number
    }

    @Test("R9.15 a statement is found again by its text, and never another that lay in the same place before")
    func texts() throws {
        try withConnection { connection in
            for _ in 0..<3 {
                // Made anew each time, of one length, and let go of before the next: they come to lie in the same
                // place.
                for value in 100..<400 {
                    let sum = try number(connection, "SELECT 1 + \(value) AS the_sum_of_two")
                    #expect(sum == Int64(value + 1))
                    // Short enough to be kept within the value.
                    let short = try number(connection, "SELECT \(value)")
                    #expect(short == Int64(value))
                }
                let fixed = try number(connection, "SELECT 41 + 1 AS the_answer_of_all")
                #expect(fixed == 42)
            }
        }
    }

    @Test("R9.15 a statement that can't be prepared is refused each time, and leaves the others as they are")
    func broken() throws {
        try withConnection { connection in
            for _ in 0..<2 {
                #expect(throws: (any Error).self) { try number(connection, "SELECT * FROM nothing_of_the_kind") }
                let kept = try number(connection, "SELECT 40 + 2 AS still_there")
                #expect(kept == 42)
            }
        }
    }
}
