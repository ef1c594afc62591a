// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import AuthTypes
import Foundation
import TestBench
import Testing

@testable import AccountStore
@testable import AccountStorePostgres

extension PostgresAccountStore {
    /// Whether somebody has counted the users: autovacuum does not where there are none.
    func isCounted() async throws -> Bool {
        try await withConnection(.snapshot) { connection in
            try connection.query("SELECT reltuples >= 0 FROM pg_class WHERE oid = to_regclass('users')", []) {
                try $0.integer(0)
            } == [1]
        }
    }
}

@Suite("What PostgreSQL knows of tables that have just been filled", .postgres, .timeLimit(.minutes(5)))
struct StatisticsTests {
    @Test("R9.15 once they were counted many addresses are looked for by the index, and not through all of a Directory")
    func addresses() async throws {
        try await PostgresServer.withStore { store in
            let world = try await Processes([store], DirectorySettings())
            let directory = world.directory.id
            let users = try (0..<2_000).map { number in
                var user = User(
                    id: world.ports[0].random.identifier(), directoryID: directory, createdAt: Processes.now)
                user.email = try EmailAddress("u\(number)@example.com")
                return user
            }
            let prepared = try store.prepared(users, with: [])
            try await store.write { try $0.insert(prepared) }
            await store.refreshStatistics()
            let emails = try (0..<400).map { try EmailAddress("new\($0)@example.com") }
            let searches = try await store.withTransaction { connection, transaction in
                let explained = ExplainedConnection(connection)
                let statements = transaction.statements
                let asking = SQLTransaction(
                    connection: explained, vault: statements.vault, damages: statements.damages)
                let isTaken = try asking.isAnyTaken(emails: emails, phones: [], in: directory)
                return isTaken ? [] : explained.searches.map(\.columns)
            }
            // They are asked about in parts.
            #expect(Set(searches) == [["directory_id", "email"]])
        }
    }

    @Test("What a database was copied into is counted before anybody is served from it")
    func copied() async throws {
        let folder = try TemporaryFolder()
        let source = try SQLiteAccountStore(path: folder.url.appendingPathComponent("source.sqlite").path)
        try await PostgresServer.withStore { target in
            #expect(try await !target.isCounted())
            _ = try await DatabaseCopy(from: source, to: target)(at: Processes.now)
            #expect(try await target.isCounted())
        }
        try source.close()
        withExtendedLifetime(folder) {}
    }
}
