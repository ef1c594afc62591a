// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an export reads of one user beside what a read finds: in pages that begin where the last one ended, so that no
/// list is in memory as a whole and nothing that comes meanwhile moves what is still to come.
public protocol ExportScanning {
    /// Ended ones too, in order of when they began.
    func everySession(
        of user: UserID, in directory: DirectoryID, after position: SessionPosition?, limit: Int
    ) throws -> [Session]
    /// Whatever the log has of the user, in order of action, time and identifier.
    func auditEvents(
        of user: UserID, in directory: DirectoryID, after position: AuditPosition?, limit: Int
    ) throws -> [AuditEvent]
    /// What was sent to a recipient or is owed to them, the newest first.
    func outbox(
        to recipient: String, in directory: DirectoryID, after position: OutboxPosition?, limit: Int
    ) throws -> [OutboxMessage]
    /// Letters about a user's account, wherever they went, the newest first.
    func outbox(
        about user: UserID, in directory: DirectoryID, after position: OutboxPosition?, limit: Int
    ) throws -> [OutboxMessage]
}

/// Where a list of messages goes on: after this one, in order of when they were made and then of identifiers.
public struct OutboxPosition: Sendable, Hashable {
    public var createdAt: Instant
    public var id: OutboxMessageID

    public init(createdAt: Instant, id: OutboxMessageID) {
        self.createdAt = createdAt
        self.id = id
    }
}

extension OutboxMessage {
    /// Where a list goes on that ends with this.
    public var position: OutboxPosition { OutboxPosition(createdAt: createdAt, id: id) }
}
