// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol SessionReading {
    /// Also when it is revoked.
    func session(_ id: SessionID, in directory: DirectoryID) throws -> Session?
    /// Without the revoked, last active first.
    func sessions(of user: UserID, in directory: DirectoryID) throws -> [Session]
    /// The live ones, whoever signed in last first: at most `limit` after `position`.
    func sessions(
        of user: UserID, in directory: DirectoryID, after position: SessionPosition?, limit: Int
    ) throws -> [Session]
    /// What the user's last sessions, ended ones too, say of devices and networks, the newest first.
    func devices(of user: UserID, in directory: DirectoryID, limit: Int) throws -> [DeviceMetadata]
    /// The live ones that clients were given in this session, offline ones too, the oldest first.
    func sessions(under parent: SessionID, in directory: DirectoryID) throws -> [Session]
    /// The user's live ones that clients were given in browsers' sessions, offline ones too.
    func clientSessions(of user: UserID, in directory: DirectoryID) throws -> [Session]
    /// Whether the user has or had a session from this network (a truncated address) that was used since `instant`.
    func hasSession(
        of user: UserID, in directory: DirectoryID, from network: String, activeSince instant: Instant
    ) throws -> Bool
    /// Whether the user has a live one at less than `level`, beside the one that is spared.
    func hasSession(
        of user: UserID, below level: AssuranceLevel, in directory: DirectoryID, except spared: SessionID?
    ) throws -> Bool
    /// Whose the session is; `nil` when it or its user has ended. One look-up for what every call with a token asks.
    func holder(of session: SessionID, in directory: DirectoryID) throws -> SessionHolder?
    /// `nil` where the session was revoked, or is none.
    func standing(of session: SessionID, in directory: DirectoryID) throws -> SessionStanding?
}

/// Where a list of sessions goes on: after this one, in order of when they began and then of identifiers.
public struct SessionPosition: Sendable, Hashable {
    public var createdAt: Instant
    public var id: SessionID

    public init(createdAt: Instant, id: SessionID) {
        self.createdAt = createdAt
        self.id = id
    }
}

/// By what it is known that a judgement on a live session and its user still holds.
public struct SessionStanding: Sendable, Hashable {
    /// As ``User/version``.
    public var userVersion: Int64
    /// As ``User/endedCodes``.
    public var endedCodes: Int64

    public init(userVersion: Int64, endedCodes: Int64) {
        self.userVersion = userVersion
        self.endedCodes = endedCodes
    }
}

public protocol SessionWriting: SessionReading {
    func insert(_ session: Session) throws
    /// Replaces the family, the methods, the device and the last activity where the family is still at `generation` and
    /// the session is not revoked. Whether it was: a compare-and-swap in one statement.
    func advance(_ session: Session, from generation: UInt32) throws -> Bool
    /// As ``advance(_:from:)``, and replaces since when the session is there and when it ends.
    func restart(_ session: Session, from generation: UInt32) throws -> Bool
    /// Ends the session, and those that clients were given in it but the offline ones. Whether it was live until now.
    func revoke(_ id: SessionID, in directory: DirectoryID, because: SessionRevocation, at now: Instant) throws -> Bool
    /// Ends every live session of the user, offline ones too, and says how many that were. What is `spared` stays with
    /// those that clients were given in it, and with the one that it was given in.
    @discardableResult
    func revokeSessions(
        of user: UserID, in directory: DirectoryID, except spared: SessionID?, because: SessionRevocation,
        at now: Instant
    ) throws -> Int
    /// The same of those alone that are at less than `level`.
    @discardableResult
    func revokeSessions(
        of user: UserID, below level: AssuranceLevel, in directory: DirectoryID, except spared: SessionID?,
        because: SessionRevocation, at now: Instant
    ) throws -> Int
    /// Ends every live session that the user's client was given, and says how many that were.
    func revokeSessions(
        of user: UserID, client: ClientID, in directory: DirectoryID, because: SessionRevocation, at now: Instant
    ) throws -> Int
    /// Deletes sessions that ended before `instant`.
    func purgeSessions(endedBefore instant: Instant, limit: Int) throws -> Int
}
