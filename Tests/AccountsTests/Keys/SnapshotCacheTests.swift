// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestSupport
import Testing

@testable import Accounts

@Suite("SnapshotCache")
struct SnapshotCacheTests {
    /// What the cache reads from: counts, fails and waits as told.
    final class Source: Sendable {
        struct State {
            var loads = 0
            var value: String? = "first"
            var isDown = false
            var gates: [CheckedContinuation<Void, Never>] = []
            var isGated = false
        }

        let state = Mutex(State())

        func load() async throws -> String? {
            let (value, isDown, isGated) = state.withLock { state in
                state.loads += 1
                return (state.value, state.isDown, state.isGated)
            }
            if isGated {
                await withCheckedContinuation { gate in state.withLock { $0.gates.append(gate) } }
            }
            if isDown { throw AuthError(.unavailable) }
            return value
        }

        func open() {
            let gates = state.withLock { state in
                defer { state.gates = [] }
                state.isGated = false
                return state.gates
            }
            for gate in gates { gate.resume() }
        }

        var loads: Int { state.withLock { $0.loads } }

        /// Returns when a load waits at the gate. Where none comes, it is opened: else whoever reads would wait for it.
        func untilRead() async throws {
            do {
                try await eventually("a load waits at the gate") { state.withLock { !$0.gates.isEmpty } }
            } catch {
                open()
                throw error
            }
        }
    }

    let source = Source()
    let start = Instant(seconds: 1_000_000)

    func cache() -> SnapshotCache<String, String> {
        let source = source
        return SnapshotCache(lifetime: .seconds(5)) { _ in try await source.load() }
    }

    @Test("A value is read once and again only when it is five seconds old")
    func lifetime() async throws {
        let cache = cache()
        for offset in [0, 1, 4] as [Int64] {
            #expect(try await cache.value(for: "a", at: start + .seconds(offset)) == "first")
        }
        #expect(source.loads == 1)
        source.state.withLock { $0.value = "second" }
        #expect(try await cache.value(for: "a", at: start + .seconds(5)) == "second")
        #expect(source.loads == 2)
    }

    @Test("C-9 While the store is down the last good value goes on, and is tried again a second later")
    func down() async throws {
        let cache = cache()
        _ = try await cache.value(for: "a", at: start)
        source.state.withLock {
            $0.isDown = true
            $0.value = "second"
        }
        #expect(try await cache.value(for: "a", at: start + .seconds(10)) == "first")
        #expect(try await cache.value(for: "a", at: start + .milliseconds(10_500)) == "first")
        #expect(source.loads == 2)
        source.state.withLock { $0.isDown = false }
        #expect(try await cache.value(for: "a", at: start + .seconds(11)) == "second")
    }

    @Test("C-9 A cold cache fails with the store, and recovers by itself")
    func cold() async throws {
        let cache = cache()
        source.state.withLock { $0.isDown = true }
        await #expect(throws: AuthError(.unavailable)) { try await cache.value(for: "a", at: start) }
        source.state.withLock { $0.isDown = false }
        #expect(try await cache.value(for: "a", at: start) == "first")
    }

    @Test("C-12 Fifty callers of a cold cache share one load")
    func sharedLoad() async throws {
        let cache = cache()
        source.state.withLock { $0.isGated = true }
        let start = start
        let source = source
        let values = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await cache.value(for: "a", at: start) } }
            group.addTask {
                defer { source.open() }
                try await source.untilRead()
                return nil
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(values.compactMap { $0 } == Array(repeating: "first", count: 50))
        #expect(source.loads == 1)
    }

    @Test("While one caller reloads, the others are given the old value at once")
    func staleWhileReloading() async throws {
        let cache = cache()
        _ = try await cache.value(for: "a", at: start)
        source.state.withLock {
            $0.isGated = true
            $0.value = "second"
        }
        let later = start + .seconds(6)
        async let reloading = cache.value(for: "a", at: later)
        try await source.untilRead()
        #expect(try await cache.value(for: "a", at: later) == "first")
        source.open()
        #expect(try await reloading == "second")
        #expect(try await cache.value(for: "a", at: later) == "second")
        #expect(source.loads == 2)
    }

    @Test("A load that began before an invalidation is not kept")
    func invalidation() async throws {
        let cache = cache()
        source.state.withLock { $0.isGated = true }
        let start = start
        async let early = cache.value(for: "a", at: start)
        try await source.untilRead()
        source.state.withLock { $0.value = "second" }
        cache.invalidate()
        source.open()
        #expect(try await early == "first")
        #expect(try await cache.value(for: "a", at: start) == "second")
    }

    @Test("C-9 What another server has changed is read again at once, and goes on while the store is down")
    func expired() async throws {
        let cache = cache()
        _ = try await cache.value(for: "a", at: start)
        source.state.withLock {
            $0.value = "second"
            $0.isDown = true
        }
        cache.expire()
        #expect(try await cache.value(for: "a", at: start) == "first")
        #expect(try await cache.value(for: "a", at: start + .milliseconds(900)) == "first")
        #expect(source.loads == 2)
        source.state.withLock { $0.isDown = false }
        #expect(try await cache.value(for: "a", at: start + .seconds(1)) == "second")
        source.state.withLock { $0.value = "third" }
        cache.expire()
        #expect(try await cache.value(for: "a", at: start + .seconds(1)) == "third")
    }

    @Test("A load that began before another server's change is not kept")
    func expiredMeanwhile() async throws {
        let cache = cache()
        _ = try await cache.value(for: "a", at: start)
        source.state.withLock { $0.isGated = true }
        let later = start + .seconds(6)
        async let early = cache.value(for: "a", at: later)
        try await source.untilRead()
        source.state.withLock { $0.value = "second" }
        cache.expire()
        source.open()
        #expect(try await early == "first")
        #expect(try await cache.value(for: "a", at: later) == "second")
    }

    @Test("What the store does not have is not kept, so strange names cannot fill the cache")
    func absent() async throws {
        let cache = cache()
        source.state.withLock { $0.value = nil }
        #expect(try await cache.value(for: "a", at: start) == nil)
        source.state.withLock { $0.value = "made since" }
        #expect(try await cache.value(for: "a", at: start) == "made since")
    }

    @Test("A clock that was set back does not keep an old value for ever")
    func clockSetBack() async throws {
        let cache = cache()
        _ = try await cache.value(for: "a", at: start)
        source.state.withLock { $0.value = "second" }
        #expect(try await cache.value(for: "a", at: start - .hours(1)) == "second")
    }
}
