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
            try statement.execute(arguments: StatementArguments(try arguments.map { try $0.databaseValue }))
            return database.changesCount
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    func query<Value>(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        do {
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try GRDB.Row.fetchCursor(
                statement, arguments: StatementArguments(try arguments.map { try $0.databaseValue }))
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
        // No column holds one: whoever asks for a number is refused.
        case .double(let number): .text("\(number)")
        case .string(let text): .text(text)
        case .blob(let data): .blob(Array(data))
        }
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        get throws(AuthError) {
            switch self {
            case .null: return .null
            case .integer(let number): return number.databaseValue
            case .text(let text):
                // SQLite would keep what comes before it, PostgreSQL refuses it: a name must not be cut in silence.
                guard !text.utf8.contains(0) else {
                    throw AuthError(.invalidRequest, reason: "database: a text with a NUL character")
                }
                return text.databaseValue
            case .blob(let bytes): return Data(bytes).databaseValue
            }
        }
    }
}
