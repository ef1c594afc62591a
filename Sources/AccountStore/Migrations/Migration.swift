// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// One step of the schema: each runs once, in its own transaction, in order of its number. A step that has shipped is
/// never edited.
///
/// The statements keep to what SQLite and PostgreSQL both run. Two words differ: PostgreSQL's driver replaces `BLOB`
/// with `BYTEA`, and leaves out `WITHOUT ROWID`.
package struct Migration: Sendable {
    package let number: Int
    /// The oldest number whose programs may go on working on the tables after this step: they know nothing of it, and
    /// what they read and write must mean the same to newer ones. A step that only adds (tables, indexes, columns with
    /// a default that an older program's rows may have) serves the number before it.
    package let serves: Int
    package let statements: [String]

    /// - Parameter serves: its own number where it is not given: nothing older may stand beside it.
    package init(number: Int, serves: Int? = nil, statements: [String]) {
        self.number = number
        self.serves = serves ?? number
        self.statements = statements
    }

    package static let all: [Migration] = [.initial]

    /// The number of the last one.
    package static let newest = all.last?.number ?? 0

    /// Of the statements: a database that was made by others of this number does not have these tables. In lower-case
    /// hexadecimal digits.
    package var digest: String {
        Hex.encode(Array(SHA256.hash(data: Array(statements.joined(separator: "\0").utf8))))
    }
}
