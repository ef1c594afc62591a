// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol GroupReading {
    /// In order of their names.
    func groups(in directory: DirectoryID) throws -> [Group]
    func group(named name: String, in directory: DirectoryID) throws -> Group?
    /// In order of precedence, then name.
    func groups(of user: UserID, in directory: DirectoryID) throws -> [Group]
    /// The groups of each of several users, as above; nobody without one is in it.
    func groups(of users: [UserID], in directory: DirectoryID) throws -> [UserID: [Group]]
    /// In order of identifiers: at most `limit` members with an identifier above `after`.
    func members(of group: GroupID, in directory: DirectoryID, after: UserID?, limit: Int) throws -> [UserID]
}

public protocol GroupWriting: GroupReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `group.name`.
    func insert(_ group: Group) throws
    func update(_ group: Group) throws
    func deleteGroup(_ id: GroupID, in directory: DirectoryID) throws -> Bool
    /// Whether the user was not yet in the group.
    func addMember(_ user: UserID, to group: GroupID, in directory: DirectoryID, at now: Instant) throws -> Bool
    func removeMember(_ user: UserID, from group: GroupID, in directory: DirectoryID) throws -> Bool
}
