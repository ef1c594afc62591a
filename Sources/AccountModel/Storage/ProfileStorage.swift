// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where the next page of activities starts: after this one, in order of time and then identifier.
public struct ActivityPosition: Sendable, Hashable {
    public var at: Instant
    public var id: ActivityID

    public init(at: Instant, id: ActivityID) {
        self.at = at
        self.id = id
    }
}

/// Which activities to list: `from` inclusive, `until` exclusive.
public struct ActivityFilter: Sendable, Hashable {
    public var type: String?
    public var from: Instant?
    public var until: Instant?

    public init(type: String? = nil, from: Instant? = nil, until: Instant? = nil) {
        self.type = type
        self.from = from
        self.until = until
    }
}

public protocol ProfileReading {
    func profile(of user: UserID, in directory: DirectoryID) throws -> Profile?
    /// Those of several users.
    func profiles(of users: [UserID], in directory: DirectoryID) throws -> [UserID: Profile]
    /// Newest first.
    func activities(
        of user: UserID, in directory: DirectoryID, matching filter: ActivityFilter, after: ActivityPosition?,
        limit: Int
    ) throws -> [Activity]
}

public protocol ProfileWriting: ProfileReading {
    /// Inserts the profile or takes the place of the one there is.
    func upsert(_ profile: Profile) throws
    func insert(_ activity: Activity) throws
}
