// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import TestBench
import Testing

@testable import Accounts

@Suite("G-10.4 An operator deletes an account at its user's wish") struct DeletionAdministrationTests {
    private func operators(_ bench: PasswordBench, after span: TimeSpan = .zero) -> CallContext {
        bench.call(after: span).with { $0.actor = .commandLine }
    }

    private func stored(_ user: User, _ bench: PasswordBench) async throws -> User? {
        try await bench.store.read { try $0.user(user.id, in: user.directoryID) }
    }

    private func mails(_ kind: MailKind, _ bench: PasswordBench) async throws -> Int {
        try await bench.base.messages().count { $0.kind == kind.rawValue }
    }

    @Test(
        "G-10.4 the user is out and told, has the grace that was given, and is found in the list until they come back")
    func requested() async throws {
        let bench = try await PasswordBench()
        let (user, other) = (try await bench.user(), try await bench.user("b@example.com"))
        let issued = try await bench.signIn()
        let (administration, call) = (DeletionAdministration(bench.ports), operators(bench))
        // A Directory without a grace gives none: at once is another command.
        #expect(await bench.error { _ = try await administration.request(user.id, call: call) }?.field == "grace")
        #expect(try await stored(user, bench)?.deletionDueAt == nil)

        let due = try await administration.request(user.id, grace: .days(7), call: call)
        #expect(due == bench.now + .days(7))
        #expect(try await administration.request(user.id, grace: .days(1), call: call) == due)
        _ = try await administration.request(other.id, grace: .days(3), call: call)
        #expect(try await administration.list(limit: 9, call: call).map(\.id) == [other.id, user.id])
        #expect(try await administration.list(limit: 1, call: call).map(\.id) == [other.id])
        #expect(try await bench.session(issued).revokedAt != nil)
        #expect(try await mails(.deletionScheduled, bench) == 2)

        #expect(try await administration.undo(other.id, call: call))
        #expect(try await !administration.undo(other.id, call: call))
        #expect(try await mails(.deletionCancelled, bench) == 1)
        _ = try await bench.signIn()
        #expect(try await administration.list(limit: 9, call: call).isEmpty)
        #expect(try await DueDeletions(bench.ports, links: PlainLinks()).pass(at: due) == 0)
    }

    @Test("G-10.4 at once it is over, the owner is told, and the log says that an operator did it")
    func now() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        try await DeletionAdministration(bench.ports).deleteNow(user.id, call: operators(bench))
        #expect(try await stored(user, bench)?.deletedAt != nil)
        #expect(try await mails(.accountDeleted, bench) == 1)
        let event = try #require(try await bench.base.events(.userDeleted).first)
        #expect(event.details["by"] == "operator")
        let again = await bench.error {
            try await DeletionAdministration(bench.ports).deleteNow(user.id, call: operators(bench))
        }
        #expect(again?.code == .userNotFound)
    }

    @Test("G-10.4 no user does what an operator does")
    func forbidden() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let call = bench.call().with { $0.actor = .user(user.id) }
        let administration = DeletionAdministration(bench.ports)
        let refusals = [
            await bench.error { _ = try await administration.request(user.id, grace: .days(1), call: call) },
            await bench.error { _ = try await administration.undo(user.id, call: call) },
            await bench.error { try await administration.deleteNow(user.id, call: call) },
            await bench.error { _ = try await administration.list(limit: 1, call: call) },
        ]
        #expect(refusals.map { $0?.code } == Array(repeating: .forbidden, count: 4))
    }
}
