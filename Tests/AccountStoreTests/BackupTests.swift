// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Backups", .timeLimit(.minutes(10)))
struct BackupTests {
    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func refusal(_ body: () throws -> Void) -> AuthError? {
        do {
            try body()
            return nil
        } catch {
            return error as? AuthError
        }
    }

    /// A closed database with these users.
    private func makeDatabase(_ path: String, users: [String]) async throws {
        let store = try SQLiteAccountStore(path: path)
        try await store.addHome()
        for user in users { try await store.write { try $0.insert(Rows.user(user)) } }
        try store.close()
    }

    private func users(_ path: String) async throws -> Set<String> {
        let store = try SQLiteAccountStore(path: path)
        defer { try? store.close() }
        return try await store.userIDs()
    }

    @Test("R8.17 a backup taken while others write is the database of one moment, in one file for its owner alone")
    func consistent() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            let writing = Task {
                for index in 0..<400 where !Task.isCancelled {
                    // Two rows a transaction: half of one would show.
                    try await store.write { tx in
                        try tx.insert(Rows.user("a\(index)"))
                        try tx.insert(Rows.user("b\(index)"))
                    }
                }
            }
            for copy in 0..<5 {
                let target = directory.file("backup-\(copy)")
                try SQLiteBackup.create(of: path, at: target)
                #expect(!FileManager.default.fileExists(atPath: target + "-wal"))
                let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                let found = try await users(target)
                let count = found.count / 2
                #expect(found == Set((0..<count).flatMap { ["a\($0)", "b\($0)"] }))
            }
            writing.cancel()
            _ = await writing.result
            try store.close()
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy {
                    !$0.contains("partial")
                })
        }
    }

    @Test("R8.17 of backups that are made at once under one name one gets it, whole, and the others are told so")
    func atOnce() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try await makeDatabase(path, users: (0..<200).map { "user\($0)" })
            let target = directory.file("backup")
            let refusals = await withTaskGroup(of: AuthError?.self) { group in
                for _ in 0..<8 {
                    group.addTask { refusal { try SQLiteBackup.create(of: path, at: target) } }
                }
                return await group.reduce(into: [AuthError?]()) { $0.append($1) }
            }
            #expect(refusals.filter { $0 == nil }.count == 1)
            #expect(refusals.compactMap(\.self).allSatisfy { $0.code == .conflict }, "\(refusals)")
            #expect(try await users(target).count == 200)
        }
    }

    @Test("R8.17 a backup takes no file's place, and a damaged or foreign database is not backed up")
    func refusesToBackUp() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try await makeDatabase(path, users: ["ann"])
            let target = directory.file("backup")
            try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
            #expect(refusal { try SQLiteBackup.create(of: path, at: target) }?.code == .conflict)
            #expect(try bytes(target) == Data("mine".utf8))
            #expect(
                refusal { try SQLiteBackup.create(of: directory.file("none"), at: target + "2") }?.code == .notFound)

            let foreign = directory.file("notes.sqlite")
            let queue = try DatabaseQueue(path: foreign)
            try await queue.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
            try queue.close()
            #expect(refusal { try SQLiteBackup.create(of: foreign, at: target + "3") }?.code == .unavailable)

            var damaged = try bytes(path)
            for index in 4096..<(damaged.count - 512) where index % 7 == 0 { damaged[index] = 0xA5 }
            try damaged.write(to: URL(fileURLWithPath: path))
            #expect(refusal { try SQLiteBackup.create(of: path, at: target + "4") }?.code == .unavailable)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(left.filter { $0.hasPrefix("backup") } == ["backup"])
        }
    }

    @Test("R8.17 a full disk is said of the file that is written, and anything else of the one that is read")
    func saysWhichIsFull() {
        let (source, copy) = (DatabaseFile(path: "accounts.sqlite"), DatabaseFile(path: "copy.sqlite"))
        func reason(_ code: ResultCode) -> String? {
            SQLiteBackup.failure(DatabaseError(resultCode: code), copying: source, to: copy).reason
        }
        #expect(reason(.SQLITE_FULL)?.hasPrefix("copy.sqlite: can't be written (13") == true)
        #expect(reason(.SQLITE_CORRUPT)?.hasPrefix("accounts.sqlite: ") == true)
    }

    @Test("R8.17 beside the database that a restore keeps there is no log of one that an earlier restore has kept")
    func keepsNoOtherLog() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try await makeDatabase(path, users: ["ann"])
            let backup = directory.file("backup")
            try SQLiteBackup.create(of: path, at: backup)
            // As a restore over a database that was past reading leaves its log.
            let ruin = directory.file("ruin.sqlite")
            try await makeDatabase(ruin, users: ["ann"])
            let store = try SQLiteAccountStore(path: ruin)
            try await store.write { try $0.insert(Rows.user("eve")) }
            let log = try bytes(ruin + "-wal")
            try store.close()
            #expect(!log.isEmpty)

            let restore = try SQLiteRestore(of: backup, over: path)
            try log.write(to: URL(fileURLWithPath: restore.replacedPath + "-wal"))
            try restore.finish()
            #expect(try await users(restore.replacedPath) == ["ann"])
            #expect(try await users(path) == ["ann"])
        }
    }

    @Test("R8.17 a restore puts the backup in the database's place, log and all, and keeps what was there")
    func restores() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try await makeDatabase(path, users: ["ann"])
            let backup = directory.file("backup")
            try SQLiteBackup.create(of: path, at: backup)
            // Somebody who was killed left a log behind, with a user that only it holds.
            let store = try SQLiteAccountStore(path: path)
            try await store.write { try $0.insert(Rows.user("bob")) }
            let log = try bytes(path + "-wal")
            try store.close()
            try bytes(backup).write(to: URL(fileURLWithPath: path))
            try log.write(to: URL(fileURLWithPath: path + "-wal"))

            let restore = try SQLiteRestore(of: backup, over: path)
            #expect(
                refusal { _ = try StoreLock(databaseAt: path) }?.code == .conflict, "a server can't start meanwhile")
            try restore.finish()
            #expect(try await users(path) == ["ann"])
            #expect(try await users(restore.replacedPath).contains("ann"))
            #expect(!FileManager.default.fileExists(atPath: restore.copyPath))
        }
    }

    /// What a restore finds in the place of a database, beside the log of it.
    enum Ruin: CaseIterable, Sendable {
        case none, removed, unreadable, empty
    }

    /// A database of Ann's, of which a backup is made, and of Bob's, whom only the log of a server has that was killed.
    private func makeRuin(_ ruin: Ruin, _ path: String, backup: String) async throws -> (file: Data?, log: Data) {
        try await makeDatabase(path, users: ["ann"])
        try SQLiteBackup.create(of: path, at: backup)
        let store = try SQLiteAccountStore(path: path)
        try await store.write { try $0.insert(Rows.user("bob")) }
        let (file, log) = (try bytes(path), try bytes(path + "-wal"))
        try store.close()
        let left: Data? =
            switch ruin {
            case .none: file
            case .removed: nil
            case .unreadable: Data(String(repeating: "no database\n", count: 600).utf8)
            case .empty: Data()
            }
        try FileManager.default.removeItem(atPath: path)
        try left?.write(to: URL(fileURLWithPath: path))
        try log.write(to: URL(fileURLWithPath: path + "-wal"))
        return (left, log)
    }

    @Test(
        "R8.17 the log of a database that somebody has removed or emptied, or that is past reading, is not taken for the restored one's, and is kept",
        arguments: [Ruin.removed, .unreadable, .empty])
    func foreignLog(ruin: Ruin) async throws {
        try await TemporaryDirectory.with { directory in
            let (path, backup) = (directory.file("accounts.sqlite"), directory.file("backup"))
            let log = try await makeRuin(ruin, path, backup: backup).log
            try SQLiteRestore(of: backup, over: path).finish()
            #expect(try await users(path) == ["ann"])
            let kept = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter {
                $0.hasSuffix("-wal")
            }
            #expect(try kept.map { try bytes(directory.file($0)) } == [log], "\(kept)")
        }
    }

    @Test(
        "R8.17 a restore that is killed after any of its steps, and done again, keeps what was there with its log, and no other's",
        arguments: SQLiteRestore.Step.allCases, Ruin.allCases)
    func killed(after step: SQLiteRestore.Step, ruin: Ruin) async throws {
        try await TemporaryDirectory.with { directory in
            let (path, backup) = (directory.file("accounts.sqlite"), directory.file("backup"))
            let (file, log) = try await makeRuin(ruin, path, backup: backup)
            let kept: String
            var steps: [SQLiteRestore.Step] = []
            do {
                let restore = try SQLiteRestore(of: backup, over: path)
                kept = restore.replacedPath
                // An earlier restore has kept a database that was past reading.
                try Data("earlier".utf8).write(to: URL(fileURLWithPath: kept))
                try Data("earlier's".utf8).write(to: URL(fileURLWithPath: kept + "-wal"))
                let error = refusal {
                    try restore.finish { done in
                        steps.append(done)
                        if done == step { throw AuthError(.internalFailure, reason: "killed") }
                    }
                }
                #expect((error?.reason?.contains("killed") == true) == steps.contains(step))
            }
            // What is not there any more is kept as nothing, and what an earlier restore has kept stays.
            #expect(ruin == .removed || steps.last == step)
            if steps.last != .swapped {
                #expect(FileManager.default.fileExists(atPath: path) == (file != nil))
                try SQLiteRestore(of: backup, over: path).finish()
            }
            switch ruin {
            case .none: #expect(try await users(kept) == ["ann", "bob"])
            case .removed:
                #expect(try bytes(kept) == Data("earlier".utf8) && bytes(path + ".orphaned-wal") == log)
            case .unreadable, .empty: #expect(try bytes(kept) == file && bytes(kept + "-wal") == log)
            }
            #expect(try await users(path) == ["ann"])
        }
    }

    @Test(
        "R8.17 a restore refuses a running server, and a backup that is damaged, foreign, newer or none: nothing changes"
    )
    func refusesToRestore() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try await makeDatabase(path, users: ["ann"])
            let backup = directory.file("backup")
            try SQLiteBackup.create(of: path, at: backup)
            let before = try bytes(path)
            do {
                let lock = try StoreLock(databaseAt: path)
                defer { withExtendedLifetime(lock) {} }
                #expect(refusal { _ = try SQLiteRestore(of: backup, over: path) }?.code == .conflict)
            }
            try Data(String(repeating: "no database\n", count: 600).utf8)
                .write(to: URL(fileURLWithPath: directory.file("text")))
            try bytes(backup).prefix(9000).write(to: URL(fileURLWithPath: directory.file("cut")))
            let newer = directory.file("newer")
            try bytes(backup).write(to: URL(fileURLWithPath: newer))
            let queue = try DatabaseQueue(path: newer)
            try await queue.write { try $0.execute(sql: "INSERT INTO schema_migrations (number) VALUES (99)") }
            try queue.close()
            for (name, reason) in [
                ("text", "not a database"), ("cut", "malformed"), ("newer", "99"), ("none", "no such"),
            ] {
                let error = refusal { _ = try SQLiteRestore(of: directory.file(name), over: path) }
                #expect(
                    error != nil && error?.reason?.contains(reason) == true, "\(name): \(String(describing: error))")
                #expect(try bytes(path) == before)
                #expect(!FileManager.default.fileExists(atPath: path + ".restoring"))
            }
        }
    }

    @Test("R8.17 a database that is past reading is replaced too")
    func replacesRubbish() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try await makeDatabase(path, users: ["ann"])
            let backup = directory.file("backup")
            try SQLiteBackup.create(of: path, at: backup)
            try Data(String(repeating: "no database\n", count: 600).utf8).write(to: URL(fileURLWithPath: path))
            try SQLiteRestore(of: backup, over: path).finish()
            #expect(try await users(path) == ["ann"])
        }
    }
}
