// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension MutationQueue {
    /// A refused change holds up none behind it: those that need it the service refuses by itself, and the rest are not
    /// lost for one mistake. One that has to wait holds up all behind it, so that none is told out of order.
    ///
    /// Give `subject` the user who is signed in, and end the task when that changes: `tell` is not called any more once
    /// the task is cancelled.
    ///
    /// - Throws: ``MutationQueueError``, or `CancellationError` where the task is cancelled while another process
    ///   flushes.
    public func flush(
        subject: String, kind: String? = nil, clock: any ClientClock,
        by tell: @Sendable (Mutation) async -> MutationOutcome
    ) async throws -> MutationFlush {
        try await locks.exclusively("mutations.lock") {
            var flush = MutationFlush()
            while !Task.isCancelled, let row = try await self.next(subject, kind) {
                let now = clock.now
                if row.waits(at: now, atMost: max(self.backoff.longest, RetryBackoff.longestAsked)) {
                    flush.nextAttempt = row.nextAttempt
                    break
                }
                guard let mutation = row.mutation(with: try await self.storeKey(fresh: true)) else {
                    try await self.refuse(row.sequence, because: "damaged", at: now)
                    flush.refused += 1
                    continue
                }
                switch await tell(mutation) {
                case .done:
                    try await self.run("DELETE FROM mutation WHERE sequence = ?", [.integer(row.sequence)])
                    flush.done += 1
                case .refused(let reason):
                    try await self.refuse(row.sequence, because: reason, at: clock.now)
                    flush.refused += 1
                case .later(let retryAfter):
                    let attempts = row.attempts + 1
                    let wait = self.backoff.wait(afterFailures: attempts, retryAfter: retryAfter, random: self.random)
                    let began = clock.now
                    let next = began + wait
                    try await self.run(
                        "UPDATE mutation SET attempts = ?, next_attempt = ?, waits_since = ? WHERE sequence = ?",
                        [
                            .integer(Int64(attempts)), .integer(next.microseconds), .integer(began.microseconds),
                            .integer(row.sequence),
                        ])
                    flush.nextAttempt = next
                    flush.left = try await self.waiting(subject: subject)
                    return flush
                }
            }
            flush.left = try await self.waiting(subject: subject)
            return flush
        }
    }

    private func next(_ subject: String, _ kind: String?) async throws(MutationQueueError) -> MutationRow? {
        try await queue.run { [place] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in
                try database.run(MutationRow.next, [.text(subject), kind.map { .text($0) } ?? .null]).first
                    .flatMap(MutationRow.init)
            }
        }
    }

    private func refuse(_ sequence: Int64, because reason: String, at now: Instant) async throws(MutationQueueError) {
        try await run(
            "UPDATE mutation SET reason = ?, refused_at = ? WHERE sequence = ?",
            [.text(String(reason.prefix(1000))), .integer(now.microseconds), .integer(sequence)])
    }

    private func run(_ sql: String, _ arguments: [QueueDatabase.Value]) async throws(MutationQueueError) {
        try await queue.run { [place] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in _ = try database.run(sql, arguments) }
        }
    }
}

extension MutationRow {
    /// A wait that began later than now was noted by a clock that has been set back since: nobody knows what is left of
    /// it. One that is longer than any is damaged.
    fileprivate func waits(at now: Instant, atMost longest: TimeSpan) -> Bool {
        waitsSince <= now && now < nextAttempt && nextAttempt - waitsSince <= longest
    }
}
