// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol UserReading {
    /// Soft-deleted users are found by their identifier only.
    func user(_ id: UserID, in directory: DirectoryID) throws -> User?
    /// The live ones of several users, in the order given.
    func users(_ ids: [UserID], in directory: DirectoryID) throws -> [User]
    /// Those who have asked for it and are to be deleted at `instant` or before, the longest due first.
    func users(dueForDeletionAt instant: Instant, limit: Int) throws -> [User]
    /// Who of a Directory's waits to be deleted, the first due first, those that are due among them.
    func users(waitingForDeletionIn directory: DirectoryID, limit: Int) throws -> [User]
    /// Soft-deleted users of a Directory whose deletion lies before `instant`, the longest gone first, without those of
    /// whom there is more to be erased (``Erasure``).
    func usersDeleted(in directory: DirectoryID, before instant: Instant, limit: Int) throws -> [UserID]
    /// Whose identifier this is, octet by octet: our own, or one that was brought along for any dialect. It is nobody
    /// else's in the Directory. Soft-deleted users are found too.
    func user(identifier: String, in directory: DirectoryID) throws -> User?
    /// Those that were brought along of several users; whoever has none is left out. Also of soft-deleted ones.
    func externalIdentifiers(of users: [UserID], in directory: DirectoryID) throws -> [UserID: ExternalIdentifiers]
    /// Whom the address names (``AddressHolders/named``). Several users may have it.
    func user(email: EmailAddress, in directory: DirectoryID) throws -> User?
    /// The same of a number.
    func user(phone: PhoneNumber, in directory: DirectoryID) throws -> User?
    /// Whether one of the addresses or numbers is a user's, as ``user(email:in:)`` and ``user(phone:in:)`` find them.
    func isAnyTaken(emails: [EmailAddress], phones: [PhoneNumber], in directory: DirectoryID) throws -> Bool
    /// Whether one of the texts is spelled as a user's name, be it with or without regard to case.
    func isAnyName(_ texts: [String], in directory: DirectoryID) throws -> Bool
    /// By the name's ``Username/key``. A name that is spelled as somebody's identifier, ours or one of their
    /// ``User/externalIdentifiers``, is theirs: nobody may take another's identifier for a name.
    func user(username: Username, in directory: DirectoryID) throws -> User?
    /// Each ``Passwords/PasswordHash/form`` of hash that the Directory's users have, at most `limit`.
    func passwordForms(in directory: DirectoryID, limit: Int) throws -> [String]
    /// Users that are not soft-deleted, kept as a running count: asking costs the same however many there are.
    func userCount(in directory: DirectoryID) throws -> Int
    func userTally(in directory: DirectoryID) throws -> UserTally
    /// Oldest first.
    func identities(of user: UserID, in directory: DirectoryID) throws -> [Identity]
    /// The identities of each of several users, the oldest first; nobody without one is in it.
    func identities(of users: [UserID], in directory: DirectoryID) throws -> [UserID: [Identity]]
    func identity(_ id: IdentityID, in directory: DirectoryID) throws -> Identity?
    func identity(provider: String, subject: String, in directory: DirectoryID) throws -> Identity?
}

public protocol UserScanning: UserReading {
    /// In the order in which they were made, newest or oldest first, without the soft-deleted; `search` matches a
    /// prefix of the email address or of an identifier.
    func users(
        in directory: DirectoryID, search: String?, oldestFirst: Bool, offset: Int, limit: Int
    ) throws -> [User]
    /// In the same order, those who come behind a place in it.
    ///
    /// - Parameter after: what ``UserPage/next`` of the page before said, or
    ///   ``userPosition(in:oldestFirst:after:passing:)``; `nil` for the beginning.
    func users(in directory: DirectoryID, oldestFirst: Bool, after: UserPosition?, limit: Int) throws -> UserPage
    /// The place so many users further in that order, found without looking at any of them; `nil` where fewer follow.
    /// It takes the longer the more there are to pass.
    func userPosition(
        in directory: DirectoryID, oldestFirst: Bool, after: UserPosition?, passing count: Int
    ) throws -> UserPosition?
    /// In the same order, those who are known by something that holds this part. No index leads to them: it looks at
    /// ``UserPage/mostLookedAt`` users at most, so there may be few or none although others follow.
    ///
    /// - Parameters:
    ///   - after: what `next` of the call before said.
    ///   - limit: how many to return at most.
    /// - Returns: whom it found, and where to go on; `next` is `nil` where all were looked at.
    func userIDs(
        in directory: DirectoryID, holding part: UserPart, oldestFirst: Bool, after: UserPosition?, limit: Int
    ) throws -> (found: [UserID], next: UserPosition?)
    /// In order of identifiers, without the soft-deleted: at most `limit` users with an identifier above `after`.
    func users(in directory: DirectoryID, after: UserID?, limit: Int) throws -> [User]
    /// A page of users that match, without the soft-deleted, in an order that is the filter's own.
    ///
    /// Where no index leads to them it looks at ``UserPage/mostLookedAt`` users at most, so a page may be short or
    /// empty although others follow.
    ///
    /// - Parameters:
    ///   - after: what ``UserPage/next`` of the page before said.
    ///   - limit: how many users to return at most.
    func users(
        in directory: DirectoryID, matching filter: UserFilter, after: UserPosition?, limit: Int, at now: Instant
    ) throws -> UserPage
}

extension UserScanning {
    /// Newest first.
    public func users(in directory: DirectoryID, search: String?, offset: Int, limit: Int) throws -> [User] {
        try users(in: directory, search: search, oldestFirst: false, offset: offset, limit: limit)
    }
}

extension UserWriting {
    /// Inserts several users who were not prepared before: see ``insert(_:)-(PreparedUsers)``.
    public func insert(_ users: [User], with identities: [Identity]) throws {
        try insert(PreparedUsers(users, with: identities))
    }
}

public protocol UserWriting: UserReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `user.id`, `user.external_identifiers`, `user.username`, or
    ///   `user.email` or `user.phone` where two have one for a name of their own (``User/sharesEmail``). An identifier
    ///   is taken, ours or brought along, where it is either of somebody else's.
    func insert(_ user: User) throws
    /// Inserts several users of one Directory and their identities, as one by one, but counts the users once.
    /// - Throws: as above, and ``StoreConflict/duplicate(_:)`` with `identity.subject`. Some may be inserted then.
    func insert(_ prepared: PreparedUsers) throws
    /// Writes every field but the identifiers where the stored version is still `user.version`, and returns the user
    /// with the raised one.
    /// - Throws: ``StoreConflict/stale(_:)`` or ``StoreConflict/duplicate(_:)`` as above.
    @discardableResult
    func update(_ user: User) throws -> User
    /// Writes when the user signed in last, their ``User/language`` and ``User/updatedAt``, and nothing else, where the
    /// stored version is still `user.version`; returns the user with the raised one. Every sign-in does: none of it is
    /// sealed, nor in an index.
    /// - Throws: ``StoreConflict/stale(_:)``.
    @discardableResult
    func noteSignIn(of user: User) throws -> User
    /// Deletes the user and everything that belongs to them, except audit events. Whether there was one.
    func deleteUser(_ id: UserID, in directory: DirectoryID) throws -> Bool
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `identity.subject`.
    func insert(_ identity: Identity) throws
    func update(_ identity: Identity) throws
    func deleteIdentity(_ id: IdentityID, in directory: DirectoryID) throws -> Bool
}
