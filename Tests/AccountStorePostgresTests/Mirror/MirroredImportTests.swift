// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import AccountStorePostgres

@Suite("Users who are imported beside another server's tables", .postgres, .timeLimit(.minutes(5)))
struct MirroredImportTests {
    @Test(
        "R9.12 a line that an app's trigger or a column refuses is told of by its number, and the others are imported")
    func refused() async throws {
        try await MirroredDatabase.with { database in
            let addresses = ["a@example.com", "eve@refused.example", "b@example.com", "c@example.com", "d@example.com"]
            var lines = addresses.enumerated().map { index, email in
                #"{"id": "aaaaaaaa-aaaa-4aaa-8aaa-00000000000\#(index)", "email": "\#(email)"}"#
            }
            // Of which that server's `jsonb` makes nothing.
            lines[3] = lines[3].replacing("}", with: #", "user_metadata": {"name": "\u0000"}}"#)
            var rest = lines[...]
            var faults: [UserImport.Fault] = []
            let ports = database.world.ports[0]
            let summary = try await UserImport(store: database.store, random: ports.random, dialects: []).run(
                into: database.directory, at: Processes.now, nextLine: { rest.popFirst() },
                fault: { faults.append($0) })
            #expect(summary.imported == 3 && summary.faults == 2)
            #expect(faults.map(\.line) == [2, 4])
            #expect(faults.first?.error.code == .changeRefused)
            let there = try database.sql("SELECT email::text FROM auth.users ORDER BY email")
            #expect(there == ["a@example.com", "b@example.com", "d@example.com"])
            try await database.requireAgreement()
        }
    }

    @Test("R9.12 so are users of one call by their places, and the others are taken over or written over")
    func refusedOfACall() async throws {
        try await MirroredDatabase.with { database in
            func user(_ number: Int, _ email: String) throws -> ImportedUser {
                var user = ImportedUser(
                    identifier: try ExternalIdentifier("aaaaaaaa-aaaa-4aaa-8aaa-00000000000\(number)"))
                user.email = try EmailAddress(email)
                return user
            }
            let ports = database.world.ports[0]
            var call = database.world.call()
            call.actor = .commandLine
            call.dialect = DialectName("elsewhere")
            func importing(_ addresses: [String]) async throws -> [Int: AuthError] {
                var users = try addresses.enumerated().map { (place: $0, user: try user($0, $1)) }
                // Of which that server's `jsonb` makes nothing.
                users[3].user.userMetadata = ["name": "\u{0}"]
                return try await ImportUsers(ports)(users, overwrites: true, call: call)
            }
            let refused = try await importing([
                "a@example.com", "eve@refused.example", "b@example.com", "c@example.com", "d@example.com",
            ])
            #expect(refused.keys.sorted() == [1, 3] && refused[1]?.code == .changeRefused, "\(refused)")
            let again = try await importing([
                "a2@example.com", "eve@refused.example", "b2@example.com", "c@example.com", "d2@example.com",
            ])
            #expect(again.keys.sorted() == [1, 3] && again[1]?.code == .changeRefused, "\(again)")
            let there = try database.sql("SELECT email::text FROM auth.users ORDER BY email")
            #expect(there == ["a2@example.com", "b2@example.com", "d2@example.com"])
            try await database.requireAgreement()
        }
    }
}
