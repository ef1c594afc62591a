// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import AuthTypes
import GRDB
import Testing

@testable import AccountStore

@Suite("Everything of one database in another", .timeLimit(.minutes(5)))
struct DatabaseCopyTests {
    /// Two databases: one with so many users that they take several turns, and an empty one.
    private func withTwo(
        users: Int = 1_100, _ body: (_ source: SQLiteAccountStore, _ target: SQLiteAccountStore) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let source = try SQLiteAccountStore(path: directory.file("source.sqlite"))
            let target = try SQLiteAccountStore(path: directory.file("target.sqlite"))
            try await source.addHome()
            try await source.write { tx in
                for index in 0..<users { try tx.insert(Rows.user("u\(index)")) }
                try tx.set(.production, at: Rows.now)
            }
            try await body(source, target)
            try source.close()
            try target.close()
        }
    }

    private func copy(_ source: SQLiteAccountStore, _ target: SQLiteAccountStore) async throws -> [TableContents] {
        try await DatabaseCopy(from: source, to: target)(at: Rows.now)
    }

    /// Begins, and stops after the first turn of users.
    private func begin(_ source: SQLiteAccountStore, _ target: SQLiteAccountStore) async throws {
        let task = Task {
            try await DatabaseCopy(from: source, to: target)(at: Rows.now) { table, _ in
                if table == "users" { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("What a table is, its copies know from the statement that makes it")
    func tables() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("a.sqlite")
            try SQLiteAccountStore(path: path).close()
            let database = try DatabaseQueue(path: path)
            let found = try await database.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT t.name || '.' || c.name || ' ' || c.type FROM sqlite_master t, pragma_table_info(t.name) c
                        WHERE t.type = 'table' AND t.name <> 'schema_migrations' ORDER BY 1
                        """)
            }
            let known = SchemaTable.all.flatMap { table in
                table.columns.map { "\(table.name).\($0.name) \($0.kind.rawValue)" }
            }
            #expect(known.sorted() == found.sorted() && known.count > 300)
            for table in SchemaTable.all {
                #expect(!table.key.isEmpty && Set(table.key).isSubset(of: table.columns.map(\.name)), "\(table.name)")
            }
        }
    }

    @Test("A table whose rows nothing tells apart is an error that names it, and not left out of a copy")
    func keyless() async throws {
        let tables = SchemaTable.tables(of: [
            "CREATE TABLE loose (a TEXT, b BIGINT)", "CREATE UNIQUE INDEX loose_b ON loose (b) WHERE a IS NULL",
            "CREATE INDEX loose_a ON loose (a)",
        ])
        let loose = try #require(tables.first)
        #expect(tables.count == 1 && loose.key.isEmpty)
        try await TemporaryDirectory.with { directory in
            let store = try SQLiteAccountStore(path: directory.file("a.sqlite"))
            let error = await #expect(throws: AuthError(.internalFailure)) { try await store.contents(of: loose) }
            #expect(error?.reason?.hasPrefix("loose: ") == true)
            await #expect(throws: AuthError(.internalFailure)) {
                try await store.readStatements { try loose.end(on: $0.statements.connection) }
            }
            try store.close()
        }
    }

    @Test("Both have the same rows in the end, and the target is nobody's half")
    func whole() async throws {
        try await withTwo { source, target in
            let copied = try await copy(source, target)
            #expect(try await copied == source.contents())
            #expect(try await copied == target.contents())
            #expect(copied.first { $0.table == "users" }?.rows == 1_100)
            #expect(try await !target.isHalfCopied())
            #expect(try await target.read { try $0.mark(.production) } == Rows.now)
            #expect(try await target.userIDs() == source.userIDs())
        }
    }

    @Test("One that was cut short says so of itself, and goes on where it was")
    func resumed() async throws {
        try await withTwo { source, target in
            try await begin(source, target)
            #expect(try await target.isHalfCopied())
            let there = try await target.rowCounts().first { $0.table == "users" }?.rows
            #expect(there == 500)
            #expect(try await copy(source, target) == source.contents())
            #expect(try await !target.isHalfCopied())
        }
    }

    @Test("A row that became another meanwhile is found, and the target stays nobody's")
    func changed() async throws {
        try await withTwo { source, target in
            try await begin(source, target)
            try await source.write { tx in
                var user = try #require(try tx.user(UserID("u0"), in: Rows.home))
                user.role = "other"
                try tx.update(user)
            }
            let error = await #expect(throws: AuthError.self) { try await copy(source, target) }
            #expect(error?.code == .conflict && error?.reason?.hasPrefix("users: ") == true)
            #expect(try await target.isHalfCopied())
        }
    }

    @Test("A target with rows of its own is left as it is")
    func refused() async throws {
        try await withTwo(users: 1) { source, target in
            try await target.addHome()
            let before = try await target.contents()
            let error = await #expect(throws: AuthError.self) { try await copy(source, target) }
            #expect(error?.code == .conflict)
            #expect(try await target.contents() == before)
        }
    }
}
