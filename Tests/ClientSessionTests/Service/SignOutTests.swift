// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

struct SignOutTests {
    @Test("R13.1 G-13.3 G-13 H-5 F-4 Memory, store, what is beside it, providers, listeners, service: in that order")
    func order() async throws {
        let log = Log()
        let store = FaultyStore(log: log)
        let backend = ScriptedBackend()
        let service = SessionService(
            backend: backend, store: store, clock: ManualClock(), companions: [log], providers: [log])
        try await service.signIn(with: .anonymous)
        let listening = Gate()
        let listener = Task {
            for await state in service.states() {
                log.add(state.name)
                await listening.pass()
                if case .signedOut = state { return }
            }
        }
        await listening.open()
        try await listening.untilReached()
        backend.onRevoke { [weak service] _ throws(AuthError) in
            log.add("revoked while \(service?.state.name ?? "")")
        }
        await service.signOut(SignOutOptions())
        await listener.value
        let lines = log.all.filter { !$0.hasPrefix("ready") }
        // The listener notes in a task of its own: before or after the service was asked.
        #expect(lines.prefix(5) == ["written", "signedIn(ada)", "erased", "cleared", "provider"])
        #expect(Set(lines.dropFirst(5)) == ["signedOut(userSignedOut)", "revoked while signedOut(userSignedOut)"])
        #expect(backend.calls.contains(.revoke("refresh-0", .local)))
    }

    @Test("R13.1 G-13.6 Local data is kept by choice, and the session never")
    func keeps() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        await bench.service.signOut(SignOutOptions(scope: .global, keepsLocalData: true))
        #expect(bench.log.all.contains("kept"))
        #expect(try await bench.store.read(.session) == nil)
        #expect(try await bench.store.read(.lastValidated) == nil)
        #expect(bench.backend.calls.contains(.revoke("refresh-0", .global)))
    }

    @Test(
        "R13.1 Y-US5 Y-FR9 G-5.6 Offline too: nothing is left on the device, and the service is told when it is there again"
    )
    func offline() async throws {
        let bench = ServiceBench()
        let tries = Guarded(0)
        bench.backend.onRevoke { _ throws(AuthError) in
            if tries.withLock({
                $0 += 1; return $0
            }) < 3 {
                throw AuthError(.network)
            }
        }
        try await bench.signIn()
        await bench.service.signOut(SignOutOptions())
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
        #expect(try await bench.store.read(.session) == nil)
        for _ in 0..<2 {
            try await bench.clock.untilSleeping()
            bench.clock.advance(by: .minutes(5))
        }
        try await eventually("the third attempt is made") { tries.value >= 3 }
    }

    @Test(
        "R13.1 H-5 While a refresh is in flight: its late tokens are in no store and shown to nobody, and are given back"
    )
    func duringRefresh() async throws {
        let bench = ServiceBench()
        let gate = Gate()
        bench.backend.onRefresh { _, _ throws(AuthError) in
            await gate.pass()
            return ScriptedBackend.grant(1)
        }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        let caller = Task { try await bench.service.accessToken() }
        try await gate.untilReached()
        await bench.service.signOut(SignOutOptions())
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
        #expect(try await bench.store.read(.session) == nil)
        await #expect(throws: AuthError(.notSignedIn)) { try await caller.value }
        await gate.open()
        try await bench.backend.untilAsked(.revoke("refresh-1", .local))
        try await bench.store.exclusively(.session) {}
        #expect(try await bench.store.read(.session) == nil)
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
    }

    @Test("R13.1 H-13 A service that does not answer holds up a sign-out for two seconds at most")
    func silent() async throws {
        let bench = ServiceBench()
        let gate = Gate()
        bench.backend.onRevoke { _ throws(AuthError) in await gate.pass() }
        try await bench.signIn()
        let leaving = Task { await bench.service.signOut(SignOutOptions()) }
        try await gate.untilReached()
        #expect(try await bench.store.read(.session) == nil)
        try await bench.clock.untilSleeping()
        bench.clock.advance(by: .seconds(2))
        await leaving.value
        await gate.open()
    }

    @Test("R13.1 G-13.3 G-5.4 G-14.3 Who hears that a session has ended finds nothing of it in the store")
    func heardLast() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let store = bench.store
        let service = bench.service
        let hearing = Task {
            for await state in service.states() {
                if case .signedOut = state { return try await store.read(.session) == nil }
            }
            return false
        }
        bench.backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.sessionExpired) }
        bench.clock.advance(by: .hours(2))
        await #expect(throws: AuthError(.sessionExpired)) { try await service.accessToken() }
        #expect(try await store.read(.session) == nil)
        #expect(try await hearing.value)
    }

    @Test("R13.1 Two sign-outs at once both end, and neither waits for the other's answer in vain")
    func twice() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        async let one: Void = bench.service.signOut(SignOutOptions())
        async let other: Void = bench.service.signOut(SignOutOptions())
        _ = await (one, other)
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
    }

    @Test("R13.1 G-6.5 The other sessions end, and this one goes on")
    func others() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        await bench.service.signOut(SignOutOptions(scope: .others))
        #expect(bench.service.state.name == "signedIn(ada)")
        #expect(bench.backend.calls.contains(.revoke("refresh-0", .others)))
    }
}
