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

    @Test("R9.15 a call that imports many users has them counted, and one that imports few does not")
    func imported() async throws {
        try await PostgresServer.withStore { store in
            let world = try await Processes([store], DirectorySettings())
            var call = world.call()
            call.actor = .commandLine
            call.dialect = DialectName("elsewhere")
            let asked = call
            func importing(_ numbers: Range<Int>) async throws {
                let users = try numbers.map { number in
                    var user = ImportedUser(identifier: try ExternalIdentifier("user-\(number)"))
                    user.email = try EmailAddress("u\(number)@example.com")
                    return (place: number, user: user)
                }
                let refused = try await ImportUsers(world.ports[0])(users, overwrites: false, call: asked)
                #expect(refused.isEmpty)
            }
            try await importing(0..<5)
            #expect(try await !store.isCounted())
            try await importing(5..<200)
            // By the one connection that counts, after it.
            #expect(try await store.isCounted())
        }
    }

    @Test("R9.15 a Directory is counted with its first hundred users, and again with ten times as many")
    func growth() {
        var growth = UserGrowth()
        let (one, other) = (DirectoryID("one"), DirectoryID("other"))
        let first = [50, 50, 1_000].map { growth.isDue(with: $0, in: one) }
        #expect(first == [false, true, true])
        let others = growth.isDue(with: 1_000, in: other)
        #expect(others)
        let later = [9_000, 899, 1].map { growth.isDue(with: $0, in: one) }
        #expect(later == [false, false, true])
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
