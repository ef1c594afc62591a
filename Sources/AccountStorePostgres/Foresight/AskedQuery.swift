// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// A query by its text, and by how many of the same text came before it in the transaction.
struct QueryName: Hashable, Sendable {
    let sql: String
    let number: Int
}

/// A query with its arguments: what an answer that came before it was asked for is found by.
struct Question: Hashable, Sendable {
    let sql: String
    let arguments: [SQLValue]
}

/// A query that a transaction has made, and the first row that it found; no columns where it found none.
struct AskedQuery: Sendable {
    let name: QueryName
    let arguments: [SQLValue]
    let row: [SQLValue]
}
