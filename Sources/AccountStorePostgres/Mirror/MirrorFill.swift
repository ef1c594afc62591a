// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

/// Brings the other server's tables to where a ``SchemaMirror``'s triggers keep them: whoever of ours is missing there
/// is written, and sessions there that are none of ours end. What stands there is left as it is.
///
/// With the triggers in place whatever changes is written by them, whom it belongs to included, so that neither waits
/// for the other. How far a filling has come is said by no word: what it has written is not missing any more.
struct MirrorFill {
    /// What is looked through, one after the other: what others hang on comes first.
    private enum Part: String, CaseIterable {
        case user, session, factor
        /// Sessions that are none of ours.
        case strange
    }

    private struct Turn {
        var missing: [String]
        /// How far it has come.
        var last: String
    }

    let mirror: SchemaMirror
    /// Rows that are looked at in one transaction, which only reads.
    var looked: Int64 = 10_000
    /// Rows that one transaction writes: so few that it is over soon, and seldom meets a sign-in.
    var written = 25
    /// Called before each transaction.
    var betweenTurns: () throws -> Void = {}

    /// Within the transaction that `connection` has begun, and the tables' locks.
    func callInside(_ connection: PostgresConnection) throws {
        for part in Part.allCases {
            var after = ""
            while let turn = try look(for: part, after: after, connection) {
                try write(turn.missing, of: part, connection)
                after = turn.last
            }
        }
        try connection.commands([mirror.word(isFilled: true)])
    }

    /// In transactions of its own, while others write. Cut short, it is to be called again.
    ///
    /// - Throws: `AuthErrorCode.changeRefused`, which names a row that an app's triggers or keys refuse, or that has a
    ///   text which no column there takes.
    func callAsFunction(_ connection: PostgresConnection) throws {
        for part in Part.allCases {
            var after = ""
            while let turn = try lookAlone(for: part, after: after, connection) {
                var rest = turn.missing[...]
                while !rest.isEmpty {
                    try writeAlone(Array(rest.prefix(written)), of: part, connection)
                    rest = rest.dropFirst(written)
                }
                after = turn.last
            }
        }
        try betweenTurns()
        try TableChange.repeated(on: connection) { try connection.commands([mirror.word(isFilled: true)]) }
    }

    private func lookAlone(for part: Part, after: String, _ connection: PostgresConnection) throws -> Turn? {
        try betweenTurns()
        // No serializable transaction: one that reads so much would come between many others.
        connection.begin(.snapshot)
        defer { connection.rollBack() }
        return try look(for: part, after: after, connection)
    }

    private func writeAlone(_ rows: [String], of part: Part, _ connection: PostgresConnection) throws {
        try betweenTurns()
        do {
            try TableChange.repeated(on: connection, lockMilliseconds: SchemaMirror.lockMilliseconds) {
                // Not in another's turn (``PostgresConnection/takeTurn()``).
                try connection.commands([
                    "SELECT pg_advisory_xact_lock_shared(\(PostgresLock.turn.number(in: mirror.ours)))"
                ])
                try write(rows, of: part, connection)
            }
        } catch {
            guard let refusal = PostgresFailure.domainError(error) as? AuthError,
                [.changeRefused, .invalidRequest].contains(refusal.code), let row = rows.first
            else { throw error }
            guard rows.count == 1 else {
                // One of them is: those before it are written.
                return try rows.forEach { try writeAlone([$0], of: part, connection) }
            }
            throw AuthError(
                .changeRefused, reason: "\(mirror.namespace), \(part.rawValue) \(row): \(refusal.reason ?? "refused")",
                field: refusal.field)
        }
    }

    /// - Returns: `nil` after the last.
    private func look(for part: Part, after: String, _ connection: PostgresConnection) throws -> Turn? {
        let rows = try connection.query(
            "SELECT place, is_missing FROM \(mirror.ours).mirror_missing(?, ?, \(looked))",
            [.text(part.rawValue), .text(after)]
        ) { (place: try $0.text(0), isMissing: try $0.integer(1) != 0) }
        return rows.last.map { last in Turn(missing: rows.filter(\.isMissing).map(\.place), last: last.place) }
    }

    private func write(_ rows: [String], of part: Part, _ connection: PostgresConnection) throws {
        let list = JSONValue.array(rows.map { .string($0) }).text
        _ = try connection.query(
            "SELECT \(mirror.ours).mirror_fill(?, ?)", [.text(part.rawValue), .text(list)]
        ) { _ in true }
    }
}
