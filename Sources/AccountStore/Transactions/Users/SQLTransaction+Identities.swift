// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "provider", "subject", "data", "last_sign_in_at", "created_at", "updated_at",
    ]

    private static func read(_ row: any SQLRow) -> Identity {
        var row = TolerantRow(row, columns)
        var identity = Identity(
            id: row.identifier(0), directoryID: row.identifier(1), userID: row.identifier(2),
            provider: row.text(3) ?? "", subject: row.text(4) ?? "", data: row.object(5),
            lastSignInAt: row.optionalInstant(6), createdAt: row.instant(7), updatedAt: row.instant(8))
        identity.damage = row.damage
        if identity.subject == IdentityWords.own, Identity.localProviders.contains(identity.provider) {
            identity.subject = identity.userID.rawValue
            if !identity.damage.contains(where: { $0.column == "data" }) {
                identity.data = IdentityWords.completed(identity.data, of: identity.userID)
            }
        }
        return identity
    }

    private func reported(_ identities: [Identity]) -> [Identity] {
        for identity in identities where !identity.damage.isEmpty {
            damages.add("identity \(identity.id)", identity.damage)
        }
        return identities
    }

    private static let ofUser = Statement.select(
        "identities", columns, "WHERE directory_id = ? AND user_id = ?")

    func identities(of user: UserID, in directory: DirectoryID) throws -> [Identity] {
        let found = reported(try connection.query(Self.ofUser, [SQLValue(directory), SQLValue(user)], Self.read))
        // Most have one, or none in a row of its own. A database makes a table to sort them, at each refresh and
        // sign-in.
        guard found.count > 1 else { return found }
        return found.sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
    }

    func identities(of users: [UserID], in directory: DirectoryID) throws -> [UserID: [Identity]] {
        let found = try query(
            of: users, in: directory,
            {
                Statement.select(
                    "identities", Self.columns, "WHERE directory_id = ? AND user_id IN (\($0)) ORDER BY created_at, id")
            }, Self.read)
        return Dictionary(grouping: reported(found), by: \.userID)
    }

    func identity(_ id: IdentityID, in directory: DirectoryID) throws -> Identity? {
        try connection.first(
            Statement.select("identities", Self.columns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(id), SQLValue(directory)], Self.read)
    }

    func identity(provider: String, subject: String, in directory: DirectoryID) throws -> Identity? {
        let found = try connection.first(
            Self.bySubject, [SQLValue(directory), SQLValue(provider), SQLValue(subject)], Self.read)
        guard found == nil, Identity.localProviders.contains(provider) else { return found }
        return try connection.first(
            Self.own, [SQLValue(directory), SQLValue(subject), SQLValue(provider), SQLValue(IdentityWords.own)],
            Self.read)
    }

    // The second condition is the index's.
    private static let bySubject = Statement.select(
        "identities", columns, "WHERE directory_id = ? AND provider = ? AND subject = ? AND subject <> ''")
    private static let own = Statement.select(
        "identities", columns, "WHERE directory_id = ? AND user_id = ? AND provider = ? AND subject = ?")

    func insert(_ identity: Identity) throws { try insert([identity]) }

    func insert(_ identities: [Identity]) throws {
        var (brought, own): ([[SQLValue]], [[SQLValue]]) = ([], [])
        for identity in identities {
            let words = IdentityWords(identity)
            let row = [
                SQLValue(identity.id), SQLValue(identity.directoryID), SQLValue(identity.userID),
                SQLValue(identity.provider), SQLValue(words.subject), try SQLValue(words.data),
                SQLValue(identity.lastSignInAt), SQLValue(identity.createdAt), SQLValue(identity.updatedAt),
            ]
            guard words.subject == IdentityWords.own else { brought.append(row); continue }
            own.append(row + [SQLValue(identity.directoryID), SQLValue(identity.userID), SQLValue(identity.provider)])
        }
        _ = try connection.execute(Self.insertion, each: brought)
        guard try connection.execute(Self.insertionOfOwn, each: own) == own.count else {
            throw StoreConflict.duplicate("identity.subject")
        }
    }

    private static let insertion = Statement.insert("identities", columns)
    /// The user has one of each provider. No index says so: nobody is looked for by it.
    private static let insertionOfOwn = """
        INSERT INTO identities (\(columns.list)) SELECT \(columns.placeholders)
        WHERE NOT EXISTS (
            SELECT 1 FROM identities WHERE directory_id = ? AND user_id = ? AND provider = ? AND subject = '')
        """

    /// Of a damaged row only the times: the rest can't be written again as it is.
    func update(_ identity: Identity) throws {
        var columns = ["last_sign_in_at", "updated_at"]
        var values = [SQLValue(identity.lastSignInAt), SQLValue(identity.updatedAt)]
        if identity.damage.isEmpty {
            let words = IdentityWords(identity)
            columns += ["provider", "subject", "data"]
            values += [SQLValue(identity.provider), SQLValue(words.subject), try SQLValue(words.data)]
        }
        let changed = try execute(
            Statement.update("identities", columns, where: "id = ? AND directory_id = ?"),
            values + [SQLValue(identity.id), SQLValue(identity.directoryID)])
        guard changed == 1 else { throw StoreConflict.stale("identity") }
    }

    func deleteIdentity(_ id: IdentityID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM identities WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }
}
