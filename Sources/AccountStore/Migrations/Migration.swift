// SPDX-License-Identifier: Apache-2.0

/// One step of the schema, written so that SQLite and PostgreSQL both run it: each runs once, in its own transaction,
/// in order of its number. A step that has shipped is never edited.
struct Migration: Sendable {
    let number: Int
    let statements: [String]

    static let all: [Migration] = [.initial]
}
