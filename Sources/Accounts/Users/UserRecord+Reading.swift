// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension UserRecord {
    /// The user with the identities that this transaction has of them.
    init(_ user: User, _ tx: any UserReading) throws {
        self.init(user: user, identities: try LocalIdentities.all(of: user, tx))
    }

    /// Several users, in their order, with all their identities asked for at once.
    static func all(_ users: [User], in directory: DirectoryID, _ tx: any UserReading) throws -> [UserRecord] {
        let identities = try tx.identities(of: users.map(\.id), in: directory)
        return users.map {
            UserRecord(user: $0, identities: LocalIdentities.completed(identities[$0.id] ?? [], of: $0))
        }
    }
}

extension UserReading {
    /// The user, who has not been deleted.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``.
    func liveUser(_ id: UserID, in directory: DirectoryID) throws -> User {
        guard let user = try user(id, in: directory), user.deletedAt == nil else { throw AuthError(.userNotFound) }
        return user
    }
}
