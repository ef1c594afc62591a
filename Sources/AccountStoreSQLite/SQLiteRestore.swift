// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import GRDB

/// A database that takes the place of another: copied beside it, checked, changed where it must be, and then swapped in
/// by one rename. Whenever it ends in between, the old database is in its place, whole, or is kept by the name that it
/// gets anyway with its log; and done again, the restore comes to the same end.
public final class SQLiteRestore: Sendable {
    /// What has been done to the files, in this order. Done again after any of them, what was done is left as it is.
    enum Step: CaseIterable, Sendable {
        /// What an earlier restore had kept is gone.
        case madeRoom
        /// The database has a second name, by which it is kept.
        case named
        /// So has a log that was not moved into it.
        case putLogAside
        /// The copy is in the database's place. Another restore from here on is one over that.
        case swapped
    }

    /// The copy, to be changed before it is put in place, and closed again.
    public let copyPath: String
    /// What the replaced database is called afterwards; it takes the place of an earlier one.
    public let replacedPath: String

    private let path: String
    private let lock: StoreLock

    /// Keeps servers off the database at `path` for as long as this lives, and copies `backup` beside it.
    ///
    /// - Throws: `AuthErrorCode.conflict` when a server is running on the database, `.notFound` without a backup,
    ///   `.unavailable` for a backup that is damaged, another program's or a newer version's.
    public init(of backup: String, over path: String) throws(AuthError) {
        lock = try StoreLock(databaseAt: path)
        // Through symbolic links, so that a link to the database stays one.
        self.path = URL(fileURLWithPath: DatabaseFile(path: path).absolutePath).resolvingSymlinksInPath().path
        copyPath = self.path + ".restoring"
        replacedPath = self.path + ".before-restore"
        try SQLiteBackup.copy(backup, to: copyPath)
    }

    /// Puts the copy in its place.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when another program has the database open, or a file can't be written.
    public func finish() throws(AuthError) { try finish { _ in } }

    /// - Parameter done: told after each step, and throws to end there.
    func finish(_ done: (Step) throws -> Void) throws(AuthError) {
        do {
            try withDatabase(copyPath) { try SQLiteBackup.leaveLog($0) }
            try SQLiteBackup.flush(copyPath)
            guard FileManager.default.fileExists(atPath: path) else {
                try putLogAside(as: path + ".orphaned")
                try done(.putLogAside)
                return try swap(done)
            }
            // SQLite would write the log into it before it says that it can't read it.
            guard try isDatabase() else { return try replace(done) }
            do {
                try withDatabase(path) { database in
                    // What the old log still held must not be taken for the new database's.
                    try SQLiteBackup.leaveLog(database)
                    // Held until the swap is done: nobody may begin a new log under the old name.
                    try database.execute(sql: "BEGIN EXCLUSIVE")
                    defer { try? database.execute(sql: "ROLLBACK") }
                    try replace(done)
                }
            } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
                try replace(done)
            }
        } catch {
            throw DatabaseFile(path: path).failure(error)
        }
    }

    /// Removes the copy.
    public func cancel() { SQLiteBackup.remove(copyPath) }

    /// Keeps what is there, and a log that is past reading or belongs to what is, for whoever wants to look at it.
    private func replace(_ done: (Step) throws -> Void) throws {
        // What is kept already was so by this restore, before it was cut short: its log is no earlier one's.
        if try !isKept() { try makeRoom() }
        try done(.madeRoom)
        // Before its log goes: beside a name that nothing has, a log would be one of before, which goes.
        if try !isKept(), link(path, replacedPath) != 0 { throw failure() }
        // Nor may a failure of the machine leave the log's new name without the database's.
        try SQLiteBackup.flushDirectory(of: path)
        try done(.named)
        try putLogAside(as: replacedPath)
        try done(.putLogAside)
        try swap(done)
    }

    /// What an earlier restore has kept goes with its log, which SQLite would take for that of what is kept now: the
    /// log first, so that none is left where this ends in between.
    private func makeRoom() throws {
        for end in SQLiteBackup.logs + [""] where unlink(replacedPath + end) != 0 && errno != ENOENT {
            throw failure()
        }
        try SQLiteBackup.flushDirectory(of: path)
    }

    /// Whether the database has its second name.
    private func isKept() throws -> Bool {
        guard let own = inode(URL(fileURLWithPath: path).resolvingSymlinksInPath().path) else { throw failure() }
        return inode(replacedPath) == own
    }

    /// On which file system a file is and its number there, not of what a link leads to; `nil` where there is none.
    private func inode(_ path: String) -> [UInt64]? {
        let found = try? FileManager.default.attributesOfItem(atPath: path)
        guard let device = found?[.systemNumber] as? NSNumber, let number = found?[.systemFileNumber] as? NSNumber
        else {
            return nil
        }
        return [device.uint64Value, number.uint64Value]
    }

    /// Whether the file begins as SQLite's do, or is empty, as a new one is ("Database File Format", 1.3.1), and has no
    /// log: SQLite deletes that of an empty one, which may be all that is left of the database. Nothing here has it
    /// open.
    private func isDatabase() throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let header = try file.read(upToCount: 16) ?? Data()
        guard header.isEmpty else { return header == Data("SQLite format 3\0".utf8) }
        return !SQLiteBackup.logs.contains { FileManager.default.fileExists(atPath: path + $0) }
    }

    /// A log whose database is gone, or past reading, SQLite would take for that of the one which comes into its place,
    /// and write what it says into that.
    private func putLogAside(as name: String) throws {
        for end in SQLiteBackup.logs where FileManager.default.fileExists(atPath: path + end) {
            guard rename(path + end, name + end) == 0 else { throw failure() }
        }
    }

    private func swap(_ done: (Step) throws -> Void) throws {
        // No failure of the machine may leave the new name without the ones before it.
        try SQLiteBackup.flushDirectory(of: path)
        guard rename(copyPath, path) == 0 else { throw failure() }
        try done(.swapped)
        try SQLiteBackup.flushDirectory(of: path)
    }

    private func withDatabase(_ path: String, _ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path, configuration: DatabaseFile.configuration)
        defer { try? queue.close() }
        try queue.inDatabase(body)
    }

    private func failure() -> AuthError { AuthError(.unavailable, reason: String(cString: strerror(errno))) }
}
