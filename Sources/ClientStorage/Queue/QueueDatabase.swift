// SPDX-License-Identifier: Apache-2.0

import CSQLite
import ClientSession

/// An open SQLite database, for as long as one piece of work takes. Not for two threads at once.
struct QueueDatabase: ~Copyable {
    private let connection: OpaquePointer

    /// - Throws: ``Fault`` with SQLite's code.
    init(path: String) throws(Fault) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Fault(code: code)
        }
        connection = opened
        // Another process writes for a moment only.
        sqlite3_busy_timeout(opened, 5000)
    }

    deinit { sqlite3_close_v2(connection) }

    enum Value: Hashable {
        case integer(Int64)
        case text(String)
        case blob([UInt8])
        case null

        var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    /// Runs one statement to its end.
    ///
    /// - Returns: its rows.
    @discardableResult
    func run(_ sql: String, _ arguments: [Value] = []) throws(Fault) -> [[Value]] {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &prepared, nil))
        guard let statement = prepared else { return [] }
        defer { sqlite3_finalize(statement) }
        for (index, argument) in arguments.enumerated() {
            try check(Self.bind(argument, to: statement, at: Int32(index + 1)))
        }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw Fault(code: sqlite3_extended_errcode(connection))
            }
        }
    }

    /// Everything or nothing of `body`, with nobody writing beside it.
    func transaction<Outcome>(_ body: () throws(Fault) -> Outcome) throws(Fault) -> Outcome {
        try run("BEGIN IMMEDIATE")
        do throws(Fault) {
            let outcome = try body()
            try run("COMMIT")
            return outcome
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    private func check(_ code: Int32) throws(Fault) {
        guard code == SQLITE_OK else { throw Fault(code: sqlite3_extended_errcode(connection)) }
    }

    private static func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, a cast that C's header makes: SQLite copies what it is given.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            // A Swift string lends its UTF-8 with a zero behind it; the length is what counts.
            return text.withCString { sqlite3_bind_text(statement, index, $0, Int32(text.utf8.count), copied) }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied)
            }
        case .null: return sqlite3_bind_null(statement, index)
        }
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT: return .text(String(decoding: bytes(statement, column), as: UTF8.self))
        case SQLITE_BLOB: return .blob(bytes(statement, column))
        default: return .null
        }
    }

    private static func bytes(_ statement: OpaquePointer, _ column: Int32) -> [UInt8] {
        // The pointer first: it settles the form that the length is of.
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// An extended result code of SQLite's.
    struct Fault: Error, Hashable {
        var code: Int32
        /// What kept the database from being opened at all.
        var store: SecureStoreError?

        init(code: Int32) { self.code = code }

        init(store: SecureStoreError) {
            code = SQLITE_CANTOPEN
            self.store = store
        }

        var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
        var isUniqueness: Bool { code == SQLITE_CONSTRAINT | (8 << 8) }
        var isFull: Bool { code & 0xFF == SQLITE_FULL }
    }
}
