// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import TokenVerifier

/// A clock that a test sets, and on which it can see others wait.
final class ManualClock: Sendable {
    private struct Waiter {
        var id: Int
        var until: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(seconds: 1_800_000_000)
        var waiters: [Waiter] = []
        var cancelled: Set<Int> = []
        var nextID = 0
    }

    private let state = Mutex(State())
    /// How long each call of ``wait(_:)`` is to last, in their order.
    let waits: AsyncStream<TimeSpan>
    private let announce: AsyncStream<TimeSpan>.Continuation

    init() { (waits, announce) = AsyncStream.makeStream() }

    var read: @Sendable () -> Instant { { self.state.withLock(\.now) } }

    func advance(_ span: TimeSpan) {
        let ready = state.withLock { state in
            state.now = state.now + span
            let ready = state.waiters.filter { $0.until <= state.now }
            state.waiters.removeAll { $0.until <= state.now }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when the clock has been advanced so far; throws when the task is cancelled.
    func wait(_ span: TimeSpan) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !state.cancelled.contains(id) else { return true }
                    state.waiters.append(Waiter(id: id, until: state.now + span, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                announce.yield(span)
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(id)
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil as Waiter? }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when somebody waits (again), with how long he means to.
    func nextWait() async -> TimeSpan? { await waits.first { _ in true } }
}
