// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import TestSupport
import Testing

@testable import AccountStorePostgres

@Suite("A proxy between a server and PostgreSQL", .postgres, .timeLimit(.minutes(5)))
struct PostgresProxyTests {
    private static let now = Instant(seconds: 1_790_000_000)

    /// - Parameters:
    ///   - connections: that each proxy has to the server.
    ///   - proxies: that share one port.
    private func behind(
        _ mode: String, connections: Int, proxies: Int = 1, _ body: @Sendable (PostgresAddress) async throws -> Void
    ) async throws {
        let server = try #require(PostgresServer.current)
        let arguments = [server.url, mode, "\(connections)", "\(proxies)"]
        try await ScriptProcess.run("Support/pgbouncer.py", arguments) { script in
            let url = try await script.line()
            try #require(url.hasPrefix("postgresql:"), "\(url)")
            try await body(PostgresAddress(parsing: url))
        }
    }

    /// - Returns: why a store is not opened, and a schema not looked for; nothing is made.
    private func refusals(
        _ schema: String, behind mode: String, connections: Int, proxies: Int = 1
    ) async throws -> [String] {
        let reasons = Mutex<[String]>([])
        try await behind(mode, connections: connections, proxies: proxies) { address in
            let opened = #expect(throws: AuthError.self) {
                try PostgresAccountStore(address, options: .init(schema: schema)).close()
            }
            let asked = #expect(throws: AuthError.self) {
                try PostgresAccountStore.schemaVersion(of: address, schema: schema)
            }
            for error in [opened, asked] {
                #expect(error?.code == .unavailable)
                reasons.withLock { $0.append(error?.reason ?? "") }
            }
        }
        let server = try #require(PostgresServer.current)
        let direct = try PostgresConnection(server.address(), schema: "public")
        let found = try direct.query("SELECT 1 FROM pg_namespace WHERE nspname = ?", [.text(schema)]) { _ in true }
        #expect(found.isEmpty)
        return reasons.withLock { $0 }
    }

    @Test(
        "One that pools transactions is refused by what it does, however few it has, and nothing is made behind it",
        arguments: [1, 4])
    func transactions(connections: Int) async throws {
        let reasons = try await refusals(
            "latchkey_pooled_\(connections)", behind: "transaction", connections: connections)
        #expect(reasons.allSatisfy { $0.contains("pools transactions") }, "\(reasons)")
    }

    @Test("So are several that share one port, each with processes of its own")
    func several() async throws {
        let reasons = try await refusals("latchkey_shared", behind: "transaction", connections: 4, proxies: 4)
        #expect(reasons.allSatisfy { $0.contains("pools transactions") }, "\(reasons)")
    }

    @Test("One that pools statements is refused as that", arguments: [1, 4])
    func statements(connections: Int) async throws {
        let reasons = try await refusals(
            "latchkey_said_\(connections)", behind: "statement", connections: connections)
        #expect(reasons.allSatisfy { $0.contains("pools statements") }, "\(reasons)")
    }

    @Test(
        "Where two connections are led to one process, as after a change of the proxy, neither says the other's words")
    func names() async throws {
        try await behind("transaction", connections: 1) { address in
            let (one, other) = (
                try PostgresConnection(address, schema: "public"), try PostgresConnection(address, schema: "public")
            )
            for _ in 0..<2 {
                #expect(try one.query("SELECT 1", []) { try $0.integer(0) } == [1])
                #expect(try other.query("SELECT 2", []) { try $0.integer(0) } == [2])
            }
        }
    }

    @Test("R9.8 behind one that pools sessions a server hears of what others change, and each duty is one server's")
    func sessions() async throws {
        try await behind("session", connections: 20) { address in
            let options = PostgresAccountStore.Options(connections: 2, schema: "latchkey_behind")
            let (one, other) = (
                try PostgresAccountStore(address, options: options), try PostgresAccountStore(address, options: options)
            )
            defer {
                one.close()
                other.close()
            }
            let signals = other.changeSignals(every: .seconds(3_600))
            defer { signals.close() }
            var words = signals.signals.makeAsyncIterator()
            #expect(await words.next() != nil, "it listens")
            let directory = Directory(
                id: DirectoryID("d"), name: "d", settings: DirectorySettings(), tokenKey: Secret([1]),
                createdAt: Self.now, updatedAt: Self.now)
            try await one.write { try $0.insert(directory) }
            #expect(await words.next() != nil)
            #expect(try await other.read { try $0.directory(directory.id)?.name } == "d")

            let (first, second) = (one.duties(), other.duties())
            #expect(await first.isOurs(.upkeep))
            #expect(await !second.isOurs(.upkeep))
            first.release()
            // The proxy has the server drop what a session held before another has it.
            try await eventually("the duty is the other server's") { await second.isOurs(.upkeep) }
            second.release()
        }
    }
}
