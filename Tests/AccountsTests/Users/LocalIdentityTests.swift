// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// Identities that follow from the user, as those of users who were taken over do.
@Suite struct LocalIdentityTests {
    /// Somebody who was imported with an address, a number and a provider.
    private static func imported(_ bench: PasswordBench, _ more: String = "") async throws -> User {
        let line = """
            {"id":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","email":"a@example.com","phone":"+491701234567",
            "email_verified_at":"2020-01-01T00:00:00Z","phone_verified_at":"2020-01-01T00:00:00Z",
            "created_at":"2019-01-01T00:00:00Z"\(more)}
            """
        var lines = [line.split(separator: "\n").joined()]
        let summary = try await UserImport(store: bench.store, random: bench.ports.random, dialects: []).run(
            into: bench.base.directory, at: bench.now, nextLine: { lines.popLast() })
        #expect(summary.imported == 1)
        let id = bench.base.directory.id
        return try #require(
            try await bench.store.read { try $0.user(UserID("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"), in: id) })
    }

    private static func stored(_ bench: PasswordBench, _ user: User) async throws -> [Identity] {
        try await bench.store.read { try $0.identities(of: user.id, in: user.directoryID) }
    }

    private static func all(_ bench: PasswordBench, _ user: User) async throws -> [Identity] {
        try await bench.store.read { try LocalIdentities.all(of: user, $0) }
    }

    @Test(
        "R10.5 an imported user is known by address and number, and these stay the same identities when they get a row")
    func stays() async throws {
        let bench = try await PasswordBench()
        let user = try await Self.imported(bench)
        #expect(try await Self.stored(bench, user).isEmpty)
        let before = try await Self.all(bench, user)
        #expect(before.map(\.provider) == ["email", "phone"])
        #expect(before.allSatisfy { $0.subject == user.id.rawValue && $0.createdAt == user.createdAt })
        #expect(before.first?.data["email"] == "a@example.com" && before.first?.data["email_verified"] == true)
        #expect(before.last?.data["phone"] == "491701234567" && before.last?.data["phone_verified"] == true)
        #expect(Set(before.map(\.id)).count == 2)

        // A sign-in by one of them is kept, and the other is as it was.
        let call = bench.call(after: .hours(1))
        let proof = SignInProof(.password, at: call.now, identifier: .phone(try PhoneNumber("+491701234567")))
        let issued = try await bench.ports.write(call) { step in
            try SessionIssuer(step).conclude(proof, of: user).get().session()
        }
        #expect(issued.identities.map(\.id) == before.map(\.id))
        #expect(try await Self.stored(bench, user).map(\.provider) == ["phone"])
        let after = try await Self.all(bench, user)
        #expect(Set(after.map(\.id)) == Set(before.map(\.id)))
        #expect(after.first { $0.provider == "phone" }?.lastSignInAt == call.now)
        #expect(after.first { $0.provider == "email" }?.lastSignInAt == nil)
        _ = try await bench.ports.write(bench.call(after: .hours(2))) { step in
            try SessionIssuer(step).conclude(proof, of: try step.tx.liveUser(user.id, in: step.directory)).get()
                .session()
        }
        #expect(try await Self.stored(bench, user).map(\.lastSignInAt) == [bench.now + .hours(2)])
    }

    @Test(
        "R10.5 a change of what an identity follows from is its change, and what is taken away is not known by any more"
    )
    func follows() async throws {
        let bench = try await PasswordBench()
        let user = try await Self.imported(
            bench, #","identities":[{"provider":"google","subject":"g-1","created_at":"2019-01-01T00:00:00Z"}]"#)
        let before = try await Self.all(bench, user)
        #expect(before.map(\.provider) == ["email", "phone", "google"])
        var call = bench.call(after: .hours(1))
        call.actor = .administrator("test")
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("b@example.com")
        attributes.removes = [.phone, .identity(provider: "email")]
        let changed = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
        let email = try #require(changed.identities.first { $0.provider == "email" })
        #expect(email.id == before.first?.id && email.createdAt == user.createdAt && email.updatedAt == call.now)
        #expect(email.data["email"] == "b@example.com")
        #expect(Set(changed.identities.map(\.provider)) == ["email", "google"])
        let names = changed.user.appMetadata["providers"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(names) == ["email", "google"] && names.count == 2)

        attributes = UserAttributes()
        attributes.phone = try PhoneNumber("+491709999999")
        let again = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
        #expect(again.identities.first { $0.provider == "phone" }?.createdAt == call.now)
    }

    @Test("R10.5 an export says of an imported user what it would of one who has rows, and its import is the same user")
    func transfers() async throws {
        let bench = try await PasswordBench()
        let user = try await Self.imported(bench)
        var lines: [String] = []
        _ = try await UserExport(store: bench.store).run(from: bench.base.directory) { lines.append($0) }
        let line = try #require(lines.first)
        #expect(line.contains(#""provider":"email","subject":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa""#), "\(line)")
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        var rest = lines
        _ = try await UserImport(store: bench.store, random: bench.ports.random, dialects: []).run(
            into: other, at: bench.now, nextLine: { rest.popLast() })
        var again: [String] = []
        _ = try await UserExport(store: bench.store).run(from: other) { again.append($0) }
        #expect(again == lines)
        // The same user elsewhere is another's identity.
        let copy = try #require(try await bench.store.read { try $0.user(user.id, in: other.id) })
        let theirs = Set(try await Self.all(bench, user).map(\.id))
        #expect(theirs.isDisjoint(with: try await Self.all(bench, copy).map(\.id)))
        // Also of one who is called otherwise there.
        let moved = line.replacing(user.id.rawValue, with: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
            .replacing(#""subject":"bbbbbbbb"#, with: #""subject":"aaaaaaaa"#)
            .replacing("a@example.com", with: "c@example.com").replacing("491701234567", with: "491701234568")
        var last = [moved]
        let summary = try await UserImport(store: bench.store, random: bench.ports.random, dialects: []).run(
            into: bench.base.directory, at: bench.now, nextLine: { last.popLast() })
        #expect(summary.imported == 1)
        let newcomer = UserID("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
        let found = try await bench.store.read { try $0.identities(of: newcomer, in: user.directoryID) }
        #expect(found.count == 2 && found.allSatisfy { $0.subject == newcomer.rawValue })
    }

    @Test("R10.5 nobody is imported with a provider's identity that passes for one by an address")
    func providers() throws {
        for name in ["email", "phone"] {
            let error = #expect(throws: AuthError.self) {
                try GivenIdentity(name: name, subject: "x", data: [:])
            }
            #expect(error?.field == "identities")
        }
    }
}
