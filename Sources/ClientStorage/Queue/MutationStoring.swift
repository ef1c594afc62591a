// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Where changes wait. ``MutationQueue`` is the library's own; an app with a database of its own keeps them there,
/// beside the data that they change.
public protocol MutationStoring: Sendable {
    /// Puts a change at the end. It is on the disk when this returns.
    ///
    /// Appending a change whose key is there already, with the same kind and payload for the same user, is the same
    /// append once more and changes nothing.
    func append(
        _ payload: [UInt8], kind: String, idempotencyKey: String, subject: String, at now: Instant
    ) async throws(MutationQueueError)
    /// Tells a service of the changes of one user, one after the other in the order in which they were made.
    ///
    /// Each is told at least once: who is killed in the midst of it tells it again, under the same key. Only one
    /// process at a time does so. Ends when there is none left, or the first has to wait.
    func flush(
        subject: String, kind: String?, clock: any ClientClock, by tell: @Sendable (Mutation) async -> MutationOutcome
    ) async throws -> MutationFlush
    /// How many changes of that user wait.
    func waiting(subject: String) async throws(MutationQueueError) -> Int
    /// Those that a service refused, the oldest first.
    func refused(subject: String) async throws(MutationQueueError) -> [DeadMutation]
    /// Puts a refused change aside for good, whether it was made anew or given up.
    func forget(_ dead: DeadMutation) async throws(MutationQueueError)
    /// Signing out without keeping local data (G-13.3, G-13.6). What is kept waits for the same user, and for nobody
    /// else.
    func clear(subject: String) async throws(MutationQueueError)
}

/// How telling ended.
public struct MutationFlush: Sendable, Hashable {
    /// How many the service took.
    public var done = 0
    /// How many it refused for good.
    public var refused = 0
    /// How many of the user's wait still.
    public var left = 0
    /// When to try again. `nil` where nothing is left, or the task was cancelled.
    public var nextAttempt: Instant?
}
