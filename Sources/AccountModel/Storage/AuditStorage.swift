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
    /// Newest first. `user` and `actions` narrow the list: to none where there is no action, to nothing where it is `nil`.
    func auditEvents(
        in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?, offset: Int, limit: Int
    ) throws -> [AuditEvent]
    func auditEventCount(in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?) throws -> Int
}

public protocol AuditWriting: AuditReading {
    func append(_ event: AuditEvent) throws
    func purgeAuditEvents(in directory: DirectoryID, before instant: Instant, limit: Int) throws -> Int
}
