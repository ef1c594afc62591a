// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A named set of users. Only an operator or an administrator changes who belongs to it.
public struct Group: Sendable {
    public var id: GroupID
    public var directoryID: DirectoryID
    /// Unique in the Directory, compared exactly.
    public var name: String
    public var description: String?
    /// Lower goes first where a user is in several.
    public var precedence: Int64?
    /// What its members are given credentials for by other services, in words of those.
    public var role: String?
    public var createdAt: Instant
    public var updatedAt: Instant

    public init(
        id: GroupID, directoryID: DirectoryID, name: String, description: String? = nil, precedence: Int64? = nil,
        role: String? = nil, createdAt: Instant, updatedAt: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.description = description
        self.precedence = precedence
        self.role = role
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
