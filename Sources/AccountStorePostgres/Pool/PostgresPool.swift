// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Dispatch

/// Connections, each on a thread of its own, since libpq's calls block; and the work that waits for one of them.
final class PostgresPool: Sendable {
    /// What a thread does with its connection.
    struct Job: Sendable {
        let isWriting: Bool
        let run: @Sendable (PostgresWorker) -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var idle: [PostgresWorker] = []
        var made = 0
        var waiting: [(number: UInt64, job: Job)] = []
        var latest: UInt64 = 0
        var isClosed = false
        var lanes: WriteLanes

        /// The one that has waited longest of those that may begin.
        mutating func next() -> Job? {
            let hasRoom = lanes.hasRoom
            guard let index = waiting.firstIndex(where: { hasRoom || !$0.job.isWriting }) else { return nil }
            let job = waiting.remove(at: index).job
            if job.isWriting { lanes.begin() }
            return job
        }
    }

    private let maximum: Int
    private let capacity: Int
    private let patience: Duration
    private let label: String
    private let paths: StatementPaths?
    private let open: @Sendable () throws -> PostgresConnection
    private let state: Mutex<State>

    static let closed = AuthError(.unavailable, reason: "the store is closed")
    private static let full = AuthError(
        .overloaded, reason: "database: every connection is at work", retryAfter: .seconds(1))

    /// - Parameters:
    ///   - maximum: connections; one is opened when it is needed.
    ///   - capacity: jobs that may wait for one; the next is refused.
    ///   - patience: how long one may wait, also where no connection becomes free meanwhile.
    ///   - paths: where what transactions do is learned, for fewer round trips; `nil` where each statement is waited
    ///     for.
    init(
        _ label: String, maximum: Int, capacity: Int, patience: Duration, paths: StatementPaths? = nil,
        open: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.label = label
        self.maximum = max(1, maximum)
        self.capacity = capacity
        self.patience = patience
        self.paths = paths
        self.open = open
        state = Mutex(State(lanes: WriteLanes(maximum: max(1, maximum))))
    }

    /// - Parameters:
    ///   - isWriting: whether it may meet others, and so waits until as many of these as get on are under way.
    ///   - run: called on a connection's thread.
    ///   - fail: called instead where there is none.
    func submit(
        isWriting: Bool = false, _ run: @escaping @Sendable (PostgresWorker) -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        let job = Job(isWriting: isWriting, run: run, fail: fail)
        enum Turn { case now(PostgresWorker), later(UInt64), never(AuthError) }
        let turn: Turn = state.withLock { state in
            if state.isClosed { return .never(Self.closed) }
            if !isWriting || state.lanes.hasRoom, let worker = free(in: &state) {
                if isWriting { state.lanes.begin() }
                return .now(worker)
            }
            guard state.waiting.count < capacity else { return .never(Self.full) }
            state.latest += 1
            state.waiting.append((state.latest, job))
            return .later(state.latest)
        }
        switch turn {
        case .now(let worker): worker.thread.async { self.work(job, on: worker) }
        case .later(let number): giveUp(number)
        case .never(let refusal): fail(refusal)
        }
    }

    /// A connection that has nothing to do, or a new one.
    private func free(in state: inout State) -> PostgresWorker? {
        if let worker = state.idle.popLast() { return worker }
        guard state.made < maximum else { return nil }
        state.made += 1
        return PostgresWorker("\(label).\(state.made)", paths, open)
    }

    /// What became of a write: whether it was run again since another one came between, or was committed.
    func wrote(meeting: Bool) {
        state.withLock { meeting ? $0.lanes.didMeet() : $0.lanes.didCommit() }
    }

    /// Refuses a job that nobody has begun when its time is over.
    private func giveUp(_ number: UInt64) {
        let wait = DispatchTimeInterval.milliseconds(
            Int(clamping: patience.components.seconds * 1000 + patience.components.attoseconds / 1_000_000_000_000_000))
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [self] in
            let job = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).job }
            }
            job?.fail(Self.full)
        }
    }

    /// One job after the other, until none waits that may begin.
    private func work(_ first: Job, on worker: PostgresWorker) {
        var next: Job? = first
        while let job = next {
            job.run(worker)
            let others: [(PostgresWorker, Job)]
            (next, others) = state.withLock { state in
                if job.isWriting { state.lanes.end() }
                let own = state.next()
                if own == nil {
                    if state.isClosed { worker.close() } else { state.idle.append(worker) }
                }
                // Where more may be written at once than before.
                var others: [(PostgresWorker, Job)] = []
                while own != nil, state.lanes.hasRoom, let place = state.waiting.firstIndex(where: \.job.isWriting),
                    let free = free(in: &state)
                {
                    state.lanes.begin()
                    others.append((free, state.waiting.remove(at: place).job))
                }
                return (own, others)
            }
            for (free, job) in others { free.thread.async { self.work(job, on: free) } }
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
