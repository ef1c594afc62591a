// SPDX-License-Identifier: Apache-2.0

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
        let users = try await ports.store.read { tx in
            try tx.users(in: call.directory.id, after: after, limit: limit + 1)
        }
        return (Array(users.prefix(limit)), users.count > limit)
    }
}
