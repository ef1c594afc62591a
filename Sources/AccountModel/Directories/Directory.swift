// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An isolated set of users with its own keys, clients, groups and policies: the aggregate that everything else
/// belongs to. Nothing of one Directory can be seen or changed through another.
public struct Directory: Sendable {
    public var id: DirectoryID
    /// A short name for the command line and the URL: lower-case letters, digits and hyphens. Unique in the store.
    public var name: String
    public var settings: DirectorySettings
    /// 32 random bytes that key the MACs of this Directory's refresh tokens, codes and cursors.
    public var tokenKey: Secret<[UInt8]>
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public init(
        id: DirectoryID, name: String, settings: DirectorySettings, tokenKey: Secret<[UInt8]>, createdAt: Instant,
        updatedAt: Instant, version: Int64 = 1
    ) {
        self.id = id
        self.name = name
        self.settings = settings
        self.tokenKey = tokenKey
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }
}
