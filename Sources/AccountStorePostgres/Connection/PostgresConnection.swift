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
/// statement), so that a transaction costs one round trip for each statement and one for its end. One that begins with
/// a ``Foresight`` costs fewer: changes wait for the next question or for the end, and questions are asked before their
/// time.
final class PostgresConnection: SQLConnection {
    /// Statements kept prepared. What a program says is few hundred texts; lists of varying length could be more.
    static let maximumPrepared = 1_024
    /// Rows sent before an answer is read: the server reads no more of them than it can answer into a socket's buffer.
    private static let rowsAtOnce = 200
    private static let savepoint = "statement"
    private static let committing = "COMMIT"
    private static let undoing = "ROLLBACK"
    static let millisecond: Int64 = 1_000_000_000_000_000
    /// Milliseconds that everybody may have to wait for a turn to begin.
    private static let turnPatience: Int64 = 2_000

    let connection: OpaquePointer
    let schema: String
    /// Names this schema's changes to whoever listens; `nil` where the server has no such word (CockroachDB has not).
    private let announcement: String?
    let clock = ContinuousClock()
    let openedAt: ContinuousClock.Instant
    var prepared: [StatementKey: String] = [:]
    /// What the names of its statements begin with: the number that the server has given the connection, or a proxy at
    /// random. With theirs they are short enough to be kept in place.
    let nameOfOwn: String
    /// Commands that go before the next statement.
    var waiting: [String] = []
    private var isInsideTransaction = false
    private var holdsSavepoint = false
    /// A transaction that was begun by no word: it ends with its first answer.
    private var isAlone = false
    private var foresight: Foresight?
    /// Whether its writes wait for another's turn. CockroachDB has no such locks.
    private let takesTurns: Bool
    /// Another's turn ends before the transaction goes on that says so.
    private let waitsForTurn: String
    private let turn: Int64
    /// Commands that each transaction says: prepared, they are parsed once.
    let repeated: Set<String>
    private var holdsTurn = false
    /// Of the parts of an exchange the one that failed last; negative for what had waited before them.
    var failedPart: Int?
    /// What makes the transaction of no use, whatever its body made of it.
    var failure: PostgresFailure?

    /// Exchanges with the server since the connection was opened.
    var roundTrips = 0

    /// How long an answer may take.
    let patience: Duration
    private let milliseconds: Int64

    /// - Parameters:
    ///   - address: what it does not say is taken from libpq's environment variables and files.
    ///   - schema: what all tables are in.
    ///   - patience: how long a statement may take, locks that it waits for included. The server gives it up after as
    ///     long; what it does not bound is told to stop half a second later; and one that has stopped, or whom a
    ///     network swallows, is given up a second later: nobody is kept for ever.
    ///   - takesStandby: whether one that follows another server will do.
    ///   - takesTurns: whether its writes are short, wait for another's turn, and may have one.
    /// - Throws: ``PostgresFailure``, or `AuthErrorCode.unavailable` where nobody lets us in.
    init(
        _ address: PostgresAddress, schema: String, patience: Duration = .seconds(30), takesStandby: Bool = false,
        takesTurns: Bool = false
    ) throws {
        self.patience = patience
        milliseconds = max(
            1, patience.components.seconds * 1_000 + patience.components.attoseconds / Self.millisecond)
        self.schema = schema
        connection = try PostgresOpening.connect(address, takesStandby: takesStandby)
        nameOfOwn = "s" + String(UInt32(bitPattern: PQbackendPID(connection)), radix: 36)
        openedAt = clock.now
        let isPostgres = PQparameterStatus(connection, "crdb_version") == nil
        announcement = isPostgres ? "NOTIFY \(PostgresChanges.channel), '\(schema)'" : nil
        self.takesTurns = isPostgres && takesTurns
        turn = PostgresLock.turn.number(in: schema)
        waitsForTurn = "SELECT pg_advisory_xact_lock_shared(\(turn))"
        repeated = [
            Isolation.snapshot.rawValue, Isolation.serializable.rawValue, waitsForTurn, Self.committing, Self.undoing,
        ]
        guard PQenterPipelineMode(connection) == 1, PQsetnonblocking(connection, 1) == 0 else {
            throw PostgresFailure.lost
        }
        waiting = [
            "SET search_path TO \(schema)", "SET client_encoding TO 'UTF8'", "SET standard_conforming_strings TO on",
            "SET statement_timeout TO \(milliseconds)",
            // Several questions without a transaction's beginning see one state of the database too.
            "SET default_transaction_isolation TO 'repeatable read'",
            // A look through a whole table, which a small one tempts to, meets in a serializable transaction every
            // change of it; and one that has just grown is taken for small until somebody has counted it.
            "SET enable_seqscan TO off",
            // A transaction whose program stopped in the middle of it gives back what it holds.
            "SET idle_in_transaction_session_timeout TO \(milliseconds)",
        ]
        // By themselves: what goes with a transaction ends with it.
        _ = try exchange([])
        if isPostgres { try endWhenAlone() }
    }

    /// Has the server look, while it works, whether anybody is there still: what a program that was killed has begun
    /// gives its locks back. Some systems let no server look.
    private func endWhenAlone() throws {
        guard PQserverVersion(connection) >= 140_000 else { return }
        do {
            try commands(["SET client_connection_check_interval TO 1000"])
        } catch let error as PostgresFailure where !error.isLost {}
    }

    deinit {
        PQfinish(connection)
    }

    /// Whether what was under way was told to stop. It may be told so once more, and whatever ran on the connection
    /// then would be in its place.
    var hasCancelled = false

    var isUsable: Bool { PQstatus(connection) == CONNECTION_OK && failure?.isLost != true && !hasCancelled }

    /// What ends the statement under way from another thread.
    var cancellation: PostgresCancellation? { PQgetCancel(connection).map(PostgresCancellation.init) }

    // MARK: Transactions

    enum Isolation: String {
        /// One snapshot for all statements.
        case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// As if one came after the other.
        case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    }

    /// - Parameter foresight: what transactions like it have taught; none for one whose statements go one by one.
    func begin(_ isolation: Isolation, with foresight: Foresight? = nil) {
        failure = nil
        holdsSavepoint = false
        isInsideTransaction = true
        isAlone = false
        self.foresight = foresight
        self.foresight?.isWrite = isolation == .serializable
        waiting.append(isolation.rawValue)
        if isolation == .serializable, takesTurns { waiting.append(waitsForTurn) }
    }

    /// Whether nothing of the transaction was sent yet. Then there is nothing to end.
    private func isUnsaid() -> Bool {
        guard let begun = waiting.lastIndex(where: { $0.hasPrefix("BEGIN") }) else { return false }
        waiting.removeSubrange(begun...)
        return true
    }

    /// - Throws: ``PostgresFailure``: nothing was done, or, where the connection was lost meanwhile, nobody knows.
    func commit() throws {
        defer { end() }
        if let failure { throw failure }
        let changes = takeDeferred()
        if changes.isEmpty, isUnsaid() { return }
        do {
            _ = try exchange(changes + [.command(Self.committing)])
        } catch let error as PostgresFailure {
            guard let part = failedPart, part < changes.count, !error.isLost else { throw error }
            // The commit was not come to.
            failure = settle(error)
            let cause = failure ?? error
            rollBack()
            throw cause
        }
        foresight?.learn()
    }

    /// Waits until no write of any server is under way, and keeps new ones waiting until the end of the turn: for one
    /// that others have come between again and again. Before its transaction: one that waits within would see what
    /// there was when it began to. It goes without where another takes its time, for which everybody would wait.
    func takeTurn() throws {
        guard takesTurns, !holdsTurn else { return }
        do {
            try commands([
                "SET lock_timeout TO \(min(Self.turnPatience, milliseconds / 2))",
                "SELECT pg_advisory_lock(\(turn))", "SET lock_timeout TO 0",
                // A program that stops here gives it back.
                "SET idle_session_timeout TO \(milliseconds)",
            ])
            holdsTurn = true
        } catch let error as PostgresFailure where error.isLockTimeout || error.isCancelled {
            // Given at the very moment when the time was over it is the session's all the same, and no write of another
            // would ever begin. Where it is not, PostgreSQL says so and nothing is done.
            try commands(["SELECT pg_advisory_unlock(\(turn))"])
        }
    }

    func endTurn() {
        guard holdsTurn else { return }
        holdsTurn = false
        guard isUsable else { return }
        do {
            try commands(["SELECT pg_advisory_unlock(\(turn))", "SET idle_session_timeout TO 0"])
        } catch {
            // The server gives it up with the connection.
            failure = .lost
        }
    }

    private func end() {
        isInsideTransaction = false
        foresight = nil
    }

    func rollBack() {
        defer { end() }
        // There is nobody to tell.
        if failure?.isLost == true { return }
        if isUnsaid() || isAlone {
            if failure == nil { foresight?.learn() }
            return
        }
        if failure == nil { foresight?.learn() }
        waiting = [Self.undoing]
        failure = nil
        do {
            _ = try exchange([])
        } catch {
            failure = .lost
        }
    }

    /// Has what was put off done, where the transaction's body has failed after it: whether that is because of a wrong
    /// guess must be known before anybody hears of it.
    func check() {
        let changes = takeDeferred()
        guard failure == nil, !changes.isEmpty else { return }
        do {
            _ = try exchange(changes)
        } catch let error as PostgresFailure {
            failure = settle(error)
        } catch {
            failure = .lost
        }
    }

    /// Sends commands that nothing is answered to, in one go. The first that fails ends them, and the transaction.
    func commands(_ texts: [String]) throws {
        waiting += texts
        do {
            _ = try exchange([])
        } catch let error as PostgresFailure {
            if isInsideTransaction { failure = error }
            throw error
        }
    }

    // MARK: Statements

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        if failure == nil, isInsideTransaction, let changes = foresight?.changes(by: sql) {
            foresight?.putOff(sql, try PostgresArguments(arguments), changing: changes)
            return changes
        }
        let changed = try run(sql, [arguments], isGuarded: StatementText.mayConflict(sql)).reduce(0) { $0 + $1.changed }
        foresight?.note(changed, by: sql)
        return changed
    }

    func execute(_ sql: String, each rows: [[SQLValue]]) throws -> Int {
        foresight?.forget(sql)
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
        let results: [PostgresResult]
        if isInsideTransaction, foresight?.isPlain == false, StatementText.onlyReads(sql) {
            results = [try foreseen(Question(sql: sql, arguments: arguments))]
        } else {
            // What answers may change as well: `RETURNING`.
            foresight?.forget(sql)
            results = try run(sql, [arguments], isGuarded: false)
        }
        for result in results {
            for index in 0..<result.rowCount { try read(result.row(index)) }
        }
    }

    /// The answer to a question: one that came before, or one that is asked now, along with what will be asked next.
    private func foreseen(_ question: Question) throws -> PostgresResult {
        if let failure { throw failure.domainError }
        guard let name = foresight?.name(question.sql), foresight?.isPlain == false else {
            return try run(question.sql, [question.arguments], isGuarded: false).first ?? { throw lose() }()
        }
        if let answer = foresight?.answer(to: question) {
            foresight?.note(name, question.arguments, answer, wasAhead: true)
            return answer
        }
        // Before anything is sent: what can't be said must not leave half a conversation.
        let asked = try PostgresArguments(question.arguments)
        let queries = foresight?.queries(with: question, named: name) ?? []
        let ahead = try queries.map { try Self.part($0.question) }
        try stand()
        if foresight?.isWhole == true, waiting == [Isolation.snapshot.rawValue] {
            waiting = []
            isAlone = true
        }
        foresight?.countExchange()
        let changes = takeDeferred()
        do {
            let answers = try exchange(changes + [.statement(question.sql, asked)] + ahead)
            let (own, others) = (answers[changes.count], Array(answers.dropFirst(changes.count + 1)))
            foresight?.keep(queries, others, with: question, own)
            foresight?.note(name, question.arguments, own, wasAhead: false)
            return own
        } catch let error as PostgresFailure {
            if let part = failedPart, part > changes.count, !error.isLost, !error.isSerialization {
                foresight?.giveUp()
            }
            throw PostgresFailure.domainError(settle(error))
        }
    }

    private static func part(_ question: Question) throws -> Outgoing {
        .statement(question.sql, try PostgresArguments(question.arguments))
    }

    private func takeDeferred() -> [Outgoing] {
        foresight?.takeDeferred().map { .statement($0.sql, $0.arguments) } ?? []
    }

    /// What one answer was to do for is not done: from the beginning, with a transaction's.
    private func stand() throws {
        guard isAlone else { return }
        failure = .notWhole
        foresight?.wasNotWhole()
        throw PostgresFailure.notWhole.domainError
    }

    private func run(_ sql: String, _ rows: [[SQLValue]], isGuarded: Bool) throws -> [PostgresResult] {
        if let failure { throw failure.domainError }
        let parts = try rows.map { Outgoing.statement(sql, try PostgresArguments($0)) }
        try stand()
        if isInsideTransaction, holdsSavepoint {
            waiting.append("RELEASE SAVEPOINT \(Self.savepoint)")
            holdsSavepoint = false
        }
        // Where guesses are made, whatever fails is run again without them.
        if isInsideTransaction, isGuarded, foresight?.isPlain != false {
            waiting.append("SAVEPOINT \(Self.savepoint)")
            holdsSavepoint = true
        }
        foresight?.countExchange()
        let changes = takeDeferred()
        do {
            return Array(try exchange(changes + parts).dropFirst(changes.count))
        } catch let error as PostgresFailure {
            throw PostgresFailure.domainError(settle(error))
        }
    }

    /// What failed for a row that is there already is undone to its savepoint. After anything else the transaction is
    /// of no use.
    private func settle(_ error: PostgresFailure) -> PostgresFailure {
        let isFinal = error.isLost || error.isSerialization || error.isCancelled || error.isOutdated
        if isInsideTransaction, !isFinal, foresight?.isPlain == false {
            foresight?.regret()
            failure = .wrongGuess
            return .wrongGuess
        }
        guard holdsSavepoint, !isFinal else {
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

    /// The savepoint is of no use: what was said before the statement has failed.
    func loseSavepoint() { holdsSavepoint = false }
}
