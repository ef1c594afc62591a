// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import TestBench
import Testing

@testable import Accounts

@Suite("G-10.4 An account is deleted at its user's wish") struct DeleteAccountTests {
    private static let grace: Int64 = 7 * 86_400

    private func graceful(_ settings: inout DirectorySettings) { settings.deletion.grace = Self.grace }

    private func delete(
        _ issued: IssuedSession, asksForProof: Bool = true, _ bench: PasswordBench, at call: CallContext
    ) async throws -> DeleteAccount.Outcome {
        var call = call
        call.actor = .user(issued.user.id)
        return try await DeleteAccount(bench.ports)(
            try await bench.authenticated(issued, at: call), asksForProof: asksForProof, call: call)
    }

    private func stored(_ user: User, _ bench: PasswordBench) async throws -> User? {
        try await bench.store.read { try $0.user(user.id, in: user.directoryID) }
    }

    private func mails(_ kind: MailKind, _ bench: PasswordBench) async throws -> [OutboxMessage] {
        try await bench.base.messages().filter { $0.kind == kind.rawValue }
    }

    @Test("G-10.3 a session is not enough five minutes after its user proved who they are, where the dialect asks")
    func recently() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let issued = try await bench.signIn()
        let late = bench.call(after: .seconds(301))
        for (asks, call) in [
            (true, late), (false, bench.call(after: .seconds(301)) { $0.deletion.reauthentication = .always }),
        ] {
            await #expect(throws: AuthError(.reauthenticationNeeded)) {
                _ = try await delete(issued, asksForProof: asks, bench, at: call)
            }
        }
        #expect(try await stored(issued.user, bench)?.deletedAt == nil)
        #expect(try await delete(issued, bench, at: bench.call(after: .seconds(300))) == .deleted)
        #expect(try await stored(issued.user, bench)?.deletedAt != nil)
        #expect(try await mails(.accountDeleted, bench).count == 1)
    }

    @Test("G-10.3 whoever has a second factor shows it first")
    func factor() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.open()
        let weak = try await bench.base.authenticated(try await bench.base.signIn(at: call), at: call)
        let delete = DeleteAccount(bench.ports)
        let explain = ExplainDeletion(bench.ports)
        #expect(try await explain(weak, asksForProof: true, call: call).needsSecondFactor)
        await #expect(throws: AuthError(.insufficientAssurance)) {
            try await delete(weak, asksForProof: true, call: call)
        }
        // A session of some minutes ago that has just shown the factor is as recent as that.
        let raised = try await StepUp(bench.ports)(owner.proof(at: call), of: weak, call: call)
        let strong = try await bench.base.authenticated(raised, at: call)
        let explanation = try await explain(strong, asksForProof: true, call: call)
        #expect(!explanation.needsSecondFactor && !explanation.needsRecentSignIn && explanation.factors == 1)
        #expect(try await delete(strong, asksForProof: true, call: call) == .deleted)
    }

    @Test("G-10.4 in the time of grace nobody is in, and signing in keeps the account; both are told")
    func undone() async throws {
        let bench = try await PasswordBench()
        try await bench.user(phone: "+41791234567")
        let (issued, other) = (try await bench.signIn(), try await bench.signIn())
        let call = bench.call(graceful)
        let due = bench.now + .seconds(Self.grace)
        let authenticated = try await bench.authenticated(issued)
        let explanation = try await ExplainDeletion(bench.ports)(authenticated, asksForProof: true, call: call)
        #expect(explanation.graceSeconds == Self.grace && explanation.sessions == 2)
        #expect(try await delete(issued, bench, at: call) == .due(due))

        for session in [issued, other] {
            await #expect(throws: AuthError(.refreshTokenNotFound)) {
                _ = try await bench.refresh(session.refreshToken, at: bench.call(after: .seconds(1), graceful))
            }
            await #expect(throws: AuthError(.sessionNotFound)) { _ = try await bench.authenticated(session) }
        }
        let leaving = try #require(try await stored(issued.user, bench))
        #expect(leaving.deletionDueAt == due && leaving.email != nil && leaving.deletedAt == nil)
        let scheduled = try await mails(.deletionScheduled, bench)
        // By mail and by text message.
        #expect(scheduled.count == 2)
        #expect(scheduled.allSatisfy { $0.text.contains(due.minute) })

        let later = bench.call(after: .seconds(Self.grace - 1), graceful)
        // A wrong password is nobody's sign-in.
        await #expect(throws: AuthError(.invalidCredentials)) {
            _ = try await bench.signIn(password: "Wrong-Horse-7", at: later)
        }
        #expect(try await stored(issued.user, bench)?.deletionDueAt == due)
        _ = try await bench.signIn(at: later)
        #expect(try await stored(issued.user, bench)?.deletionDueAt == nil)
        #expect(try await mails(.deletionCancelled, bench).count == 2)
        #expect(try await bench.base.events(.deletionRequested).count == 1)
        #expect(try await bench.base.events(.deletionCancelled).count == 1)

        let deletions = DueDeletions(bench.ports, links: PlainLinks())
        #expect(try await deletions.pass(at: bench.now + .seconds(2 * Self.grace)) == 0)
        #expect(try await stored(issued.user, bench)?.email != nil)
    }

    @Test("G-10.4 once the time of grace is over the account is deleted, in the language of its user, and not before")
    func due() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        try await bench.user("other@example.com")
        let issued = try await bench.signIn()
        let id = issued.user.id
        try await bench.store.write { tx in
            try tx.upsert(
                Profile(
                    userID: id, directoryID: issued.user.directoryID, name: "A", locale: "de-CH", updatedAt: bench.now))
        }
        _ = try await delete(issued, bench, at: bench.call(graceful))
        let deletions = DueDeletions(bench.ports, links: PlainLinks())
        let due = bench.now + .seconds(Self.grace)
        #expect(try await deletions.pass(at: due - .seconds(1)) == 0)
        #expect(try await deletions.pass(at: due) == 1)
        #expect(try await deletions.pass(at: due) == 0)
        let left = try #require(try await stored(issued.user, bench))
        #expect(left.deletedAt == due && left.email == nil && left.deletionDueAt == nil)
        await #expect(throws: AuthError(.invalidCredentials)) {
            _ = try await bench.signIn(at: bench.call(after: .seconds(Self.grace + 1), graceful))
        }
        let told = try #require(try await mails(.accountDeleted, bench).first)
        #expect(told.subject.contains("gelöscht"))
        #expect(try await bench.signIn("other@example.com").user.deletionDueAt == nil)
    }

    @Test("G-10.4 who could not sign in again is given no time to")
    func anonymous() async throws {
        let bench = try await PasswordBench { $0.signUp.anonymousEnabled = true }
        let call = bench.call { settings in
            graceful(&settings)
            settings.signUp.anonymousEnabled = true
        }
        let issued = try await AnonymousSignUp(bench.ports)(userMetadata: [:], call: call).session()
        #expect(try await delete(issued, bench, at: call) == .deleted)
    }

    @Test("G-10.4 two ask at once: one deletes, and nobody hears of it twice")
    func race() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let issued = try await bench.signIn()
        let call = bench.call()
        let authenticated = try await bench.authenticated(issued)
        let flow = DeleteAccount(bench.ports)
        let deleted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (try? await flow(authenticated, asksForProof: true, call: call)) == .deleted }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(deleted == 1)
        #expect(try await mails(.accountDeleted, bench).count == 1)
        #expect(try await bench.base.events(.userDeleted).count == 1)
    }
}
