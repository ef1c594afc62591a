// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

struct TokenTests {
    @Test("R13.1 Y-E5 F4 G-5.3 A thousand calls with an expired token make one refresh and get its token")
    func oneRefresh() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1000 { group.addTask { try await bench.service.accessToken().reveal() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens == ["access-1"])
        #expect(bench.backend.refreshes == 1)
    }

    @Test("R13.1 F5 Between an answer and its writing the store is asked once whether it holds the same session still")
    func oneLook() async throws {
        let store = FaultyStore()
        let bench = ServiceBench(store: store)
        let answered = Guarded(0)
        bench.backend.onRefresh { _, _ throws(AuthError) in
            let looks = await store.looks
            answered.withLock { $0 = looks }
            return ScriptedBackend.grant(1)
        }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        #expect(await store.looksBeforeWriting == answered.value + 1)
    }

    @Test("R13.1 F4 A refresh that fails tells all who wait the same, and the next caller is not refused for good")
    func oneFailure() async throws {
        let bench = ServiceBench()
        let gate = Gate()
        bench.backend.onRefresh { _, _ throws(AuthError) in
            await gate.pass()
            throw AuthError(.network)
        }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        let callers = (0..<100).map { _ in Task { try await bench.service.accessToken() } }
        try await gate.untilReached()
        try await eventually("all hundred wait") { bench.service.core.withLock { $0.waiters.count } >= 100 }
        await gate.open()
        await bench.clock.passingPauses {
            for caller in callers {
                await #expect(throws: AuthError(.network)) { try await caller.value }
            }
        }
        #expect(bench.backend.refreshes == 2)
        #expect(bench.service.state.name == "offline(full)")
        bench.backend.onRefresh { _, _ throws(AuthError) in ScriptedBackend.grant(9) }
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.service.accessToken().reveal() == "access-9")
    }

    @Test("R13.1 F4 A caller who is cancelled takes the refresh from nobody")
    func cancelled() async throws {
        let bench = ServiceBench()
        let gate = Gate()
        bench.backend.onRefresh { _, _ throws(AuthError) in
            await gate.pass()
            return ScriptedBackend.grant(1)
        }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        let first = Task { try await bench.service.accessToken() }
        try await gate.untilReached()
        let second = Task { try await bench.service.accessToken().reveal() }
        first.cancel()
        await #expect(throws: AuthError(.cancelled)) { try await first.value }
        await gate.open()
        #expect(try await second.value == "access-1")
    }

    @Test("R13.1 Y-FR10 A token that lives is had without waiting, and one that nobody should have is not")
    func live() async throws {
        let bench = ServiceBench()
        #expect(bench.service.liveAccessToken == nil)
        try await bench.signIn()
        #expect(bench.service.liveAccessToken?.reveal() == "access-0")
        bench.clock.advance(by: .hours(1))
        #expect(bench.service.liveAccessToken == nil)
        await bench.service.signOut(SignOutOptions())
        #expect(bench.service.liveAccessToken == nil)
        await #expect(throws: AuthError(.notSignedIn)) { try await bench.service.accessToken() }
    }

    @Test("R13.1 Y-FR10 C-8 The next token is asked for before anybody needs it")
    func ahead() async throws {
        let bench = ServiceBench()
        let gate = Gate()
        bench.backend.onRefresh { _, _ throws(AuthError) in
            await gate.pass()
            return ScriptedBackend.grant(1)
        }
        try await bench.signIn()
        try await bench.clock.untilSleeping()
        bench.clock.advance(by: .minutes(59))
        try await gate.untilReached()
        // The one at hand is still good.
        #expect(bench.service.liveAccessToken?.reveal() == "access-0")
        await gate.open()
        _ = try await bench.until { if case .signedIn = $0 { true } else { false } }
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        #expect(bench.backend.refreshes == 1)
    }

    @Test(
        "R13.1 C-11 Y-US2 G-5.4 G-14.5 A refresh token whose time is over signs out and says so, to callers and to listeners"
    )
    func expired() async throws {
        let bench = ServiceBench()
        bench.backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.sessionExpired) }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        await #expect(throws: AuthError(.sessionExpired)) { try await bench.service.accessToken() }
        #expect(bench.service.state.name == "signedOut(sessionExpired)")
        await bench.service.settle(.clockTick)
        #expect(try await bench.store.read(.session) == nil)
        #expect(!bench.log.all.contains("cleared"))
    }
}
