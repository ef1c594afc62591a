// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// Imported hashes of another kind or cost must not tell by time whose they are.
@Suite struct ForeignHashTests {
    private func bench() async throws -> PasswordBench {
        let bench = try await PasswordBench()
        try await bench.user("own@example.com")
        try await bench.user("imported@example.com") {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password, isOld: true)
        }
        try await bench.user("passwordless@example.com") { $0.passwordHash = nil }
        return bench
    }

    @Test("R8.11 while a Directory holds another form, every attempt costs one of it and one of today's")
    func alike() async throws {
        let bench = try await bench()
        for name in ["unknown", "own", "imported", "passwordless"] {
            await #expect(throws: AuthError(.invalidCredentials)) {
                try await bench.signIn("\(name)@example.com", password: "Wrong-Horse-7")
            }
        }
        #expect(bench.passwords.work.count == 4 && Set(bench.passwords.work).count == 1)
        #expect(bench.passwords.work.first?.count == 2)
        // The last one of the form has signed in: from now on nobody pays for it.
        try await bench.signIn("imported@example.com")
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await bench.signIn("unknown@example.com", password: "Wrong-Horse-7")
        }
        #expect(bench.passwords.work.last?.count == 1)
    }

    @Test("R8.11 an administrator's hash of one form too many is refused: every attempt would cost it")
    func bounded() async throws {
        let bench = try await PasswordBench()
        var call = bench.call()
        call.actor = .commandLine
        func create(_ number: Int, cost: Int) async throws {
            var attributes = UserAttributes()
            attributes.email = try EmailAddress("u\(number)@example.com")
            attributes.passwordHash = try PasswordHash(
                "$2b$\(cost < 10 ? "0" : "")\(cost)$" + String(repeating: "C", count: 21)
                    + ".E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
            _ = try await UserAdministration(bench.ports).create(attributes, call: call)
        }
        for cost in 4...11 { try await create(cost, cost: cost) }
        let refused = await bench.error { try await create(12, cost: 12) }
        #expect(refused?.code == .invalidRequest && refused?.field == "password_hash")
        try await create(13, cost: 7)
    }
}
