// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A change that waits until a service can be told of it (G-7.2).
public struct Mutation: Sendable, Hashable {
    /// Counts up in the order in which the changes were made.
    public let sequence: Int64
    /// By what the service knows a repetition (`Idempotency-Key`). Chosen once, by whoever made the change.
    public let idempotencyKey: String
    /// What kind of change it is, in the app's own words. Readable in the file; what is secret belongs into the
    /// payload.
    public let kind: String
    /// Whose change it is: the claim `sub`. It is never told as somebody else.
    public let subject: String
    /// What the app makes a request of. Encrypted in the file.
    public let payload: [UInt8]
    /// By the device's clock.
    public let queuedAt: Instant
    /// How often it was tried before and is known to have failed.
    public let attempts: Int
}

/// What came of telling a service of a change.
public enum MutationOutcome: Sendable, Hashable {
    /// The service has it, by this attempt or by one before.
    case done
    /// Not now: no network, a limit, a fault of the service's. Tried again after a wait that grows, or after the
    /// service's own `Retry-After` (RFC 9110, section 10.2.3) where that is longer.
    case later(after: TimeSpan?)
    /// Never: the service has refused it. It becomes a ``DeadMutation``, and the queue goes on with the next.
    case refused(reason: String)
}

/// A change that the service refused, or that can't be read any more. The app shows it to the user, who decides.
public struct DeadMutation: Sendable, Hashable {
    /// Its payload is empty where it can't be read any more.
    public let mutation: Mutation
    /// Why the service refused it, as the app's sender said.
    public let reason: String
    /// By the device's clock.
    public let refusedAt: Instant
}

/// Why a queue does not take a change.
public enum MutationQueueError: Error, Sendable, Hashable {
    /// As many changes wait as the queue holds, or as many bytes.
    case full
    /// The change, or one of its names, is longer than the queue takes; or a name is empty.
    case invalid
    /// The key was given to another change.
    case idempotencyKeyTaken
    /// What lasts can't be written or read now.
    case store(SecureStoreError)
}
