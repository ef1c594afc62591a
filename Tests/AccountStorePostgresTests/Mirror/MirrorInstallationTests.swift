// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import Dispatch
import TestSupport
import Testing

@testable import AccountStorePostgres

@Suite("How a mirror comes to another server's tables", .postgres, .timeLimit(.minutes(5)))
struct MirrorInstallationTests {
    @Test(
        "R25 Triggers that a restore of our schema has left behind are put back by the next server, and none stays of before"
    )
    func restored() async throws {
        try await MirroredDatabase.with { database in
            let user = try await database.user("ada@example.com")
            // As after `ALTER SCHEMA latchkey RENAME` and `pg_restore --schema=latchkey`: theirs call what is in
            // another schema.
            try database.write("CREATE SCHEMA before")
            try database.write("ALTER FUNCTION latchkey.mirror_adopt() SET SCHEMA before")
            try database.write(
                "CREATE FUNCTION latchkey.mirror_adopt() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
            try database.write("ALTER FUNCTION latchkey.mirror_adopt() OWNER TO supabase_auth_admin")
            for table in ["identities", "sessions", "mfa_factors"] {
                try database.write("DROP TRIGGER latchkey_guard ON auth.\(table)")
            }
            try database.open().close()
            try database.write("DROP SCHEMA before CASCADE")
            let hung = try database.sql(
                """
                SELECT tgrelid::regclass::text || ' ' || tgname::text FROM pg_trigger WHERE tgname LIKE 'latchkey%' ORDER BY 1
                """)
            #expect(
                hung == [
                    "auth.identities latchkey_guard", "auth.mfa_factors latchkey_guard", "auth.sessions latchkey_guard",
                    "auth.users latchkey_adopts", "auth.users latchkey_guard",
                ])
            #expect(throws: (any Error).self) {
                _ = try database.sql("UPDATE auth.users SET email = 'eve@example.com' RETURNING 'x'")
            }
            _ = try database.sql(
                "UPDATE auth.users SET raw_user_meta_data = raw_user_meta_data || '{\"name\": \"Ada\"}' RETURNING 'by the app'"
            )
            let id = database.directory.id
            #expect(try await database.store.read { try $0.user(user.id, in: id)?.userMetadata } == ["name": "Ada"])
            try await database.requireAgreement()
        }
    }

    @Test(
        "R25 A server that runs notices a trigger that somebody drops or disables, and is content once they are put back",
        arguments: [
            "DROP TRIGGER latchkey_adopts ON auth.users", "DROP TRIGGER mirror_insert ON latchkey.sessions",
            "ALTER TABLE auth.identities DISABLE TRIGGER ALL", "DROP SCHEMA auth CASCADE",
        ])
    func missed(statement: String) async throws {
        try await MirroredDatabase.with { database in
            #expect(try await database.store.mirrorFault() == nil)
            try database.write(statement)
            let fault = try await database.store.mirrorFault()
            #expect(fault?.contains("auth") == true)
            guard !statement.hasPrefix("DROP SCHEMA") else { return }
            // As one does that starts.
            try database.open().close()
            #expect(try await database.store.mirrorFault() == nil)
            try await database.store.removeMirror()
            #expect(try await database.store.mirrorFault() == nil)
        }
    }

    @Test("R25 A server sees the mirror whose role may not look into the other server's schema")
    func seenFromOutside() async throws {
        try await MirroredDatabase.with { database in
            let connection = try database.connection()
            try connection.commands(["GRANT USAGE ON SCHEMA latchkey TO pg_monitor", "SET ROLE pg_monitor"])
            let found = try #require(try SchemaMirror.installed(connection, ours: "latchkey"))
            #expect(found.isWhole && found.version == SchemaMirror.version)
            #expect(throws: (any Error).self) {
                try connection.query("SELECT to_regclass('auth.users')::text", []) { _ in true }
            }
        }
    }

    @Test("R25 A server whose role may not look there says so, and what mends it, where triggers are to be put back")
    func renewedFromOutside() async throws {
        try await MirroredDatabase.with { database in
            try database.write("DROP TRIGGER latchkey_adopts ON auth.users")
            let (connection, migrator) = (try database.connection(), PostgresMigrator(schema: "latchkey"))
            try connection.commands(["SET ROLE pg_monitor"])
            let denied = #expect(throws: AuthError(.unavailable)) { try migrator.isMissing(connection) }
            #expect(denied?.reason?.contains("schema latchkey") == true, "\(denied?.reason ?? "")")
            try connection.commands([
                "RESET ROLE", "GRANT USAGE ON SCHEMA latchkey TO pg_monitor", "SET ROLE pg_monitor",
            ])
            let error = #expect(throws: AuthError(.unavailable)) { try migrator.renewMirror(connection) }
            #expect(error?.reason?.contains("may not use the schema auth") == true, "\(error?.reason ?? "")")
            #expect(error?.reason?.contains("latchkey database mirror --install") == true)
        }
    }

    @Test("R25 Whoever is being written while the mirror is installed is there, too")
    func meanwhile() async throws {
        try await MirroredDatabase.with { database in
            let id = database.directory.id
            try await database.store.removeMirror()
            let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            var made = User(id: database.world.ports[0].random.identifier(), directoryID: id, createdAt: Processes.now)
            made.email = try EmailAddress("ada@example.com")
            let user = made
            async let written: Void = database.store.write { tx in
                try tx.insert(user)
                _ = try tx.directories()
                begun.signal()
                release.wait()
            }
            await Self.wait(for: begun)
            async let installed: Void = database.store.installMirror(
                namespace: "auth", of: id, dialect: DialectName("elsewhere"))
            // Where it does not come to wait, the write must not wait for it.
            defer { release.signal() }
            // It has come to our tables, and waits for the write.
            let waits = "SELECT mode FROM pg_locks WHERE NOT granted AND relation = 'latchkey.users'::regclass"
            try await eventually("the installation waits for the write") { try !database.sql(waits).isEmpty }
            release.signal()
            try await written
            try await installed
            #expect(try database.sql("SELECT id::text FROM auth.users") == [user.id.rawValue])
            try await database.requireAgreement()
        }
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "wait").async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
