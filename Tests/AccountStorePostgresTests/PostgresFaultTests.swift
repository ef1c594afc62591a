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
