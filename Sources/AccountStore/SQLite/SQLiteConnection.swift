// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Foundation
import GRDB

/// A connection of the SQLite driver. It lives for one transaction, on the database's own thread.
final class SQLiteConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        do {
            let statement = try database.cachedStatement(sql: sql)
            try statement.execute(arguments: StatementArguments(arguments.map(\.databaseValue)))
            return database.changesCount
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    func query<Value>(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        do {
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try GRDB.Row.fetchCursor(
                statement, arguments: StatementArguments(arguments.map(\.databaseValue)))
            var values: [Value] = []
            while let row = try cursor.next() { values.append(try read(SQLiteRow(row: row))) }
            return values
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }
}

private struct SQLiteRow: SQLRow {
    let row: GRDB.Row

    func value(at index: Int) -> SQLValue {
        guard index < row.count else { return .null }
        let value: DatabaseValue = row[index]
        return switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .integer(Int64(exactly: number) ?? 0)
        case .string(let text): .text(text)
        case .blob(let data): .blob(Array(data))
        }
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
