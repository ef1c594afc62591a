// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import GRDB
import GRDBSQLite

/// A connection of the SQLite driver. It lives for one transaction, on the database's own thread.
///
/// GRDB keeps the connection, and the prepared statements of those that write or scan; values go in and out by SQLite's
/// own calls, since a row of GRDB's costs several times what reading its columns does.
final class SQLiteConnection: SQLConnection {
    private enum Statements {
        case grdb(Database)
        case own(PreparedStatements)
    }

    private let connection: OpaquePointer?
    private let statements: Statements
    private let stop: ScanStop?

    /// - Parameter stop: once it is set no further statement is begun.
    init(_ database: Database, stop: ScanStop? = nil) {
        connection = database.sqliteConnection
        statements = .grdb(database)
        self.stop = stop
    }

    init(_ statements: PreparedStatements) {
        connection = statements.connection
        self.statements = .own(statements)
        stop = nil
    }

    /// Runs `body` on one snapshot of the database.
    func snapshot<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try control("BEGIN DEFERRED")
        do {
            let value = try body(self)
            try control("COMMIT")
            return value
        } catch {
            if isInsideTransaction { try? control("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` as one transaction that writes.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try control("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try control("COMMIT")
            return value
        } catch {
            if isInsideTransaction { try? control("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` so that its failure undoes what it did and nothing else of the transaction.
    ///
    /// - Throws: what `body` throws, or ``Unreverted`` where it can't be undone by itself: then all of the transaction
    ///   must be.
    func savepoint(_ body: () throws -> Void) throws {
        try control("SAVEPOINT write")
        do {
            try body()
        } catch {
            do {
                try control("ROLLBACK TO write")
                try control("RELEASE write")
            } catch { throw Unreverted() }
            throw error
        }
        do { try control("RELEASE write") } catch { throw Unreverted() }
    }

    /// What failed is still there, or SQLite has undone the whole transaction, as a full disk makes it.
    struct Unreverted: Error {}

    /// What is another number whenever some other connection, of whichever process, has committed a change since this
    /// one asked last (`PRAGMA data_version`). Inside a transaction it is that of its snapshot.
    func dataVersion() throws -> Int64 {
        try run("PRAGMA data_version", []) { statement in
            guard try step(statement) else { throw AuthError(.internalFailure, reason: "database: no data version") }
            return sqlite3_column_int64(statement, 0)
        }
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try run(sql, arguments) { statement in
            while try step(statement) {}
            return Int(sqlite3_changes(connection))
        }
    }

    /// Prepares once: an import writes thousands of rows, and to find the statement takes half as long as to run it.
    func execute(_ sql: String, each rows: [[SQLValue]]) throws -> Int {
        guard let first = rows.first else { return 0 }
        return try run(sql, first) { statement in
            var changed = 0
            for (index, arguments) in rows.enumerated() {
                if index > 0 {
                    sqlite3_reset(statement)
                    try requireTransaction()
                    try bind(arguments, to: statement)
                }
                while try step(statement) {}
                changed += Int(sqlite3_changes(connection))
            }
            return changed
        }
    }

    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Void) throws {
        try run(sql, arguments) { statement in
            let row = SQLiteRow(statement: statement)
            while try step(statement) { try read(row) }
        }
    }

    /// Begins or ends a transaction.
    private func control(_ sql: String) throws {
        let statement = try prepared(sql)
        defer { sqlite3_reset(statement) }
        while try step(statement) {}
    }

    private func prepared(_ sql: String) throws -> SQLiteStatement {
        do {
            return switch statements {
            case .grdb(let database): try database.cachedStatement(sql: sql).sqliteStatement
            case .own(let statements): try statements.statement(sql)
            }
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    /// Prepares a statement once a connection, binds its arguments, and resets it when `body` is done.
    private func run<Value>(
        _ sql: String, _ arguments: [SQLValue], _ body: (SQLiteStatement) throws -> Value
    ) throws -> Value {
        if let stop, stop.isSet { throw CancellationError() }
        try requireTransaction()
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        try bind(arguments, to: statement)
        return try body(statement)
    }

    /// How many rows were changed by it since it was opened, undone or not: another number after each change.
    var changeCount: CInt { sqlite3_total_changes(connection) }

    /// Not where a full disk has made SQLite undo the transaction.
    var isInsideTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// A full disk makes SQLite undo the transaction. What came after would be committed each by itself.
    private func requireTransaction() throws {
        guard isInsideTransaction else {
            throw AuthError(.unavailable, reason: "database: the transaction was undone", retryAfter: .seconds(1))
        }
    }

    private func bind(_ arguments: [SQLValue], to statement: SQLiteStatement) throws {
        guard Int(sqlite3_bind_parameter_count(statement)) == arguments.count else {
            throw AuthError(.internalFailure, reason: "database: a statement with the wrong number of arguments")
        }
        for (index, argument) in arguments.enumerated() {
            try check(argument.bind(to: statement, at: CInt(index + 1)))
        }
    }

    /// Whether there is a row.
    private func step(_ statement: SQLiteStatement) throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            try check(code)
            return false
        }
    }

    private func check(_ code: CInt) throws {
        guard code != SQLITE_OK else { return }
        throw SQLiteFailure.domainError(
            DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: String(cString: sqlite3_errmsg(connection))))
    }
}

private struct SQLiteRow: SQLRow {
    let statement: SQLiteStatement

    func isNull(_ index: Int) -> Bool { sqlite3_column_type(statement, CInt(index)) == SQLITE_NULL }

    func integer(_ index: Int) throws -> Int64 {
        try expect(SQLITE_INTEGER, index)
        return sqlite3_column_int64(statement, CInt(index))
    }

    func text(_ index: Int) throws -> String {
        try expect(SQLITE_TEXT, index)
        guard let start = sqlite3_column_text(statement, CInt(index)) else { return "" }
        let length = Int(sqlite3_column_bytes(statement, CInt(index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    func blob(_ index: Int) throws -> [UInt8] {
        try expect(SQLITE_BLOB, index)
        // SQLite gives no address for an empty one.
        guard let start = sqlite3_column_blob(statement, CInt(index)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(index)))))
    }

    private func expect(_ type: CInt, _ index: Int) throws {
        guard sqlite3_column_type(statement, CInt(index)) == type else { throw StoredRowError(column: index) }
    }
}

extension SQLValue {
    /// SQLite copies what it is given before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate func bind(to statement: SQLiteStatement, at index: CInt) throws -> CInt {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return try text.withUTF8 { bytes in
                // SQLite would keep what comes before it, PostgreSQL refuses it: a name must not be cut in silence.
                guard !bytes.contains(0) else {
                    throw AuthError(.invalidRequest, reason: "database: a text with a NUL character")
                }
                // Without an address SQLite would bind NULL.
                guard let start = bytes.baseAddress else {
                    return sqlite3_bind_text(statement, index, "", 0, Self.copied)
                }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(statement, index, $0, CInt(clamping: bytes.count), Self.copied)
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress, !buffer.isEmpty else {
                    return sqlite3_bind_zeroblob(statement, index, 0)
                }
                return sqlite3_bind_blob(statement, index, start, CInt(clamping: buffer.count), Self.copied)
            }
        }
    }
}
