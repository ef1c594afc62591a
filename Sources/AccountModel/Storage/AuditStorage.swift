// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol AuditReading {
    /// Newest first. `action`, `user` and `end`, the last instant to look at, narrow the list.
    func auditEvents(
        in directory: DirectoryID, action: AuditEvent.Action?, user: UserID?, until end: Instant?, offset: Int,
        limit: Int
    ) throws -> [AuditEvent]
    func auditEventCount(in directory: DirectoryID, action: AuditEvent.Action?, user: UserID?) throws -> Int
}

extension AuditReading {
    /// All, also those of times that lie ahead.
    public func auditEvents(
        in directory: DirectoryID, action: AuditEvent.Action?, user: UserID?, offset: Int, limit: Int
    ) throws -> [AuditEvent] {
        try auditEvents(in: directory, action: action, user: user, until: nil, offset: offset, limit: limit)
    }
}

public protocol AuditWriting: AuditReading {
    func append(_ event: AuditEvent) throws
    func purgeAuditEvents(before instant: Instant, limit: Int) throws -> Int
}
