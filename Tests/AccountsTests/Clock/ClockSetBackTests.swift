// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging
import Mail
import Testing

@testable import AccountModel
@testable import Accounts

/// Times that were noted before the server's clock was set back lie ahead of it. None may keep anybody out until the
/// clock is there again, and none may keep open what is open for a moment only.
@Suite("R8.18 A clock that is set back")
struct ClockSetBackTests {
    private static let steps: [TimeSpan] = [.hours(-3), .days(-1), .days(-365)]

    @Test("a message can be asked for again", arguments: steps)
    func resend(step: TimeSpan) async throws {
        let bench = try await ProofBench()
        _ = try await bench.confirmedUser("a@example.com")
        let request = RequestRecovery(bench.ports)
        for (span, count) in [(TimeSpan.zero, 1), (.seconds(1), 1), (step, 2), (step, 2)] {
            try await request(EmailAddress("a@example.com"), call: bench.call(after: span))
            #expect(try await bench.messages().count == count, "\(span)")
        }
    }

    @Test("wrong codes of before keep nobody out, and those of since do as ever", arguments: steps)
    func wrongCodes(step: TimeSpan) async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let back = bench.call(after: step)
        func fail(_ count: Int, at call: CallContext) async throws {
            try await bench.ports.write(call) { step in
                for _ in 0..<count { try step.record(.verificationFailed, user: user.id) }
            }
        }
        func isTaken() async throws -> Bool {
            let proof = try await bench.proof(.magicLink, for: user, call: back)
            let outcome = try? await VerifyProof(bench.ports)(
                .code(.email(EmailAddress("a@example.com")), proof.code), purposes: [.magicLink], call: back)
            return outcome?.session != nil
        }
        try await fail(100, at: bench.call())
        #expect(try await isTaken())
        try await fail(100, at: back)
        #expect(try await !isTaken())
    }

    @Test("a change that has just been asked for is not under way for as long", arguments: steps)
    func changeOfAddress(step: TimeSpan) async throws {
        let bench = try await PasswordBench { $0.limits.mailSent = .init(count: 100, seconds: 60) }
        try await bench.user()
        for (span, count) in [(TimeSpan.zero, 2), (step, 4)] {
            let call = bench.call(after: span)
            try await bench.update(bench.signIn(at: call), at: call) {
                $0.email = try EmailAddress("new@example.com")
            }
            #expect(try await bench.base.messages().count == count, "\(span)")
        }
    }

    @Test("the owner of an address is told again that somebody signs up with it", arguments: steps)
    func notice(step: TimeSpan) async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        for (span, count) in [(TimeSpan.zero, 1), (step, 2)] {
            try await bench.signUp(at: bench.call(after: span))
            #expect(try await bench.base.messages().count == count, "\(span)")
        }
    }

    @Test("a session lives on, is refreshed, and its use is noted at the time that it is", arguments: steps)
    func session(step: TimeSpan) async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let second = try await bench.refresh(first.refreshToken, at: bench.call(after: step))
        #expect(second.renewal == .rotated)
        #expect(try await bench.session(first).lastActiveAt == bench.call(after: step).now)
        _ = try await bench.authenticated(second, at: bench.call(after: step))
        // The answer may have been lost: the parent is good all the same.
        #expect(try await bench.refresh(first.refreshToken, at: bench.call(after: step)).renewal != .rotated)
    }

    @Test("a session that was opened since is fresh, and one that seems to be of the future is not", arguments: steps)
    func freshness(step: TimeSpan) async throws {
        let bench = try await PasswordBench { $0.password.changeNeedsReauthentication = true }
        try await bench.user()
        let old = try await bench.signIn()
        let call = bench.call(after: step)
        let refusal = await bench.error {
            try await bench.update(old, at: call) { $0.password = Secret(PasswordBench.newPassword) }
        }
        #expect(refusal?.code == .reauthenticationNeeded)
        try await bench.update(bench.signIn(at: call), at: call) { $0.password = Secret(PasswordBench.newPassword) }
    }

    @Test(
        "a refresh token left behind works for its interval once the step is noticed, and then no more",
        arguments: steps)
    func reuse(step: TimeSpan) throws {
        let random = SeededRandom(seed: 5)
        let start = Instant(seconds: 1_800_000_000)
        let rules = RefreshTokenFamily.Rules(rotates: true, reuseInterval: .seconds(10))
        let opened = RefreshTokenFamily.open(for: SessionID(random.uuid()), secret: random.bytes(24))
        var family = opened.family
        func present(_ token: RefreshToken, at now: Instant) -> RefreshTokenFamily.Verdict {
            family.present(token, nonce: random.bytes(16), at: now, rules: rules)
        }
        let second = try #require(present(opened.live, at: start).rotated)
        let third = try #require(present(second, at: start).rotated)
        let back = start + step
        #expect(present(opened.live, at: back).repeated?.hash == third.hash)
        #expect(present(opened.live, at: back + .seconds(9)).repeated?.hash == third.hash)
        #expect(present(opened.live, at: back + .seconds(10)).isReplay)
        #expect(present(second, at: back + .seconds(10)).repeated?.hash == third.hash)
        let fourth = try #require(present(third, at: back + .seconds(10)).rotated)
        #expect(present(second, at: back + .seconds(11)).repeated?.hash == fourth.hash)
        #expect(present(second, at: back + .seconds(20)).isReplay)
    }

    @Test("what is owed by mail goes out, whether the worker sees the step or is started after it", arguments: steps)
    func outbox(step: TimeSpan) async throws {
        for restarts in [false, true] {
            let bench = try await ProofBench()
            for number in 0..<6 {
                _ = try await bench.proof(.recovery, for: bench.confirmedUser("user\(number)@example.com"))
            }
            let transport = RecordingTransport()
            transport.failure = MailDeliveryError(.temporary, reason: "busy")
            func worker() -> OutboxWorker {
                OutboxWorker(
                    store: bench.store, random: bench.ports.random,
                    transports: OutboxTransports(mail: transport, texts: transport),
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            }
            let running = worker()
            _ = await running.deliverDue(at: bench.now)
            transport.failure = nil
            let now = bench.now + step
            // Nothing tells a new worker of a small step; what is put off for longer than any message is does.
            guard !restarts || step < .hours(-2) else { continue }
            #expect(await (restarts ? worker() : running).deliverDue(at: now) == nil)
            #expect(transport.sent.count == 6, "restarts: \(restarts)")
        }
    }

    @Test("a mail server that stays down is not asked without pause")
    func backoff() async throws {
        let bench = try await ProofBench()
        _ = try await bench.proof(.recovery, for: bench.confirmedUser("a@example.com"))
        let transport = RecordingTransport()
        transport.failure = MailDeliveryError(.temporary, reason: "busy")
        let worker = OutboxWorker(
            store: bench.store, random: bench.ports.random,
            transports: OutboxTransports(mail: transport, texts: transport),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        _ = await worker.deliverDue(at: bench.now)
        let back = bench.now - .days(1)
        for _ in 0..<5 {
            let due = try #require(await worker.deliverDue(at: back))
            #expect(due > back && due < back + .minutes(1))
        }
        #expect(try await bench.messages().first?.attempts == 2)
    }

    @Test("tokens that were taken back stay so, and those that are issued since are good", arguments: steps)
    func revokedTokens(step: TimeSpan) {
        let now = Instant(seconds: 1_800_000_000)
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: now)
        user.revokeTokens(at: now)
        #expect(!user.acceptsTokens(issuedAt: now.seconds - 1, at: now))
        let back = now + step
        #expect(user.acceptsTokens(issuedAt: back.seconds, at: back))
        user.revokeTokens(at: back)
        #expect(!user.acceptsTokens(issuedAt: back.seconds - 1, at: back))
        #expect(user.acceptsTokens(issuedAt: back.seconds, at: back))
    }

    @Test("signing keys rotate, and no key signs before verifiers can know it", arguments: steps)
    func keys(step: TimeSpan) {
        let bench = KeyRotationTests()
        let keys = [bench.key("a", .active, at: bench.start), bench.key("b", .standby, at: bench.start + .minutes(1))]
        let now = bench.start + step
        let (one, two) = bench.fresh(1, at: now)
        let (changes, outcome) = bench.rotation.rotate(keys, fresh: one, spare: two, immediately: false, at: now)
        guard case .rotated(to: SigningKeyID("b"), _, _) = outcome else {
            Issue.record("not rotated: \(outcome)")
            return
        }
        // The next one was made just now: the keys that seem to be younger are no sign that nobody has an older set.
        let after = bench.applying(changes, to: keys)
        let (three, four) = bench.fresh(2, at: now)
        let (_, next) = bench.rotation.rotate(after, fresh: three, spare: four, immediately: false, at: now)
        #expect(next == .published(SigningKeyID("spare-1"), readyAt: now + KeyRotation.publicationLead))
    }
}
