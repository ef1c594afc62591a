// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Somebody has proved a first factor, says that the second ones are lost, and waits (ADR 0075). A user has one at
/// most; the times are those of the Directory when it was asked for, so that no later setting makes it come sooner.
public struct FactorRecovery: Sendable, Hashable {
    public var directoryID: DirectoryID
    public var userID: UserID
    public var requestedAt: Instant
    /// When the wait is over: from then on a sign-in removes the factors.
    public var dueAt: Instant
    /// When none does any more.
    public var endsAt: Instant
    /// When the owner was told that the wait is over; `nil` until then.
    public var toldAt: Instant?

    public init(
        directoryID: DirectoryID, userID: UserID, requestedAt: Instant, dueAt: Instant, endsAt: Instant,
        toldAt: Instant? = nil
    ) {
        self.directoryID = directoryID
        self.userID = userID
        self.requestedAt = requestedAt
        self.dueAt = dueAt
        self.endsAt = endsAt
        self.toldAt = toldAt
    }

    /// Whether a sign-in at `now` removes the factors.
    public func isRipe(at now: Instant) -> Bool { dueAt <= now && now < endsAt }

    /// Whether it still stands: it waits, or is ripe.
    public func isOpen(at now: Instant) -> Bool { now < endsAt }
}
