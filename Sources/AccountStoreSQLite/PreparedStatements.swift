// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// The prepared statements of one connection, which one thread at a time uses: the writer's own, or whoever has taken a
/// reader.
///
/// Most statements are texts that live as long as the program: they are found by where they lie in memory, which costs
/// less than to hash some hundred characters. Others are found by what they say.
final class PreparedStatements: @unchecked Sendable {
    private struct Place: Hashable {
        var start: UnsafeRawPointer
        var count: Int
    }

    let connection: OpaquePointer?
    private var byPlace: [Place: SQLiteStatement] = [:]
    /// Keeps each text that was prepared, so that no other comes to lie where it is.
    private var byText: [String: SQLiteStatement] = [:]

    init(_ connection: OpaquePointer?) {
        self.connection = connection
    }

    /// - Throws: `DatabaseError`.
    func statement(_ sql: String) throws -> SQLiteStatement {
        let place = Self.place(of: sql)
        if let place, let statement = byPlace[place] { return statement }
        if let statement = byText[sql] { return statement }
        var statement: SQLiteStatement?
        let code = sqlite3_prepare_v3(connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: String(cString: sqlite3_errmsg(connection)))
        }
        byText[sql] = statement
        if let place { byPlace[place] = statement }
        return statement
    }

    /// Lets go of all of them, which the connection wants before it is closed.
    func finalize() {
        for statement in byText.values { sqlite3_finalize(statement) }
        byText = [:]
        byPlace = [:]
    }

    /// `nil` for a text that has no place of its own: the short ones lie in whatever holds them.
    private static func place(of sql: String) -> Place? {
        let most = 15
        guard sql.utf8.count > most else { return nil }
        return sql.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { Place(start: UnsafeRawPointer($0), count: bytes.count) }
        } ?? nil
    }
}
