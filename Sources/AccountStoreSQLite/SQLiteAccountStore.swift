// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import GRDB

/// Accounts in an SQLite database: write-ahead log, `synchronous=FULL`, foreign keys on. What a write has returned from
/// is on the disk.
public final class SQLiteAccountStore: SQLAccountStore {
    public struct Options: Sendable {
        /// Writes that may share one commit; 1 commits each by itself.
        public var maximumBatch: Int
        /// Connections kept open for reading; at least 1. There may be more for a moment.
        public var readers: Int
        /// Scans that may wait for the one under way.
        public var waitingScans: Int

        /// Told once of each row that can't be read: what it is with its identifier, and the columns.
        public var damaged: @Sendable (_ row: String, _ columns: [String]) -> Void

        public init(
            maximumBatch: Int = 256, readers: Int = 8, waitingScans: Int = 256,
            damaged: @escaping @Sendable (_ row: String, _ columns: [String]) -> Void = { _, _ in }
        ) {
            self.maximumBatch = maximumBatch
            self.readers = readers
            self.waitingScans = waitingScans
            self.damaged = damaged
        }
    }

    private let file: DatabaseFile
    let queue: DatabaseQueue
    let writer: SQLiteWriter
    let readers: SQLiteReaders
    private let scanner: SQLiteScanner

    package let vault: Vault

    /// Opens the database, making it where there is none, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - masterKeys: what the operator gave. Asked again when another process has sealed something with a key that is
    ///     not known yet. A store that nobody has sealed (``beginSealing(at:)``) is read and written in the clear.
    ///   - random: for nonces and data keys.
    /// - Throws: `AuthErrorCode.unavailable` with a reason that names the file when it can't be opened, when it is some
    ///   other program's, when it was written by a newer version, or when it is sealed under another master key; what
    ///   `masterKeys` throws.
    public init(
        path: String, masterKeys: @escaping @Sendable () throws -> MasterKeys? = { nil },
        random: any RandomSource = SystemRandomSource(), options: Options = Options()
    ) throws {
        // Before anything is made: a key that can't be read is a mistake, not the wish for a store without one.
        _ = try masterKeys()
        file = DatabaseFile(path: path)
        vault = Vault(random: random, masterKeys: masterKeys)
        let damages = DamageReports(options.damaged)
        let migrator = SQLiteMigrator()
        let log = LogLength()
        queue = try file.openWriter(log: log) { try migrator.inspect($0) }
        do {
            try migrator.migrate(queue)
            let vault = vault
            try queue.inDatabase { database in
                try database.inTransaction(.deferred) {
                    try OpenTransaction(on: SQLiteConnection(database), vault: vault, damages: damages).takeDataKeys()
                    return .commit
                }
            }
        } catch {
            throw file.failure(error)
        }
        let readers = SQLiteReaders(file, vault: vault, maximumIdle: options.readers, damages: damages)
        self.readers = readers
        writer = SQLiteWriter(
            queue: queue, log: log, vault: vault, maximumBatch: options.maximumBatch, damages: damages,
            reads: { readers.count })
        scanner = SQLiteScanner(file, vault: vault, capacity: options.waitingScans, damages: damages)
    }

    /// Commits since the store was opened.
    public var commitCount: Int { writer.commitCount }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        try await readStatements { try body($0.accounts) }
    }

    public func answer<Question: StoreQuestion>(_ question: Question) async throws -> Question.Answer {
        do {
            return try readers.answer(question)
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    package func readStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try readers.read(body)
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    public func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await scanStatements(in: directory) { try body($0.accounts) }
    }

    package func scanStatements<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await scanner.scan(in: directory, body)
    }

    /// A write goes on when its task is cancelled: whoever sent a mail must be able to note that it was sent.
    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await writeStatements { try body($0.accounts) }
    }

    public func writeBriefly<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        if let value = try writer.runBriefly({ try body($0.accounts) }) { return value }
        return try await write(body)
    }

    public func writeInTurn<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await submit(isTurn: true) { try body($0.accounts) }
    }

    public func writeInTurns(
        of most: Int, _ body: @Sendable @escaping (any StoreWriting, Range<Int>) throws -> Int
    ) async throws -> Int {
        var pace = TurnPace(most: most)
        var done = 0
        while true {
            try Task.checkCancellation()
            let rows = done..<(done + pace.rows)
            let (count, duration) = try await submitTurn { try body($0.accounts, rows) }
            done += count
            if count < rows.count { return done }
            pace.finish(in: duration)
        }
    }

    /// - Returns: beside the value, how long the writer was at it, the commit included.
    private func submitTurn<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> (Value, Duration) {
        try await withCheckedThrowingContinuation { continuation in
            let clock = writer.clock
            writer.submit(
                SQLiteWriter.Job(
                    run: { transaction in
                        let start = clock.now
                        let value = try body(transaction)
                        return { continuation.resume(returning: (value, clock.now - start)) }
                    }, fail: { continuation.resume(throwing: $0) }), isTurn: true)
        }
    }

    package func writeStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await submit(isTurn: false, body)
    }

    private func submit<Value: Sendable>(
        isTurn: Bool, _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writer.submit(
                SQLiteWriter.Job(
                    run: { transaction in
                        let value = try body(transaction)
                        return { continuation.resume(returning: value) }
                    }, fail: { continuation.resume(throwing: $0) }), isTurn: isTurn)
        }
    }

    public func write<Value: Sendable, Made>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value, while work: () async throws -> Made
    ) async throws -> (Value, Made) {
        let pending = PendingWrite<Value>()
        writer.submit(
            SQLiteWriter.Job(
                run: { transaction in
                    let value = try body(transaction.accounts)
                    return { pending.settle(.success(value)) }
                }, fail: { pending.settle(.failure($0)) }))
        let made: Result<Made, any Error>
        do {
            made = .success(try await work())
        } catch {
            made = .failure(error)
        }
        return (try await pending.value(), try made.get())
    }

    /// Looks whether the disk has room for what the write-ahead log grows by before it is moved into the database.
    /// A small write may find room in a log of old while a sign-up no longer does.
    ///
    /// - Throws: `AuthErrorCode.unavailable`.
    public func requireSpace(bytes: UInt64? = nil) throws(AuthError) {
        let bytes = bytes ?? UInt64(DatabaseFile.logLength)
        guard let free = file.freeSpace else { throw AuthError(.unavailable, reason: "the disk can't be asked") }
        guard free >= bytes else { throw AuthError(.unavailable, reason: "the disk is full", retryAfter: .seconds(1)) }
    }

    /// Finishes the writes that were submitted, moves the log into the database and closes it. Later reads and writes
    /// throw `AuthErrorCode.unavailable`. Blocks the thread; a second call does nothing.
    public func close() throws {
        scanner.close()
        readers.close()
        try writer.close()
    }
}
