// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a session asks of its store, one call at a time, none of which is waited for without end: a store may be a hung
/// disk, or a system's question that nobody answers.
///
/// A call that is overdue is not given up, since nobody can take back what it may still write. But nothing else is
/// asked until it has ended, so that an older value is never written over a later one.
final class StoreCalls: Sendable {
    enum Outcome<Answer: Sendable>: Sendable {
        case answer(Answer)
        /// It goes on, and nobody waits for it any more.
        case overdue
        /// It was not made, since an earlier one is overdue.
        case refused

        var answer: Answer? { if case .answer(let answer) = self { answer } else { nil } }
    }

    private let isOverdue = Guarded(false)

    /// - Parameter late: gets what comes of a call that nobody waits for any more.
    func call<Answer: Sendable>(
        within limit: TimeSpan, by clock: any ClientClock, _ body: @escaping @Sendable () async -> Answer,
        late: @escaping @Sendable (Answer) -> Void
    ) async -> Outcome<Answer> {
        guard !isOverdue.value else { return .refused }
        let waiting = Guarded<CheckedContinuation<Outcome<Answer>, Never>?>(nil)
        return await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            let limit = Task { [isOverdue] in
                guard (try? await clock.wait(limit)) != nil else { return }
                let waiter = waiting.withLock { waiting in
                    defer { waiting = nil }
                    if waiting != nil { isOverdue.withLock { $0 = true } }
                    return waiting
                }
                waiter?.resume(returning: .overdue)
            }
            Task { [isOverdue] in
                let answer = await body()
                limit.cancel()
                let waiter = waiting.withLock { waiting in
                    defer { waiting = nil }
                    if waiting == nil { isOverdue.withLock { $0 = false } }
                    return waiting
                }
                if let waiter { waiter.resume(returning: .answer(answer)) } else { late(answer) }
            }
        }
    }
}
