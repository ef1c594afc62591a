// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import GRDB

/// A database that takes the place of another: copied beside it, checked, changed where it must be, and then swapped in
/// by one rename. Whenever it ends in between, the old database is in its place, whole.
public final class SQLiteRestore: Sendable {
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
    public func finish() throws(AuthError) {
        do {
            try withDatabase(copyPath) { try SQLiteBackup.leaveLog($0) }
            try SQLiteBackup.flush(copyPath)
            guard FileManager.default.fileExists(atPath: path) else {
                try putLogAside(as: path + ".orphaned")
                return try swap()
            }
            // SQLite would write the log into it before it says that it can't read it.
            guard try hasHeader() else { return try replaceUnread() }
            do {
                try withDatabase(path) { database in
                    // What the old log still held must not be taken for the new database's.
                    try SQLiteBackup.leaveLog(database)
                    // Held until the swap is done: nobody may begin a new log under the old name.
                    try database.execute(sql: "BEGIN EXCLUSIVE")
                    defer { try? database.execute(sql: "ROLLBACK") }
                    makeRoom()
                    try swap()
                }
            } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
                try replaceUnread()
            }
        } catch {
            throw DatabaseFile(path: path).failure(error)
        }
    }

    /// Removes the copy.
    public func cancel() { SQLiteBackup.remove(copyPath) }

    /// What an earlier restore has kept goes with its log, which SQLite would take for that of what is kept now.
    private func makeRoom() { SQLiteBackup.remove(replacedPath) }

    /// What is past reading is kept with its log, for whoever wants to look at it.
    private func replaceUnread() throws {
        makeRoom()
        try putLogAside(as: replacedPath)
        try swap()
    }

    /// Whether the file begins as SQLite's do, or is empty, as a new one is ("Database File Format", 1.3.1). Nothing
    /// here has it open.
    private func hasHeader() throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let header = try file.read(upToCount: 16) ?? Data()
        return header.isEmpty || header == Data("SQLite format 3\0".utf8)
    }

    /// A log whose database is gone, or past reading, SQLite would take for that of the one which comes into its place,
    /// and write what it says into that.
    private func putLogAside(as name: String) throws {
        for end in ["-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + end) {
            guard rename(path + end, name + end) == 0 else { throw failure() }
        }
    }

    private func swap() throws {
        if link(path, replacedPath) != 0, errno != ENOENT { throw failure() }
        guard rename(copyPath, path) == 0 else { throw failure() }
        try SQLiteBackup.flushDirectory(of: path)
    }

    private func withDatabase(_ path: String, _ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path, configuration: DatabaseFile.configuration)
        defer { try? queue.close() }
        try queue.inDatabase(body)
    }

    private func failure() -> AuthError { AuthError(.unavailable, reason: String(cString: strerror(errno))) }
}
