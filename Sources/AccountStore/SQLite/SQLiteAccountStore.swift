// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import GRDB

/// Accounts in an SQLite database: write-ahead log, `synchronous=FULL`, foreign keys on. What a write has returned from
/// is on the disk.
public final class SQLiteAccountStore: AccountStoring {
    public struct Options: Sendable {
        /// Writes that may share one commit; 1 commits each by itself.
        public var maximumBatch: Int
        /// Readers at once; at least 1.
        public var readers: Int

        public init(maximumBatch: Int = 256, readers: Int = 8) {
            self.maximumBatch = maximumBatch
            self.readers = readers
        }
    }

    let pool: DatabasePool
    let writer: SQLiteWriter

    /// Opens the database, making it where there is none, and brings its schema up to date.
    ///
    /// - Throws: `AuthErrorCode.unavailable` with a reason that names the file when it can't be opened, when it is some
    ///   other program's, or when it was written by a newer version.
    public init(path: String, options: Options = Options()) throws {
        let file = DatabaseFile(path: path)
        let migrator = SQLiteMigrator()
        pool = try file.open(readers: options.readers) { try migrator.inspect($0) }
        do {
            try migrator.migrate(pool)
        } catch {
            throw file.failure(error)
        }
        writer = SQLiteWriter(pool: pool, maximumBatch: options.maximumBatch)
    }

    /// Commits since the store was opened.
    public var commitCount: Int { writer.commitCount }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        guard !writer.isClosed else { throw SQLiteWriter.closed }
        do {
            return try readHere(body)
        } catch {
            // A read that was overtaken by `close` fails with SQLite's word for a wrong call.
            guard !writer.isClosed || error is AuthError || error is StoreConflict else { throw SQLiteWriter.closed }
            throw SQLiteFailure.domainError(error)
        }
    }

    private func readHere<Value>(_ body: (any StoreReading) throws -> Value) throws -> Value {
        try pool.read { try body(SQLTransaction(connection: SQLiteConnection($0))) }
    }

    /// A write goes on when its task is cancelled: whoever sent a mail must be able to note that it was sent.
    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writer.submit(
                SQLiteWriter.Job(
                    run: { transaction in
                        let value = try body(transaction)
                        return { continuation.resume(returning: value) }
                    }, fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// Finishes the writes that were submitted, moves the log into the database and closes it. Later reads and writes
    /// throw `AuthErrorCode.unavailable`. Blocks the thread; a second call does nothing.
    public func close() throws {
        try writer.close()
    }
}
