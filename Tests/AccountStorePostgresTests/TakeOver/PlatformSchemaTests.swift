// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import TestBench
import TestSupport
import Testing

@testable import AccountStorePostgres

/// What is read of another server's tables, and when it is believed to be all (`Support/Gotrue`).
@Suite("Another server's tables that are taken over", .postgres, .timeLimit(.minutes(5)))
struct PlatformSchemaTests {
    private static let now = AccountBench.start
    private static let directory = DirectoryID("3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11")

    /// Another server's database, and a store of ours in it.
    private struct Place {
        let store: PostgresAccountStore
        let source: PlatformSchema
        let root: PostgresAddress

        /// As an app's operator would.
        func sql(_ text: String) throws {
            let connection = try PostgresConnection(root, schema: "auth")
            try connection.commands([text])
        }

        /// Returns once somebody waits for a lock that another holds.
        func untilSomebodyWaits() async throws {
            let connection = try PostgresConnection(root, schema: "public")
            let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation'"
            try await eventually("somebody waits for a lock") {
                try connection.query(waits, [], { try $0.integer(0) }) != [0]
            }
        }

        func addUsers(_ count: Int) throws {
            try sql(
                """
                INSERT INTO auth.users (id, email, created_at, updated_at, raw_app_meta_data, raw_user_meta_data)
                SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'u' || n || '@example.com',
                    now(), now(), '{}', '{}' FROM generate_series(1, \(count)) n
                """)
        }
    }

    private func with(_ body: (Place) async throws -> Void) async throws {
        let platform = try await PlatformDatabase.make()
        let store = try PostgresAccountStore(platform.address)
        defer { store.close() }
        try await body(
            Place(
                store: store,
                source: try PlatformSchema(store, namespace: "auth", dialect: DialectName("elsewhere")),
                root: platform.root))
    }

    private func takeOver(
        at moment: String, taken: TakeOver.Counts = .init(), left: TakeOver.Counts = .init()
    ) -> TakeOver {
        TakeOver(
            source: "auth", directoryID: Self.directory, moment: moment, taken: taken, left: left, startedAt: Self.now)
    }

    @Test("R9.12 users are read in order, each once, without those who are deleted, with what is theirs")
    func pages() async throws {
        try await with { place in
            try place.addUsers(7)
            try place.sql("UPDATE auth.users SET deleted_at = now() WHERE email = 'u3@example.com'")
            try place.sql(
                """
                INSERT INTO auth.sessions (id, user_id, created_at, updated_at, aal)
                SELECT id, id, now(), now(), 'aal1' FROM auth.users WHERE email = 'u5@example.com'
                """)
            try place.sql(
                """
                INSERT INTO auth.refresh_tokens (token, revoked, session_id, user_id, created_at)
                SELECT 'token' || n, n NOT IN (3, 50), id, id, now() FROM auth.sessions, generate_series(1, 50) n
                """)
            var (ids, last): ([String], String?) = ([], nil)
            var tokens: [String] = []
            while true {
                let page = try await place.source.accounts(after: last, limit: 2)
                guard let end = page.last else { break }
                #expect(page.count <= 2)
                ids += page.map(\.id)
                for (id, account) in page {
                    #expect(account["id"]?.stringValue == id)
                    for session in account["sessions"]?.arrayValue ?? [] {
                        let rows = session.objectValue?["tokens"]?.arrayValue ?? []
                        tokens += rows.compactMap { $0.objectValue?["token"]?.stringValue }
                    }
                }
                last = end.id
            }
            #expect(ids == [1, 2, 4, 5, 6, 7].map { "00000000-0000-4000-8000-00000000000\($0)" })
            // The last ones, and each that is live, the first one first.
            #expect(tokens == ["token3"] + (19...50).map { "token\($0)" })
        }
    }

    @Test("R9.12 it is done only where there, here and what was read are as many, and then ours are written there")
    func counts() async throws {
        try await with { place in
            try place.addUsers(2)
            let moment = try await place.source.moment()
            #expect(try await !place.store.isCounted())
            for (taken, left) in [(0, 0), (0, 1), (0, 3), (2, 0), (1, 1)] {
                let state = takeOver(at: moment, taken: .init([.users: taken]), left: .init([.users: left]))
                let error = await #expect(throws: AuthError(.conflict), "\(taken) and \(left)") {
                    try await place.source.finish(state, at: Self.now)
                }
                #expect(error?.reason?.contains("users") == true)
            }
            #expect(try await place.store.read { try $0.takeOver(of: "auth") } == nil)
            #expect(try await place.store.mirror() == nil)
            await #expect(throws: AuthError(.conflict)) { try await place.source.requireMirrored(Self.directory) }
            let all = takeOver(at: moment, left: .init([.users: 2]))
            let done = try await place.source.finish(all, at: Self.now)
            #expect(done.finishedAt == Self.now)
            #expect(try await place.store.read { try $0.takeOver(of: "auth") } == done)
            try await place.source.requireMirrored(Self.directory)
            #expect(try await place.store.isCounted())
            // Said again by a server that had not heard of it, it stays as it was.
            #expect(try await place.source.finish(all, at: Self.now + .hours(1)) == done)
        }
    }

    @Test(
        "R9.12 what was written since it began is found out, whoever's clock says what",
        arguments: [
            "UPDATE auth.users SET raw_user_meta_data = '{\"a\": 1}' WHERE email = 'u1@example.com'",
            """
            INSERT INTO auth.sessions (id, user_id, created_at, updated_at)
            SELECT id, id, now() + interval '1 hour', now() FROM auth.users
            """,
        ])
    func written(statement: String) async throws {
        try await with { place in
            try place.addUsers(1)
            let moment = try await place.source.moment()
            try place.sql(statement)
            let sessions = statement.contains("sessions") ? 1 : 0
            let state = takeOver(at: moment, left: .init([.users: 1, .sessions: sessions]))
            let error = await #expect(throws: AuthError(.conflict)) {
                try await place.source.finish(state, at: Self.now)
            }
            #expect(error?.reason?.hasPrefix("somebody has written to") == true)
            // Begun after that, it is of before.
            let later = takeOver(at: try await place.source.moment(), left: state.left)
            #expect(try await place.source.finish(later, at: Self.now).finishedAt != nil)
        }
    }

    @Test("R9.12 so is what a transaction writes that had begun before, to rows that are old by their own account")
    func writtenByAnOlderTransaction() async throws {
        try await with { place in
            try place.addUsers(2)
            try place.sql("UPDATE auth.users SET updated_at = now() - interval '1 year', created_at = updated_at")
            // It has its number, and holds none of the tables that are read.
            let app = try PostgresConnection(place.root, schema: "public")
            try app.commands(["BEGIN", "CREATE TABLE drafts (text text)", "INSERT INTO drafts VALUES ('a')"])
            let all = takeOver(at: try await place.source.moment(), left: .init([.users: 2]))
            try app.commands([
                "UPDATE auth.users SET raw_app_meta_data = '{\"tenant\": 7}' WHERE email = 'u1@example.com'", "COMMIT",
            ])
            let error = await #expect(throws: AuthError(.conflict)) {
                try await place.source.finish(all, at: Self.now)
            }
            #expect(error?.reason?.hasPrefix("somebody has written to users since") == true)
            let again = takeOver(at: try await place.source.moment(), left: all.left)
            #expect(try await place.source.finish(again, at: Self.now).finishedAt != nil)
        }
    }

    @Test("R9.12 who is writing when it begins, or when it ends, is waited for")
    func waits() async throws {
        try await with { place in
            try place.addUsers(1)
            let app = try PostgresConnection(place.root, schema: "public")
            try app.commands(["BEGIN", "UPDATE auth.users SET raw_user_meta_data = '{}'"])
            async let moment = place.source.moment()
            try await place.untilSomebodyWaits()
            try app.commands(["COMMIT"])
            let all = takeOver(at: try await moment, left: .init([.users: 1]))
            try app.commands(["BEGIN", "UPDATE auth.users SET raw_user_meta_data = '{\"a\": 1}'"])
            let finished = Task { try await place.source.finish(all, at: Self.now) }
            try await place.untilSomebodyWaits()
            try app.commands(["COMMIT"])
            await #expect(throws: AuthError(.conflict)) { try await finished.value }
        }
    }

    @Test("R9.12 behind it nobody waits for a table that somebody else holds, neither when it begins nor when it ends")
    func givesWay() async throws {
        try await with { place in
            try place.addUsers(2)
            let holder = try PostgresConnection(place.root, schema: "public")
            func hold() throws {
                try holder.commands([
                    "BEGIN", "UPDATE auth.users SET raw_user_meta_data = '{}' WHERE email = 'u1@example.com'",
                ])
            }
            // Fails where the table is not to be had while the first one holds it.
            let change = [
                "BEGIN", "SET LOCAL lock_timeout TO 10000",
                "UPDATE auth.users SET raw_user_meta_data = '{}' WHERE email = 'u2@example.com'", "ROLLBACK",
            ]
            func requireWay() async throws {
                try await place.untilSomebodyWaits()
                let app = try PostgresConnection(place.root, schema: "public")
                try app.commands(change)
            }
            try hold()
            async let moment = place.source.moment()
            try await requireWay()
            try holder.commands(["ROLLBACK"])
            let all = takeOver(at: try await moment, left: .init([.users: 2]))
            try hold()
            let finished = Task { try await place.source.finish(all, at: Self.now) }
            try await requireWay()
            try holder.commands(["ROLLBACK"])
            #expect(try await finished.value.finishedAt == Self.now)
            try await place.source.requireMirrored(Self.directory)
        }
    }

    @Test("A schema without such tables is no other server's, nor is a name of other letters")
    func others() async throws {
        try await with { place in
            let source = try PlatformSchema(place.store, namespace: "public", dialect: DialectName("elsewhere"))
            await #expect(throws: AuthError(.unavailable)) { try await source.moment() }
            for name in ["", "latchkey", "a b", "auth\"", "x'y"] {
                #expect(throws: AuthError(.invalidRequest)) {
                    try PlatformSchema(place.store, namespace: name, dialect: DialectName("elsewhere"))
                }
            }
        }
    }
}
