// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension UserAdministration {
    /// A page of users in the order of their identifiers, without the soft-deleted. Users that come and go between two
    /// pages move no other across the border.
    ///
    /// - Parameters:
    ///   - after: the last identifier of the page before.
    ///   - limit: 1 to 100.
    /// - Returns: the users, and whether more follow.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func page(
        after: UserID?, limit: Int, call: CallContext
    ) async throws -> (users: [User], hasMore: Bool) {
        try call.requireAdministrator()
        guard (1...100).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        let users = try await ports.store.scan(in: call.directory.id) { tx in
            try tx.users(in: call.directory.id, after: after, limit: limit + 1)
        }
        return (Array(users.prefix(limit)), users.count > limit)
    }

    /// A page of users that match, without the soft-deleted. One that is looked for among many (``UserPage``) may be
    /// short or empty although others follow.
    ///
    /// - Parameters:
    ///   - filter: `nil` for all of them.
    ///   - after: where the page before said that this one begins.
    ///   - limit: 1 to 1,000.
    ///   - looksAhead: off where a full page of all users is followed by another even if that is empty.
    /// - Returns: the users, and where the next page begins; `nil` where there is none.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func list(
        matching filter: UserFilter?, after: UserPosition? = nil, limit: Int, looksAhead: Bool = true, call: CallContext
    ) async throws -> (records: [UserRecord], next: UserPosition?) {
        try call.requireAdministrator()
        guard (1...1000).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        let directory = call.directory.id
        if let filter {
            return try await ports.store.scan(in: directory) { tx in
                let page = try tx.users(in: directory, matching: filter, after: after, limit: limit, at: call.now)
                return (try UserRecord.all(page.users, in: directory, tx), page.next)
            }
        }
        let wanted = looksAhead ? limit + 1 : limit
        let found = try await records(after: after.map { UserID($0.text) }, limit: wanted, call: call)
        let page = Array(found.prefix(limit))
        let isFull = found.count == wanted
        return (page, isFull ? page.last.map { UserPosition($0.user.id.rawValue) } : nil)
    }

    /// Users in the order of their identifiers, turn by turn, so that other lists come between.
    private func records(after: UserID?, limit: Int, call: CallContext) async throws -> [UserRecord] {
        let directory = call.directory.id
        var records: [UserRecord] = []
        while records.count < limit {
            let (last, wanted) = (records.last?.user.id ?? after, min(limit - records.count, UserPage.readAtOnce))
            let turn = try await ports.store.scan(in: directory) { tx in
                try UserRecord.all(try tx.users(in: directory, after: last, limit: wanted), in: directory, tx)
            }
            records += turn
            if turn.count < wanted { break }
        }
        return records
    }

    /// Users in the order in which they were made, from any place in it, turn by turn. Who comes or goes between two
    /// turns may move another across the page's borders, as between two pages.
    ///
    /// - Returns: the users, and how many there are in all.
    func numbered(
        from offset: Int, limit: Int, oldestFirst: Bool, call: CallContext
    ) async throws -> (records: [UserRecord], total: Int) {
        let directory = call.directory.id
        var page = NumberedPage(
            of: PageStarts.Order(directory: directory, oldestFirst: oldestFirst), offset: offset, limit: limit)
        var records: [UserRecord] = []
        while !page.isDone {
            let (turn, further) = try await ports.store.scan(in: directory) { [page, starts] tx in
                var page = page
                let records = try page.next(tx, starts)
                return (records, page)
            }
            records += turn
            page = further
        }
        return (records, page.total)
    }

    /// Users in the order in which they were made, from any place in it, without the soft-deleted.
    ///
    /// - Parameters:
    ///   - offset: how many come before.
    ///   - limit: 1 to ``maximumPage``.
    /// - Returns: the users, and how many there are in all.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func list(
        from offset: Int, limit: Int, oldestFirst: Bool, call: CallContext
    ) async throws -> (records: [UserRecord], total: Int) {
        try call.requireAdministrator()
        guard offset >= 0 else { throw AuthError(.invalidRequest, field: "offset") }
        guard (1...Self.maximumPage).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        return try await numbered(from: offset, limit: limit, oldestFirst: oldestFirst, call: call)
    }

    /// Users whom a part finds, of whom no index knows: turn by turn, so that other lists come between. Who comes or
    /// goes meanwhile is in it or is not, and moves no other.
    ///
    /// - Returns: the users, and how many are known so far: one more than shown where another page follows.
    func list(
        holding part: UserPart, oldestFirst: Bool, offset: Int, limit: Int, call: CallContext
    ) async throws -> (records: [UserRecord], total: Int) {
        let directory = call.directory.id
        var (found, passed): ([UserID], Int) = ([], 0)
        var next: UserPosition?
        repeat {
            let (after, missing) = (next, offset + limit + 1 - passed)
            let turn = try await ports.store.scanReplica(in: directory) { tx in
                try tx.userIDs(in: directory, holding: part, oldestFirst: oldestFirst, after: after, limit: missing)
            }
            found += turn.found.dropFirst(max(0, offset - passed))
            passed += turn.found.count
            next = turn.next
        } while next != nil && passed <= offset + limit
        var records: [UserRecord] = []
        var shown = found.prefix(limit)
        while !shown.isEmpty {
            let turn = Array(shown.prefix(UserPage.readAtOnce))
            shown = shown.dropFirst(turn.count)
            records += try await ports.store.scanReplica(in: directory) { tx in
                try UserRecord.all(try tx.users(turn, in: directory), in: directory, tx)
            }
        }
        return (records, max(offset, passed))
    }

    /// The user whom an identity provider knows by this subject.
    ///
    /// - Throws: `AuthErrorCode.forbidden`.
    public func find(provider: String, subject: String, call: CallContext) async throws -> UserRecord? {
        try call.requireAdministrator()
        let directory = call.directory.id
        return try await ports.store.read { tx in
            guard let identity = try tx.identity(provider: provider, subject: subject, in: directory),
                let user = try tx.user(known: .user(identity.userID), in: directory)
            else { return nil }
            return try UserRecord(user, tx)
        }
    }

    /// The live user of this address, number, name or identifier.
    ///
    /// - Throws: `AuthErrorCode.forbidden`.
    public func find(_ identifier: SignInIdentifier, call: CallContext) async throws -> UserRecord? {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            try tx.user(known: identifier, in: call.directory.id).map { try UserRecord($0, tx) }
        }
    }
}
