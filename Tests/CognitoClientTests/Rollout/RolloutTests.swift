// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

struct RolloutTests {
    @Test("R13.3 H-10 A percentage takes about that share, always the same ones, and keeps them while it grows")
    func percentage() {
        let people = (0..<20_000).map { "install-\($0)" }
        var before: Set<String> = []
        for percentage in [0.0, 1, 10, 50, 99.5, 100] {
            let flag = RolloutFlag(name: "hybrid", percentage: percentage)
            let taken = Set(people.filter(flag.includes))
            #expect(taken == Set(people.filter(flag.includes)))
            #expect(before.isSubset(of: taken))
            #expect(abs(Double(taken.count) / 200 - percentage) < 1.5)
            before = taken
        }
        #expect(before.count == people.count)
    }

    @Test("R13.3 H-10 A bucket is the same on every device and in every version (fixed values)")
    func stable() {
        #expect(RolloutFlag.bucket(of: "install-1", in: "hybrid") == RolloutTests.first)
        #expect(RolloutFlag.bucket(of: "install-1", in: "other") != RolloutTests.first)
    }

    static let first = 7520

    @Test("R13.3 H-10 A percentage takes as many hundredths as it says, whatever its number is in binary")
    func hundredths() {
        let people = (0..<50_000).map { "install-\($0)" }
        for (percentage, hundredths) in [(0.07, 7), (0.29, 29), (1.1, 110), (99.99, 9_999)] {
            let flag = RolloutFlag(name: "hybrid", percentage: percentage)
            let isRight = people.allSatisfy {
                flag.includes($0) == (RolloutFlag.bucket(of: $0, in: "hybrid") < hundredths)
            }
            #expect(isRight, "\(percentage)")
        }
    }

    @Test("R13.3 H-10 Who is early with one flag is not early with all")
    func salted() {
        let people = (0..<10_000).map { "install-\($0)" }
        let (a, b) = (RolloutFlag(name: "a", percentage: 10), RolloutFlag(name: "b", percentage: 10))
        let both = people.filter { a.includes($0) && b.includes($0) }
        #expect((40...180).contains(both.count))
    }

    @Test("R13.3 H-10 The allow-list is in at 0 percent; switched off nobody is")
    func list() {
        var flag = RolloutFlag(name: "hybrid", percentage: 0, allowed: ["ada"])
        #expect(flag.includes("ada") && !flag.includes("bob"))
        flag.percentage = 100
        flag.isOff = true
        #expect(!flag.includes("ada") && !flag.includes("bob"))
        #expect(!RolloutFlag(name: "x", percentage: .nan).includes("ada"))
    }

    func at(_ seconds: Int64) -> TimeSpan { .seconds(seconds) }

    /// One that is let try.
    private func begin(_ breaker: inout FallbackBreaker, at time: TimeSpan) throws -> FallbackBreaker.Try {
        let attempt = breaker.begin(at: time)
        return try #require(attempt)
    }

    /// Tries that were let in one after the other, each recorded at once.
    private func play(_ breaker: inout FallbackBreaker, _ tries: [(failed: Bool, at: TimeSpan)]) throws {
        for (failed, time) in tries {
            let attempt = try begin(&breaker, at: time)
            breaker.record(attempt, failed: failed, at: time)
        }
    }

    @Test("R13.3 H-10 Too many failures within the window fall back; few tries, or old failures, do not")
    func opens() throws {
        var breaker = FallbackBreaker(window: .minutes(15), minimum: 5, opensAt: 0.2)
        try play(&breaker, (0..<4).map { (true, at($0)) })
        #expect(!breaker.isOpen)
        try play(&breaker, [(true, at(4))])
        #expect(breaker.isOpen)
        var slow = FallbackBreaker(window: .minutes(15), minimum: 5, opensAt: 0.2)
        try play(&slow, (0..<20).map { ($0 % 2 == 0, .hours($0)) })
        #expect(!slow.isOpen)
        var healthy = FallbackBreaker(window: .minutes(15), minimum: 5, opensAt: 0.2)
        try play(&healthy, (0..<500).map { ($0 % 6 == 5, at($0)) })
        #expect(!healthy.isOpen)
    }

    /// Left at one second, by tries of which others are under way still.
    private func left(_ underWay: Int) throws -> (FallbackBreaker, [FallbackBreaker.Try]) {
        var breaker = FallbackBreaker(minimum: 5, opensAt: 0.2, pause: .minutes(10), closesAfter: 1)
        let late = try (0..<underWay).map { _ in try begin(&breaker, at: .zero) }
        try play(&breaker, (0..<5).map { _ in (true, at(1)) })
        try #require(breaker.isOpen)
        return (breaker, late)
    }

    @Test("R13.3 H-10 What was begun before the new way was left brings nobody back to it")
    func late() throws {
        let (start, late) = try left(10)
        var breaker = start
        for attempt in late { breaker.record(attempt, failed: false, at: at(2)) }
        #expect(breaker.isOpen)
    }

    @Test(
        "R13.3 H-10 What was begun before the new way was left says nothing in the place of the test that is under way",
        arguments: [true, false])
    func lateInTest(failed: Bool) throws {
        let (start, late) = try left(2)
        var breaker = start
        let test = try begin(&breaker, at: .minutes(11))
        breaker.record(late[0], failed: failed, at: .minutes(11))
        // Nor does it let another one try beside it, when its user turns back.
        breaker.giveUp(late[1])
        var beside = breaker.begin(at: .minutes(11))
        #expect(breaker.isOpen && beside == nil)
        // The test itself counts, once, and the other way round.
        breaker.record(test, failed: !failed, at: .minutes(12))
        #expect(breaker.isOpen == !failed)
        breaker.record(test, failed: failed, at: .minutes(12))
        #expect(breaker.isOpen == !failed)
        // A failure began the pause anew, and twice as long: nothing that came late has.
        beside = breaker.begin(at: .minutes(31))
        #expect((beside == nil) == !failed)
    }

    @Test("R13.3 H-10 What was begun before the new way was left and taken again does not count against it")
    func lateAfterwards() throws {
        let (start, late) = try left(10)
        var breaker = start
        let test = try begin(&breaker, at: .minutes(11))
        breaker.record(test, failed: false, at: .minutes(11))
        try #require(!breaker.isOpen)
        for attempt in late { breaker.record(attempt, failed: true, at: .minutes(12)) }
        #expect(!breaker.isOpen)
    }

    @Test(
        "R13.3 H-10 After a pause one is let try; only several in a row bring everybody back, and a failure lengthens the pause"
    )
    func hysteresis() throws {
        var breaker = FallbackBreaker(minimum: 1, opensAt: 0.1, pause: .minutes(10), closesAfter: 2)
        try play(&breaker, [(true, .zero)])
        var tries = [9, 10, 10].map { breaker.begin(at: .minutes($0)) }
        #expect(tries.map { $0 != nil } == [false, true, false])
        breaker.record(try #require(tries[1]), failed: true, at: .minutes(10))
        tries = [25, 30].map { breaker.begin(at: .minutes($0)) }
        #expect(tries.map { $0 != nil } == [false, true])
        breaker.record(try #require(tries[1]), failed: false, at: .minutes(30))
        let second = try begin(&breaker, at: .minutes(30))
        #expect(breaker.isOpen)
        breaker.giveUp(second)
        try play(&breaker, [(false, .minutes(31))])
        #expect(!breaker.isOpen)
        try play(&breaker, [(false, .minutes(32))])
        let after = breaker.begin(at: .minutes(32))
        #expect(!breaker.isOpen && after != nil)
    }

    @Test("R13.3 H-10 No pause that somebody's settings say stops the app, be it without end or less than none")
    func pauses() throws {
        for pause in [Int64.min, .max / 2 + 1, .max] {
            var breaker = FallbackBreaker(minimum: 1, pause: TimeSpan(microseconds: pause))
            try play(&breaker, [(true, .zero)])
            for _ in 0..<5 {
                guard let attempt = breaker.begin(at: TimeSpan(microseconds: .max)) else { break }
                breaker.record(attempt, failed: true, at: TimeSpan(microseconds: .max))
            }
            #expect(breaker.isOpen)
        }
    }
}

struct SwitchingBackendTests {
    /// A way in that counts what it is asked.
    final class Way: IdentityBackend {
        let name: String
        let calls = Guarded<[String]>([])
        let failure = Guarded<AuthError?>(nil)

        init(_ name: String) { self.name = name }

        func grant() -> SessionGrant {
            SessionGrant(
                tokens: TokenSet(accessToken: Secret(name), refreshToken: Secret("r"), lifetime: .hours(1)),
                user: SessionUser(subject: "5b1c"), serverDate: nil)
        }

        private func note(_ call: String) throws(AuthError) {
            calls.withLock { $0.append(call) }
            if let failure = failure.value { throw failure }
        }

        func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
            try note("signIn")
            return .session(grant())
        }
        func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
            try note("answer")
            return .session(grant())
        }
        func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            try note("refresh")
            return grant()
        }
        func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) { try note("revoke") }
        func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
            try note("user")
            return SessionUser(subject: "5b1c")
        }
    }

    let old = Way("old")
    let new = Way("new")
    let clock = ManualClock()
    let proof = SignInProof.browser(provider: "google", options: BrowserSignInOptions())

    func backend(_ percentage: Double) -> SwitchingBackend {
        SwitchingBackend(
            old: old, new: new, flag: RolloutFlag(name: "hybrid", percentage: percentage), for: "install-1",
            fallback: FallbackBreaker(minimum: 2, opensAt: 0.5), clock: clock)
    }

    @Test("R13.3 H-9 H-10 Who is signed in stays so by the way they came, whatever the flag says now")
    func sessions() async throws {
        let backend = backend(100)
        #expect(backend.name == "old")
        // Signed in by a version of the app that knew the old way alone.
        _ = try await backend.refresh(old.grant().tokens)
        #expect(old.calls.value == ["refresh"] && new.calls.value.isEmpty)
        guard case .session(let grant) = try await backend.signIn(proof) else { return }
        backend.apply(RolloutFlag(name: "hybrid", percentage: 0))
        let renewed = try await backend.refresh(grant.tokens)
        _ = try await backend.user(renewed.tokens)
        try await backend.revoke(renewed.tokens, scope: .local)
        #expect(new.calls.value == ["signIn", "refresh", "user", "revoke"])
        _ = try await backend.signIn(proof)
        #expect(old.calls.value == ["refresh", "signIn"])
    }

    @Test("R13.3 H-10 Failures of the new way bring the old one back by themselves; a user's own no does not")
    func fallback() async throws {
        let backend = backend(100)
        for code in [
            AuthErrorCode.cancelled, .network, .storeUnavailable, .userBanned, .needsConfirmation, .termsNotAgreed,
        ] {
            new.failure.withLock { $0 = AuthError(code) }
            for _ in 0..<3 { await #expect(throws: AuthError(code)) { try await backend.signIn(proof) } }
        }
        #expect(!backend.hasFallenBack)
        new.failure.withLock { $0 = AuthError(.identityTokenInvalid) }
        for _ in 0..<12 where !backend.hasFallenBack {
            await #expect(throws: AuthError(.identityTokenInvalid)) { try await backend.signIn(proof) }
        }
        #expect(backend.hasFallenBack)
        _ = try await backend.signIn(proof)
        #expect(old.calls.value == ["signIn"])
    }

    @Test("R13.3 H-10 What a user types wrong, and what comes of a link of anybody's, says nothing of the new way")
    func mistakes() async throws {
        let backend = backend(100)
        let typed = SignInProof.password(identifier: "ada@example.org", password: Secret("wrong"))
        let redirect = SignInProof.callback(url: Secret("myapp://callback?error=server_error"))
        let tries: [(SignInProof, AuthErrorCode)] = [
            (typed, .invalidCredentials), (typed, .accountLocked), (typed, .rateLimited), (typed, .userNotFound),
            (.code(identifier: "ada@example.org", code: Secret("123456")), .oneTimeTokenInvalid),
            (.passkey(identifier: nil), .passkeyRefused),
            (.link(tokenHash: Secret("h"), kind: "signup"), .oneTimeTokenInvalid),
            (redirect, .flowStateNotFound), (redirect, .invalidRedirect), (redirect, .unavailable),
        ]
        for (proof, code) in tries {
            new.failure.withLock { $0 = AuthError(code) }
            for _ in 0..<3 { await #expect(throws: AuthError(code)) { try await backend.signIn(proof) } }
            #expect(!backend.hasFallenBack)
        }
        // The service's own failures count, whatever was typed; and such words where nobody has typed anything.
        for (proof, code) in [(typed, AuthErrorCode.unavailable), (self.proof, .invalidCredentials)] {
            let backend = self.backend(100)
            new.failure.withLock { $0 = AuthError(code) }
            for _ in 0..<2 { await #expect(throws: AuthError(code)) { try await backend.signIn(proof) } }
            #expect(backend.hasFallenBack)
            // Nor do mistakes bring back what was left.
            clock.advance(by: .minutes(10))
            new.failure.withLock { $0 = AuthError(.invalidCredentials) }
            for _ in 0..<5 {
                await #expect(throws: AuthError(.invalidCredentials)) { try await backend.signIn(typed) }
            }
            #expect(backend.hasFallenBack)
        }
    }

    @Test("R13.3 H-10 A link or a redirect of anybody's brings nobody back to a way that was left, whatever refuses it")
    func strangers() async throws {
        let backend = backend(100)
        new.failure.withLock { $0 = AuthError(.unavailable) }
        for _ in 0..<2 { await #expect(throws: AuthError(.unavailable)) { try await backend.signIn(proof) } }
        try #require(backend.hasFallenBack)
        clock.advance(by: .minutes(10))
        let links = [
            SignInProof.link(tokenHash: Secret("h"), kind: "signup"),
            .callback(url: Secret("myapp://callback?error=access_denied")),
        ]
        for link in links {
            for code in [AuthErrorCode.userBanned, .needsConfirmation, .signUpDisabled, .emailNotVerified] {
                new.failure.withLock { $0 = AuthError(code) }
                await #expect(throws: AuthError(code)) { try await backend.signIn(link) }
            }
        }
        #expect(backend.hasFallenBack)
        // The same words of who signs in at the pages say that the way works.
        for _ in 0..<3 { await #expect(throws: AuthError(.emailNotVerified)) { try await backend.signIn(proof) } }
        #expect(!backend.hasFallenBack)
    }

    @Test("R13.3 H-10 A proof that the new way does not take goes the old one")
    func unsupported() async throws {
        new.failure.withLock { $0 = AuthError(.unsupported) }
        let backend = backend(100)
        for _ in 0..<5 { _ = try await backend.signIn(.password(identifier: "a", password: Secret("b"))) }
        #expect(old.calls.value.count == 5 && !backend.hasFallenBack)
    }

    @Test("R13.3 H-3 Accounts are made and passwords set anew by the way that can, and unsupported by none")
    func accounts() async throws {
        await #expect(throws: AuthError(.unsupported)) {
            try await backend(100).beginRecovery(identifier: "ada@example.org")
        }
        let transport = ScriptedTransport { _, _ in Recorded.answer(["UserConfirmed": false]) }
        let pool = CognitoBackend(Recorded.configuration, transport: transport, clock: clock)
        let both = SwitchingBackend(
            old: pool, new: new, flag: RolloutFlag(name: "hybrid", percentage: 100), for: "installation", clock: clock)
        let step = try await both.signUp(SignUpRequest(identifier: "ada@example.org", password: Secret("Passw0rd")))
        guard case .awaiting(let awaited) = step else { throw AuthError(.unsupported) }
        #expect(awaited.kind == .confirmation)
        try await both.beginRecovery(identifier: "ada@example.org")
        #expect(await transport.operations == ["SignUp", "ForgotPassword"])
    }

    @Test("R13.3 H-9 A way that is two ways by itself knows which of them a session came by")
    func nested() async throws {
        let newest = Way("newest")
        let flag = RolloutFlag(name: "hybrid", percentage: 100)
        let inner = SwitchingBackend(old: new, new: newest, flag: flag, for: "install-1", clock: clock)
        let outer = SwitchingBackend(old: old, new: inner, flag: flag, for: "install-1", clock: clock)
        guard case .session(let grant) = try await outer.signIn(proof) else { throw AuthError(.unsupported) }
        let renewed = try await outer.refresh(grant.tokens)
        try await outer.revoke(renewed.tokens, scope: .local)
        #expect(newest.calls.value == ["signIn", "refresh", "revoke"])
        #expect(new.calls.value.isEmpty && old.calls.value.isEmpty)
    }

    @Test("R13.3 H-9 Two ways of one name are two: what the new one opens by a sign-up goes on by it")
    func sameName() async throws {
        let transports = (0..<2).map { _ in
            Recorded.service { operation, _ throws(TransportError) in
                Recorded.answer(operation == "SignUp" ? ["UserConfirmed": false] : [:])
            }
        }
        let pools = transports.map { CognitoBackend(Recorded.configuration, transport: $0, clock: clock) }
        try #require(pools[0].name == pools[1].name)
        let both = SwitchingBackend(
            old: pools[0], new: pools[1], flag: RolloutFlag(name: "hybrid", percentage: 100), for: "installation",
            clock: clock)
        let step = try await both.signUp(SignUpRequest(identifier: "ada@example.org", password: Secret("Passw0rd")))
        guard case .awaiting(let awaited) = step else { throw AuthError(.unsupported) }
        // Confirmed without a session: whoever confirmed signs in now.
        _ = try? await both.answer(awaited, with: .code(Secret("123456")))
        #expect(await transports[0].operations.isEmpty)
        #expect(await transports[1].operations == ["SignUp", "ConfirmSignUp"])
    }
}
