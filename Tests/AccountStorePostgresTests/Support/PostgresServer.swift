// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AccountStorePostgres
import AuthTypes
import TestSupport
import Testing

/// A PostgreSQL server for the tests of a suite, started for it and stopped after it.
struct PostgresServer: Sendable {
    @TaskLocal static var current: PostgresServer?

    private static let schemas = AtomicNumber()

    let url: String
    let platforms = PlatformTemplates()

    /// A store of its own: in a schema that nobody else has, and that is made for it.
    static func withStore<Value: Sendable>(
        _ options: PostgresAccountStore.Options = .init(), masterKeys: MasterKeys? = nil,
        _ body: (PostgresAccountStore) async throws -> Value
    ) async throws -> Value {
        let server = try #require(current)
        var options = options
        options.schema = "latchkey_\(schemas.add(1))"
        let store = try server.open(options, masterKeys: masterKeys)
        defer { store.close() }
        return try await body(store)
    }

    /// Stores over one database, opened at once as servers do that are started together.
    static func withStores(
        _ count: Int, _ options: PostgresAccountStore.Options = .init(), masterKeys: MasterKeys? = nil,
        _ body: ([PostgresAccountStore]) async throws -> Void
    ) async throws {
        let server = try #require(current)
        var options = options
        options.schema = "latchkey_\(schemas.add(1))"
        let stores = try await withThrowingTaskGroup(of: PostgresAccountStore.self) { [options] group in
            for _ in 0..<count { group.addTask { try server.open(options, masterKeys: masterKeys) } }
            return try await group.reduce(into: [PostgresAccountStore]()) { $0.append($1) }
        }
        defer { for store in stores { store.close() } }
        try await body(stores)
    }

    func open(_ options: PostgresAccountStore.Options, masterKeys: MasterKeys? = nil) throws -> PostgresAccountStore {
        try PostgresAccountStore(address(), masterKeys: { masterKeys }, options: options)
    }

    func address() throws -> PostgresAddress { try PostgresAddress(parsing: url) }

    /// Around a suite.
    struct Trait: SuiteTrait, TestScoping {
        @concurrent func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            try await ScriptProcess.run("postgres_server.py", []) { script in
                let url = try await script.line()
                try #require(url.hasPrefix("postgresql:"), "\(url)")
                try await PostgresServer.$current.withValue(PostgresServer(url: url)) { try await function() }
            }
        }
    }
}

extension SuiteTrait where Self == PostgresServer.Trait {
    static var postgres: Self { Self() }
}
