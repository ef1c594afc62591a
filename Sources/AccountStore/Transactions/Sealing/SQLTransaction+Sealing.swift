// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How the statements of the aggregates put values into sealed columns, and take them out.
extension SQLTransaction {
    /// The value for a sealed column. The store is asked for its newest key each time, in the same transaction: once a
    /// key is there, nobody seals with an older one, nor writes anything in the clear.
    func sealed(
        _ value: [UInt8]?, _ column: SealedColumn, in directory: DirectoryID, row: String
    ) throws -> SQLValue {
        // Whether or not there is a value: who has no password must cost the same statements as who has one.
        try vault.sealed(value, column, in: directory, row: row, by: newestKey())
    }

    /// The key that values are sealed with in this transaction; `nil` where they are stored in the clear.
    func newestKey() throws -> UInt32? {
        let newest = try connection.first("SELECT MAX(id) FROM data_keys", []) { try $0.optionalInteger(0) } ?? nil
        let key = newest.map { UInt32(clamping: $0) }
        if let key, !vault.has(key) { try vault.take(dataKeys()) }
        return key
    }

    func sealed(
        _ text: String?, _ column: SealedColumn, in directory: DirectoryID, row: String
    ) throws -> SQLValue {
        try sealed(text.map { Array($0.utf8) }, column, in: directory, row: row)
    }

    /// The value of a sealed column. A key that another process has made since is asked for.
    ///
    /// - Throws: ``StoredRowError`` for a damaged one, `AuthErrorCode.unavailable` for one under a master key that is
    ///   not given.
    func opened(
        _ row: any SQLRow, _ index: Int, _ column: SealedColumn, in directory: DirectoryID, row id: String
    ) throws -> [UInt8] {
        let (stored, cell) = (try row.blob(index), Cell(column, in: directory.rawValue, row: id))
        do {
            return try vault.value(of: stored, in: cell, column: index)
        } catch let missing as UnknownDataKey {
            try vault.take(dataKeys(), wanted: missing.id)
            return try vault.value(of: stored, in: cell, column: index)
        }
    }

    func openedText(
        _ row: any SQLRow, _ index: Int, _ column: SealedColumn, in directory: DirectoryID, row id: String
    ) throws -> String {
        String(decoding: try opened(row, index, column, in: directory, row: id), as: UTF8.self)
    }

    func dataKeys() throws -> [Vault.Row] {
        try connection.query("SELECT id, master_key_id, wrapped FROM data_keys ORDER BY id", []) { row in
            guard let id = UInt32(exactly: try row.integer(0)) else { throw StoredRowError(column: 0) }
            return Vault.Row(id: id, masterKeyID: try row.text(1), wrapped: try row.blob(2))
        }
    }
}
