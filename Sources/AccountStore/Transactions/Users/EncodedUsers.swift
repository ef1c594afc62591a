// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The rows of several new users. To make them takes as long as to write them, and needs no transaction: see
/// ``AccountStoring/prepared(_:with:)``.
struct EncodedUsers: Sendable {
    /// What a user is called elsewhere.
    struct Claim: Sendable {
        let identifier: String
        let user: UserID
    }

    /// What the values are sealed with. Another one may have come since.
    let key: UInt32?
    /// In the order of ``UserEncoding/columns``.
    let users: [[SQLValue]]
    /// In the order of their table, so that each page of it is looked for once.
    let identifiers: [Claim]

    init(_ users: [User], _ encoding: UserEncoding) throws {
        key = encoding.key
        self.users = try users.map(encoding.values)
        identifiers = users.flatMap { user in
            user.externalIdentifiers.all.map { Claim(identifier: $0.rawValue, user: user.id) }
        }.sorted { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }
    }
}

extension SQLAccountStore {
    public func prepared(_ users: [User], with identities: [Identity]) throws -> PreparedUsers {
        var prepared = PreparedUsers(users, with: identities)
        prepared.encoded = try EncodedUsers(users, UserEncoding(vault: vault, key: vault.newestKnown))
        return prepared
    }
}
