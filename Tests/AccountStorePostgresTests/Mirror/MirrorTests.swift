// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import AccountStorePostgres

@Suite("Users in another server's tables", .postgres, .timeLimit(.minutes(5)))
struct MirrorTests {
    @Test(
        "A new user is one new row there, in the same transaction, with what an app's triggers make of it",
        arguments: ["auth", "Another auth"])
    func created(namespace: String) async throws {
        try await MirroredDatabase.with(namespace: namespace) { database in
            let user = try await database.user("ada@example.com") { $0.userMetadata = ["name": "Ada"] }
            let found = try database.sql("SELECT name || ' ' || id FROM public.profiles")
            #expect(found == ["Ada \(user.id.rawValue)"])
            let members = try database.sql("SELECT identities || ' ' || providers::text FROM public.members")
            #expect(members == ["1 [\"email\"]"])
            #expect(try database.sql("SELECT act FROM public.seen") == ["INSERT"])
            #expect(try database.sql("SELECT created_by FROM public.profiles") == ["latchkey"])
            try await database.requireAgreement()
        }
    }

    @Test("What an app's trigger refuses leaves nothing, and is refused as that")
    func refused() async throws {
        try await MirroredDatabase.with { database in
            let error = try await #require(throws: AuthError.self) {
                _ = try await database.user("eve@refused.example")
            }
            #expect(error.code == .changeRefused && error.field == DatabaseAct.create.rawValue)
            #expect(try database.sql("SELECT id FROM latchkey.users WHERE email IS NOT NULL").isEmpty)
            #expect(try database.sql("SELECT id::text FROM auth.users").isEmpty)
        }
    }

    @Test("A change is one there, of the columns that changed and no others")
    func changed() async throws {
        try await MirroredDatabase.with { database in
            var user = try await database.user("ada@example.com")
            user.email = try EmailAddress("ada@example.org")
            user.emailVerifiedAt = Processes.now
            user.bannedUntil = Processes.now + .hours(1)
            let changed = user
            user = try await database.store.write { try $0.update(changed) }
            #expect(try database.sql("SELECT email FROM public.profiles") == ["ada@example.org"])
            let seen = try database.sql("SELECT act || ' ' || (became ->> 'email') FROM public.seen ORDER BY id")
            #expect(seen == ["INSERT ada@example.com", "UPDATE ada@example.org"])
            let until = try database.sql("SELECT (banned_until - interval '1 hour')::text FROM auth.users")
            #expect(try database.sql("SELECT confirmed_at::text FROM auth.users") == until)
            try await database.requireAgreement()
        }
    }

    @Test("A user on whom an app's rows hold is not deleted, and is told so")
    func held() async throws {
        try await MirroredDatabase.with { database in
            let user = try await database.user("ada@example.com")
            _ = try database.sql(
                "INSERT INTO public.invoices (user_id, cents) VALUES ('\(user.id.rawValue)', 5) RETURNING 'made'")
            let id = database.directory.id
            let error = try await #require(throws: AuthError.self) {
                _ = try await database.store.write { try $0.deleteUser(user.id, in: id) }
            }
            #expect(error.code == .changeRefused && error.field == DatabaseAct.delete.rawValue)
            let left = try await database.store.read { try $0.user(user.id, in: id) }
            #expect(left?.email == user.email)
            try await database.requireAgreement()
            _ = try database.sql("DELETE FROM public.invoices RETURNING 'gone'")
            _ = try await database.store.write { try $0.deleteUser(user.id, in: id) }
            #expect(try database.sql("SELECT id::text FROM public.profiles").isEmpty)
            #expect(try database.sql("SELECT id::text FROM auth.users").isEmpty)
        }
    }

    @Test("Nobody else writes there, until the mirror is removed; and what differs is found")
    func guarded() async throws {
        try await MirroredDatabase.with { database in
            let user = try await database.user("ada@example.com")
            let act = "UPDATE auth.users SET email = 'eve@example.com' RETURNING id::text"
            #expect(throws: (any Error).self) { _ = try database.sql(act) }
            try await database.requireAgreement()
            let id = database.directory.id
            try await database.store.removeMirror()
            #expect(try database.sql(act) == [user.id.rawValue])
            let mirror = try await database.store.mirror()
            #expect(mirror == nil)
            try await database.store.installMirror(namespace: "auth", of: id, dialect: DialectName("elsewhere"))
            let report = try await database.store.checkMirror()
            #expect(report.differences.map(\.how) == ["email"] && report.differences.map(\.id) == [user.id.rawValue])
        }
    }

    @Test("Who is there and is no user of ours, as after our tables alone were put back, is named by identifier")
    func leftOver() async throws {
        try await MirroredDatabase.with { database in
            _ = try await database.user("ada@example.com")
            try await database.store.removeMirror()
            // Of the two the second was over before anybody looked.
            for (place, deleted) in [(1, "NULL"), (2, "now()")] {
                try database.write(
                    """
                    INSERT INTO auth.users
                        (instance_id, id, aud, role, email, raw_app_meta_data, raw_user_meta_data, deleted_at)
                    VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-00000000000\(place)',
                        'authenticated', 'authenticated', 'late-\(place)@example.com', '{}', '{}', \(deleted))
                    """)
            }
            try await database.store.installMirror(
                namespace: "auth", of: database.directory.id, dialect: DialectName("elsewhere"))
            let report = try await database.store.checkMirror()
            let left = MirrorReport.Difference(
                kind: .user, id: "00000000-0000-4000-8000-000000000001", how: "left over")
            #expect(report.differences == [left])
            #expect(!report.agrees)
        }
    }

    @Test("What an app writes of a user's metadata there is the user's, and whatever else it writes is refused")
    func adopted() async throws {
        try await MirroredDatabase.with { database in
            let user = try await database.user("ada@example.com") { $0.userMetadata = ["name": "Ada", "old": 1] }
            _ = try database.sql(
                """
                UPDATE auth.users SET raw_app_meta_data = raw_app_meta_data || '{"role": "editor"}',
                    raw_user_meta_data = raw_user_meta_data - 'old', banned_until = '2030-01-01T00:00:00Z'
                RETURNING 'by the app'
                """)
            let id = database.directory.id
            let found = try await database.store.read { try $0.user(user.id, in: id) }
            let adopted = try #require(found)
            #expect(adopted.appMetadata["role"] == "editor" && adopted.appMetadata["provider"] == "email")
            #expect(adopted.userMetadata == ["name": "Ada"])
            #expect(adopted.bannedUntil == Instant(seconds: 1_893_456_000))
            for other in [
                "email = 'eve@example.com'", "role = 'other'", "encrypted_password = '$2a$10$eve'",
                "email_confirmed_at = now()",
                "recovery_token = 'eve'", "raw_app_meta_data = '{\"provider\": \"google\"}'",
            ] {
                #expect(throws: (any Error).self) {
                    _ = try database.sql("UPDATE auth.users SET \(other) RETURNING 'x'")
                }
            }
            try await database.requireAgreement()
        }
    }

    @Test("What an app's trigger adds to a new user's metadata is the user's from the first")
    func enriched() async throws {
        try await MirroredDatabase.with { database in
            try database.write(
                """
                CREATE FUNCTION public.enrich() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    new.raw_app_meta_data := new.raw_app_meta_data || '{"tenant": 7}';
                    RETURN new;
                END $$
                """)
            try database.write(
                "CREATE TRIGGER enrich BEFORE INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.enrich()")
            let user = try await database.user("ada@example.com")
            let id = database.directory.id
            let found = try await database.store.read { try $0.user(user.id, in: id) }
            #expect(found?.appMetadata["tenant"] == 7)
            try await database.requireAgreement()
        }
    }

    @Test(
        "What an app's trigger writes of a user who has just been written is theirs, whatever the trigger is called",
        arguments: ["add", "on_written"])
    func addedAfterwards(name: String) async throws {
        try await MirroredDatabase.with { database in
            try database.write(
                """
                CREATE FUNCTION public.add() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
                    UPDATE auth.users SET raw_app_meta_data = raw_app_meta_data || '{"tenant": 7}',
                        raw_user_meta_data = raw_user_meta_data || '{"greeted": true}' WHERE id = new.id;
                    RETURN NULL;
                END $$
                """)
            // By their names they run in turn, and what adopts is called `latchkey_adopts`.
            try database.write(
                """
                CREATE TRIGGER \(name) AFTER INSERT OR UPDATE ON auth.users FOR EACH ROW
                WHEN (new.raw_user_meta_data ->> 'greeted' IS NULL) EXECUTE FUNCTION public.add()
                """)
            let user = try await database.user("ada@example.com") { $0.userMetadata = ["name": "Ada"] }
            let id = database.directory.id
            func found() async throws -> User? { try await database.store.read { try $0.user(user.id, in: id) } }
            let made = try #require(try await found())
            #expect(made.appMetadata["tenant"] == 7 && made.userMetadata == ["name": "Ada", "greeted": true])
            // Again, once it is changed by ours.
            var changed = made
            changed.userMetadata = ["name": "Ada L."]
            let update = changed
            try await database.store.write { _ = try $0.update(update) }
            #expect(try await found()?.userMetadata == ["name": "Ada L.", "greeted": true])
            try await database.requireAgreement()
        }
    }

    @Test(
        "An app's trigger that has deferred constraints looked at there and then, and writes, keeps nobody from signing up"
    )
    func nested() async throws {
        try await MirroredDatabase.with { database in
            try database.write(
                """
                CREATE FUNCTION public.at_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
                    SET CONSTRAINTS ALL IMMEDIATE;
                    UPDATE auth.users SET raw_app_meta_data = raw_app_meta_data || '{"tenant": 7}' WHERE id = new.id;
                    RETURN NULL;
                END $$
                """)
            try database.write(
                "CREATE TRIGGER on_signed_up AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.at_once()")
            // What is adopted is mirrored at once, in the midst of what is written of the new user.
            let user = try await database.user("ada@example.com")
            let id = database.directory.id
            let found = try await database.store.read { try $0.user(user.id, in: id) }
            #expect(found?.appMetadata["tenant"] == 7)
            #expect(try database.sql("SELECT provider FROM auth.identities") == ["email"])
            try await database.requireAgreement()
        }
    }

    @Test("Another Directory's users are not mirrored")
    func others() async throws {
        try await MirroredDatabase.with { database in
            let other = try await DirectoryAdministration(database.world.ports[0]).create(
                name: "other", settings: DirectorySettings(), at: Processes.now)
            var user = User(
                id: database.world.ports[0].random.identifier(), directoryID: other.id, createdAt: Processes.now)
            user.email = try EmailAddress("ada@example.com")
            let made = user
            try await database.store.write { try $0.insert(made) }
            #expect(try database.sql("SELECT id::text FROM auth.users").isEmpty)
            try await database.requireAgreement()
        }
    }

    @Test("Sessions of before that are none of ours end with the installation, and their refresh tokens with them")
    func sessionsOfBefore() async throws {
        try await MirroredDatabase.with { database in
            let user = try await database.user("ada@example.com")
            let session = "00000000-0000-4000-8000-000000000001"
            try database.write("INSERT INTO auth.sessions (id, user_id) VALUES ('\(session)', '\(user.id.rawValue)')")
            try database.write(
                """
                INSERT INTO auth.refresh_tokens (token, user_id, session_id)
                VALUES ('old', '\(user.id.rawValue)', '\(session)')
                """)
            #expect(try database.sql("SELECT id::text FROM auth.sessions") == [session])
            try await database.store.installMirror(
                namespace: "auth", of: database.directory.id, dialect: DialectName("elsewhere"))
            #expect(try database.sql("SELECT id::text FROM auth.sessions").isEmpty)
            #expect(try database.sql("SELECT token::text FROM auth.refresh_tokens").isEmpty)
            try await database.requireAgreement()
        }
    }

    @Test("Every column of ours that says something of a user is mirrored, or is known to be of no use there")
    func columns() async throws {
        try await MirroredDatabase.with { database in
            let installed = try await database.store.mirror()
            let mirror = try #require(installed)
            let text = (mirror.rows + mirror.writing).joined(separator: "\n")
            let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
            let columns = try database.sql(
                """
                SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'latchkey'
                AND table_name IN ('users', 'identities', 'sessions', 'factors')
                """
            ).compactMap(\.self)
            #expect(columns.count > 50)
            let unmirrored = columns.filter { !words.contains(String($0.split(separator: ".")[1])) }
            #expect(Set(unmirrored) == Self.unmirrored)
        }
    }

    /// Of other dialects, of how something is proved, and of what that server has no column for.
    private static let unmirrored: Set<String> = [
        "users.confirmed_at", "users.deletion_due_at", "users.dialect_data", "users.ended_codes", "users.language",
        "users.origin", "users.password_form", "users.srp_salt", "users.srp_verifier", "users.temporary_expires_at",
        "users.temporary_password", "users.tokens_valid_since", "users.username", "users.username_key", "users.version",
        "sessions.claims", "sessions.client_grant", "sessions.client_id", "sessions.device_app_version",
        "sessions.device_name", "sessions.device_system", "sessions.generation", "sessions.is_offline",
        "sessions.live_hash", "sessions.parent_id", "sessions.remembered_device_id", "sessions.revocation",
        "sessions.rotates", "sessions.steps", "factors.credential_id", "factors.expires_at", "factors.is_preferred",
        "factors.last_challenged_at", "factors.last_used_at", "factors.secret", "factors.spent_codes",
    ]

    @Test("A server puts its own triggers in the place of those of a version before")
    func renewed() async throws {
        try await MirroredDatabase.with { database in
            let description = "SELECT obj_description('latchkey.mirror_guard()'::regprocedure, 'pg_proc')"
            let before = try database.sql(description)
            // As an older version has left them: without one of the functions.
            try database.write("DROP FUNCTION latchkey.mirror_refusal(text, text, text)")
            try database.write(
                """
                DO $$ BEGIN EXECUTE format('COMMENT ON FUNCTION latchkey.mirror_guard() IS %L',
                    regexp_replace(obj_description('latchkey.mirror_guard()'::regprocedure, 'pg_proc'),
                        '"version":[0-9]+', '"version":0')); END $$
                """)
            #expect(try database.sql(description) != before)
            let second = try database.open()
            defer { second.close() }
            #expect(try database.sql(description) == before)
            let error = try await #require(throws: AuthError.self) {
                _ = try await database.user("eve@refused.example")
            }
            #expect(error.code == .changeRefused)
        }
    }
}
