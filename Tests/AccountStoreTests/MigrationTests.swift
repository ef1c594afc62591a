// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Opening and migrating a database", .timeLimit(.minutes(10)))
struct MigrationTests {
    private func refusal(_ path: String) throws -> AuthError? {
        do {
            try SQLiteAccountStore(path: path).close()
            return nil
        } catch let error as AuthError {
            return error
        }
    }

    private func withPool(
        _ migrations: [Migration], _ body: (SQLiteMigrator, DatabaseQueue) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let migrator = SQLiteMigrator(migrations: migrations)
            let pool = try DatabaseQueue(path: directory.file("accounts.sqlite"))
            try body(migrator, pool)
            try pool.close()
        }
    }

    @Test("a database is made with the directories above it, and kept when it is opened again")
    func reopens() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("deep/down/accounts.sqlite")
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            try await store.write { try $0.insert(Rows.user("ann")) }
            try store.close()
            for _ in 0..<2 {
                let again = try SQLiteAccountStore(path: path)
                #expect(try await again.userIDs() == ["ann"])
                try again.close()
            }
        }
    }

    @Test("a database of a newer version is refused in words that name the file, and left as it was")
    func newer() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try SQLiteAccountStore(path: path).close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "INSERT INTO schema_migrations (number) VALUES (99)") }
            try queue.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = try refusal(path)
            #expect(error?.code == .unavailable)
            #expect(error?.reason?.contains(path) == true)
            #expect(error?.reason?.contains("99") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test(
        "a database of a development version before is refused in words that say what to do, and left as it was",
        arguments: [
            "UPDATE schema_migrations SET digest = 'another'", "UPDATE schema_migrations SET digest = NULL",
            "ALTER TABLE schema_migrations DROP COLUMN digest",
            "DELETE FROM schema_migrations; INSERT INTO schema_migrations VALUES (0, '')",
        ])
    func older(_ change: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try SQLiteAccountStore(path: path).close()
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: change) }
            try queue.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = try refusal(path)
            #expect(error?.code == .unavailable)
            for word in [path, "development version", "user export", "user import"] {
                #expect(error?.reason?.contains(word) == true, "\(word): \(error?.reason ?? "")")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test(
        "another program's database is refused, and not a byte of it is changed",
        arguments: [
            "CREATE TABLE notes (text TEXT)", "CREATE VIEW v AS SELECT 1",
            "CREATE TABLE schema_migrations (version TEXT)",
            "CREATE TABLE users (id TEXT); INSERT INTO users VALUES (1)",
        ])
    func foreign(_ schema: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("notes.sqlite")
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: schema) }
            try queue.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = try refusal(path)
            #expect(error?.code == .unavailable)
            #expect(error?.reason?.contains(path) == true)
            #expect(error?.reason?.contains("another program") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test("what is not a database is refused and left alone")
    func notADatabase() async throws {
        try await TemporaryDirectory.with { directory in
            let text = Data(String(repeating: "not a database\n", count: 500).utf8)
            try text.write(to: URL(fileURLWithPath: directory.file("text")))
            for name in ["text", "", "text/below"] {
                let error = try refusal(directory.file(name))
                #expect(error?.code == .unavailable)
                #expect(error?.reason?.contains(directory.file(name)) == true)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file("text"))) == text)
            #expect(try refusal("")?.code == .unavailable)
            #expect(try refusal("a\u{0000}b")?.code == .unavailable)
        }
    }

    @Test(
        "the names that SQLite reads otherwise are names of files here", arguments: [":memory:", "file:a?mode=memory"])
    func names(_ name: String) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try SQLiteAccountStore(path: directory.file(name))
            try await store.addHome()
            try store.close()
            #expect(FileManager.default.fileExists(atPath: directory.file(name)))
            let again = try SQLiteAccountStore(path: directory.file(name))
            #expect(try await again.read { try $0.directories().count } == 1)
            try again.close()
        }
    }

    @Test("of many that open one new database at once, all find it whole")
    func race() async throws {
        for _ in 0..<5 {
            try await TemporaryDirectory.with { directory in
                let path = directory.file("accounts.sqlite")
                let stores = try await withThrowingTaskGroup(of: SQLiteAccountStore.self) { group in
                    for _ in 0..<4 { group.addTask { try SQLiteAccountStore(path: path) } }
                    var stores: [SQLiteAccountStore] = []
                    for try await store in group { stores.append(store) }
                    return stores
                }
                try await stores[0].addHome()
                for (index, store) in stores.enumerated() {
                    try await store.write { try $0.insert(Rows.user("\(index)")) }
                }
                for store in stores { #expect(try await store.userIDs() == ["0", "1", "2", "3"]) }
                for store in stores { try store.close() }
            }
        }
    }

    @Test("each step runs once, in order, and a later version's steps run on what an earlier one left")
    func steps() async throws {
        let second = Migration(
            number: 2, statements: ["CREATE TABLE extra (n BIGINT)", "INSERT INTO extra VALUES (1)"])
        try await withPool([.initial]) { migrator, pool in
            try migrator.migrate(pool)
            try migrator.migrate(pool)
            let later = SQLiteMigrator(migrations: [.initial, second])
            try later.migrate(pool)
            try later.migrate(pool)
            let (extra, numbers) = try pool.read { database in
                (
                    try Int.fetchAll(database, sql: "SELECT n FROM extra"),
                    try Int.fetchAll(database, sql: "SELECT number FROM schema_migrations ORDER BY number")
                )
            }
            #expect(extra == [1])
            #expect(numbers == [1, 2])
            #expect(throws: AuthError.self) { try migrator.migrate(pool) }
        }
    }

    @Test("a step that fails leaves nothing of itself, and the steps before it stay")
    func failingStep() async throws {
        let broken = Migration(
            number: 2, statements: ["CREATE TABLE extra (n BIGINT)", "CREATE TABLE users (n BIGINT)"])
        try await withPool([.initial, broken]) { migrator, pool in
            #expect(throws: DatabaseError.self) { try migrator.migrate(pool) }
            let (hasExtra, numbers) = try pool.read { database in
                (
                    try database.tableExists("extra"),
                    try Int.fetchAll(database, sql: "SELECT number FROM schema_migrations")
                )
            }
            #expect(!hasExtra)
            #expect(numbers == [1])
        }
    }

    @Test("the steps that ship are numbered 1, 2, 3 …")
    func numbers() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
    }

    @Test("every table's references are enforced, and go through an index when a parent is deleted")
    func references() async throws {
        try await withPool(Migration.all) { migrator, pool in
            try migrator.migrate(pool)
            try pool.read { database in
                let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                for table in tables {
                    for key in try database.foreignKeys(on: table) {
                        let child = key.mapping.map(\.origin)
                        let indexes = try database.indexes(on: table).map(\.columns)
                        let primary = try database.primaryKey(table).columns
                        #expect(
                            (indexes + [primary]).contains { Set($0.prefix(child.count)) == Set(child) },
                            "\(table) (\(child)) is searched from end to end when its parent is deleted")
                    }
                }
            }
        }
    }
}
