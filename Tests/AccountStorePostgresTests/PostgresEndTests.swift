// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import Dispatch
import Testing

@testable import AccountStorePostgres

@Suite(
    "How a transaction on PostgreSQL ends that the server does not end by itself", .postgres, .timeLimit(.minutes(5)))
struct PostgresEndTests {
    @Test("What a trigger puts off until the commit is ended when nobody waits any more, and nothing is done")
    func slowCommit() async throws {
        let server = try #require(PostgresServer.current)
        let other = try PostgresConnection(server.address(), schema: "public")
        try other.commands([
            "CREATE TABLE slow_marks (number BIGINT)",
            """
            CREATE FUNCTION slow_mark() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_sleep(600); RETURN NULL; EXCEPTION WHEN OTHERS THEN RETURN NULL; END'
            """,
            """
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow_marks DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION slow_mark()
            """,
        ])
        let connection = try PostgresConnection(server.address(), schema: "public", patience: .milliseconds(200))
        connection.begin(.serializable)
        _ = try connection.execute("INSERT INTO slow_marks VALUES (1)", [])
        let error = #expect(throws: PostgresFailure.self) { try connection.commit() }
        // The server says so itself: nobody has to guess whether it was done.
        #expect(error?.isCancelled == true)
        #expect(!connection.isUsable)
        #expect(try other.query("SELECT count(*) FROM slow_marks", []) { try $0.integer(0) } == [0])
    }

    @Test(
        "What PostgreSQL finds wrong with itself is tried once more and not again; what a function says of itself is not",
        arguments: [
            ("XX000", "tuple concurrently updated", 9, 2), ("XX000", "tuple concurrently updated", 1, 2),
            ("XX000", nil, 9, 1), ("XX001", "invalid page in block 1", 9, 1),
        ] as [(String, String?, Int, Int)])
    func internalError(_ sqlState: String, _ said: String?, times: Int, runs: Int) throws {
        let server = try #require(PostgresServer.current)
        let address = try server.address()
        let worker = PostgresWorker("ends", nil) { try PostgresConnection(address, schema: "public") }
        defer { worker.thread.sync { worker.close() } }
        var failure = PostgresFailure(sqlState: sqlState)
        failure.trouble = said
        var run = 0
        var result: Result<Void, any Error>?
        worker.run(
            .serializable,
            { connection in
                run += 1
                _ = try connection.query("SELECT 1", []) { _ in true }
                guard run <= times else { return }
                connection.failure = failure
                throw failure
            }, done: { result = $0 })
        #expect(run == runs)
        let isDone = (try? result?.get()) != nil
        #expect(isDone == (times < runs))
    }
}
