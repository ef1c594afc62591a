// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import Testing

@testable import AccountStore
@testable import AccountStorePostgres

/// What one server changes is what the others go by, as soon as they hear of it (ADR 0079). Nothing here waits for a
/// time to pass: what comes, comes by the word of the database, since the interval is a minute.
@Suite("What a server hears of another's changes", .postgres, .timeLimit(.minutes(5)))
struct ChangeTests {
    private static let interval = Duration.seconds(60)

    /// A server that follows the changes of the others.
    private struct Follower {
        let signals: any ChangeSignals
        var next: AsyncStream<Void>.Iterator
        let changes: ChangeFollower

        init(_ store: PostgresAccountStore, _ flows: AccountFlows) async throws {
            signals = store.changeSignals(every: ChangeTests.interval)
            next = signals.signals.makeAsyncIterator()
            changes = flows.changeFollower()
            try await hear()
        }

        /// Waits for the next word, and looks.
        mutating func hear() async throws {
            let isThere = await next.next(isolation: #isolation) != nil
            try #require(isThere)
            try await changes.look()
        }
    }

    @Test("R9.8 a Directory, a client and a signing key that one server changes are the other's with the next word")
    func heard() async throws {
        try await Processes.with(over: .postgresql) { world in
            let store = try #require(world.stores[1] as? PostgresAccountStore)
            var follower = try await Follower(store, world.flows[1])
            defer { follower.signals.close() }
            let (flows, id, now) = (world.flows[1], world.directory.id, Processes.now)
            func site() async throws -> String? {
                try await flows.directories.directory(named: "default", at: now)?.settings.siteURL
            }
            let before = try await site()
            let client = Client(id: ClientID("app-1"), directoryID: id, name: "One", createdAt: now, updatedAt: now)
            try await world.stores[0].write { try $0.insert(client) }
            try await follower.hear()
            #expect(try await flows.clients.client(client.id, at: now)?.name == "One")
            let key = try await flows.keys.signingKey(.tokens, of: world.directory, at: now).keyID

            var settings = world.directory.settings
            settings.siteURL = "https://changed.example"
            _ = try await DirectoryAdministration(world.ports[0]).update(id, settings: settings, at: now)
            #expect(try await site() == before, "it is a copy until then")
            try await follower.hear()
            #expect(try await site() == "https://changed.example")

            try await world.stores[0].write { tx in
                var changed = try #require(try tx.client(client.id))
                changed.name = "Two"
                try tx.update(changed)
            }
            try await follower.hear()
            #expect(try await flows.clients.client(client.id, at: now)?.name == "Two")

            try await world.keys[0].rotate(world.directory, at: now)
            try await follower.hear()
            #expect(try await flows.keys.signingKey(.tokens, of: world.directory, at: now).keyID != key)
        }
    }

    @Test("R9.8 a listener whose connection is ended listens again, and says that something may have passed it by")
    func reconnects() async throws {
        try await PostgresServer.withStores(2) { stores in
            let signals = stores[1].changeSignals(every: Self.interval)
            defer { signals.close() }
            var next = signals.signals.makeAsyncIterator()
            _ = await next.next()
            for round in 0..<3 {
                try await stores[0].end("\(stores[1].schema) changes")
                _ = await next.next()
                let seen = try await stores[1].read { try $0.changeCounts() }
                try await stores[0].write { tx in
                    try tx.insert(
                        Directory(
                            id: DirectoryID("d\(round)"), name: "d\(round)", settings: DirectorySettings(),
                            tokenKey: Secret([UInt8](repeating: 1, count: 32)), createdAt: Processes.now,
                            updatedAt: Processes.now))
                }
                _ = await next.next()
                #expect(try await stores[1].read { try $0.changeCounts() } != seen, "round \(round)")
            }
        }
    }

    @Test("R9.8 a listener ends when it is closed, with and without a server")
    func closed() async throws {
        try await PostgresServer.withStores(1) { stores in
            let signals = stores[0].changeSignals(every: Self.interval)
            var next = signals.signals.makeAsyncIterator()
            _ = await next.next()
            signals.close()
            signals.close()
            while await next.next() != nil {}
        }
        let address = try PostgresAddress(parsing: "postgres:///none?host=/nonexistent")
        let nowhere = try #require(PostgresChanges(address, schema: "none", every: .milliseconds(1)))
        var next = nowhere.signals.makeAsyncIterator()
        // Whoever goes by it looks all the same.
        for _ in 0..<3 { #expect(await next.next() != nil) }
        nowhere.close()
        while await next.next() != nil {}
    }

    @Test("R9.8 a server that takes connections and says nothing keeps nobody from looking, nor from ending")
    func silent() async throws {
        let server = try SilentServer()
        defer { server.close() }
        let address = try PostgresAddress(
            parsing: "postgres://ann@127.0.0.1:\(server.port)/none?connect_timeout=0&sslmode=disable&gssencmode=disable"
        )
        let signals = try #require(PostgresChanges(address, schema: "none", every: .milliseconds(1)))
        var next = signals.signals.makeAsyncIterator()
        for _ in 0..<3 { #expect(await next.next() != nil) }
        signals.close()
        while await next.next() != nil {}
    }

    @Test(
        "R9.8 without a word a look finds what was changed, and does nothing where nothing was",
        arguments: Processes.Database.allCases)
    func looks(_ database: Processes.Database) async throws {
        try await Processes.with(over: database) { world in
            let (flows, now) = (world.flows[1], Processes.now)
            let changes = flows.changeFollower()
            #expect(try await changes.look())
            #expect(try await !changes.look())
            try await world.user()
            #expect(try await !changes.look(), "users are no copies")
            let name = try await flows.directories.directory(named: "default", at: now)?.settings.siteURL
            var settings = world.directory.settings
            settings.siteURL = "https://changed.example"
            _ = try await DirectoryAdministration(world.ports[0]).update(
                world.directory.id, settings: settings, at: now)
            #expect(try await flows.directories.directory(named: "default", at: now)?.settings.siteURL == name)
            #expect(try await changes.look())
            #expect(
                try await flows.directories.directory(named: "default", at: now)?.settings.siteURL
                    == "https://changed.example")
        }
    }
}

extension PostgresAccountStore {
    /// Ends the connections of this name, as an operator or a failover does.
    func end(_ name: String) async throws {
        try await readStatements { transaction in
            _ = try transaction.statements.connection.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?", [.text(name)]
            ) { _ in true }
        }
    }
}
