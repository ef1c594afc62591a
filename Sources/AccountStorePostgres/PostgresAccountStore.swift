// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// Accounts in a PostgreSQL database, of version 15 or later, which any number of processes may share. What a write has returned
/// from is committed; how durable that is, the server's `synchronous_commit` says.
public final class PostgresAccountStore: SQLAccountStore {
    public struct Options: Sendable {
        /// Connections for requests, and those for scans beside them; one is opened when it is needed.
        public var connections: Int
        public var scanConnections: Int
        /// Requests that may wait for a connection, and for how long.
        public var waiting: Int
        public var patience: Duration
        /// How long one of a request's statements may take, locks that it waits for included. Scans take as long as they do.
        public var statement: Duration
        /// What all tables are in. Not the schema that a database's own API shows to the world.
        public var schema: String

        /// Told once of each row that can't be read: what it is with its identifier, and the columns.
        public var damaged: @Sendable (_ row: String, _ columns: [String]) -> Void

        public init(
            connections: Int = 10, scanConnections: Int = 1, waiting: Int = 1_024, patience: Duration = .seconds(5),
            statement: Duration = .seconds(30), schema: String = "latchkey",
            damaged: @escaping @Sendable (_ row: String, _ columns: [String]) -> Void = { _, _ in }
        ) {
            self.connections = connections
            self.scanConnections = scanConnections
            self.waiting = waiting
            self.patience = patience
            self.statement = statement
            self.schema = schema
            self.damaged = damaged
        }
    }

    package let vault: Vault
    private let url: String
    let schema: String
    private let requests: PostgresPool
    private let scans: PostgresPool
    private let damages: DamageReports

    /// Connects, and brings the schema up to date.
    ///
    /// - Parameters:
    ///   - url: a connection URI, `postgres://user@host:5432/database?sslmode=verify-full`, or any string of libpq's, which takes
    ///     the rest from its environment variables and files.
    ///   - masterKeys: as for a database of SQLite's.
    /// - Throws: `AuthErrorCode.unavailable` where nobody answers, where the schema was written by a newer version, or where it
    ///   is sealed under another master key; ``AuthErrorCode/invalidRequest`` for what is no connection string, and for a
    ///   schema's name of other than lower-case letters, digits and `_`; what `masterKeys` throws.
    public init(
        url: String, masterKeys: @escaping @Sendable () throws -> MasterKeys? = { nil },
        random: any RandomSource = SystemRandomSource(), options: Options = Options()
    ) throws {
        _ = try masterKeys()
        let schema = options.schema
        guard schema.wholeMatch(of: /[a-z][a-z0-9_]{0,62}/) != nil
        else { throw AuthError(.invalidRequest, reason: "database: the schema's name") }
        self.url = url
        self.schema = schema
        vault = Vault(random: random, masterKeys: masterKeys)
        damages = DamageReports(options.damaged)
        let open: @Sendable () throws -> PostgresConnection = { try PostgresConnection(url, schema: schema) }
        let connection = try open()
        try PostgresMigrator(schema: schema).migrate(connection)
        connection.begin(.snapshot)
        try OpenTransaction(on: connection, vault: vault, damages: damages).takeDataKeys()
        connection.rollBack()
        requests = PostgresPool(
            "account-store", maximum: options.connections, capacity: options.waiting, patience: options.patience
        ) { try PostgresConnection(url, schema: schema, patience: options.statement) }
        scans = PostgresPool(
            "account-store.scan", maximum: options.scanConnections, capacity: options.waiting, patience: .seconds(600),
            open: open)
    }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        try await readStatements { try body($0.accounts) }
    }

    package func readStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await run(.snapshot, on: requests, stop: nil, body)
    }

    public func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await scanStatements(in: directory) { try body($0.accounts) }
    }

    package func scanStatements<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        let stop = PostgresStop()
        return try await withTaskCancellationHandler {
            try await run(.snapshot, on: scans, stop: stop, body)
        } onCancel: {
            stop.set()
        }
    }

    /// A write goes on when its task is cancelled. Its closure may run more than once, of which the last counts: transactions that
    /// meet are run one after the other.
    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await writeStatements { try body($0.accounts) }
    }

    package func writeStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await run(.serializable, on: requests, stop: nil, body)
    }

    private func run<Value: Sendable>(
        _ isolation: PostgresConnection.Isolation, on pool: PostgresPool, stop: PostgresStop?,
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        let (vault, damages) = (vault, damages)
        return try await withCheckedThrowingContinuation { continuation in
            pool.submit(
                { worker in
                    worker.run(
                        isolation, stop: stop,
                        { try body(OpenTransaction(on: $0, vault: vault, damages: damages)) },
                        done: { continuation.resume(with: $0) })
                }, fail: { continuation.resume(throwing: $0) })
        }
    }

    package func changeSignals(every interval: Duration) -> any ChangeSignals {
        PostgresChanges(url, schema: schema, every: interval) ?? IntervalSignals(every: interval)
    }

    package func duties() -> any StoreDuties {
        PostgresDuties(schema: schema) { [url, schema] in try PostgresConnection(url, schema: schema) }
    }

    /// Finishes what was submitted and closes the connections. Later reads and writes throw `AuthErrorCode.unavailable`.
    public func close() {
        requests.close()
        scans.close()
    }
}
