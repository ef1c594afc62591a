// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How many values a statement about several is given: always as many, so that there is one statement to prepare.
struct BatchForm {
    /// For the page that is usual.
    static let short = BatchForm(50)
    /// For a turn of a long list, and an import.
    static let long = BatchForm(UserPage.readAtOnce)

    let length: Int
    /// What stands between the parentheses of an `IN`.
    let placeholders: String

    private init(_ length: Int) {
        self.length = length
        placeholders = Array(repeating: "?", count: length).joined(separator: ", ")
    }

    static func of(_ count: Int) -> Self { count > short.length ? long : short }
}

/// Several users' rows by one statement, instead of one statement for each user.
extension SQLTransaction {
    /// The arguments for ``BatchForm/placeholders``, as many times as it takes. The last ones are filled up with NULL,
    /// which equals nothing.
    func batches(of values: [SQLValue], _ form: BatchForm = .short) -> [[SQLValue]] {
        stride(from: 0, to: values.count, by: form.length).map { start in
            let batch = Array(values[start..<min(start + form.length, values.count)])
            return batch + Array(repeating: .null, count: form.length - batch.count)
        }
    }

    /// - Parameter sql: a statement whose first argument is the Directory, and whose others are those of the
    ///   placeholders that it is given.
    func query<Value>(
        of users: [UserID], in directory: DirectoryID, _ sql: (_ placeholders: String) -> String,
        _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        let form = BatchForm.of(users.count)
        let sql = sql(form.placeholders)
        return try batches(of: users.map { SQLValue($0) }, form).flatMap {
            try connection.query(sql, [SQLValue(directory)] + $0, read)
        }
    }
}
