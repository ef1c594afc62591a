// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

@Suite("DemoData")
struct DemoDataTests {
    static let password = Secret("Tr1cky-Enough-Phrase")

    @Test("The demo user is confirmed and has 250 activities of the past")
    func makes() async throws {
        let bench = try await Bench.make()
        let made = try await DemoData(bench.ports).make(
            email: EmailAddress("demo@example.com"), password: Self.password, call: bench.call())
        #expect(made.isNewUser && made.activitiesAdded == 250)
        #expect(made.user.emailVerifiedAt != nil)
        let stored = try await bench.ports.store.read {
            try $0.activities(
                of: made.user.id, in: made.user.directoryID, matching: ActivityFilter(), after: nil, limit: 1000)
        }
        #expect(stored.count == 250)
        #expect(stored.allSatisfy { $0.at < bench.now && $0.durationSeconds >= 900 && !$0.description.isEmpty })
        #expect(Set(stored.map(\.type)).count == 6)
    }

    @Test("Run again, it adds nothing, keeps the password it was given last and leaves the sessions of the same one")
    func idempotent() async throws {
        let bench = try await Bench.make()
        let demo = DemoData(bench.ports)
        let email = try EmailAddress("demo@example.com")
        let first = try await demo.make(email: email, password: Self.password, call: bench.call())
        let session = try await bench.openSession(of: first.user)
        let later = bench.call(at: bench.now + .days(3))
        let second = try await demo.make(email: email, password: Self.password, call: later)
        #expect(!second.isNewUser && second.activitiesAdded == 0)
        #expect(second.user.passwordHash == first.user.passwordHash)
        let other = Secret("An0ther-Enough-Phrase")
        let third = try await demo.make(email: email, password: other, call: later)
        #expect(third.activitiesAdded == 0)
        let verdict = try await bench.ports.passwords.verify(other, against: third.user.passwordHash)
        #expect(verdict != .mismatch)
        let ended = try await bench.ports.store.read { try $0.session(session, in: first.user.directoryID) }
        #expect(ended?.revocation == .passwordChanged)
    }

    @Test("The same seed gives the same activities, another seed others")
    func deterministic() {
        let now = Instant(seconds: 1_800_000_000)
        func make(_ seed: UInt64) -> [Activity] {
            DemoActivities(seed: seed, user: UserID("u"), directory: DirectoryID("d")).make(before: now)
        }
        #expect(make(1) == make(1))
        #expect(Set(make(1).map(\.id)).isDisjoint(with: make(2).map(\.id)))
        #expect(Set(make(1).map(\.id)).count == 250)
        #expect(make(1).allSatisfy { UUIDText.isIdentifier($0.id.rawValue) })
    }

    @Test("A real user's account is never turned into a demo")
    func realUser() async throws {
        let bench = try await Bench.make()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        let user = try await UserAdministration(bench.ports).create(attributes, call: bench.call()).user
        await #expect(throws: AuthError(.emailExists)) {
            try await DemoData(bench.ports).make(
                email: EmailAddress("ada@example.com"), password: Self.password, call: bench.call())
        }
        let after = try await UserAdministration(bench.ports).get(user.id, call: bench.call())
        #expect(after.user.passwordHash == nil && after.user.version == user.version)
    }
}
