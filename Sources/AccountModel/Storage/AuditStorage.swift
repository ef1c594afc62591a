// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol AuditReading {
    /// What one user did of one kind, newest first.
    ///
    /// - Parameters:
    ///   - end: the last instant to look at; `nil` for all, also those that lie ahead.
    ///   - offset: how many to pass over: few, since each is looked at.
    func auditEvents(
        of user: UserID, in directory: DirectoryID, action: AuditEvent.Action, until end: Instant?, offset: Int,
        limit: Int
    ) throws -> [AuditEvent]
}

public protocol AuditScanning: AuditReading {
    /// Newest first. `user` and `actions` narrow the list: to none where there is no action, to nothing where it is
    /// `nil`.
    func auditEvents(
        in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?, offset: Int, limit: Int
    ) throws -> [AuditEvent]
    /// The same, by the last event of the page before: a page costs as much wherever it is.
    ///
    /// - Parameter place: of an event that need not be there any more; `nil` for the first page.
    func auditEvents(
        in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?, after place: AuditPlace?, limit: Int
    ) throws -> [AuditEvent]
    func auditEventCount(in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?) throws -> Int
}

public protocol AuditWriting: AuditReading {
    func append(_ event: AuditEvent) throws
    func purgeAuditEvents(in directory: DirectoryID, before instant: Instant, limit: Int) throws -> Int
}

/// Where an event is in the audit log: by its time, and among those of one time by its identifier.
public struct AuditPlace: Sendable, Hashable {
    public var at: Instant
    public var id: AuditEventID

    public init(at: Instant, id: AuditEventID) {
        self.at = at
        self.id = id
    }
}
