// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Keeps a queue of changes to its user's session: sends what waits whenever the service is there, as its user and
/// nobody else, and clears it when they leave, unless they chose to keep it (G-7.4, G-13.3, G-13.6). Given to a
/// `SessionService` among its companions.
///
///     let sender = MutationSender(queue: queue) { change in
///         await tell(client, change) // `client.send(…, as: change.subject)`
///     }
public final class MutationSender: SessionCompanion {
    private let queue: any MutationStoring
    private let clock: any ClientClock
    private let tell: @Sendable (Mutation) async -> MutationOutcome
    private let failed: @Sendable (any Error) -> Void
    private let work = Guarded<Work?>(nil)
    /// Users whose changes were to be cleared, and could not be.
    private let uncleared = Guarded<[String]>([])

    private struct Work: Sendable {
        var subject: String
        var task: Task<Void, Never>
    }

    /// - Parameters:
    ///   - clock: waits for the next attempt.
    ///   - failed: told of a queue that can't be read or cleared now. What was to be cleared is cleared the next time
    ///     that the session tells of something, as long as this lives, unless the same user is back by then. Nobody
    ///     else is told of it.
    ///   - tell: sends one change, by `AuthenticatedClient.send(…, as:)` with the change's subject, which sends nothing
    ///     with anybody else's token.
    public init(
        queue: any MutationStoring, clock: any ClientClock = SystemClock(),
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        by tell: @escaping @Sendable (Mutation) async -> MutationOutcome
    ) {
        self.queue = queue
        self.clock = clock
        self.tell = tell
        self.failed = failed
    }

    /// What waits is not sent any more. Without a subject everything stays: each change is its user's, and of no use to
    /// another.
    public func sessionEnded(_ options: SignOutOptions, of subject: String?) async {
        let task = work.withLock { work -> Task<Void, Never>? in
            guard subject == nil || Subject.isSame(work?.subject, subject) else { return nil }
            defer { work = nil }
            return work?.task
        }
        task?.cancel()
        if !options.keepsLocalData, let subject {
            uncleared.withLock { if !$0.containsOctets(of: subject) { $0.append(subject) } }
        }
        await clear()
    }

    private func clear() async {
        for subject in uncleared.value {
            do {
                try await queue.clear(subject: subject)
                forgive(subject)
            } catch {
                failed(error)
            }
        }
    }

    /// Nothing of that user's is to be cleared any more, and of no other's: two may be one text to Swift.
    private func forgive(_ subject: String) {
        uncleared.withLock { $0.removeAll { Subject.isSame($0, subject) } }
    }

    /// Begins to send, where it is not done already.
    public func sessionReady(_ user: SessionUser) async {
        let subject = user.subject
        // What they have changed since is theirs to keep.
        forgive(subject)
        await clear()
        let former = work.withLock { work -> Task<Void, Never>? in
            let former = work?.task
            work = Work(subject: subject, task: Task { [weak self] in await self?.send(subject) })
            return former
        }
        former?.cancel()
    }

    private func send(_ subject: String) async {
        while !Task.isCancelled {
            do {
                let flush = try await queue.flush(subject: subject, kind: nil, clock: clock, by: tell)
                guard let next = flush.nextAttempt else { return }
                try await clock.wait(max(next - clock.now, .seconds(1)))
            } catch is CancellationError {
                return
            } catch {
                return failed(error)
            }
        }
    }
}
