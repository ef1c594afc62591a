// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol AuditReading {
    /// Newest first. `action` and `user` narrow the list.
    func auditEvents(
        in directory: DirectoryID, action: AuditEvent.Action?, user: UserID?, offset: Int, limit: Int
    ) throws -> [AuditEvent]
    func auditEventCount(in directory: DirectoryID, action: AuditEvent.Action?, user: UserID?) throws -> Int
}

public protocol AuditWriting: AuditReading {
    func append(_ event: AuditEvent) throws
    func purgeAuditEvents(before instant: Instant, limit: Int) throws -> Int
}
