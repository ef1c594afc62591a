// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import Passwords
import Testing

@testable import AccountStore
@testable import AccountStorePostgres

@Suite("The way back to another server", .postgres, .timeLimit(.minutes(5)))
struct HandBackTests {
    @Test(
        "The other server has its users' passwords again, nothing that it gave out before is good, and it writes alone")
    func handedBack() async throws {
        try await MirroredDatabase.with { database in
            let hash = try await database.world.ports[0].passwords.hash(Secret(Processes.password))
            let ada = try await database.user("ada@example.com") { $0.passwordHash = hash }
            let eve = try await database.user("eve@example.com") {
                $0.passwordHash = PasswordHash(madeUpOf: "pbkdf2:1000:1")
            }
            // As before the take-over.
            try database.write("INSERT INTO auth.refresh_tokens (token, user_id) VALUES ('old', 'ada')")
            let done = try await database.store.handBack(
                password: { user in
                    user.passwordHash.flatMap { $0.encoded.hasPrefix("$argon2id$") ? $0.encoded : nil }
                }, factor: { _ in nil })
            #expect(done.users == 2 && done.passwords == 1 && done.withoutPassword == 1)
            func password(_ user: User) throws -> [String?] {
                try database.sql("SELECT encrypted_password::text FROM auth.users WHERE id = '\(user.id.rawValue)'")
            }
            #expect(try password(ada) == [hash.encoded])
            #expect(try password(eve) == [""])
            #expect(try database.sql("SELECT token::text FROM auth.refresh_tokens").isEmpty)
            let theirs =
                "UPDATE auth.users SET email = 'ada@example.org' WHERE id = '\(ada.id.rawValue)' RETURNING 'theirs'::text"
            #expect(try database.sql(theirs) == ["theirs"])
        }
    }

    @Test("Nothing is handed back while a server runs, which would go on without its mirror")
    func running() async throws {
        try await MirroredDatabase.with { database in
            let signals = database.store.changeSignals(every: .seconds(60))
            defer { signals.close() }
            var next = signals.signals.makeAsyncIterator()
            _ = await next.next()
            await #expect(throws: AuthError(.conflict)) {
                try await database.store.handBack(password: { _ in nil }, factor: { _ in nil })
            }
            let mirror = try await database.store.mirror()
            #expect(mirror != nil)
        }
    }

    @Test("R25 a user whom the other server's older version has left is the same in other words")
    func older() async throws {
        try await MirroredDatabase.with { database in
            _ = try await database.user("ada@example.com") { $0.emailVerifiedAt = Processes.now }
            /// As it was left there, behind the mirror's back.
            func leave(_ change: String) throws {
                try database.write(
                    "UPDATE auth.users SET \(change) WHERE set_config('latchkey.mirrors', 'hand-back', true) <> ''")
            }
            func differences() async throws -> Set<String> {
                Set(try await database.store.checkMirror().differences.map(\.how))
            }
            #expect(try await differences().isEmpty)
            try leave("email_change = NULL, phone_change = NULL, raw_user_meta_data = NULL")
            #expect(try await differences().isEmpty)
            try leave("email_change = 'eve@example.com', raw_user_meta_data = '{\"a\": 1}'")
            #expect(try await differences() == ["email_change", "raw_user_meta_data"])
        }
    }

    @Test("A password that is chosen anew leaves nothing of the one before in the other server's tables")
    func forgotten() async throws {
        try await MirroredDatabase.with { database in
            let hash = try await database.world.ports[0].passwords.hash(Secret(Processes.password))
            let ada = try await database.user("ada@example.com") { $0.passwordHash = hash }
            try database.write("UPDATE auth.users SET encrypted_password = '$2a$10$imported'")
            func password() throws -> [String?] { try database.sql("SELECT encrypted_password::text FROM auth.users") }
            // A hash made anew of the same words.
            let again = try await database.world.ports[0].passwords.hash(Secret(Processes.password))
            let id = database.directory.id
            try await database.store.write { tx in
                var user = ada
                user.passwordHash = again
                _ = try tx.update(user)
            }
            #expect(try password() == ["$2a$10$imported"])
            let changed = try await database.store.read { try $0.user(ada.id, in: id) }
            let user = try #require(changed)
            try await database.store.write { tx in
                var user = user
                user.passwordHash = hash
                user.passwordChangedAt = Processes.now
                _ = try tx.update(user)
            }
            #expect(try password() == [""])
        }
    }
}
