// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Dispatch
import Foundation
import GRDB
import Synchronization

/// Accounts in an SQLite database: write-ahead log, `synchronous=FULL`, foreign keys on. What a write has returned from
/// is on the disk.
public final class SQLiteAccountStore: AccountStoring {
    public struct Options: Sendable {
        /// Writes that may share one commit; 1 commits each by itself.
        public var maximumBatch: Int
        /// Readers at once.
        public var readers: Int

        public init(maximumBatch: Int = 256, readers: Int = 8) {
            self.maximumBatch = maximumBatch
            self.readers = readers
        }
    }

    private struct Job: Sendable {
        /// Runs the caller's closure; returns what tells the caller of its success.
        var run: @Sendable (any StoreWriting) throws -> @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    private let pool: DatabasePool
    private let writes: Mutex<GroupCommit<Job>>
    private let writerQueue = DispatchQueue(label: "account-store.writer", qos: .userInitiated)
    private let commits = Atomic<Int>(0)
    /// A body that lost against another is run again this often before the caller is told.
    private static let attempts = 3

    /// Opens the database, making it where there is none, and brings its schema up to date.
    ///
    /// - Throws: `AuthErrorCode.unavailable` with a reason that names the file when it can't be opened, or when it was
    ///   written by a newer version.
    public init(path: String, options: Options = Options()) throws {
        var configuration = Configuration()
        configuration.maximumReaderCount = options.readers
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = true
        configuration.label = "account-store"
        // Arguments are addresses and hashes: they stay out of errors and logs.
        configuration.publicStatementArguments = false
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        do {
            let directory = (path as NSString).deletingLastPathComponent
            if !directory.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            if !FileManager.default.fileExists(atPath: path) {
                // Hashes and keys are in it: nobody else on the machine may read it.
                _ = FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            pool = try DatabasePool(path: path, configuration: configuration)
            try SQLiteMigrator(pool: pool).migrate()
        } catch let error as AuthError {
            throw error
        } catch {
            throw AuthError(.unavailable, reason: "\(path): the database can't be opened (\(Self.brief(error)))")
        }
        writes = Mutex(GroupCommit(maximumBatch: options.maximumBatch))
    }

    /// Commits since the store was opened.
    public var commitCount: Int { commits.load(ordering: .relaxed) }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.read { try body(SQLTransaction(connection: SQLiteConnection($0))) }
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }

    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { transaction in
                    let value = try body(transaction)
                    return { continuation.resume(returning: value) }
                }, fail: { continuation.resume(throwing: $0) })
            if writes.withLock({ $0.submit(job) }) {
                writerQueue.async { self.commitBatches() }
            }
        }
    }

    /// Moves the log into the database and closes it. Waits for the writes under way.
    public func close() throws {
        try writerQueue.sync {
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

    private func commitBatches() {
        while let batch = writes.withLock({ $0.next() }) {
            var outcomes: [@Sendable () -> Void] = []
            do {
                try pool.writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) {
                        outcomes = batch.map { run($0, in: database, alone: batch.count == 1) }
                        return .commit
                    }
                }
                commits.add(1, ordering: .relaxed)
                for outcome in outcomes { outcome() }
            } catch {
                // Nothing of the batch is stored, whatever its closures returned.
                let failure = SQLiteFailure.domainError(error)
                for job in batch { job.fail(failure) }
            }
        }
    }

    /// Runs one closure in a savepoint of its own, so that its failure undoes only its own work. What is returned
    /// tells its caller; it must be called after the commit.
    private func run(_ job: Job, in database: Database, alone: Bool) -> @Sendable () -> Void {
        var last: any Error = StoreConflict.stale("transaction")
        for _ in 0..<Self.attempts {
            do {
                var outcome: (@Sendable () -> Void)?
                try database.inSavepoint {
                    outcome = try job.run(SQLTransaction(connection: SQLiteConnection(database)))
                    return .commit
                }
                if let outcome { return outcome }
            } catch let conflict as StoreConflict {
                last = conflict
                guard case .stale = conflict else { break }
            } catch {
                last = SQLiteFailure.domainError(error)
                break
            }
        }
        let failure = last
        return { job.fail(failure) }
    }

    private static func brief(_ error: any Error) -> String {
        (error as? DatabaseError).map { "\($0.resultCode)" } ?? "\(error)"
    }
}
