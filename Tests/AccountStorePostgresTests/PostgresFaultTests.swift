// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import Dispatch
import Testing

@testable import AccountStorePostgres

@Suite("What a PostgreSQL server and its callers can do wrong", .postgres, .timeLimit(.minutes(5)))
struct PostgresFaultTests {
    private static let now = Instant(seconds: 1_790_000_000)

    @Test(
        "An address that can't be read is not repeated, password and all",
        arguments: [
            "postgresql://me:s3cret%zz@db.example/accounts", "postgresql://me:s3cret@[::1/accounts",
            "postgresql://me:s3cret@db.example:5432/accounts?nothing=1", "host=db.example password=s3cret sslmode",
            "postgresql://me:s3cret@db.example/\u{0}",
        ])
    func address(_ url: String) throws {
        let error = #expect(throws: AuthError.self) { try PostgresAccountStore(PostgresAddress(parsing: url)) }
        #expect(error?.code == .invalidRequest)
        #expect(!"\(String(describing: error))".contains("s3cret"))
    }

    @Test("Processes that start together on an empty database all start")
    func together() async throws {
        let server = try #require(PostgresServer.current)
        let options = PostgresAccountStore.Options(schema: "latchkey_together")
        try await withThrowingTaskGroup { group in
            for number in 1...6 {
                group.addTask {
                    // Each on a thread of its own: they wait for one another in the database.
                    try await withCheckedThrowingContinuation { continuation in
                        DispatchQueue(label: "start.\(number)").async {
                            continuation.resume(with: Result { try server.open(options).close() })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Who waits too long for a connection is told so, also while none becomes free")
    func patience() async throws {
        let options = PostgresAccountStore.Options(connections: 1, patience: .milliseconds(50))
        try await PostgresServer.withStore(options) { store in
            let (release, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let held: Void = store.write { _ in
                begun.signal()
                release.wait()
            }
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "begun").async {
                    begun.wait()
                    continuation.resume()
                }
            }
            let error = await #expect(throws: AuthError.self) { try await store.read { _ in } }
            #expect(error?.code == .overloaded)
            release.signal()
            try await held
            try await store.read { _ in }
        }
    }

    @Test("A statement that waits for another's lock does not wait for ever")
    func statementTime() async throws {
        let server = try #require(PostgresServer.current)
        let options = PostgresAccountStore.Options(
            connections: 1, statement: .milliseconds(200), schema: "latchkey_locked")
        let store = try server.open(options)
        defer { store.close() }
        let other = try PostgresConnection(server.address(), schema: "latchkey_locked")
        other.begin(.serializable)
        _ = try other.execute("LOCK TABLE directories IN ACCESS EXCLUSIVE MODE", [])
        let error = await #expect(throws: AuthError.self) { try await store.read { _ = try $0.directories() } }
        #expect(error?.code == .unavailable)
        other.rollBack()
        #expect(try await store.read { try $0.directories().isEmpty })
    }

    @Test("A text that the database has no form for is the caller's fault, and the connection goes on")
    func texts() async throws {
        try await PostgresServer.withStore(.init(connections: 1)) { store in
            let nul = await #expect(throws: AuthError.self) {
                try await store.read { _ = try $0.outbox(in: nil, recipient: "a\u{0}b", limit: 1) }
            }
            #expect(nul?.code == .invalidRequest)
            let directory = Directory(
                id: DirectoryID("d"), name: "d", settings: DirectorySettings(), tokenKey: Secret([1]),
                createdAt: Self.now,
                updatedAt: Self.now)
            try await store.write { try $0.insert(directory) }
            // What can be compressed would fit.
            let long = Hex.encode(SystemRandomSource().bytes(8 << 10))
            let event = OutboxMessage(
                id: OutboxMessageID("m"), directoryID: directory.id,
                content: .webhook(WebhookEvent(endpoint: long, name: "user.created", body: [:])), dueAt: Self.now,
                createdAt: Self.now)
            let tooLong = await #expect(throws: AuthError.self) { try await store.write { try $0.enqueue(event) } }
            #expect(tooLong?.code == .invalidRequest)
            #expect(try await store.read { try $0.directory(directory.id)?.name } == "d")
        }
    }

    @Test("A write whose connection is lost before its commit is run again, and done once")
    func lost() async throws {
        let server = try #require(PostgresServer.current)
        let name = "latchkey_lost"
        let store = try PostgresAccountStore(
            PostgresAddress(parsing: server.url + "&application_name=" + name),
            options: .init(connections: 1, schema: name))
        defer { store.close() }
        let runs = AtomicNumber()
        try await store.write { tx in
            let run = runs.add(1)
            try tx.insert(
                Directory(
                    id: DirectoryID("d"), name: "run\(run)", settings: DirectorySettings(), tokenKey: Secret([1]),
                    createdAt: Self.now, updatedAt: Self.now))
            guard run == 1 else { return }
            let other = try PostgresConnection(server.address(), schema: "public")
            _ = try other.query(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = ?",
                [.text(name)]
            ) { _ in true }
            _ = try tx.directories()
        }
        #expect(runs.load() == 2)
        #expect(try await store.read { try $0.directories().map(\.name) } == ["run2"])
    }

    @Test(
        "A connection to a server that only reads is opened anew for a write, unless it was opened a moment before",
        arguments: [(Duration.zero, 2), (.seconds(3_600), 1)])
    func readOnly(_ youth: Duration, opened: Int) throws {
        let server = try #require(PostgresServer.current)
        let schema = "latchkey_reading_\(opened)"
        try server.open(.init(schema: schema)).close()
        let reading = try PostgresAddress(
            parsing: server.url + "&options=-c%20default_transaction_read_only%3Don")
        let writing = try server.address()
        let opens = AtomicNumber()
        let worker = PostgresWorker("faults", nil, youth: youth) {
            try PostgresConnection(opens.add(1) == 1 ? reading : writing, schema: schema)
        }
        defer { worker.thread.sync { worker.close() } }
        let error = Self.failure { worker.run(.serializable, Self.write, done: $0) }
        #expect((error as? AuthError)?.code == (opened == 1 ? .unavailable : nil))
        #expect(opens.load() == opened)
    }

    private static func write(_ connection: PostgresConnection) throws {
        _ = try connection.execute("DELETE FROM marks WHERE name = ?", [.text("x")])
    }

    @Test("A statement that was prepared before its table was changed is prepared anew, and what it was for run again")
    func changedTable() throws {
        let (worker, server) = try Self.worker(in: "latchkey_changed")
        defer { worker.thread.sync { worker.close() } }
        let read = { (connection: PostgresConnection) in
            _ = try connection.query("SELECT at FROM marks", []) { try $0.integer(0) }
        }
        #expect(Self.failure { worker.run(.snapshot, read, done: $0) } == nil)
        let other = try PostgresConnection(server.address(), schema: "latchkey_changed")
        try other.commands(["ALTER TABLE marks ALTER COLUMN at TYPE NUMERIC"])
        #expect(Self.failure { worker.run(.snapshot, read, done: $0) } == nil)
    }

    @Test("Statements that a pooler has forgotten are prepared anew")
    func forgotten() throws {
        let (worker, _) = try Self.worker(in: "latchkey_forgotten")
        defer { worker.thread.sync { worker.close() } }
        let forget = { (connection: PostgresConnection) in
            try Self.write(connection)
            try connection.commands(["DEALLOCATE ALL"])
        }
        #expect(Self.failure { worker.run(.serializable, forget, done: $0) } == nil)
        #expect(Self.failure { worker.run(.serializable, Self.write, done: $0) } == nil)
    }

    /// A thread on tables of its own, whose connections are never too young to be opened again.
    private static func worker(in schema: String) throws -> (PostgresWorker, PostgresServer) {
        let server = try #require(PostgresServer.current)
        try server.open(.init(schema: schema)).close()
        let address = try server.address()
        return (
            PostgresWorker("faults", nil, youth: .zero) { try PostgresConnection(address, schema: schema) }, server
        )
    }

    private static func failure(
        _ run: ((Result<Void, any Error>) -> Void) -> Void
    ) -> (any Error)? {
        var failure: (any Error)?
        run { if case .failure(let error) = $0 { failure = error } }
        return failure
    }

    @Test("A write whose commit nobody answered is not run again")
    func unanswered() async throws {
        let server = try #require(PostgresServer.current)
        let connection = try PostgresConnection(server.address(), schema: "public")
        connection.begin(.serializable)
        let own = try connection.query("SELECT pg_backend_pid()", []) { try $0.integer(0) }
        let other = try PostgresConnection(server.address(), schema: "public")
        _ = try other.query("SELECT pg_terminate_backend(?, 10000)", [.integer(try #require(own.first))]) { _ in true }
        let error = #expect(throws: PostgresFailure.self) { try connection.commit() }
        #expect(error?.isSerialization == false)
        #expect(!connection.isUsable)
    }
}
