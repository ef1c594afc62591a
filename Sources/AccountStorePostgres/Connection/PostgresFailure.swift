// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// What PostgreSQL refuses a statement by, in the domain's words. Statements and their arguments are not repeated: they
/// may be addresses and hashes, and so may what the server says in detail.
struct PostgresFailure: Error {
    /// Five characters (PostgreSQL, appendix A); empty where the server said nothing.
    var sqlState: String
    var table: String?
    /// Of a row that is not unique: the columns of its constraint.
    var columns: [String] = []
    /// What the server says has gone wrong in itself (class XX), or which right is missing (42501): of files, pages,
    /// schemas and tables, and of no row's values. An operator needs it to know what to mend.
    var trouble: String?
    /// What an app's own triggers and keys in the database did not let happen; `nil` where the refusal is another.
    var refused: DatabaseAct?

    /// - Parameter schema: of our own tables.
    init(_ result: PostgresResult, schema: String) {
        sqlState = result.sqlState ?? ""
        table = result.table
        columns = Self.columns(result.detail ?? "")
        // What a function says, as an app's triggers are, may be of rows.
        let isOwn = (sqlState.hasPrefix("XX") || sqlState == "42501") && result.context == nil
        trouble = isOwn ? result.message.map { String($0.prefix(200)) } : nil
        refused = DatabaseAct(refusedBy: sqlState)
        // By a trigger or a key that is looked at when a transaction ends.
        let isForeign = sqlState.hasPrefix("23") && result.schema.map { $0 != schema } == true
        if refused == nil, isForeign || sqlState == "P0001" { refused = .change }
    }

    init(sqlState: String) {
        self.sqlState = sqlState
    }

    /// The connection is not there any more, or never was.
    static let lost = PostgresFailure(sqlState: "08006")

    /// The server has not answered for as long as anybody waits. What it does with the statement nobody knows.
    static let unanswered = PostgresFailure(sqlState: "08000")

    /// What a transaction took for granted before it was answered did not hold: it is run again without. No server says
    /// so.
    static let wrongGuess = PostgresFailure(sqlState: "55L01")

    /// Likewise, of how often it would ask alone: what it asks ahead may be asked ahead again.
    static let notWhole = PostgresFailure(sqlState: "55L02")

    var isWrongGuess: Bool { sqlState == Self.wrongGuess.sqlState || isNotWhole }
    var isNotWhole: Bool { sqlState == Self.notWhole.sqlState }

    /// Another transaction came between: run again, this one finds what that one left.
    var isSerialization: Bool { ["40001", "40P01"].contains(sqlState) }

    /// The connection is of no use any more: it is gone, or the server ends it (class 57P).
    var isLost: Bool { sqlState.hasPrefix("08") || sqlState.hasPrefix("57P") }

    /// What the connection was opened to is not what it is at now: a server that has become one that only reads (25006,
    /// and 0A000 for a standby, which knows no serializable transaction), tables that were changed under a prepared
    /// statement (0A000), statements that are not there any more (26000). Another connection may do; nothing was done
    /// by this one.
    var isOutdated: Bool { ["0A000", "25006", "26000"].contains(sqlState) }

    /// The server contradicts itself (XX000), as it does where its own tables are changed at the same moment ("tuple
    /// concurrently updated"). Mostly it does not do so twice. Not what a function says, an app's trigger among them,
    /// nor damage (XX001, XX002).
    var isInternal: Bool { sqlState == "XX000" && trouble != nil }

    /// Whether a transaction that ended so before its commit was sent is to be run again.
    var isPassing: Bool { isSerialization || isLost && sqlState != Self.unanswered.sqlState }

    /// Somebody has held a table for longer than was to be waited for.
    var isLockTimeout: Bool { sqlState == "55P03" }

    var isCancelled: Bool { sqlState == "57014" }

    /// - Returns: ``StoreConflict`` or an ``AuthError``.
    var domainError: any Error {
        if let refused {
            return AuthError(
                .changeRefused, reason: "database: refused by what stands beside, SQLSTATE \(sqlState)",
                field: refused.rawValue)
        }
        switch sqlState {
        case "23505":
            return StoreConflict.duplicate(
                UniqueNames.name(ofColumn: "\(table ?? "").\(columns.last ?? "")"))
        case "23503": return StoreConflict.stale("reference")
        default: break
        }
        // A text or a number that no column takes, and one that is too long for an index: what is in a row is the
        // callers'.
        if ["22001", "22003", "22021", "22P05", "54000"].contains(sqlState) {
            return AuthError(.invalidRequest, reason: "database: SQLSTATE \(sqlState)")
        }
        let said = trouble.map { " (\($0))" } ?? ""
        if sqlState == "42501" {
            return AuthError(.unavailable, reason: "database: its user may not do that\(said)", retryAfter: .seconds(1))
        }
        // Connections, what they are at, what the machine lacks, what an operator does, the transaction's end,
        // read-only, the disk.
        let passing = ["08", "0A", "25", "26", "40", "53", "55", "57", "58", "XX"]
        guard passing.contains(String(sqlState.prefix(2))) else {
            return AuthError(.internalFailure, reason: "database: SQLSTATE \(sqlState)")
        }
        return AuthError(.unavailable, reason: "database: SQLSTATE \(sqlState)\(said)", retryAfter: .seconds(1))
    }

    /// `Key (directory_id, email, email_holder)=(…) already exists.`
    private static func columns(_ detail: String) -> [String] {
        guard let open = detail.firstIndex(of: "("), let close = detail.firstIndex(of: ")"), open < close else {
            return []
        }
        return detail[detail.index(after: open)..<close].split(separator: ",").map { $0.filter { $0 != " " } }
    }

    static func domainError(_ error: any Error) -> any Error {
        switch error {
        case let error as PostgresFailure: error.domainError
        case let error as StoredRowError: AuthError(.internalFailure, reason: "database: \(error)")
        default: error
        }
    }
}

extension DatabaseAct {
    /// What an app's triggers or keys did not let happen, by the SQLSTATE that `mirror_refusal` ends a transaction
    /// with.
    fileprivate init?(refusedBy sqlState: String) {
        switch sqlState {
        case "LK001": self = .create
        case "LK002": self = .change
        case "LK003": self = .delete
        default: return nil
        }
    }
}
