// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import GRDB
import TestSupport
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("SQLite's durability", .timeLimit(.minutes(10)))
struct SQLiteDurabilityTests {
    @Test("the writer flushes every commit, keeps a log ahead, and enforces references")
    func pragmas() async throws {
        try await withStore { store in
            let found = try await store.queue.writeWithoutTransaction { database in
                try ["synchronous", "journal_mode", "foreign_keys", "fullfsync", "checkpoint_fullfsync", "query_only"]
                    .map { try String.fetchOne(database, sql: "PRAGMA \($0)") }
            }
            #expect(found == ["2", "wal", "1", "1", "1", "0"])
        }
    }

    @Test(
        "R10.1 the writer holds 16 MiB of pages, so that an import of a thousand users is written once and read never")
    func cache() async throws {
        try await withStore { store in
            let found = try await store.queue.writeWithoutTransaction { database in
                try ["cache_size", "page_size", "wal_autocheckpoint", "journal_size_limit", "secure_delete"]
                    .map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
            }
            // KiB, if negative. No commit moves the log by itself.
            #expect(found == [-16384, 4096, 0, 16 << 20, 1])
        }
    }

    @Test("nobody but its owner reads the database, its log, or the log's index, whatever the umask")
    func modes() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("new/accounts.sqlite")
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            for suffix in ["", "-wal", "-shm"] { #expect(try mode(path + suffix) == 0o600, "\(suffix)") }
            #expect(try mode(directory.file("new")) == 0o700)
            try store.close()
        }
    }

    @Test("what a write returned from is in the files, without the store being closed")
    func survives() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try SQLiteAccountStore(path: directory.file("accounts.sqlite"))
            try await store.addHome()
            for index in 0..<20 {
                try await store.write { try $0.insert(Rows.user("\(index)")) }
                guard index.isMultiple(of: 5) else { continue }
                // As a crash would leave them.
                for suffix in ["", "-wal"] {
                    try? FileManager.default.removeItem(atPath: directory.file("copy.sqlite" + suffix))
                    try FileManager.default.copyItem(
                        atPath: directory.file("accounts.sqlite" + suffix),
                        toPath: directory.file("copy.sqlite" + suffix))
                }
                let copy = try SQLiteAccountStore(path: directory.file("copy.sqlite"))
                #expect(try await copy.userIDs() == Set((0...index).map { "\($0)" }))
                try copy.close()
            }
            try store.close()
        }
    }

    @Test("a log cut off anywhere loses whole writes from its end, and never half of one")
    func cutLog() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try SQLiteAccountStore(path: directory.file("accounts.sqlite"))
            try await store.addHome()
            // What made the tables is in the file: else the log may be moved in the midst of the ten writes.
            try await eventually("the log is empty") { try await store.emptyLog() }
            for index in 0..<10 {
                try await store.write { tx in
                    try tx.insert(Rows.user("\(10 + index)"))
                    try tx.append(Rows.event("\(10 + index)"))
                }
            }
            let log = try Data(contentsOf: URL(fileURLWithPath: directory.file("accounts.sqlite-wal")))
            let main = try Data(contentsOf: URL(fileURLWithPath: directory.file("accounts.sqlite")))
            try store.close()
            var seen: Set<Int> = []
            // From where the ten writes begin, in odd steps: inside headers, pages and between them.
            for length in stride(from: log.count, to: max(0, log.count - 400_000), by: -9_973) {
                let path = directory.file("cut-\(length).sqlite")
                try main.write(to: URL(fileURLWithPath: path))
                try log.prefix(length).write(to: URL(fileURLWithPath: path + "-wal"))
                let cut = try SQLiteAccountStore(path: path)
                let (users, events) = try await cut.scan(in: nil) { tx in
                    (
                        try tx.users(in: Rows.home, after: nil, limit: 99).map(\.id.rawValue),
                        try tx.auditEvents(in: Rows.home, actions: nil, user: nil, offset: 0, limit: 99)
                            .map(\.id.rawValue)
                    )
                }
                #expect(users == events.sorted())
                #expect(users == (0..<users.count).map { "\(10 + $0)" })
                seen.insert(users.count)
                try cut.close()
            }
            #expect(seen.contains(10) && seen.count > 2, "cuts that left \(seen.sorted()) writes")
        }
    }

    @Test("a store that is closed has everything, in one file, and serves nobody")
    func closes() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            try store.close()
            try store.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            await #expect(throws: AuthError(.unavailable)) { try await store.read { try $0.directories().count } }
            await #expect(throws: AuthError(.unavailable)) { try await store.write { try $0.directories().count } }
        }
    }

    @Test("a write that was submitted before the store is closed is stored, one after it is refused")
    func closesUnderWrites() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            let told = await withTaskGroup(of: String?.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        if index == 100 { try? store.close() }
                        do {
                            try await store.write { try $0.insert(Rows.user("\(index)")) }
                            return "\(index)"
                        } catch {
                            #expect(error as? AuthError == AuthError(.unavailable))
                            return nil
                        }
                    }
                }
                var told: Set<String> = []
                for await id in group { if let id { told.insert(id) } }
                return told
            }
            let again = try SQLiteAccountStore(path: path)
            #expect(try await again.userIDs() == told)
            try again.close()
        }
    }
}
