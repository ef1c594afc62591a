// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import Dispatch
import Testing

@testable import AccountStorePostgres

@Suite("How rows of ours come to another server's tables", .postgres, .timeLimit(.minutes(5)))
struct MirrorFillTests {
    @Test(
        "R25 Users sign in, go on and sign up while a new mirror's tables are filled, and are there before the filling comes to them"
    )
    func meanwhile() async throws {
        try await MirroredDatabase.with { database in
            let (world, mirror) = (database.world, try await database.mirror())
            for name in ["idle", "goes-on", "signs-in"] { try await world.user("\(name)@example.com") }
            let before = try #require(try await world.signIn("goes-on@example.com", at: 0).session)
            try await database.forget()
            let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            defer { for _ in 0..<1_000 { release.signal() } }
            async let installed: Void = database.store.withOwnTransactions { connection in
                try mirror.install(connection) { fill in
                    var fill = fill
                    fill.betweenTurns = {
                        begun.signal()
                        release.wait()
                    }
                    return fill
                }
            }
            await Self.wait(for: begun)
            #expect(try database.sql("SELECT id::text FROM auth.users").isEmpty)
            #expect(try await database.store.mirrorFault()?.contains("auth has not all") == true)

            #expect(try await world.signIn("signs-in@example.com", at: 0).session != nil)
            _ = try await world.flows[0].refreshSession(
                before.refreshToken.reveal(), call: world.call(after: .hours(1)))
            _ = try await database.user("new@example.com")
            let there = "SELECT email::text FROM auth.users ORDER BY email"
            #expect(try database.sql(there) == ["goes-on@example.com", "new@example.com", "signs-in@example.com"])
            #expect(try database.sql("SELECT count(*)::text FROM auth.sessions") == ["2"])

            for _ in 0..<1_000 { release.signal() }
            try await installed
            #expect(try database.sql(there).count == 4)
            #expect(try await database.store.mirrorFault() == nil)
            try await database.requireAgreement()
        }
    }

    @Test("R25 A filling that is killed between two turns is gone on with by the next server, and writes nobody twice")
    func killed() async throws {
        try await MirroredDatabase.with { database in
            let mirror = try await database.mirror()
            for number in 0..<5 { _ = try await database.user("\(number)@example.com") }
            try await database.forget()
            _ = try database.sql("DELETE FROM public.seen RETURNING 'gone'")
            let connection = try database.installer()
            let server = try connection.query("SELECT pg_backend_pid()", []) { try $0.integer(0) }
            let process = try #require(server.first)
            var turns = 0
            #expect(throws: AuthError(.unavailable)) {
                try mirror.install(connection) { fill in
                    var fill = fill
                    (fill.looked, fill.written) = (2, 1)
                    fill.betweenTurns = {
                        turns += 1
                        // A look, two users, and before the next look.
                        if turns == 4 { _ = try database.sql("SELECT pg_terminate_backend(\(process))::text") }
                    }
                    return fill
                }
            }
            #expect(turns == 4)
            #expect(try database.sql("SELECT count(*)::text FROM auth.users") == ["2"])
            #expect(try await database.store.mirrorFault()?.contains("auth has not all") == true)
            try database.open().close()
            #expect(try await database.store.mirrorFault() == nil)
            #expect(try database.sql("SELECT act FROM public.seen") == Array(repeating: "INSERT", count: 5))
            try await database.requireAgreement()
        }
    }

    @Test(
        "R25 A filling in turns leaves what one under locks leaves, and ends sessions that are none of ours as that does"
    )
    func same() async throws {
        try await MirroredDatabase.with { database in
            let (world, mirror) = (database.world, try await database.mirror())
            let stays = try await database.user("stays@example.com")
            for number in 0..<5 {
                let user = try await database.user("\(number)@example.com") { $0.userMetadata = ["number": 1] }
                let factor = Factor(
                    id: world.ports[0].random.identifier(), directoryID: database.directory.id, userID: user.id,
                    credential: .totp(Secret([1, 2, 3])), verifiedAt: Processes.now, createdAt: Processes.now)
                try await database.store.write { try $0.insert(factor) }
            }
            for number in 5..<8 {
                try await world.user("\(number)@example.com")
                for _ in 0..<2 { _ = try await world.signIn("\(number)@example.com", at: 0) }
            }
            /// All rows there, after `fill` from the same beginnings.
            func rows(_ fill: @escaping @Sendable (PostgresConnection) throws -> Void) async throws -> [String?] {
                try await database.forget(but: stays)
                for place in 1...3 {
                    try database.write(
                        """
                        INSERT INTO auth.sessions (id, user_id)
                        VALUES ('00000000-0000-4000-8000-00000000000\(place)', '\(stays.id.rawValue)')
                        """)
                }
                try await database.store.withOwnTransactions(fill)
                try await database.requireAgreement()
                return try ["users", "identities", "sessions", "mfa_factors"].flatMap { table in
                    try database.sql("SELECT to_jsonb(rows)::text FROM auth.\(table) rows ORDER BY id")
                }
            }
            let locked = try await rows { try mirror.install($0, locking: [], where: { true }) }
            let turned = try await rows { connection in
                try mirror.install(connection) { fill in
                    var fill = fill
                    (fill.looked, fill.written) = (2, 1)
                    return fill
                }
            }
            #expect(locked == turned)
            let sessions = try database.sql("SELECT count(*)::text FROM auth.sessions")
            let factors = try database.sql("SELECT count(*)::text FROM auth.mfa_factors")
            #expect(sessions == ["6"] && factors == ["5"])
        }
    }

    @Test("R25 Whoever is changed or deleted in the midst of a filling is there as they are, or is not")
    func race() async throws {
        try await MirroredDatabase.with { database in
            let (id, mirror) = (database.directory.id, try await database.mirror())
            var users: [User] = []
            for number in 0..<16 { users.append(try await database.user("\(number)@example.com")) }
            try await database.forget()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await database.store.withOwnTransactions { connection in
                        try mirror.install(connection) { fill in
                            var fill = fill
                            (fill.looked, fill.written) = (3, 2)
                            return fill
                        }
                    }
                }
                for (number, user) in users.enumerated() {
                    group.addTask {
                        try await database.store.write { tx in
                            guard number % 4 > 0 else { return _ = try tx.deleteUser(user.id, in: id) }
                            var changed = user
                            changed.email = try EmailAddress("\(number)@example.org")
                            _ = try tx.update(changed)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try database.sql("SELECT email::text FROM auth.users WHERE email LIKE '%.org'").count == 12)
            try await database.requireAgreement()
        }
    }

    @Test(
        "R25 A row that an app's trigger keeps out is named, and once it is mended the next server goes on with the filling"
    )
    func refused() async throws {
        try await MirroredDatabase.with { database in
            try await database.store.removeMirror()
            _ = try await database.user("ada@example.com")
            let eve = try await database.user("eve@refused.example")
            _ = try await database.user("zoe@example.com")
            let error = await #expect(throws: AuthError(.changeRefused)) {
                try await database.store.installMirror(
                    namespace: "auth", of: database.directory.id, dialect: DialectName("elsewhere"))
            }
            #expect(error?.reason?.contains("auth, user \(eve.id.rawValue)") == true, "\(error?.reason ?? "")")
            #expect(throws: AuthError(.changeRefused)) { try database.open().close() }
            try await database.store.write { tx in
                var mended = eve
                mended.email = try EmailAddress("eve@example.com")
                _ = try tx.update(mended)
            }
            try database.open().close()
            #expect(try database.sql("SELECT count(*)::text FROM auth.users") == ["3"])
            #expect(try await database.store.mirrorFault() == nil)
            try await database.requireAgreement()
        }
    }

    @Test("R25 So is a row with a text that no column there takes, by the next server too")
    func unwritable() async throws {
        try await MirroredDatabase.with { database in
            try await database.store.removeMirror()
            _ = try await database.user("ada@example.com")
            let eve = try await database.user("eve@example.com") { $0.userMetadata = ["name": "\u{0}"] }
            _ = try await database.user("zoe@example.com")
            let named = "auth, user \(eve.id.rawValue)"
            let error = await #expect(throws: AuthError(.changeRefused)) {
                try await database.store.installMirror(
                    namespace: "auth", of: database.directory.id, dialect: DialectName("elsewhere"))
            }
            #expect(error?.reason?.contains(named) == true, "\(error?.reason ?? "")")
            let refusal = #expect(throws: AuthError(.changeRefused)) { try database.open().close() }
            #expect(refusal?.reason?.contains(named) == true, "\(refusal?.reason ?? "")")
            try await database.store.write { tx in
                var mended = eve
                mended.userMetadata = [:]
                _ = try tx.update(mended)
            }
            try database.open().close()
            #expect(try database.sql("SELECT count(*)::text FROM auth.users") == ["3"])
            try await database.requireAgreement()
        }
    }

    @Test("R25 A server whose role may not write there says so, and what mends it, where a filling was cut short")
    func fromOutside() async throws {
        try await MirroredDatabase.with { database in
            try database.write(try await database.mirror().word(isFilled: false))
            let connection = try database.connection()
            try connection.commands(["GRANT USAGE ON SCHEMA latchkey TO pg_monitor", "SET ROLE pg_monitor"])
            let error = #expect(throws: AuthError(.unavailable)) {
                try PostgresMigrator(schema: "latchkey").renewMirror(connection)
            }
            #expect(error?.reason?.contains("latchkey database mirror --install") == true, "\(error?.reason ?? "")")
            // Nor is anything handed back that is not all there.
            await #expect(throws: AuthError(.conflict)) {
                try await database.store.handBack(password: { _ in nil }, factor: { _ in nil })
            }
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
