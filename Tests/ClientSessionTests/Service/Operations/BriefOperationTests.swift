// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// Operations on the account that no user takes their time over: a code that is sent, a password that is changed.
@Suite(.timeLimit(.minutes(1))) struct BriefOperationTests {
    private typealias Operation = @Sendable (TokenSet) async throws(AuthError) -> SessionGrant

    /// A vendor whose operations do what a test says.
    private struct Vendor: StepUpBackend, AccountBackend {
        let scripted: ScriptedBackend
        let operation: Operation

        var name: String { scripted.name }
        func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep { try await scripted.signIn(proof) }
        func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
            try await scripted.answer(step, with: answer)
        }
        func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant { try await scripted.refresh(tokens) }
        func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
            try await scripted.revoke(tokens, scope: scope)
        }
        func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser { try await scripted.user(tokens) }
        func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep {
            AwaitedStep(kind: .oneTimePassword)
        }
        func stepUp(
            _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
        ) async throws(AuthError) -> SignInStep { .session(try await operation(tokens)) }
        func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
            .session(try await operation(tokens))
        }
        func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            try await operation(tokens)
        }
        func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            try await operation(tokens)
        }
        func changePassword(
            _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
        ) async throws(AuthError) -> SessionGrant? { try await operation(tokens) }
        func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
            _ = try await operation(tokens)
            return AccountDeletion()
        }
    }

    private let scripted = ScriptedBackend()
    private let store = MemoryStore()
    private let clock = ManualClock()

    private func service(_ operation: @escaping Operation = Self.changed) async throws -> SessionService {
        let service = SessionService(
            backend: Vendor(scripted: scripted, operation: operation), store: store, clock: clock)
        await service.restore()
        if case .signedOut = service.state { try await service.signIn(with: .anonymous) }
        return service
    }

    private static let changed: Operation = { _ throws(AuthError) in
        ScriptedBackend.grant(9, user: SessionUser(subject: "ada"))
    }

    private func kept() async throws -> String? {
        guard case .session(let kept, _) = await SessionStore(store: store).read() else { return nil }
        return kept.tokens.refreshToken?.reveal()
    }

    @Test("G-9 F5 A refresh that is refused while a code waits for its lock ends at once, and the code reaches nobody")
    func refusedMeanwhile() async throws {
        let asked = Guarded(0)
        let service = try await service { _ throws(AuthError) in
            asked.withLock { $0 += 1 }
            return ScriptedBackend.grant(9)
        }
        let step = try await service.beginStepUp()
        let raising = Guarded<Task<AwaitedStep?, any Error>?>(nil)
        scripted.onRefresh { _, _ throws(AuthError) in
            raising.withLock { $0 = Task { try await service.raise(step, with: .code(Secret("123456"))) } }
            // It has a token that lives, and stands before the lock that this refresh holds.
            for _ in 0..<1_000 { await Task.yield() }
            throw AuthError(.refreshTokenNotFound)
        }
        // Before its time is over, as sessions are renewed.
        clock.advance(by: .minutes(59) + .seconds(30))
        #expect(service.liveAccessToken != nil)
        service.clockChanged()
        try await eventually("the session is being renewed") { raising.value != nil }
        await #expect(throws: AuthError.self) { try await raising.value?.value }
        guard case .signedOut = service.state else { throw AuthError(.internalFailure) }
        #expect(asked.value == 0)
    }

    @Test(
        "R13.1 F5 No other process renews a session with tokens that a change of its password ends, and nobody is out")
    func twoProcesses() async throws {
        let isChanged = Guarded(false)
        let other = Guarded<Task<String, any Error>?>(nil)
        scripted.onRefresh { tokens, _ throws(AuthError) in
            guard isChanged.value, tokens.refreshToken?.reveal() == "refresh-0" else {
                return ScriptedBackend.grant(10)
            }
            throw AuthError(.tokensRevoked)
        }
        let second = Guarded<SessionService?>(nil)
        let first = try await service { _ throws(AuthError) in
            // The service has done it, and its answer is on the way.
            isChanged.withLock { $0 = true }
            other.withLock {
                $0 = Task { [second = second.value] in
                    try await second?.accessToken(insteadOf: Secret("access-0")).reveal() ?? ""
                }
            }
            for _ in 0..<1_000 { await Task.yield() }
            return ScriptedBackend.grant(9)
        }
        let process = try await service()
        second.withLock { $0 = process }
        try await first.changePassword(current: nil, new: Secret("next"))
        #expect(try await other.value?.value == "access-9")
        #expect(process.state.name == "signedIn(ada)" && first.state.name == "signedIn(ada)")
        #expect(try await kept() == "refresh-9")
    }

    @Test(
        "R13.1 C-13 Who leaves the screen while a service answers cancels nothing that it has done: the next tokens are kept",
        arguments: ["raise", "password", "delete"])
    func cancelled(_ what: String) async throws {
        let gate = Gate()
        let service = try await service { _ throws(AuthError) in
            await gate.pass()
            // As a transport does with a request of a task that is cancelled.
            if Task.isCancelled { throw AuthError(.network) }
            return ScriptedBackend.grant(9)
        }
        let step = try await service.beginStepUp()
        let calling = Task {
            switch what {
            case "raise": _ = try await service.raise(step, with: .code(Secret("123456")))
            case "password": try await service.changePassword(current: nil, new: Secret("next"))
            default: try await service.deleteAccount()
            }
        }
        try await gate.untilReached()
        calling.cancel()
        await gate.open()
        _ = await calling.result
        if what == "delete" {
            #expect(service.state.name == "signedOut(accountDeleted)")
            #expect(try await kept() == nil)
        } else {
            #expect(try await service.accessToken().reveal() == "access-9")
            #expect(try await kept() == "refresh-9")
        }
    }

    @Test("R13.1 F5 An operation that says nothing of tokens does not bring back those that a refresh has replaced")
    func staleTokens() async throws {
        let service = try await service()
        let user = try await service.withTokens { tokens -> SessionGrant in
            _ = try await service.accessToken(insteadOf: Secret("access-0"))
            return SessionGrant(tokens: tokens, user: SessionUser(subject: "ada", name: "Ada"), serverDate: nil)
        }
        #expect(user.name == "Ada")
        #expect(try await service.accessToken().reveal() == "access-1")
        #expect(try await kept() == "refresh-1")
    }

    @Test("R13.1 F5 A process that writes its session once more does not write over what another has renewed")
    func staleWrite() async throws {
        let (first, second) = (try await service(), try await service())
        _ = try await second.accessToken(insteadOf: Secret("access-0"))
        scripted.onUser { _ throws(AuthError) in SessionUser(subject: "ada", name: "Ada") }
        try await first.refreshUser()
        try await eventually("the first process has the second's token") {
            first.liveAccessToken?.reveal() == "access-1"
        }
        #expect(try await kept() == "refresh-1")
    }

    @Test("R13.1 What belongs beside the tokens is kept, though they are the same")
    func attachments() async throws {
        let service = try await service { tokens throws(AuthError) in
            var tokens = tokens
            tokens.attachments = Secret(["device": "none"])
            return SessionGrant(tokens: tokens, user: nil, serverDate: nil)
        }
        try await service.changePassword(current: nil, new: Secret("next"))
        guard case .session(let kept, _) = await SessionStore(store: store).read() else {
            throw AuthError(.internalFailure)
        }
        #expect(kept.tokens.attachments.reveal() == ["device": "none"] && kept.revision == 1)
    }

    @Test("R13.1 A new sign-in that comes when somebody else is there is given back, and theirs goes on")
    func lateReauthentication() async throws {
        let gate = Gate()
        let service = try await service { _ throws(AuthError) in
            await gate.pass()
            return ScriptedBackend.grant(9, user: SessionUser(subject: "ada"))
        }
        let calling = Task { try await service.reauthenticate(with: .anonymous) }
        try await gate.untilReached()
        scripted.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await service.signIn(with: .anonymous)
        await gate.open()
        await #expect(throws: AuthError(.superseded)) { try await calling.value }
        try await scripted.untilAsked(.revoke("refresh-9", .local))
        #expect(try await service.accessToken().reveal() == "access-3")
    }
}
