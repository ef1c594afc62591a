// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import GRDB

/// Copies of a database that are whole in one file, made by SQLite's online backup.
public enum SQLiteBackup {
    /// Copies the database at `path`, which may be in use, as it is at one moment, into a new file for its owner alone.
    /// The copy is checked before it gets its name: a file of that name is a whole backup.
    ///
    /// - Returns: How many octets the copy has.
    /// - Throws: `AuthErrorCode.conflict` when there is a file named `target`, `.unavailable` when the database or the
    ///   copy can't be read or written, or is damaged.
    @discardableResult
    public static func create(of path: String, at target: String) throws(AuthError) -> Int64 {
        do {
            guard !FileManager.default.fileExists(atPath: target) else {
                throw AuthError(.conflict, reason: "\(target): there is a file of this name")
            }
            let partial = try partialPath(of: target)
            defer { unlink(partial) }
            try copy(path, to: partial)
            // A link, unlike a rename, takes the place of nothing.
            guard link(partial, target) == 0 else {
                let code: AuthErrorCode = errno == EEXIST ? .conflict : .unavailable
                throw AuthError(code, reason: "\(target): can't be made (\(String(cString: strerror(errno))))")
            }
            try flushDirectory(of: target)
            return (try FileManager.default.attributesOfItem(atPath: target)[.size] as? Int64) ?? 0
        } catch let error as AuthError {
            throw error
        } catch {
            throw DatabaseFile(path: target).failure(error)
        }
    }

    /// A file that no other backup is made in, also of one that is to have the same name: half of one must not get it.
    private static func partialPath(of target: String) throws -> String {
        var path = Array((target + ".partial-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw AuthError(.unavailable, reason: "\(target): can't be made (\(String(cString: strerror(errno))))")
        }
        close(descriptor)
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Copies a database of this program into a new file that is one file, flushed, and without a fault.
    static func copy(_ path: String, to target: String) throws(AuthError) {
        let source = DatabaseFile(path: path)
        let copy = DatabaseFile(path: target)
        guard FileManager.default.fileExists(atPath: source.absolutePath) else {
            throw AuthError(.notFound, reason: "\(path): no such database")
        }
        let reader = try source.openReader()
        defer { try? reader.close() }
        do {
            remove(target)
            try copy.makeNew()
            do {
                let queue = try DatabaseQueue(path: copy.absolutePath, configuration: DatabaseFile.configuration)
                defer { try? queue.close() }
                try reader.backup(to: queue)
                try queue.inDatabase { try makeWhole($0) }
            }
            try flush(copy.absolutePath)
        } catch {
            remove(target)
            throw failure(error, copying: source, to: copy)
        }
    }

    /// A disk that is full is the one that is written to: where the database was named, or the backup at a restore,
    /// that was looked after.
    static func failure(_ error: any Error, copying source: DatabaseFile, to copy: DatabaseFile) -> AuthError {
        guard let full = error as? DatabaseError, full.resultCode == .SQLITE_FULL else { return source.failure(error) }
        return AuthError(.unavailable, reason: "\(copy.path): can't be written (\(full.resultCode))")
    }

    private static func makeWhole(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok",
            try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil
        else { throw AuthError(.unavailable, reason: "it is damaged") }
        guard try SQLiteMigrator().inspect(database) != nil else {
            throw AuthError(.unavailable, reason: "there is nothing in it")
        }
        try leaveLog(database)
    }

    /// Brings all into the one file.
    static func leaveLog(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
            throw AuthError(.unavailable, reason: "it is in use")
        }
    }

    /// How what SQLite keeps beside a database is called after it.
    static let logs = ["-wal", "-shm", "-journal"]

    /// Removes a database and its log.
    static func remove(_ path: String) {
        for end in [""] + logs { unlink(path + end) }
    }

    static func flush(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AuthError(.unavailable, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw AuthError(.unavailable, reason: String(cString: strerror(errno))) }
    }

    static func flushDirectory(of path: String) throws {
        try flush((DatabaseFile(path: path).absolutePath as NSString).deletingLastPathComponent)
    }
}
