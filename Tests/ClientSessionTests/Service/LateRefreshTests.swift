// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport
import Testing

@testable import ClientSession

struct LateRefreshTests {
    @Test("R13.1 F5 A sign-in knows of the session that it overwrites, which another process may be renewing")
    func overwritten() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let family = try #require(bench.service.core.withLock { $0.machine.phase.session?.kept.family })
        let other = bench.another()
        try await other.signIn()
        #expect(other.service.core.withLock { $0.machine.ended }.contains(family))
    }

    @Test("R13.1 F9 F10 A refresh that was given up and fails late says nothing of the one that is under way by then")
    func lateFailure() async throws {
        let bench = ServiceBench()
        let gate = Gate()
        bench.backend.onRefresh { _, before throws(AuthError) in
            guard before == 0 else { return ScriptedBackend.grant(1) }
            await gate.pass()
            throw AuthError(.unavailable)
        }
        try await bench.signIn()
        try await bench.clock.untilSleeping()
        bench.clock.advance(by: .hours(2))
        try await gate.untilReached()
        try await bench.clock.untilSleeping()
        bench.clock.advance(by: SessionService.refreshDeadline)
        _ = try await bench.until { if case .offline = $0 { true } else { false } }
        bench.clock.advance(by: .seconds(1))
        let service = bench.service
        let outcome = await withCheckedContinuation { continuation in
            service.core.withLock { $0.waiters[999] = continuation }
            Task {
                // The next one waits for the first to let go of the store's lock.
                await service.settle(.tokenWanted(999))
                await gate.open()
            }
        }
        guard case .token(let token) = outcome else {
            Issue.record("failed for what came late")
            return
        }
        #expect(token.reveal() == "access-1")
        #expect(bench.backend.refreshes == 2)
    }

    @Test("R13.1 F6 Whoever waited behind a refresh whose answer the store could not take shows no replaced token")
    func lateAnswerThatIsNotStored() async throws {
        let store = FaultyStore()
        let bench = ServiceBench(store: store)
        let gate = Gate()
        bench.backend.onRefresh { _, before throws(AuthError) in
            if before == 0 { await gate.pass() }
            return ScriptedBackend.grant(before + 1)
        }
        try await bench.signIn()
        try await bench.clock.untilSleeping()
        bench.clock.advance(by: .hours(2))
        try await gate.untilReached()
        try await bench.clock.untilSleeping()
        bench.clock.advance(by: SessionService.refreshDeadline)
        _ = try await bench.until { if case .offline = $0 { true } else { false } }
        bench.clock.advance(by: .seconds(1))
        await store.fail(with: .full)
        let service = bench.service
        let outcome = await withCheckedContinuation { continuation in
            service.core.withLock { $0.waiters[999] = continuation }
            Task {
                await service.settle(.tokenWanted(999))
                await gate.open()
            }
        }
        await service.core.withLock { $0.refresh }?.value
        guard case .token(let token) = outcome else {
            Issue.record("failed for a store that is full")
            return
        }
        #expect(token.reveal() == "access-1")
        #expect(bench.backend.refreshes == 1 && !service.isStored)
    }
}
