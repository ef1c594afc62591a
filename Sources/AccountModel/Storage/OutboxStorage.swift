// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol OutboxReading {
    /// Newest first; to one recipient when named.
    func outbox(in directory: DirectoryID?, recipient: String?, limit: Int) throws -> [OutboxMessage]
    /// What was given up of a channel's, the newest first.
    func failedOutbox(_ channel: OutboxMessage.Channel, in directory: DirectoryID, limit: Int) throws -> [OutboxMessage]
    func outboxMessage(_ id: OutboxMessageID) throws -> OutboxMessage?
    /// When the next pending message of these channels is due; `nil` when none is pending.
    func nextOutboxDue(_ channels: [OutboxMessage.Channel]) throws -> Instant?
}

public protocol OutboxWriting: OutboxReading {
    func enqueue(_ message: OutboxMessage) throws
    /// The pending messages of a channel that are due at `now`, the longest due first, each moved to `leaseEnd` so that
    /// a second worker leaves it alone and a dead worker's messages come back.
    func claimOutbox(
        _ channel: OutboxMessage.Channel, at now: Instant, leaseEnd: Instant, limit: Int
    ) throws -> [OutboxMessage]
    /// Makes the pending messages of a channel that are due later than `instant` due at `now`. How many there were.
    func hastenOutbox(_ channel: OutboxMessage.Channel, dueAfter instant: Instant, to now: Instant) throws -> Int
    /// Writes state, attempts, due date, error, and the content (of which texts and secrets may have been erased).
    func update(_ message: OutboxMessage) throws
    /// Deletes every message to a recipient; what is still owed only where `includingOwed` says so.
    func deleteOutbox(to recipient: String, in directory: DirectoryID, includingOwed: Bool) throws
    /// Deletes the letters about a user that are owed no more, wherever they went.
    func deleteSettledLetters(about user: UserID, in directory: DirectoryID) throws
    func deleteOutboxMessage(_ id: OutboxMessageID) throws
    func purgeOutbox(finishedBefore instant: Instant, limit: Int) throws -> Int
}
