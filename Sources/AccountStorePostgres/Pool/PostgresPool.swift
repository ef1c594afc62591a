// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Dispatch
import Synchronization

/// Connections, each on a thread of its own, since libpq's calls block; and the work that waits for one of them.
final class PostgresPool: Sendable {
    /// What a thread does with its connection.
    struct Job: Sendable {
        let run: @Sendable (PostgresWorker) -> Void
        let fail: @Sendable (any Error) -> Void
        let queuedAt: ContinuousClock.Instant
    }

    private struct State {
        var idle: [PostgresWorker] = []
        var made = 0
        var waiting: [Job] = []
        var isClosed = false
    }

    private let maximum: Int
    private let capacity: Int
    private let patience: Duration
    private let label: String
    private let open: @Sendable () throws -> PostgresConnection
    private let state = Mutex(State())
    private let clock = ContinuousClock()

    static let closed = AuthError(.unavailable, reason: "the store is closed")
    private static let full = AuthError(
        .overloaded, reason: "database: every connection is at work", retryAfter: .seconds(1))

    /// - Parameters:
    ///   - maximum: connections; one is opened when it is needed.
    ///   - capacity: jobs that may wait for one; the next is refused.
    ///   - patience: how long one may wait.
    init(
        _ label: String, maximum: Int, capacity: Int, patience: Duration,
        open: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.label = label
        self.maximum = max(1, maximum)
        self.capacity = capacity
        self.patience = patience
        self.open = open
    }

    /// - Parameters:
    ///   - run: called on a connection's thread.
    ///   - fail: called instead where there is none.
    func submit(
        _ run: @escaping @Sendable (PostgresWorker) -> Void, fail: @escaping @Sendable (any Error) -> Void
    ) {
        let job = Job(run: run, fail: fail, queuedAt: clock.now)
        let (worker, refusal): (PostgresWorker?, AuthError?) = state.withLock { state in
            if state.isClosed { return (nil, Self.closed) }
            if let worker = state.idle.popLast() { return (worker, nil) }
            if state.made < maximum {
                state.made += 1
                return (PostgresWorker("\(label).\(state.made)", open), nil)
            }
            guard state.waiting.count < capacity else { return (nil, Self.full) }
            state.waiting.append(job)
            return (nil, nil)
        }
        if let refusal { fail(refusal) }
        if let worker { worker.thread.async { self.work(job, on: worker) } }
    }

    /// One job after the other, until none waits.
    private func work(_ first: Job, on worker: PostgresWorker) {
        var next: Job? = first
        while let job = next {
            if job.queuedAt.duration(to: clock.now) > patience {
                job.fail(Self.full)
            } else {
                job.run(worker)
            }
            next = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                if state.isClosed {
                    worker.close()
                } else {
                    state.idle.append(worker)
                }
                return nil
            }
        }
    }

    /// What waits is still done; what comes later is refused.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { worker.thread.sync { worker.close() } }
    }
}
