// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// Scans, of which as many are under way as there are connections for them. Of those that wait the Directories take
/// turns, and one whose caller has gone leaves at once.
final class PostgresScans: Sendable {
    struct Job: Sendable {
        /// What a thread does with its connection.
        let run: @Sendable (PostgresWorker) -> Void
        /// Called instead where there is none, or nobody waits for it any more.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var queue: ScanQueue<Job>
        var underWay = 0
        var nextTicket: ScanQueue<Job>.Ticket = 0
    }

    private let pool: PostgresPool
    private let maximum: Int
    private let state: Mutex<State>

    private static let full = AuthError(
        .overloaded, reason: "database: too many lists are being made", retryAfter: .seconds(2))

    /// - Parameters:
    ///   - maximum: scans under way at once.
    ///   - capacity: scans that may wait; the next one is refused.
    init(on pool: PostgresPool, maximum: Int, capacity: Int) {
        self.pool = pool
        self.maximum = max(1, maximum)
        state = Mutex(State(queue: ScanQueue(capacity: capacity)))
    }

    func nextTicket() -> ScanQueue<Job>.Ticket {
        state.withLock { state in
            defer { state.nextTicket &+= 1 }
            return state.nextTicket
        }
    }

    func submit(_ job: Job, _ ticket: ScanQueue<Job>.Ticket, of directory: DirectoryID?) {
        enum Turn { case now, later, never }
        let turn: Turn = state.withLock { state in
            guard state.underWay >= maximum else {
                state.underWay += 1
                return .now
            }
            return state.queue.enqueue(job, ticket, of: directory) ? .later : .never
        }
        switch turn {
        case .now: begin(job)
        case .later: break
        case .never: job.fail(Self.full)
        }
    }

    /// Takes out a scan that waits. One that is under way stops by its ``PostgresStop``.
    func cancel(_ ticket: ScanQueue<Job>.Ticket) {
        state.withLock { $0.queue.cancel(ticket) }?.fail(CancellationError())
    }

    private func begin(_ job: Job) {
        pool.submit(
            { [self] worker in
                job.run(worker)
                next()
            },
            fail: { [self] error in
                job.fail(error)
                next()
            })
    }

    private func next() {
        let job = state.withLock { state in
            let job = state.queue.next()
            if job == nil { state.underWay -= 1 }
            return job
        }
        if let job { begin(job) }
    }
}
