// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "provider", "subject", "data", "last_sign_in_at", "created_at", "updated_at",
    ]

    private static func read(_ row: any SQLRow) throws -> Identity {
        Identity(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            provider: try row.text(3), subject: try row.text(4), data: try row.object(5),
            lastSignInAt: try row.optionalInstant(6), createdAt: try row.instant(7), updatedAt: try row.instant(8))
    }

    func identities(of user: UserID, in directory: DirectoryID) throws -> [Identity] {
        try connection.query(
            Statement.select(
                "identities", Self.columns, "WHERE directory_id = ? AND user_id = ? ORDER BY created_at, id"),
            [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func identity(provider: String, subject: String, in directory: DirectoryID) throws -> Identity? {
        try connection.first(
            Statement.select("identities", Self.columns, "WHERE directory_id = ? AND provider = ? AND subject = ?"),
            [SQLValue(directory), SQLValue(provider), SQLValue(subject)], Self.read)
    }

    func insert(_ identity: Identity) throws {
        _ = try execute(
            Statement.insert("identities", Self.columns),
            [
                SQLValue(identity.id), SQLValue(identity.directoryID), SQLValue(identity.userID),
                SQLValue(identity.provider), SQLValue(identity.subject), SQLValue(identity.data),
                SQLValue(identity.lastSignInAt), SQLValue(identity.createdAt), SQLValue(identity.updatedAt),
            ])
    }

    func update(_ identity: Identity) throws {
        let changed = try execute(
            Statement.update(
                "identities", ["provider", "subject", "data", "last_sign_in_at", "updated_at"],
                where: "id = ? AND directory_id = ?"),
            [
                SQLValue(identity.provider), SQLValue(identity.subject), SQLValue(identity.data),
                SQLValue(identity.lastSignInAt), SQLValue(identity.updatedAt), SQLValue(identity.id),
                SQLValue(identity.directoryID),
            ])
        guard changed == 1 else { throw StoreConflict.stale("identity") }
    }

    func deleteIdentity(_ id: IdentityID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM identities WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }
}
