// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// A store of which one kind of call does not return before it is let.
private actor HangingStore: SecureStore {
    enum Call { case read, write }

    let memory = MemoryStore()
    let gate = Gate()
    private var hanging: Call?

    func hang(_ call: Call?) { hanging = call }

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? {
        if hanging == .read { await gate.pass() }
        return try await memory.read(key)
    }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        if hanging == .write { await gate.pass() }
        try await memory.write(value, for: key)
    }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { try await memory.remove(key) }
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await memory.exclusively(key, body) }
}

struct SilentStoreTests {
    /// Lets time pass until something is done, as slowly as everybody needs.
    private func pass(_ clock: ManualClock, until isDone: @Sendable () -> Bool) async throws {
        try await eventually("nobody waits for the store any more") {
            if isDone() { return true }
            if clock.sleeping > 0 { clock.advance(by: .seconds(1)) }
            for _ in 0..<50 { await Task.yield() }
            return false
        }
    }

    @Test("R13.1 F8 A write that never returns holds up nobody for long: the session goes on in memory, and is told of")
    func writing() async throws {
        let store = HangingStore()
        let problems = Guarded<[SessionProblem]>([])
        let bench = ServiceBench(store: store) { problem in problems.withLock { $0.append(problem) } }
        await bench.service.restore()
        await store.hang(.write)
        let isDone = Guarded(false)
        let signing = Task {
            defer { isDone.withLock { $0 = true } }
            return try await bench.signIn()
        }
        try await store.gate.untilReached()
        let start = bench.clock.uptime
        try await pass(bench.clock) { isDone.value }
        #expect(try await signing.value.name == "signedIn(ada)")
        #expect(bench.clock.uptime - start <= .seconds(11))
        #expect(problems.value == [.notStored(.unavailable(reason: "no answer in time"))])
        #expect(!bench.service.isStored)
        #expect(try await bench.service.accessToken().reveal() == "access-0")
        // The disk is back: what it was given late is no other session's.
        await store.hang(nil)
        await store.gate.open()
        try await eventually("the session is stored") { bench.service.isStored }
        let contents = await SessionStore(store: store).read()
        guard case .session(let kept, _) = contents else {
            Issue.record("not stored")
            return
        }
        #expect(kept.user.subject == "ada")
    }

    @Test("R13.1 G-13.3 G-5.6 A write that returns after the sign-out leaves nothing of the session behind")
    func leaving() async throws {
        let store = HangingStore()
        let bench = ServiceBench(store: store)
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        await store.hang(.write)
        let isDone = Guarded(false)
        let work = Task {
            defer { isDone.withLock { $0 = true } }
            _ = try? await bench.service.accessToken()
            await bench.service.signOut(SignOutOptions())
        }
        try await store.gate.untilReached()
        try await pass(bench.clock) { isDone.value }
        await work.value
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
        #expect(try await store.memory.read(.session) != nil)
        await store.hang(nil)
        await store.gate.open()
        for key in [SecureStoreKey.session, .lastValidated, .leaving] {
            try await eventually("\(key) is removed") { try await store.memory.read(key) == nil }
        }
    }

    @Test("R13.1 F8 G-14.4 A reading that takes as long as the user does is waited for by nobody but the session")
    func reading() async throws {
        let store = HangingStore()
        let first = ServiceBench(store: store)
        try await first.signIn()
        await store.hang(.read)
        let next = first.another()
        let isDone = Guarded(false)
        let starting = Task {
            await next.service.restore()
            isDone.withLock { $0 = true }
        }
        try await store.gate.untilReached()
        try await pass(first.clock) { isDone.value }
        await starting.value
        #expect(next.service.state.name == "storeLocked")
        await #expect(throws: AuthError(.storeUnavailable)) { try await next.service.accessToken() }
        await store.hang(nil)
        await store.gate.open()
        let state = try await next.until { if case .signedIn = $0 { true } else { false } }
        #expect(state?.name == "signedIn(ada)")
    }
}
