// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import Testing

@testable import AccountStorePostgres

/// Two versions' programs over one database, as while servers are replaced one after the other.
@Suite("A version and the next one side by side", .postgres, .timeLimit(.minutes(5)))
struct UpgradeTests {
    private static let next = Migration.newest + 1
    private static let addition = Migration(
        number: next, serves: Migration.newest,
        statements: [
            "ALTER TABLE marks ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
            "CREATE TABLE notes (id TEXT PRIMARY KEY)",
        ])

    private func migrate(_ schema: String, _ more: Migration) throws {
        let connection = try PostgresConnection(try #require(PostgresServer.current).address(), schema: schema)
        try PostgresMigrator(schema: schema, migrations: Migration.all + [more]).migrate(connection)
    }

    @Test(
        "A step that only adds is taken under a server that is at work, which goes on, and others of its version start beside it"
    )
    func addition() async throws {
        let server = try #require(PostgresServer.current)
        try await PostgresServer.withStore { old in
            try await old.write { try $0.set(.production, at: Instant(seconds: 1)) }
            async let work: Void = {
                for number in 1...200 {
                    try await old.write { try $0.set(.production, at: Instant(seconds: Int64(number))) }
                    _ = try await old.read { try $0.mark(.production) }
                }
            }()
            try migrate(old.schema, Self.addition)
            try await work
            let another = try server.open(.init(schema: old.schema))
            defer { another.close() }
            try await another.write { try $0.set(.production, at: Instant(seconds: 9)) }
            #expect(try await old.read { try $0.mark(.production) } == Instant(seconds: 9))
            #expect(try PostgresAccountStore.schemaVersion(of: server.address(), schema: old.schema) == Self.next)
            // What the newer one adds to rows stays as it is, whoever writes to them.
            let connection = try PostgresConnection(server.address(), schema: old.schema)
            #expect(try connection.query("SELECT note FROM marks", []) { try $0.text(0) } == ["none"])
        }
    }

    @Test(
        "Beside a step that serves nothing older no older server starts, and it says why; nor does it change anything")
    func refusal() async throws {
        let server = try #require(PostgresServer.current)
        try await PostgresServer.withStore { old in
            try migrate(
                old.schema, Migration(number: Self.next, statements: ["CREATE TABLE notes (id TEXT PRIMARY KEY)"]))
            let error = #expect(throws: AuthError.self) { try server.open(.init(schema: old.schema)) }
            #expect(error?.code == .unavailable)
            #expect(error?.reason?.contains("a newer version, schema \(Self.next)") == true)
        }
    }

    @Test("Of several newer steps each must serve an older program")
    func several() async throws {
        let server = try #require(PostgresServer.current)
        try await PostgresServer.withStore { old in
            let connection = try PostgresConnection(server.address(), schema: old.schema)
            let last = Migration(
                number: Self.next + 1, serves: Self.next, statements: ["CREATE TABLE more (id TEXT PRIMARY KEY)"])
            try PostgresMigrator(schema: old.schema, migrations: Migration.all + [Self.addition, last]).migrate(
                connection)
            let error = #expect(throws: AuthError.self) { try server.open(.init(schema: old.schema)) }
            #expect(error?.reason?.contains("before schema \(Self.next)") == true)
        }
    }

    @Test("A step that waits for a table lets those through who came before it, and is taken when the table is free")
    func heldTable() async throws {
        let server = try #require(PostgresServer.current)
        try await PostgresServer.withStore { old in
            try await old.write { try $0.set(.production, at: Instant(seconds: 1)) }
            let holder = try PostgresConnection(server.address(), schema: old.schema)
            holder.begin(.snapshot)
            _ = try holder.query("SELECT name FROM marks", []) { try $0.text(0) }
            let schema = old.schema
            async let migrated: Void = try migrate(schema, Self.addition)
            // However long that is: nobody waits behind it for longer than one of its tries.
            for number in 1...20 {
                try await old.write { try $0.set(.production, at: Instant(seconds: Int64(number))) }
            }
            holder.rollBack()
            try await migrated
            #expect(try PostgresAccountStore.schemaVersion(of: server.address(), schema: schema) == Self.next)
        }
    }
}
