// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Dispatch
import TestSupport
import Testing

@testable import AccountStorePostgres

@Suite("Lists on PostgreSQL", .postgres, .timeLimit(.minutes(5)))
struct PostgresScanTests {
    /// Keeps a connection until it is told to go on.
    private final class Gate: Sendable {
        private let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        private let going = DispatchSemaphore(value: 0)

        func wait() {
            hasBegun.yield()
            going.wait()
        }
        func arrival() async { for await _ in begun { return } }
        func go() { going.signal() }
    }

    @Test("R9.15 a scan that waits behind another one, and whose caller has gone, ends before that one does")
    func gone() async throws {
        try await PostgresServer.withStore { store in
            let gate = Gate()
            async let first: Void = store.scan(in: DirectoryID("one")) { _ in gate.wait() }
            await gate.arrival()
            let second = Task { try await store.scan(in: DirectoryID("one")) { _ in } }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            gate.go()
            try await first
            #expect(try await store.scan(in: nil) { try $0.directories().isEmpty })
        }
    }

    @Test(
        "What may be late is read from the replica, and from the database where that is away or has not come so far",
        arguments: [("following", "replica"), ("template1", "first"), ("nowhere", "first")])
    func replica(_ database: String, _ answered: String) async throws {
        let server = try #require(PostgresServer.current)
        let schema = "latchkey_followed_\(database)"
        func address(_ name: String) throws -> PostgresAddress {
            try PostgresAddress(parsing: server.url.replacing("/postgres?", with: "/\(name)?"))
        }
        func make(_ name: String, in database: String) async throws {
            let store = try PostgresAccountStore(try address(database), options: .init(schema: schema))
            defer { store.close() }
            try await store.write { tx in
                try tx.insert(
                    Directory(
                        id: DirectoryID("d"), name: name, settings: DirectorySettings(), tokenKey: Secret([1]),
                        createdAt: Instant(seconds: 1), updatedAt: Instant(seconds: 1)))
            }
        }
        try await make("first", in: "postgres")
        if answered == "replica" {
            // In place of one that follows: so that it is seen who answers.
            try PostgresConnection(server.address(), schema: "public").commands([
                "CREATE DATABASE \(database) TEMPLATE template0"
            ])
            try await make("replica", in: database)
        }
        let store = try server.open(.init(schema: schema, replica: address(database)))
        defer { store.close() }
        #expect(try await store.scanReplica(in: nil) { try $0.directories().map(\.name) } == [answered])
        #expect(try await store.scan(in: nil) { try $0.directories().map(\.name) } == ["first"])
        #expect(try await store.read { try $0.directories().map(\.name) } == ["first"])
    }

    @Test("R9.15 of scans that wait the Directories take turns, and one too many is told when to come again")
    func turns() async throws {
        let server = try #require(PostgresServer.current)
        let address = try server.address()
        let pool = PostgresPool("scans", maximum: 1, capacity: 9, patience: .seconds(60)) {
            try PostgresConnection(address, schema: "public")
        }
        let scans = PostgresScans(on: pool, maximum: 1, capacity: 4)
        let (gate, done) = (Gate(), AsyncStream<String>.makeStream())
        func submit(_ name: String, of directory: String) {
            let job = PostgresScans.Job(
                run: { _ in done.continuation.yield(name) },
                fail: { done.continuation.yield("\(name) \(($0 as? AuthError)?.retryAfter == .seconds(2))") })
            scans.submit(job, scans.nextTicket(), of: DirectoryID(directory))
        }
        let first = PostgresScans.Job(run: { _ in gate.wait() }, fail: { Issue.record("\($0)") })
        scans.submit(first, scans.nextTicket(), of: DirectoryID("one"))
        await gate.arrival()
        for number in 1...3 { submit("one\(number)", of: "one") }
        submit("two", of: "two")
        submit("refused", of: "two")
        gate.go()
        var names: [String] = []
        for await name in done.stream {
            names.append(name)
            if names.count == 5 { break }
        }
        #expect(names == ["refused true", "one1", "two", "one2", "one3"])
        pool.close()
    }
}
