// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What lets programs register themselves as clients (RFC 7591, section 1.2), as far as an operator has said.
public struct InitialAccessToken: Sendable, Hashable {
    public var id: InitialAccessTokenID
    public var directoryID: DirectoryID
    /// What the operator calls it.
    public var name: String
    /// SHA-256 of its text.
    public var hash: [UInt8]
    /// What a client that is registered by it may have at most.
    public var grants: [ClientAuthorization.Grant]
    public var scopes: [String]
    /// Where such a client's users may be sent back to: names of hosts, `scheme:` for an app's own, `*` for every host.
    /// Without any, this machine's own addresses alone.
    public var redirectHosts: [String]
    /// How many clients may be registered yet; `nil` for any number.
    public var usesLeft: Int64?
    public var createdAt: Instant
    public var expiresAt: Instant?
    public var revokedAt: Instant?

    public init(
        id: InitialAccessTokenID, directoryID: DirectoryID, name: String, hash: [UInt8],
        grants: [ClientAuthorization.Grant], scopes: [String], redirectHosts: [String] = [], usesLeft: Int64? = nil,
        createdAt: Instant, expiresAt: Instant? = nil, revokedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.hash = hash
        self.grants = grants
        self.scopes = scopes
        self.redirectHosts = redirectHosts
        self.usesLeft = usesLeft
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    /// Whether a client may be registered by it now.
    public func isGood(at now: Instant) -> Bool {
        revokedAt == nil && (expiresAt.map { now < $0 } ?? true) && (usesLeft.map { $0 > 0 } ?? true)
    }
}
