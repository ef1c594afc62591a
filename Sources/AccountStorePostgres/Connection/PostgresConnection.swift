// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import CPostgres

/// A connection to PostgreSQL, by libpq. It belongs to one thread at a time.
///
/// What can wait for the next statement goes with it (the beginning of a transaction, a savepoint, the preparation of a
/// statement), so that a transaction costs one round trip for each statement and one for its end.
final class PostgresConnection: SQLConnection {
    /// Statements kept prepared. What a program says is few hundred texts; lists of varying length could be more.
    private static let maximumPrepared = 1_024
    /// Rows sent before an answer is read: the server reads no more of them than it can answer into a socket's buffer.
    private static let rowsAtOnce = 200
    private static let savepoint = "statement"
    private static let millisecond: Int64 = 1_000_000_000_000_000

    private let connection: OpaquePointer
    /// Names this schema's changes to whoever listens; `nil` where the server has no such word (CockroachDB has not).
    private let announcement: String?
    private var prepared: [String: String] = [:]
    /// Commands that go before the next statement.
    private var waiting: [String] = []
    private var isInsideTransaction = false
    private var holdsSavepoint = false
    /// What makes the transaction of no use, whatever its body made of it.
    private(set) var failure: PostgresFailure?

    /// Exchanges with the server since the connection was opened.
    private(set) var roundTrips = 0

    /// - Parameters:
    ///   - url: a connection URI or string of libpq's, which takes the rest from its environment variables and files.
    ///   - schema: what all tables are in.
    ///   - patience: how long a statement may take, locks that it waits for included; `nil` for as long as it does.
    /// - Throws: ``PostgresFailure``, `AuthErrorCode.unavailable` where nobody answers, or `AuthErrorCode.invalidRequest` for
    ///   what is no such string.
    init(_ url: String, schema: String, patience: Duration? = nil) throws {
        guard let connection = try PostgresAddress(url).connect() else { throw PostgresFailure(sqlState: "53200") }
        guard PQstatus(connection) == CONNECTION_OK else {
            defer { PQfinish(connection) }
            // libpq names host and user here, and no password.
            let lines = String(cString: PQerrorMessage(connection)).split(separator: "\n")
            let message = lines.first.map(String.init) ?? ""
            throw AuthError(.unavailable, reason: "database: \(message)", retryAfter: .seconds(1))
        }
        self.connection = connection
        announcement =
            PQparameterStatus(connection, "crdb_version") == nil
            ? "NOTIFY \(PostgresChanges.channel), '\(schema)'" : nil
        guard PQenterPipelineMode(connection) == 1 else { throw PostgresFailure.lost }
        waiting = [
            "SET search_path TO \(schema)", "SET client_encoding TO 'UTF8'", "SET standard_conforming_strings TO on",
        ]
        if let patience {
            let milliseconds = max(
                1, patience.components.seconds * 1000 + patience.components.attoseconds / Self.millisecond)
            // A transaction whose program stopped in the middle of it gives back what it holds.
            waiting += [
                "SET statement_timeout TO \(milliseconds)",
                "SET idle_in_transaction_session_timeout TO \(milliseconds)",
            ]
        }
        // By themselves: what goes with a transaction ends with it.
        _ = try exchange()
    }

    deinit {
        PQfinish(connection)
    }

    var isUsable: Bool { PQstatus(connection) == CONNECTION_OK && failure?.isLost != true }

    /// What ends the statement under way from another thread.
    var cancellation: PostgresCancellation? { PQgetCancel(connection).map(PostgresCancellation.init) }

    // MARK: Transactions

    enum Isolation: String {
        /// One snapshot for all statements.
        case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// As if one came after the other.
        case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    }

    func begin(_ isolation: Isolation) {
        failure = nil
        holdsSavepoint = false
        isInsideTransaction = true
        waiting.append(isolation.rawValue)
    }

    /// - Throws: ``PostgresFailure``: nothing was done, or, where the connection was lost meanwhile, nobody knows.
    func commit() throws {
        defer { isInsideTransaction = false }
        if let failure { throw failure }
        // Nothing was said yet: there is nothing to end.
        if let begun = waiting.lastIndex(where: { $0.hasPrefix("BEGIN") }) {
            waiting.removeSubrange(begun...)
            return
        }
        waiting.append("COMMIT")
        _ = try exchange()
    }

    func rollBack() {
        defer { isInsideTransaction = false }
        if let begun = waiting.lastIndex(where: { $0.hasPrefix("BEGIN") }) {
            waiting.removeSubrange(begun...)
            return
        }
        waiting = ["ROLLBACK"]
        failure = nil
        do {
            _ = try exchange()
        } catch {
            failure = .lost
        }
    }

    /// Sends commands that nothing is answered to, in one go. The first that fails ends them, and the transaction.
    func commands(_ texts: [String]) throws {
        waiting += texts
        do {
            _ = try exchange()
        } catch let error as PostgresFailure {
            if isInsideTransaction { failure = error }
            throw error
        }
    }

    // MARK: Statements

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try run(sql, [arguments], isGuarded: StatementText.mayConflict(sql)).reduce(0) { $0 + $1.changed }
    }

    func execute(_ sql: String, each rows: [[SQLValue]]) throws -> Int {
        var changed = 0
        var start = rows.startIndex
        while start < rows.endIndex {
            let end = min(start + Self.rowsAtOnce, rows.endIndex)
            let results = try run(sql, Array(rows[start..<end]), isGuarded: StatementText.mayConflict(sql))
            changed += results.reduce(0) { $0 + $1.changed }
            start = end
        }
        return changed
    }

    func forEachRow(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Void) throws {
        for result in try run(sql, [arguments], isGuarded: false) {
            for index in 0..<result.rowCount { try read(result.row(index)) }
        }
    }

    private func run(_ sql: String, _ rows: [[SQLValue]], isGuarded: Bool) throws -> [PostgresResult] {
        if let failure { throw failure.domainError }
        if isInsideTransaction, holdsSavepoint {
            waiting.append("RELEASE SAVEPOINT \(Self.savepoint)")
            holdsSavepoint = false
        }
        if isInsideTransaction, isGuarded {
            waiting.append("SAVEPOINT \(Self.savepoint)")
            holdsSavepoint = true
        }
        do {
            return try exchange(sql, rows)
        } catch let error as PostgresFailure {
            throw PostgresFailure.domainError(settle(error))
        }
    }

    /// What failed for a row that is there already is undone to its savepoint. After anything else the transaction is of no use.
    private func settle(_ error: PostgresFailure) -> PostgresFailure {
        guard holdsSavepoint, !error.isLost, !error.isSerialization, !error.isCancelled else {
            failure = error
            return error
        }
        waiting = ["ROLLBACK TO SAVEPOINT \(Self.savepoint)"]
        return error
    }

    /// With the next statement or with the commit, by which it is heard. Said often, it is heard once.
    func announceChange() {
        guard let announcement, isInsideTransaction, !waiting.contains(announcement) else { return }
        waiting.append(announcement)
    }

    // MARK: The wire

    /// Sends what waits, and a statement once for each row of arguments, in one go.
    ///
    /// - Returns: the answers to the statement.
    /// - Throws: ``PostgresFailure`` for the first thing that failed; nothing after it was done.
    private func exchange(_ sql: String? = nil, _ rows: [[SQLValue]] = []) throws -> [PostgresResult] {
        // Before anything is sent: what can't be said must not leave half a conversation.
        let rows = try rows.map { try PostgresArguments($0) }
        let commands = waiting
        waiting = []
        for command in commands {
            try sent(PQsendQueryParams(connection, command, 0, nil, nil, nil, nil, 0))
        }
        var preparation: Preparation?
        if let sql {
            var name = prepared[sql]
            if name == nil {
                // The last one has no name, and is planned each time.
                let new = Preparation(sql: sql, name: prepared.count < Self.maximumPrepared ? "s\(prepared.count)" : "")
                try sent(PQsendPrepare(connection, new.name, StatementText.numbered(sql), 0, nil))
                (preparation, name) = (new, new.name)
            }
            for row in rows { try sent(row.send(on: connection, to: name ?? "")) }
        }
        try sent(PQpipelineSync(connection))
        roundTrips += 1
        let answers = try answers()
        let before = commands.count + (preparation == nil ? 0 : 1)
        // Kept from then on, whatever becomes of the transaction.
        if let preparation, !preparation.name.isEmpty, answers.count >= before,
            answers[before - 1].status == PGRES_COMMAND_OK
        {
            prepared[preparation.sql] = preparation.name
        }
        for (index, answer) in answers.enumerated() where answer.hasFailed && answer.status != PGRES_PIPELINE_ABORTED {
            // Only the statement itself may fail and leave the transaction as it was.
            if index < before { holdsSavepoint = false }
            throw PostgresFailure(answer)
        }
        guard answers.count == before + rows.count else { throw lose() }
        return Array(answers.dropFirst(before))
    }

    private struct Preparation {
        var sql: String
        var name: String
    }

    private func answers() throws -> [PostgresResult] {
        var answers: [PostgresResult] = []
        var hasPaused = false
        while true {
            guard let next = PQgetResult(connection) else {
                // One ends each statement's answers; of two in a row the second is no server's.
                guard !hasPaused, PQstatus(connection) == CONNECTION_OK else { throw lose() }
                hasPaused = true
                continue
            }
            hasPaused = false
            let result = PostgresResult(next)
            if result.status == PGRES_PIPELINE_SYNC { return answers }
            answers.append(result)
        }
    }

    private func lose() -> PostgresFailure {
        failure = .lost
        prepared = [:]
        return .lost
    }

    private func sent(_ code: CInt) throws {
        guard code == 1 else { throw lose() }
    }
}
