// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import CPostgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
    private let schema: String
    /// Names this schema's changes to whoever listens; `nil` where the server has no such word (CockroachDB has not).
    private let announcement: String?
    private let clock = ContinuousClock()
    private var prepared: [String: String] = [:]
    /// Commands that go before the next statement.
    private var waiting: [String] = []
    private var isInsideTransaction = false
    private var holdsSavepoint = false
    /// What makes the transaction of no use, whatever its body made of it.
    private(set) var failure: PostgresFailure?

    /// Exchanges with the server since the connection was opened.
    private(set) var roundTrips = 0

    /// How long an answer may take.
    private let patience: Duration

    /// - Parameters:
    ///   - address: what it does not say is taken from libpq's environment variables and files.
    ///   - schema: what all tables are in.
    ///   - patience: how long a statement may take, locks that it waits for included. The server gives it up after as long, and
    ///     one that has stopped, or whom a network swallows, is given up a second later: nobody is kept for ever.
    /// - Throws: ``PostgresFailure``, or `AuthErrorCode.unavailable` where nobody lets us in.
    init(_ address: PostgresAddress, schema: String, patience: Duration = .seconds(30)) throws {
        self.patience = patience
        self.schema = schema
        connection = try PostgresOpening.connect(address)
        announcement =
            PQparameterStatus(connection, "crdb_version") == nil
            ? "NOTIFY \(PostgresChanges.channel), '\(schema)'" : nil
        guard PQenterPipelineMode(connection) == 1, PQsetnonblocking(connection, 1) == 0 else {
            throw PostgresFailure.lost
        }
        let milliseconds = max(
            1, patience.components.seconds * 1_000 + patience.components.attoseconds / Self.millisecond)
        waiting = [
            "SET search_path TO \(schema)", "SET client_encoding TO 'UTF8'", "SET standard_conforming_strings TO on",
            "SET statement_timeout TO \(milliseconds)",
            // A transaction whose program stopped in the middle of it gives back what it holds.
            "SET idle_in_transaction_session_timeout TO \(milliseconds)",
        ]
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
        // There is nobody to tell.
        if failure?.isLost == true { return }
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
        // The server gives up first, and says so.
        let answers = try answers(until: clock.now + patience + .seconds(1))
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
            throw PostgresFailure(answer, schema: schema)
        }
        guard answers.count == before + rows.count else { throw lose() }
        return Array(answers.dropFirst(before))
    }

    private struct Preparation {
        var sql: String
        var name: String
    }

    private func answers(until deadline: ContinuousClock.Instant) throws -> [PostgresResult] {
        try flush(until: deadline)
        var answers: [PostgresResult] = []
        var hasPaused = false
        while true {
            while PQisBusy(connection) == 1 {
                try wait(for: POLLIN, until: deadline)
                guard PQconsumeInput(connection) == 1 else { throw lose() }
            }
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

    /// Sends what libpq still holds, and takes what comes meanwhile: a server that can't answer reads nothing more.
    private func flush(until deadline: ContinuousClock.Instant) throws {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1: try wait(for: POLLIN | POLLOUT, until: deadline)
            default: throw lose()
            }
            guard PQconsumeInput(connection) == 1 else { throw lose() }
        }
    }

    private func wait(for events: some BinaryInteger, until deadline: ContinuousClock.Instant) throws {
        let rest = clock.now.duration(to: deadline)
        let milliseconds = rest.components.seconds * 1_000 + rest.components.attoseconds / Self.millisecond
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        let found = poll(&descriptor, 1, CInt(clamping: max(0, milliseconds)))
        // A signal, or what libpq looks at by itself.
        guard found == 0 else { return }
        _ = lose()
        failure = .unanswered
        throw PostgresFailure.unanswered
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
