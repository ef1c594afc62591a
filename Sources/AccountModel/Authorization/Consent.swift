// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user has agreed that a client may be given.
public struct Consent: Sendable, Hashable {
    public var directoryID: DirectoryID
    public var userID: UserID
    public var clientID: ClientID
    public var scopes: [String]
    public var createdAt: Instant
    public var updatedAt: Instant

    public init(
        directoryID: DirectoryID, userID: UserID, clientID: ClientID, scopes: [String], createdAt: Instant,
        updatedAt: Instant
    ) {
        self.directoryID = directoryID
        self.userID = userID
        self.clientID = clientID
        self.scopes = scopes
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// With the user's answer to being asked for `asked`: what they left out of it is taken back.
    public func answered(with allowed: [String], of asked: [String], at now: Instant) -> Consent {
        var consent = self
        let kept = scopes.filter { !asked.contains($0) || allowed.contains($0) }
        consent.scopes = kept + allowed.filter { !kept.contains($0) }
        consent.updatedAt = now
        return consent
    }
}
