// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import Dispatch
import GRDB

/// The one writer of a database: runs submitted writes on its own thread, as many to a commit as are waiting, and moves
/// the log into the database between two commits. A lone brief write runs on its caller's thread.
final class SQLiteWriter: Sendable {
    struct Job: Sendable {
        /// Runs the caller's closure; returns what tells the caller of its success, to be called once it is durable.
        let run: @Sendable (OpenTransaction) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private let queue: DatabaseQueue
    private let vault: Vault
    private let damages: DamageReports
    private let batches: Mutex<GroupCommit<Job>>
    private let thread = DispatchQueue(label: "account-store.writer", qos: .userInitiated)
    private let isWriter = DispatchSpecificKey<Bool>()
    private let commits = AtomicNumber()
    /// Brief writes that are under way: one at most.
    private let briefs = DispatchGroup()
    private let log: LogLength
    private let reads: @Sendable () -> Int
    /// How many of the next batches run in savepoints, since one was run in vain without.
    private let careful = AtomicNumber()
    private let moves = Mutex(DatabaseFile.logMoves)
    /// Of the connection: those of GRDB's are looked for by all of their text, each time.
    private let statements = Mutex<PreparedStatements?>(nil)
    let clock = ContinuousClock()

    static let closed = AuthError(.unavailable, reason: "the store is closed")
    /// A thread that answers requests may be held up for so long. On a disk that takes longer, writes are the writer's,
    /// and share its commits.
    private static let quick: Duration = .milliseconds(2)
    /// Writes that fail late, again and again, have few of others' run twice.
    private static let carefulBatches = 64

    /// - Parameters:
    ///   - log: which `queue` tells how long the log is.
    ///   - reads: how many there have been of the database beside the writer.
    init(
        queue: DatabaseQueue, log: LogLength, vault: Vault, maximumBatch: Int, damages: DamageReports,
        reads: @escaping @Sendable () -> Int
    ) {
        self.queue = queue
        self.log = log
        self.reads = reads
        self.vault = vault
        self.damages = damages
        batches = Mutex(GroupCommit(maximumBatch: maximumBatch))
        thread.setSpecific(key: isWriter, value: true)
    }

    var commitCount: Int { commits.load() }
    var waitingCount: Int { batches.withLock { $0.waitingCount } }
    var isClosed: Bool { batches.withLock { $0.isClosed } }

    /// - Parameter isTurn: whether it is one of many turns of work that can wait.
    func submit(_ job: Job, isTurn: Bool = false) {
        switch batches.withLock({ isTurn ? $0.submit(turn: job) : $0.submit(job) }) {
        case .start: thread.async { self.commitBatches() }
        case .wait: break
        case .refused: job.fail(Self.closed)
        }
    }

    /// Runs a write that is over soon on the thread that asks, when nobody else writes or waits and the disk is quick:
    /// to wake the writer's thread, and to be woken by it, costs as much as the write. It returns once it is durable.
    ///
    /// - Returns: `nil` where it is to be submitted instead.
    /// - Throws: as what is submitted fails.
    func runBriefly<Value>(_ body: (OpenTransaction) throws -> Value) throws -> Value? {
        let isAdmitted = batches.withLock { batches in
            let isAdmitted = batches.beginBrief()
            // Before anybody can close, who waits for it.
            if isAdmitted { briefs.enter() }
            return isAdmitted
        }
        guard isAdmitted else { return nil }
        let start = clock.now
        defer {
            let wasQuick = clock.now - start <= Self.quick
            if batches.withLock({ $0.finishBrief(wasQuick: wasQuick) }) { thread.async { self.commitBatches() } }
            briefs.leave()
        }
        do {
            return try commitHere(body)
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    func close() throws {
        guard batches.withLock({ $0.close() }) else { return }
        // A write whose end drops the last reference to the store closes it from the writer's own thread.
        if DispatchQueue.getSpecific(key: isWriter) == true {
            try closeQueue()
        } else {
            try thread.sync { try closeQueue() }
        }
    }

    /// Runs `body` on the writer's thread, between two transactions. Blocks the thread that asks.
    func exclusively(_ body: (Database) throws -> Void) throws {
        batches.withLock { $0.beginPiece() }
        defer { batches.withLock { $0.finishPiece() } }
        do {
            try thread.sync { try queue.writeWithoutTransaction(body) }
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    /// As ``exclusively(_:)``, and blocks nobody.
    func apart<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        batches.withLock { $0.beginPiece() }
        defer { batches.withLock { $0.finishPiece() } }
        return try await withCheckedThrowingContinuation { continuation in
            thread.async {
                // A closed queue has no connection left.
                guard !self.isClosed else { return continuation.resume(throwing: Self.closed) }
                do {
                    continuation.resume(returning: try self.queue.writeWithoutTransaction(body))
                } catch {
                    continuation.resume(throwing: SQLiteFailure.domainError(error))
                }
            }
        }
    }

    /// From now on.
    func moveLog(by moves: LogMoves) { self.moves.withLock { $0 = moves } }

    private func closeQueue() throws {
        briefs.wait()
        // A write may have been submitted whose turn on this thread would come only after this one.
        commitBatches()
        // Without it the log is only longer the next time.
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        finalize()
        do {
            try queue.close()
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    private func commitBatches() {
        while let work = batches.withLock({ $0.next(at: clock.now, reads: reads()) }) {
            switch work {
            case .batch(let batch):
                let start = clock.now
                commit(batch)
                let wasQuick = clock.now - start <= Self.quick
                batches.withLock { $0.finishBatch(of: batch.count, wasQuick: wasQuick) }
            case .turn(let job):
                let start = clock.now
                commitAlone(job)
                batches.withLock { $0.finishTurn(from: start, to: clock.now) }
            case .move(let need):
                let start = clock.now
                moveLog(need)
                batches.withLock { $0.finishTurn(from: start, to: clock.now) }
            case .rest(let end): return ring(at: end)
            }
        }
    }

    /// Notes what a commit has added to the log.
    private func oweMove() {
        guard let need = moves.withLock({ $0.need(at: log.pages) }) else { return }
        batches.withLock { $0.owe(need) }
    }

    private func moveLog(_ need: LogMoves.Need) {
        queue.writeWithoutTransaction { DatabaseFile.moveLog(need, of: $0) }
        moves.withLock { $0.finish(need) }
    }

    private func ring(at instant: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (instant - clock.now).components
        let wait = DispatchTimeInterval.nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        thread.asyncAfter(deadline: .now() + wait) { [self] in
            if batches.withLock({ $0.ring() }) { commitBatches() }
        }
    }

    private func commit(_ batch: [Job]) {
        guard batch.count > 1 else { return batch.forEach(commitAlone) }
        do {
            let isCareful = careful.load() > 0
            if isCareful { careful.add(-1) }
            do { try commitTogether(batch, inSavepoints: isCareful) } catch is LateFailure {
                careful.store(Self.carefulBatches)
                try commitTogether(batch, inSavepoints: true)
            }
        } catch let error
            where error is SQLiteConnection.Unreverted || (error as? DatabaseError)?.resultCode == .SQLITE_FULL
        {
            // One write too large for the disk must not fail those it happened to wait with.
            batch.forEach(commitAlone)
        } catch {
            // Nothing of the batch is stored, whatever its closures returned.
            let failure = SQLiteFailure.failedCommit(error)
            for job in batch { job.fail(failure) }
        }
    }

    private func commitAlone(_ job: Job) {
        do {
            let succeed = try commitHere(job.run)
            succeed()
        } catch {
            job.fail(SQLiteFailure.domainError(error))
        }
    }

    /// One transaction, on the thread that asks, whose turn it is to write.
    private func commitHere<Value>(_ body: (OpenTransaction) throws -> Value) throws -> Value {
        let value = try queue.writeWithoutTransaction { database in
            let connection = connection(to: database)
            return try connection.transaction {
                try body(OpenTransaction(on: connection, vault: vault, damages: damages))
            }
        }
        commits.add(1)
        oweMove()
        return value
    }

    /// One that has changed something before it failed, which can't be undone by itself.
    private struct LateFailure: Error {}

    /// Each closure's failure undoes only its own work. Most fail before they have changed anything, or not at all, and
    /// there is nothing to undo: a savepoint has each page copied that a closure changes.
    ///
    /// - Throws: ``LateFailure`` without savepoints, where there was: then nothing of the batch is stored.
    private func commitTogether(_ batch: [Job], inSavepoints: Bool) throws {
        var outcomes: [@Sendable () -> Void] = []
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                for job in batch {
                    outcomes.append(try run(job, in: database, inSavepoint: inSavepoints))
                }
                return .commit
            }
        }
        commits.add(1)
        oweMove()
        for outcome in outcomes { outcome() }
    }

    private func connection(to database: Database) -> SQLiteConnection {
        SQLiteConnection(
            statements.withLock { known in
                let prepared = known ?? PreparedStatements(database.sqliteConnection)
                known = prepared
                return prepared
            })
    }

    private func finalize() { statements.withLock { $0?.finalize() } }

    deinit { finalize() }

    private func run(_ job: Job, in database: Database, inSavepoint: Bool) throws -> @Sendable () -> Void {
        // Not by GRDB, which prepares both statements of a savepoint anew each time.
        let connection = connection(to: database)
        let transaction = OpenTransaction(on: connection, vault: vault, damages: damages)
        let before = connection.changeCount
        var outcome: @Sendable () -> Void = {}
        do {
            if inSavepoint {
                try connection.savepoint { outcome = try job.run(transaction) }
            } else {
                outcome = try job.run(transaction)
            }
        } catch let error as SQLiteConnection.Unreverted {
            throw error
        } catch {
            guard inSavepoint || connection.changeCount == before else { throw LateFailure() }
            let failure = SQLiteFailure.domainError(error)
            outcome = { job.fail(failure) }
        }
        // What came before it would be gone, too.
        guard connection.isInsideTransaction else { throw SQLiteConnection.Unreverted() }
        return outcome
    }
}
