// SPDX-License-Identifier: Apache-2.0

/// A value that goes into a statement: the four kinds that every SQL database keeps alike.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// A row of a result, read by position. A column of another kind than asked for is a ``StoredRowError``.
package protocol SQLRow {
    func isNull(_ index: Int) -> Bool
    func integer(_ index: Int) throws -> Int64
    func text(_ index: Int) throws -> String
    func blob(_ index: Int) throws -> [UInt8]
}

/// A database connection inside a transaction. One driver each for SQLite and PostgreSQL; every statement above it is
/// written once, with `?` for its arguments.
package protocol SQLConnection: AnyObject {
    /// Runs a statement and returns how many rows it changed.
    ///
    /// - Throws: ``StoreConflict`` for a row that must be unique and is not, `AuthErrorCode.unavailable` for a
    ///   database that can't do its work.
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    /// Runs a statement once for each row of arguments, and returns how many rows all of them changed.
    ///
    /// - Throws: as ``execute(_:_:)``; what was done until then stays done.
    func execute(_ sql: String, each rows: [[SQLValue]]) throws -> Int

    /// Runs a query and hands each row to `read` as it passes, which may make other queries, and change nothing.
    ///
    /// Not generic: a driver is another module, and what is generic there is put together anew with each call.
    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Void) throws

    /// Tells other processes, once the transaction is committed, to look what was changed. Where there is no such word
    /// between them it does nothing, and they look by themselves.
    func announceChange()
}

extension SQLConnection {
    package func announceChange() {}

    package func execute(_ sql: String, each rows: [[SQLValue]]) throws -> Int {
        try rows.reduce(0) { try $0 + execute(sql, $1) }
    }

    /// Runs a query and reads each row as it passes. `read` may make other queries, and change nothing.
    package func query<Value>(
        _ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEachRow(sql, arguments) { values.append(try read($0)) }
        return values
    }

    package func first<Value>(
        _ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Value
    ) throws -> Value? {
        var first: Value?
        try forEachRow(sql, arguments) { row in
            if first == nil { first = try read(row) }
        }
        return first
    }
}
