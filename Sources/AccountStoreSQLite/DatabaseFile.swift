// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import GRDB
import GRDBSQLite

/// An SQLite database's place on the disk: made where it is missing, for its owner alone, and opened durably.
struct DatabaseFile {
    /// As the operator gave it.
    let path: String

    /// From the root, so that SQLite reads no `:memory:` or URI out of a file's name.
    var absolutePath: String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// - Parameters:
    ///   - log: is told how long the log is. Nobody else moves it into the database.
    ///   - inspect: Looks at the database before anything in it is changed, and throws to leave it alone.
    /// - Throws: `AuthErrorCode.unavailable` with a reason that names the file, also where its log alone is left.
    func openWriter(log: LogLength, inspect: (Database) throws -> Void) throws(AuthError) -> DatabaseQueue {
        do {
            try make()
            let queue = try DatabaseQueue(path: absolutePath, configuration: log.watching(Self.configuration))
            try queue.inDatabase { database in
                // It may write, since what a crash left half done must be undone before the database can be read.
                try database.inTransaction(.deferred) {
                    try inspect(database)
                    return .rollback
                }
                try Self.makeDurable(database)
            }
            return queue
        } catch {
            throw failure(error)
        }
    }

    /// A connection beside the writer's, which must be open.
    ///
    /// - Throws: As ``openWriter(inspect:)``.
    func openReader() throws(AuthError) -> DatabaseQueue {
        var configuration = Self.configuration
        configuration.readonly = true
        do {
            try requireFileOfLog()
            return try DatabaseQueue(path: absolutePath, configuration: configuration)
        } catch {
            throw failure(error)
        }
    }

    /// Makes the directories above the file. Hashes and keys are in it: nobody else on the machine may look.
    func makeDirectories() throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw AuthError(.unavailable, reason: "not the name of a file")
        }
        let directory = (absolutePath as NSString).deletingLastPathComponent
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory) {
            guard isDirectory.boolValue else {
                throw AuthError(.unavailable, reason: "what it should lie in is not a directory")
            }
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AuthError(.unavailable, reason: "its directory can't be made")
        }
    }

    /// Makes the file, which must not be there.
    func makeNew() throws {
        let descriptor = Foundation.open(absolutePath, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AuthError(.unavailable, reason: String(cString: strerror(errno))) }
        Foundation.close(descriptor)
    }

    private func make() throws {
        try makeDirectories()
        try requireFileOfLog()
        // Only a new file is opened here: closing a descriptor of a file that is a database in this process would drop
        // its locks (POSIX). SQLite gives the log the permissions of the database.
        let descriptor = Foundation.open(absolutePath, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            Foundation.close(descriptor)
        } else if errno != EEXIST {
            throw AuthError(.unavailable, reason: String(cString: strerror(errno)))
        }
        var status = stat()
        guard stat(absolutePath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AuthError(.unavailable, reason: "not a file")
        }
    }

    /// SQLite deletes a log without opening it where the database has no octets. Of one whose file was lost it may be
    /// all that is left. A new one has its first page before it has a log (`PRAGMA journal_mode`), so that a first
    /// start that was killed leaves no such log.
    private func requireFileOfLog() throws(AuthError) {
        // Through symbolic links, as SQLite names a log.
        let place = URL(fileURLWithPath: absolutePath).resolvingSymlinksInPath().path
        // The log first: another process may be making the database.
        guard Self.size(of: place + "-wal") > Self.logHeaderSize, Self.size(of: place) == 0 else { return }
        throw AuthError(
            .unavailable,
            reason:
                "it is missing or empty, and its log is not: put the file back or restore a backup, which keeps the "
                + "log, or move \(place)-wal away to begin anew")
    }

    /// In octets; 0 for none.
    private static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// What a log begins with before anything is in it, in octets ("Database File Format", 4.1).
    private static let logHeaderSize: Int64 = 32

    /// The bytes that may still be written where the database is; `nil` where that can't be said.
    var freeSpace: UInt64? {
        var status = statvfs()
        guard statvfs(absolutePath, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : bytes
    }

    /// `error` in words that name the file.
    func failure(_ error: any Error) -> AuthError {
        let cause =
            switch error {
            case let error as AuthError: error.reason ?? error.code.rawValue
            case let error as DatabaseError: "\(error.resultCode)"
            default: "\(type(of: error))"
            }
        let name = path.utf8.contains(0) ? path.replacingOccurrences(of: "\0", with: "\\0") : path
        return AuthError(.unavailable, reason: "\(name): the database can't be opened (\(cause))")
    }

    /// How long a connection waits for another one's lock.
    static let busyMilliseconds = 10_000

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1000)
        configuration.foreignKeysEnabled = true
        configuration.label = "account-store"
        // Arguments are addresses and hashes: they stay out of errors and logs.
        configuration.publicStatementArguments = false
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// How long the write-ahead log may grow before it is moved into the database, in bytes: other commits wait then.
    static let logLength = 16 << 20

    /// After how much it is moved when nobody waits. What is changed lies all over the database: to move 16 MB of such
    /// pages takes the disk so long that everybody would notice.
    static let idleLogLength = 1 << 20

    /// The same for very many rows whose keys come in no order: of a million users forty thousand change nearly every
    /// page of three trees. In bytes, and how much of it is kept in memory.
    static let longLogLength = 512 << 20
    static let largeCache = 256 << 20

    static let logMoves = LogMoves(idle: idleLogLength / pageSize, most: logLength / pageSize)
    static let longLogMoves = LogMoves(idle: longLogLength / pageSize, most: longLogLength / pageSize)
    private static let pageSize = 4096

    /// How long a move that can't wait any more waits for those who read what is in the log. New readers need it no
    /// more.
    private static let moveMilliseconds: CInt = 10

    /// Moves the log into the database, as far as those let it who read what is in it. What stays is moved the next
    /// time: the log is longer until then, and no less safe.
    static func moveLog(_ need: LogMoves.Need, of database: Database) {
        guard let connection = database.sqliteConnection else { return }
        switch need {
        case .whenIdle:
            sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        case .now:
            sqlite3_busy_timeout(connection, moveMilliseconds)
            defer { sqlite3_busy_timeout(connection, CInt(busyMilliseconds)) }
            sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_RESTART, nil, nil)
        }
    }

    /// How long the log's file stays when it is begun anew.
    static func limitLog(to length: Int, of database: Database) throws {
        try database.execute(sql: "PRAGMA journal_size_limit = \(length)")
    }

    /// Turns the log on, and looks whether it is: a commit that is not flushed would pass for one that is.
    private static func makeDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // Where the system's flush stops at the drive's cache (Apple's), ask for the one that does not.
        try database.execute(sql: "PRAGMA fullfsync = ON")
        try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
        // An import of a thousand users changes more pages than SQLite's 2 MB hold: it would write pages into the log
        // and read them again before it commits. And a log of 16 MB instead of 4 is moved into the database less often,
        // and each page that was changed several times once. KiB if negative; pages of 4 KiB.
        try database.execute(sql: "PRAGMA cache_size = -16384")
        try limitLog(to: logLength, of: database)
        // What is deleted is overwritten in the file, and not only given free.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2,
            try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal",
            try Int.fetchOne(database, sql: "PRAGMA foreign_keys") == 1
        else { throw AuthError(.unavailable, reason: "SQLite refuses full durability") }
    }
}
