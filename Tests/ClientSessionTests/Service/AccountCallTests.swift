// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport
import Testing

@testable import ClientSession

/// Calls of a vendor's own with the session's tokens.
struct AccountCallTests {
    private struct Foreign: Error, Equatable {}

    @Test("R13.1 C-8 A call with a session's tokens gets live ones, renewed first where they are over")
    func live() async throws {
        let bench = ServiceBench()
        await #expect(throws: AuthError(.notSignedIn)) { try await bench.service.withTokens { _ in 1 } }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        let seen = try await bench.service.withTokens { tokens in tokens.accessToken.reveal() }
        #expect(seen == "access-1")
        #expect(bench.backend.refreshes == 1)
    }

    @Test(
        "R13.1 Y-E5 Where the service refuses the token it is renewed once, and the call is made once more, not thrice")
    func again() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let tried = Guarded<[String]>([])
        await #expect(throws: AuthError(.tokenInvalid)) {
            try await bench.service.withTokens { tokens in
                tried.withLock { $0.append(tokens.accessToken.reveal()) }
                throw AuthError(.tokenInvalid)
            }
        }
        #expect(tried.value == ["access-0", "access-1"])
        let value = try await bench.service.withTokens { tokens in tokens.refreshToken?.reveal() }
        #expect(value == "refresh-1")
    }

    @Test("R13.1 An error of any other kind is thrown as it is, and refreshes nothing")
    func errors() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        await #expect(throws: Foreign()) { try await bench.service.withTokens { _ in throw Foreign() } }
        await #expect(throws: AuthError(.weakPassword)) {
            try await bench.service.withTokens { _ -> SessionGrant in throw AuthError(.weakPassword) }
        }
        #expect(bench.backend.refreshes == 0)
    }

    @Test("R13.1 New tokens of a call are the session's from then on, in the store too, and so is the user")
    func newTokens() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let user = try await bench.service.withTokens { _ in
            ScriptedBackend.grant(7, user: SessionUser(subject: "ada", name: "Ada"))
        }
        #expect(user.name == "Ada")
        #expect(try await bench.service.accessToken().reveal() == "access-7")
        let contents = await SessionStore(store: bench.store).read()
        guard case .session(let kept, _) = contents else {
            Issue.record("not stored")
            return
        }
        #expect(kept.tokens.refreshToken?.reveal() == "refresh-7")
        // A caller who has the compiler take the other function loses nothing by it.
        let grant: SessionGrant = try await bench.service.withTokens { _ in ScriptedBackend.grant(8) }
        #expect(grant.tokens.accessToken.reveal() == "access-8")
        #expect(try await bench.service.accessToken().reveal() == "access-8")
    }

    @Test(
        "R13.1 G-13.3 What a call brings after its session has ended is shown to nobody, stored nowhere, and given back"
    )
    func late() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let gate = Gate()
        let calling = Task {
            try await bench.service.withTokens { _ in
                await gate.pass()
                return ScriptedBackend.grant(7)
            }
        }
        try await gate.untilReached()
        await bench.service.signOut(SignOutOptions())
        await gate.open()
        await #expect(throws: AuthError(.superseded)) { try await calling.value }
        try await bench.backend.untilAsked(.revoke("refresh-7", .local))
        #expect(try await bench.store.read(.session) == nil)
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
    }

    @Test("R13.1 What a call says of one user is not shown to the next one")
    func nextUser() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let gate = Gate()
        let calling = Task {
            try await bench.service.withTokens { _ in
                await gate.pass()
                return "Ada's secret"
            }
        }
        try await gate.untilReached()
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await bench.signIn()
        await gate.open()
        await #expect(throws: AuthError(.superseded)) { try await calling.value }
    }

    @Test("R13.1 A refresh that the operation itself makes worthless does not sign out who has just changed a password")
    func refreshMeanwhile() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let (changed, refused) = (Gate(), Gate())
        bench.backend.onRefresh { _, _ throws(AuthError) in
            await refused.pass()
            throw AuthError(.tokensRevoked)
        }
        let changing = Task {
            try await bench.service.withTokens { _ in
                // The service has done it, and its answer is on the way.
                await changed.pass()
                return ScriptedBackend.grant(7)
            }
        }
        try await changed.untilReached()
        bench.clock.advance(by: .hours(2))
        let caller = Task { try await bench.service.accessToken().reveal() }
        await refused.open()
        try await refused.untilReached()
        for _ in 0..<100 { await Task.yield() }
        await changed.open()
        #expect(try await changing.value.subject == "ada")
        #expect(try await caller.value == "access-7")
        #expect(bench.service.state.name == "signedIn(ada)")
    }

    @Test(
        "R13.1 Operations that may bring new tokens go one after the other; who is cancelled while waiting does nothing"
    )
    func inTurn() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let gate = Gate()
        let first = Task {
            try await bench.service.withTokens { _ in
                await gate.pass()
                return ScriptedBackend.grant(7)
            }
        }
        try await gate.untilReached()
        let given = Guarded<[String]>([])
        let cancelled = Task {
            try await bench.service.withTokens { tokens -> SessionGrant in
                given.withLock { $0.append("cancelled") }
                return ScriptedBackend.grant(9)
            }
        }
        let second = Task {
            try await bench.service.withTokens { tokens -> SessionGrant in
                given.withLock { $0.append(tokens.accessToken.reveal()) }
                return ScriptedBackend.grant(8)
            }
        }
        for _ in 0..<100 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: AuthError(.cancelled)) { try await cancelled.value }
        await gate.open()
        _ = try await (first.value, second.value)
        #expect(given.value == ["access-7"])
        #expect(try await bench.service.accessToken().reveal() == "access-8")
    }
}
