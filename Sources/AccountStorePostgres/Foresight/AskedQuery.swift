// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore

/// A query by its text, and by how many of the same text came before it in the transaction.
struct QueryName: Hashable, Sendable {
    let sql: String
    let number: Int

    func hash(into hasher: inout Hasher) {
        hasher.combine(StatementKey(sql))
        hasher.combine(number)
    }
}

/// What transactions have in common that go on alike.
struct PathName: Hashable, Sendable {
    /// What they begin with.
    let query: QueryName
    let isWrite: Bool
    /// What their caller says that they are for.
    let purpose: String
}

/// A query with its arguments: what an answer that came before it was asked for is found by.
struct Question: Hashable, Sendable {
    let sql: String
    let arguments: [SQLValue]

    func hash(into hasher: inout Hasher) {
        hasher.combine(StatementKey(sql))
        hasher.combine(arguments)
    }
}

/// A query that a transaction has made, and the first row that it found; no columns where it found none.
struct AskedQuery: Sendable {
    let name: QueryName
    let arguments: [SQLValue]
    let row: [SQLValue]
}

extension AskedQuery {
    /// What is known before a transaction, as a query that nobody makes.
    init(given values: ForeseenValues) {
        self.init(
            name: QueryName(sql: "", number: values.texts.count),
            arguments: values.texts.map { .text($0) } + values.keys.map { .blob($0) }, row: [])
    }

    var isGiven: Bool { name.sql.isEmpty }
}
