// SPDX-License-Identifier: Apache-2.0

/// A statement's text as it is looked up, many times for each transaction: by its length, since such texts are long and
/// hardly two are as long as each other, and compared in whole.
struct StatementKey: Hashable, Sendable {
    let sql: String

    init(_ sql: String) {
        self.sql = sql
    }

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}
