// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import TestBench
import Testing

@testable import Accounts

/// Who has lost the second factors waits, and signs in (ADR 0075).
@Suite("G-9.8 Recovery by a waiting time") struct FactorRecoveryTests {
    private static let wait: Int64 = 7 * 86_400
    private static let window: Int64 = 86_400

    private func bench(
        hooks: Hooks = Hooks(), _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws -> FactorBench {
        try await FactorBench(hooks: hooks) { settings in
            settings.factors.recoveryWait = Self.wait
            settings.factors.recoveryWindow = Self.window
            change(&settings)
        }
    }

    private func begin(_ bench: FactorBench, at call: CallContext? = nil) async throws -> FactorRecovery {
        let call = call ?? bench.call()
        return try await RecoverFactors(bench.ports).begin(for: try await bench.ticket(at: call), call: call)
    }

    private func mails(_ kind: MailKind, _ bench: FactorBench) async throws -> [OutboxMessage] {
        try await bench.base.base.messages().filter { $0.kind == kind.rawValue }
    }

    private func stored(_ bench: FactorBench, _ user: User) async throws -> FactorRecovery? {
        try await bench.base.store.read { try $0.factorRecovery(of: user.id, in: user.directoryID) }
    }

    private func after(_ seconds: Int64, _ bench: FactorBench) -> CallContext { bench.call(after: .seconds(seconds)) }

    @Test(
        "G-9.8 nothing changes until the wait is over; then a sign-in removes the factors, once, and every session ends"
    )
    func whole() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await UserBackupCodes(bench.ports).make(for: owner.session, call: bench.call())
        let recovery = try await begin(bench)
        let due = bench.base.now + .seconds(Self.wait)
        #expect(recovery.dueAt == due && recovery.endsAt == due + .seconds(Self.window))
        let begun = try #require(try await mails(.factorRecoveryBegun, bench).first)
        #expect(begun.recipient == "a@example.com" && begun.text.contains(due.minute) && begun.link != nil)

        #expect(try await bench.next(at: after(Self.wait - 1, bench)).pendingStep == .secondFactor)
        #expect(try await bench.factors(of: owner.user).count == 1)
        let first = try await bench.next(at: after(Self.wait, bench))
        #expect(first.pendingStep == nil && first.issued?.session.assurance == .aal1)
        #expect(try await bench.factors(of: owner.user).isEmpty)
        let codes = try await UserBackupCodes(bench.ports).find(of: owner.user.id, call: bench.call())
        #expect(codes == nil)
        #expect(try await bench.stored(owner.issued.session).revokedAt != nil)
        #expect(try await mails(.factorRecoveryDone, bench).count == 1)
        let events = try await bench.base.base.events(.factorsRecovered)
        #expect(events.count == 1 && events.first?.details["factors"] == 1)
        #expect(try await bench.base.base.events(.factorRecoveryRequested).count == 1)
        // It is over: whatever is set up next is asked for.
        #expect(try await stored(bench, owner.user) == nil)
        let session = try #require(first.issued?.session)
        _ = try await bench.next(at: after(Self.wait + 1, bench))
        #expect(try await bench.stored(session).revokedAt == nil)
        #expect(try await bench.base.base.events(.factorsRecovered).count == 1)
    }

    @Test("G-9.8 with the factors ends whatever could open a session, and what was wished for")
    func ending() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await begin(bench)
        let before = after(Self.wait - 60, bench)
        try await RequestMagicLink(bench.ports)(EmailAddress("a@example.com"), call: before)
        let sent = try await bench.base.base.messages(to: "a@example.com").first { $0.kind == "magic_link" }
        let link = try #require(sent?.tokenHash)
        let waiting = try await bench.ticket(at: before)
        try await bench.base.write(owner.user) { $0.pendingPhone = try PhoneNumber("+4915112345678") }
        let former = try await bench.base.base.reload(owner.user)
        let call = after(Self.wait, bench)
        #expect(try await bench.next(at: call).pendingStep == nil)
        let user = try await bench.base.base.reload(owner.user)
        #expect(user.pendingPhone == nil && user.tokensValidSince == Instant(seconds: call.now.seconds))
        #expect(user.endedCodes == former.endedCodes + 1)
        #expect(
            await bench.refusal {
                _ = try await VerifyProof(bench.ports)(.linkToken(link), purposes: [.magicLink], call: call)
            } == .oneTimeTokenInvalid)
        #expect(
            await bench.refusal {
                _ = try await UserFactors(bench.ports).choices(for: waiting, call: call)
            } == .invalidCredentials)
    }

    @Test("G-9.8 a code that a link has become signs in at the end of the wait as any sign-in does, and once")
    func byCode() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await begin(bench)
        let call = after(Self.wait, bench)
        let verifier = String(repeating: "v", count: 64)
        try await bench.base.store.write { tx in
            try tx.insert(
                AuthorizationCode(
                    id: FlowStateID("code"), directoryID: owner.user.directoryID, userID: owner.user.id,
                    codeHash: OneTimeToken.hash(link: "code"),
                    request: AuthorizationRequest(challenge: CodeChallenge(for: verifier)),
                    methods: [AuthenticationMethod(.magicLink, at: call.now)], createdAt: call.now,
                    expiresAt: call.now + .minutes(1)))
        }
        func exchange() async throws -> SignInStep {
            try await ExchangeCode(bench.ports)(code: "code", verifier: verifier, call: call)
        }
        let session = try #require(try await exchange().issued?.session)
        #expect(try await bench.stored(session).revokedAt == nil)
        #expect(try await bench.factors(of: owner.user).isEmpty)
        #expect(await bench.refusal { _ = try await exchange() } == .flowStateNotFound)
    }

    @Test("R14.6 the app's backend hears that somebody waits, that it was stopped and by what, and that factors went")
    func events() async throws {
        let hooks = Hooks(subscriptions: [
            EventSubscription(
                name: "backend", directory: "default",
                events: [.recoveryRequested, .recoveryStopped, .recoveryDone, .factorRemoved], secrets: [],
                caller: HookReceiver())
        ])
        let bench = try await bench(hooks: hooks)
        let owner = try await bench.owner()
        let recovery = try await begin(bench)
        let call = after(60, bench)
        _ = try await AnswerFactor(bench.ports)(try await bench.ticket(at: call), owner.proof(at: call), call: call)
        _ = try await begin(bench, at: after(120, bench))
        #expect(try await bench.next(at: after(Self.wait + 120, bench)).pendingStep == nil)
        let owed = try await bench.base.store.read { tx in
            try tx.outbox(in: owner.user.directoryID, recipient: "default/backend", limit: 9)
        }
        let bodies = owed.compactMap { message -> JSONObject? in
            guard case .webhook(let event) = message.content else { return nil }
            return event.body
        }
        let data = Dictionary(grouping: bodies) { $0["type"]?.stringValue ?? "" }
            .mapValues { $0.compactMap { $0["data"]?.objectValue } }
        #expect(
            data.mapValues(\.count) == [
                "factor_recovery.requested": 2, "factor_recovery.stopped": 1, "factor_recovery.done": 1,
            ])
        #expect(
            data["factor_recovery.requested"]?.contains { $0["due"]?.stringValue == recovery.dueAt.rfc3339 } == true)
        #expect(data["factor_recovery.stopped"]?.first?["by"]?.stringValue == "factor")
        #expect(data.values.joined().allSatisfy { $0["user_id"]?.stringValue == owner.user.id.rawValue })
    }

    @Test("R14.2 of twenty sign-ins at once, the moment that the wait is over, one removes the factors")
    func raced() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await begin(bench)
        let call = after(Self.wait, bench)
        let sessions = try await withThrowingTaskGroup(of: IssuedSession?.self) { group in
            for _ in 0..<20 { group.addTask { try await bench.next(at: call).issued } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sessions.compactMap(\.self).count == 20)
        #expect(try await bench.base.base.events(.factorsRecovered).count == 1)
        #expect(try await mails(.factorRecoveryDone, bench).count == 1)
        #expect(try await bench.factors(of: owner.user).isEmpty)
        var live = 0
        for session in sessions.compactMap(\.self) where try await bench.stored(session.session).revokedAt == nil {
            live += 1
        }
        #expect(live == 20, "what was opened after the factors had gone stays")
    }

    @Test("G-9.8 any factor that is shown stops it, a backup code too, and a wrong one does not; the owner is told")
    func stoppedByFactor() async throws {
        for usesBackup in [false, true] {
            let bench = try await bench()
            let owner = try await bench.owner()
            let made = try await UserBackupCodes(bench.ports).make(for: owner.session, call: bench.call())
            _ = try await begin(bench)
            let call = after(60, bench)
            let refusal = await bench.refusal {
                _ = try await AnswerFactor(bench.ports)(
                    try await bench.ticket(at: call), owner.wrong(at: call), call: call)
            }
            #expect(refusal == .factorCodeInvalid)
            #expect(try await stored(bench, owner.user) != nil)
            let proof: FactorProof = usesBackup ? .backupCode(made.codes[0].reveal()) : owner.proof(at: call)
            _ = try await AnswerFactor(bench.ports)(try await bench.ticket(at: call), proof, call: call)
            #expect(try await stored(bench, owner.user) == nil)
            #expect(try await mails(.factorRecoveryStopped, bench).count == 1)
            #expect(try await bench.next(at: after(Self.wait, bench)).pendingStep == .secondFactor)
            let token = try linkToken(try await mails(.factorRecoveryBegun, bench)[0])
            #expect(await bench.refusal { try await StopFactorRecovery(bench.ports)(token, call: call) } != nil)
        }
    }

    private func linkToken(_ message: OutboxMessage) throws -> String {
        let link = try #require(message.link)
        return try #require(link.firstMatch(of: /token=([0-9a-f]+)/)).1.description
    }

    @Test("G-9.8 the mailed link stops it until the end of the window, once, of fifty at once too, and signs nobody in")
    func stoppedByLink() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await begin(bench)
        let token = try linkToken(try await mails(.factorRecoveryBegun, bench)[0])
        let call = after(Self.wait + Self.window - 1, bench)
        for purposes in [[OneTimeToken.Purpose.recovery], [.magicLink], [.unlock]] {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                _ = try await VerifyProof(bench.ports)(.link(token: token), purposes: purposes, call: call)
            }
        }
        let stopped = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await StopFactorRecovery(bench.ports)(token, call: call)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(stopped == 1)
        #expect(try await bench.next(at: call).pendingStep == .secondFactor)
        #expect(try await bench.factors(of: owner.user).count == 1)
        #expect(try await bench.base.base.events(.factorRecoveryStopped).map { $0.details["by"] } == ["link"])
        #expect(try await mails(.factorRecoveryStopped, bench).count == 1)
    }

    @Test(
        "G-9.8 who has the password alone makes it neither sooner nor later by asking again, and sends no second mail")
    func askedAgain() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        let first = try await begin(bench)
        #expect(try await begin(bench, at: after(3600, bench)) == first)
        // Also where the operator has since made the wait shorter.
        let shorter = after(7200, bench).with { $0.directory.settings.factors.recoveryWait = 1 }
        #expect(try await begin(bench, at: shorter) == first)
        #expect(try await bench.next(at: shorter).pendingStep == .secondFactor)
        #expect(try await mails(.factorRecoveryBegun, bench).count == 1)
        // Nor can their session send the mails elsewhere, or take the factor away.
        let call = bench.open(after: .seconds(60))
        let weak = try await bench.signedIn(at: call)
        let refusals = [
            await bench.refusal {
                _ = try await UserFactors(bench.ports).remove(owner.factor.id, of: weak, call: call)
            },
            await bench.refusal {
                _ = try await ChangePassword(bench.ports)(
                    weak, current: Secret(PasswordBench.password), new: Secret("Another-Horse-8"), call: call)
            },
        ]
        #expect(refusals == [.insufficientAssurance, .insufficientAssurance])
        #expect(try await stored(bench, owner.user) == first)
    }

    @Test("R14.2 of fifty who begin it at once one does: one mail, one link, one time")
    func begunAtOnce() async throws {
        let bench = try await bench()
        _ = try await bench.owner()
        var tickets: [SignInTicket] = []
        for _ in 0..<50 { tickets.append(try await bench.ticket()) }
        let call = bench.call()
        let begun = try await withThrowingTaskGroup(of: FactorRecovery.self) { group in
            for ticket in tickets {
                group.addTask { try await RecoverFactors(bench.ports).begin(for: ticket, call: call) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(begun.count == 1)
        #expect(try await mails(.factorRecoveryBegun, bench).count == 1)
        #expect(try await bench.base.base.events(.factorRecoveryRequested).count == 1)
    }

    @Test("G-9.8 after the owner has stopped it three times in a day it begins no more that day")
    func limited() async throws {
        let bench = try await bench()
        _ = try await bench.owner()
        for count in 1...3 {
            let call = after(Int64(count) * 60, bench)
            _ = try await begin(bench, at: call)
            let sent = try await mails(.factorRecoveryBegun, bench)
            #expect(sent.count == count)
            let mail = try #require(sent.max { $0.createdAt < $1.createdAt })
            try await StopFactorRecovery(bench.ports)(try linkToken(mail), call: call)
        }
        #expect(await bench.refusal { _ = try await begin(bench, at: after(600, bench)) } == .rateLimited)
    }

    @Test("G-9.8 after its window it is over: the factor is asked for, and another wait may begin")
    func lapsed() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await begin(bench)
        let call = after(Self.wait + Self.window, bench)
        #expect(try await bench.next(at: call).pendingStep == .secondFactor)
        #expect(try await bench.factors(of: owner.user).count == 1)
        let next = try await begin(bench, at: call)
        #expect(next.dueAt == call.now + .seconds(Self.wait))
        #expect(try await mails(.factorRecoveryBegun, bench).count == 2)
        let report = try await Reaper(store: bench.base.store).pass(at: next.endsAt + .seconds(1))
        #expect(report.factors > 0)
        #expect(try await stored(bench, owner.user) == nil)
    }

    @Test("G-9.8 nobody has it where the Directory does not, nor administrators, nor who can be told nowhere")
    func withheld() async throws {
        func refusal(_ bench: FactorBench) async -> AuthErrorCode? {
            await bench.refusal { _ = try await begin(bench) }
        }
        let off = try await FactorBench()
        _ = try await off.owner()
        #expect(await refusal(off) == .factorDisabled)
        let unproved = try await bench { $0.signUp.unverifiedSignIn = .allow }
        let user = try await unproved.owner().user
        try await unproved.base.write(user) { $0.emailVerifiedAt = nil }
        #expect(await refusal(unproved) == .emailNotVerified)
        let bench = try await bench()
        let admin = try await bench.owner().user
        _ = try await begin(bench)
        try await bench.base.store.write { tx in
            try tx.insert(
                Group(
                    id: GroupID("admin"), directoryID: admin.directoryID, name: "admin", createdAt: bench.base.now,
                    updatedAt: bench.base.now))
            _ = try tx.addMember(admin.id, to: GroupID("admin"), in: admin.directoryID, at: bench.base.now)
        }
        #expect(await refusal(bench) == .factorDisabled)
        // Nor does one that was begun before go on.
        #expect(try await bench.next(at: after(Self.wait, bench)).pendingStep == .secondFactor)
    }

    @Test("G-9.8 a new password by mail stops it, and so does whatever else ends an account's links")
    func newPassword() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        _ = try await begin(bench)
        let proof = try await bench.base.base.proof(.recovery, for: owner.user)
        _ = try await ResetPassword(bench.ports)(
            .link(token: proof.linkToken), password: Secret("Another-Horse-8"), call: bench.call())
        #expect(try await stored(bench, owner.user) == nil)
        #expect(try await bench.base.base.events(.factorRecoveryStopped).count == 1)
    }

    @Test(
        "G-9.8 in a dialect whose sessions begin without a factor, the sign-in removes it there, and a refresh does not"
    )
    func stepUp() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        let before = bench.open()
        let issued = try await bench.base.signIn(at: before)
        let low = try await bench.base.authenticated(issued, at: before)
        _ = try await RecoverFactors(bench.ports).begin(for: low, call: before)
        let standing = try await RecoverFactors(bench.ports).standing(of: low, call: before)
        #expect(standing.isOffered && standing.recovery != nil && standing.waitSeconds == Self.wait)
        let due = bench.open(after: .seconds(Self.wait))
        _ = try await bench.base.refresh(issued.refreshToken, at: due)
        #expect(try await bench.factors(of: owner.user).count == 1)
        _ = try await bench.base.signIn(at: due)
        #expect(try await bench.factors(of: owner.user).isEmpty)
        #expect(try await bench.stored(issued.session).revokedAt != nil)
    }

    @Test(
        "G-9.8 when the wait is over the owner is told until when a sign-in removes them: once, and only of what stands"
    )
    func told() async throws {
        let bench = try await bench()
        _ = try await bench.owner()
        _ = try await bench.owner("b@example.com")
        _ = try await begin(bench)
        let other = bench.call()
        _ = try await RecoverFactors(bench.ports).begin(
            for: try await bench.ticket("b@example.com", at: other), call: other)
        let second = try #require(try await mails(.factorRecoveryBegun, bench).first { $0.recipient.hasPrefix("b@") })
        try await StopFactorRecovery(bench.ports)(try linkToken(second), call: other)
        let pass = DueFactorRecoveries(bench.ports, links: PlainLinks())
        let due = bench.base.now + .seconds(Self.wait)
        #expect(try await pass.pass(at: due - .seconds(1)) == 0)
        #expect(try await pass.pass(at: due) == 1)
        #expect(try await pass.pass(at: due + .seconds(60)) == 0)
        let ready = try await mails(.factorRecoveryReady, bench)
        #expect(ready.map(\.recipient) == ["a@example.com"])
        #expect(ready.first?.text.contains((due + .seconds(Self.window)).minute) == true)
        // Being told is not needed for it, and changes nothing about it.
        #expect(try await bench.next(at: after(Self.wait + 120, bench)).pendingStep == nil)
    }

    @Test("G-9.8 it is told wherever codes of a factor go, and to the number, too")
    func everywhere() async throws {
        let bench = try await bench()
        let user = try await bench.base.user(phone: "+41791234567")
        for (id, credential) in [
            ("mail", Factor.Credential.email(try EmailAddress("other@example.com"))),
            ("app", .totp(Secret([1, 2, 3]))),
        ] {
            let factor = Factor(
                id: FactorID(id), directoryID: user.directoryID, userID: user.id, credential: credential,
                verifiedAt: bench.base.now, createdAt: bench.base.now)
            try await bench.base.store.write { try $0.insert(factor) }
        }
        _ = try await begin(bench)
        let told = try await mails(.factorRecoveryBegun, bench)
        #expect(Set(told.map(\.recipient)) == ["a@example.com", "other@example.com", "+41791234567"])
    }

    @Test("G-9.8 an owner is told in the language that they read, not in that of whoever has asked")
    func language() async throws {
        let bench = try await bench()
        let owner = try await bench.owner()
        try await bench.base.store.write { tx in
            guard var user = try tx.user(owner.user.id, in: owner.user.directoryID) else { return }
            user.language = .de
            try tx.update(user)
        }
        #expect(bench.call().language == .en)
        _ = try await begin(bench)
        #expect(try #require(try await mails(.factorRecoveryBegun, bench).first).subject.contains("werden entfernt"))
        let due = bench.base.now + .seconds(Self.wait)
        #expect(try await DueFactorRecoveries(bench.ports, links: PlainLinks()).pass(at: due) == 1)
        #expect(try #require(try await mails(.factorRecoveryReady, bench).first).subject.contains("Wartezeit"))
        _ = try await bench.next(at: after(Self.wait, bench))
        #expect(try #require(try await mails(.factorRecoveryDone, bench).first).subject.contains("wurden entfernt"))
    }
}
