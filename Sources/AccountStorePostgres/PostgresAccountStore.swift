// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// Accounts in a PostgreSQL database, of version 15 or later, which any number of processes may share. What a write has
/// returned from is committed; how durable that is, the server's `synchronous_commit` says.
public final class PostgresAccountStore: AccountDatabase {
    /// What is done with a schema that is not this version's.
    public enum Preparation: Sendable {
        /// Made where there is none, and brought up to date.
        case migrate
        /// Brought up to date; a database without one is somebody else's, or mistyped.
        case migratePresent
    }

    public struct Options: Sendable {
        /// Connections for requests, and those for scans beside them; one is opened when it is needed.
        public var connections: Int
        public var scanConnections: Int
        /// Requests that may wait for a connection, and for how long.
        public var waiting: Int
        public var patience: Duration
        /// How long one of a request's statements may take, locks that it waits for included. Scans have ten minutes.
        public var statement: Duration
        /// What all tables are in. Not the schema that a database's own API shows to the world.
        public var schema: String
        public var preparation: Preparation
        /// A server that follows, for what may be answered some seconds late (``AccountStoring/scanReplica(in:_:)``).
        public var replica: PostgresAddress?

        /// Told once of each row that can't be read: what it is with its identifier, and the columns.
        public var damaged: @Sendable (_ row: String, _ columns: [String]) -> Void

        public init(
            connections: Int = 10, scanConnections: Int = 1, waiting: Int = 1_024, patience: Duration = .seconds(5),
            statement: Duration = .seconds(30), schema: String = "latchkey", preparation: Preparation = .migrate,
            replica: PostgresAddress? = nil,
            damaged: @escaping @Sendable (_ row: String, _ columns: [String]) -> Void = { _, _ in }
        ) {
            self.connections = connections
            self.scanConnections = scanConnections
            self.waiting = waiting
            self.patience = patience
            self.statement = statement
            self.schema = schema
            self.preparation = preparation
            self.replica = replica
            self.damaged = damaged
        }
    }

    package let vault: Vault
    private let address: PostgresAddress
    let schema: String
    private let requests: PostgresPool
    private let scans: PostgresPool
    private let waitingScans: PostgresScans
    private let replica: PostgresPool?
    private let waitingReplicaScans: PostgresScans?
    private let damages: DamageReports
    let growth = Mutex(UserGrowth())
    /// Of statements that look through whole tables, or change them.
    private static let longest: Duration = .seconds(600)

    /// Whether there was nothing in the database before.
    public let isNew: Bool

    /// Connects, and brings the schema up to date.
    ///
    /// - Parameters:
    ///   - masterKeys: as for a database of SQLite's.
    /// - Throws: `AuthErrorCode.unavailable` where nobody answers, where a proxy that pools transactions does, where
    ///   the schema was written by a newer version, or where it is sealed under another master key; `.notFound` where
    ///   there is none and none is to be made; ``AuthErrorCode/invalidRequest`` for a schema's name of other than
    ///   lower-case letters, digits and `_`; what `masterKeys` throws.
    public init(
        _ address: PostgresAddress, masterKeys: @escaping @Sendable () throws -> MasterKeys? = { nil },
        random: any RandomSource = SystemRandomSource(), options: Options = Options()
    ) throws {
        _ = try masterKeys()
        let schema = try Self.checked(options.schema)
        self.address = address
        self.schema = schema
        vault = Vault(random: random, masterKeys: masterKeys)
        damages = DamageReports(options.damaged)
        let open: @Sendable (Duration) throws -> PostgresConnection = {
            try PostgresConnection(address, schema: schema, patience: $0)
        }
        let openForRequests: @Sendable () throws -> PostgresConnection = {
            try PostgresConnection(address, schema: schema, patience: options.statement, takesTurns: true)
        }
        try PostgresProxyCheck.requireSessions(address)
        let connection = try open(Self.longest)
        let migrator = PostgresMigrator(schema: schema)
        isNew = try migrator.isMissing(connection)
        guard !isNew || options.preparation == .migrate else {
            throw AuthError(.notFound, reason: "\(address): there is no schema \(schema) of Latchkey's in it")
        }
        // Whoever serves need not be allowed to change tables.
        if try isNew || migrator.version(connection) < Migration.newest { try migrator.migrate(connection) }
        if !isNew { try migrator.renewMirror(connection) }
        connection.begin(.snapshot)
        try OpenTransaction(on: connection, vault: vault, damages: damages).takeDataKeys()
        connection.rollBack()
        requests = PostgresPool(
            "account-store", maximum: options.connections, capacity: options.waiting, patience: options.patience,
            paths: StatementPaths(), open: PostgresDoor(openForRequests).open)
        scans = PostgresPool(
            "account-store.scan", maximum: options.scanConnections, capacity: options.waiting, patience: Self.longest,
            open: { try open(Self.longest) })
        waitingScans = PostgresScans(on: scans, maximum: options.scanConnections, capacity: options.waiting)
        let replica = options.replica.map { address in
            let door = PostgresDoor {
                try PostgresConnection(address, schema: schema, patience: Self.longest, takesStandby: true)
            }
            return PostgresPool(
                "account-store.replica", maximum: options.scanConnections, capacity: options.waiting,
                patience: Self.longest, open: door.open)
        }
        self.replica = replica
        waitingReplicaScans = replica.map {
            PostgresScans(on: $0, maximum: options.scanConnections, capacity: options.waiting)
        }
    }

    /// Which schema a database has, without changing anything in it.
    ///
    /// - Returns: the number of its newest migration; `nil` where there are no tables of this program's.
    /// - Throws: `AuthErrorCode.unavailable` where nobody answers, and for a database that another version has written.
    public static func schemaVersion(of address: PostgresAddress, schema: String = "latchkey") throws -> Int? {
        let schema = try checked(schema)
        try PostgresProxyCheck.requireSessions(address)
        let connection = try PostgresConnection(address, schema: schema)
        let migrator = PostgresMigrator(schema: schema)
        return try migrator.isMissing(connection) ? nil : try migrator.version(connection)
    }

    /// It is written into statements. PostgreSQL keeps 63 octets of a name, and those that begin with `pg_` to itself.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a name of a schema that none can have.
    package static func checked(_ schema: String) throws(AuthError) -> String {
        guard schema.wholeMatch(of: /[a-z][a-z0-9_]{0,62}/) != nil, !schema.hasPrefix("pg_") else {
            throw AuthError(
                .invalidRequest,
                reason:
                    "a schema's name has up to 63 lower-case letters, digits and _, begins with a letter, and not with pg_"
            )
        }
        return schema
    }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        try await readStatements { try body($0.accounts) }
    }

    package func readStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await run(.snapshot, on: requests, body)
    }

    public func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await scanStatements(in: directory) { try body($0.accounts) }
    }

    /// Where the replica is away, or not as far as the tables are, the server that it follows answers.
    public func scanReplica<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        guard let waitingReplicaScans else { return try await scan(in: directory, body) }
        do {
            return try await scan(in: directory, on: waitingReplicaScans) { try body($0.accounts) }
        } catch let error as AuthError where [.unavailable, .internalFailure].contains(error.code) {
            return try await scan(in: directory, body)
        }
    }

    package func scanStatements<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await scan(in: directory, on: waitingScans, body)
    }

    private func scan<Value: Sendable>(
        in directory: DirectoryID?, on scans: PostgresScans,
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        let (vault, damages) = (vault, damages)
        let (stop, ticket) = (PostgresStop(), scans.nextTicket())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = PostgresScans.Job(
                    run: { worker in
                        worker.run(
                            .snapshot, stop: stop,
                            { try body(OpenTransaction(on: $0, vault: vault, damages: damages)) },
                            done: { continuation.resume(with: $0) })
                    }, fail: { continuation.resume(throwing: $0) })
                scans.submit(job, ticket, of: directory)
                // A cancellation before the scan was there found nothing to take out.
                if Task.isCancelled { scans.cancel(ticket) }
            }
        } onCancel: {
            stop.set()
            scans.cancel(ticket)
        }
    }

    /// A write goes on when its task is cancelled. Its closure may run more than once, of which the last counts:
    /// transactions that meet are run one after the other.
    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await writeStatements { try body($0.accounts) }
    }

    package func writeStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await run(.serializable, on: requests, body)
    }

    private func run<Value: Sendable>(
        _ isolation: PostgresConnection.Isolation, on pool: PostgresPool,
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value {
        let (vault, damages, values) = (vault, damages, ForeseenValues.current)
        return try await withCheckedThrowingContinuation { continuation in
            pool.submit(
                isWriting: isolation == .serializable,
                { worker in
                    worker.run(
                        isolation, about: values, wrote: pool.wrote(meeting:),
                        { try body(OpenTransaction(on: $0, vault: vault, damages: damages)) },
                        done: { continuation.resume(with: $0) })
                }, fail: { continuation.resume(throwing: $0) })
        }
    }

    /// Runs what no request asks for in a transaction on the connection itself.
    func withConnection<Value: Sendable>(
        _ isolation: PostgresConnection.Isolation, _ body: @Sendable @escaping (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            scans.submit(
                { worker in worker.run(isolation, body, done: { continuation.resume(with: $0) }) },
                fail: { continuation.resume(throwing: $0) })
        }
    }

    /// Runs what begins and ends its transactions itself, or has none.
    func withOwnTransactions<Value: Sendable>(
        _ body: @Sendable @escaping (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            scans.submit(
                { worker in continuation.resume(with: worker.perform(body)) },
                fail: { continuation.resume(throwing: $0) })
        }
    }

    /// The same of what nobody waits for, and is left undone where no connection is free for it in time.
    func runUnattended(_ body: @Sendable @escaping (PostgresConnection) throws -> Void) {
        scans.submit({ worker in _ = worker.perform(body) }, fail: { _ in })
    }

    /// The same of a write, with the domain's view of it.
    func withTransaction<Value: Sendable>(
        _ body: @Sendable @escaping (PostgresConnection, OpenTransaction) throws -> Value
    ) async throws -> Value {
        try await withConnection(.serializable) { [self] in try body($0, transaction(on: $0)) }
    }

    /// The domain's view of a transaction that its caller has begun.
    func transaction(on connection: PostgresConnection) -> OpenTransaction {
        OpenTransaction(on: connection, vault: vault, damages: damages)
    }

    package func changeSignals(every interval: Duration) -> any ChangeSignals {
        PostgresChanges(address, schema: schema, every: interval) ?? IntervalSignals(every: interval)
    }

    package func duties() -> any StoreDuties {
        PostgresDuties(schema: schema) { [address, schema] in try PostgresConnection(address, schema: schema) }
    }

    /// Finishes what was submitted and closes the connections. Later reads and writes throw
    /// `AuthErrorCode.unavailable`.
    public func close() {
        requests.close()
        scans.close()
        replica?.close()
    }
}
