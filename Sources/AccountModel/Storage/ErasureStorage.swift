// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An account that is over and of which there are rows left: more than one transaction may hold others up for. It is
/// written in the transaction that ends the account, so that whoever dies in the midst of it leaves it to the next.
public struct Erasure: Sendable, Hashable {
    public var directoryID: DirectoryID
    public var userID: UserID
    /// Whether an empty row stays of the user until the purge.
    public var keepsRow: Bool
    /// The last event of the audit log that was looked at.
    public var position: AuditPosition?

    public init(directoryID: DirectoryID, userID: UserID, keepsRow: Bool, position: AuditPosition? = nil) {
        self.directoryID = directoryID
        self.userID = userID
        self.keepsRow = keepsRow
        self.position = position
    }
}

/// Where one user's events go on: in order of action, time and identifier.
public struct AuditPosition: Sendable, Hashable {
    public var action: AuditEvent.Action
    public var at: Instant
    public var id: AuditEventID

    public init(action: AuditEvent.Action, at: Instant, id: AuditEventID) {
        self.action = action
        self.at = at
        self.id = id
    }
}

public protocol ErasureReading {
    func erasure(of user: UserID, in directory: DirectoryID) throws -> Erasure?
    /// Those that are not done, of all Directories, in an order that stays.
    func erasures(limit: Int) throws -> [Erasure]
}

public protocol ErasureWriting: ErasureReading {
    /// Takes the place of the one that its user has.
    func put(_ erasure: Erasure) throws
    func deleteErasure(of user: UserID, in directory: DirectoryID) throws
    /// Deletes at most `limit`, and says how many.
    func eraseActivities(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int
    /// The same of sessions.
    func eraseSessions(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int
    /// Removes what the user's sessions, ended ones too, say of devices and networks, the claims given with them, and
    /// how their user had proved who they are: that names mailboxes, providers and factors. Of at most `limit`, and
    /// says of how many.
    func redactSessions(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int
    /// Removes whatever the next `limit` events about a user hold but what was done, when, by whom and to which
    /// identifier.
    ///
    /// - Returns: where it goes on; `nil` where there are no more.
    func redactAuditEvents(
        of user: UserID, in directory: DirectoryID, after position: AuditPosition?, limit: Int
    ) throws -> AuditPosition?
    /// Deletes what wrong passwords have counted of the user's.
    func deleteLockouts(of user: UserID, in directory: DirectoryID) throws
}
