// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Several users' rows by one statement, instead of one statement for each user.
extension SQLTransaction {
    private static let batchLength = 50

    /// Of one length however many users there are, so that there is one statement to prepare.
    static let batchPlaceholders = Array(repeating: "?", count: batchLength).joined(separator: ", ")

    /// The arguments for ``batchPlaceholders``, as many times as it takes. The last ones are filled up with NULL, which
    /// equals nothing.
    func batches(of users: [UserID]) -> [[SQLValue]] { batches(of: users.map { SQLValue($0) }) }

    func batches(of values: [SQLValue]) -> [[SQLValue]] {
        stride(from: 0, to: values.count, by: Self.batchLength).map { start in
            let batch = Array(values[start..<min(start + Self.batchLength, values.count)])
            return batch + Array(repeating: .null, count: Self.batchLength - batch.count)
        }
    }

    /// - Parameter sql: a statement whose first argument is the Directory, and whose others are ``batchPlaceholders``.
    func query<Value>(
        _ sql: String, of users: [UserID], in directory: DirectoryID, _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        try batches(of: users).flatMap { try connection.query(sql, [SQLValue(directory)] + $0, read) }
    }
}
