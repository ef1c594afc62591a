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
    /// Whether an operator has put the user in a group: the one that an identity provider's users are put in by
    /// themselves says nothing.
    func isInOperatorsGroup(_ user: UserID, in directory: DirectoryID) throws -> Bool
    /// In order of identifiers: at most `limit` members with an identifier above `after`.
    func members(of group: GroupID, in directory: DirectoryID, after: UserID?, limit: Int) throws -> [UserID]
}

public protocol GroupWriting: GroupReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `group.name`.
    func insert(_ group: Group) throws
    func update(_ group: Group) throws
    func deleteGroup(_ id: GroupID, in directory: DirectoryID) throws -> Bool
    /// Whether the user was not yet in the group.
    ///
    /// - Parameter byProvider: whether it follows from the provider that they came by. What an operator does stands
    ///   over it.
    func addMember(
        _ user: UserID, to group: GroupID, in directory: DirectoryID, byProvider: Bool, at now: Instant
    ) throws -> Bool
    func removeMember(_ user: UserID, from group: GroupID, in directory: DirectoryID) throws -> Bool
}

extension GroupWriting {
    /// As an operator does it.
    package func addMember(
        _ user: UserID, to group: GroupID, in directory: DirectoryID, at now: Instant
    ) throws -> Bool {
        try addMember(user, to: group, in: directory, byProvider: false, at: now)
    }
}
