// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "user_id", "client_id", "scopes", "created_at", "updated_at",
    ]

    private static func read(_ row: any SQLRow) throws -> Consent {
        Consent(
            directoryID: try row.identifier(0), userID: try row.identifier(1), clientID: try row.identifier(2),
            scopes: try row.words(3), createdAt: try row.instant(4), updatedAt: try row.instant(5))
    }

    private static let byClient = Statement.select(
        "consents", columns, "WHERE directory_id = ? AND user_id = ? AND client_id = ?")

    func consent(of user: UserID, to client: ClientID, in directory: DirectoryID) throws -> Consent? {
        try connection.first(
            Self.byClient,
            [SQLValue(directory), SQLValue(user), SQLValue(client)], Self.read)
    }

    func consents(of user: UserID, in directory: DirectoryID) throws -> [Consent] {
        try connection.query(
            Statement.select("consents", Self.columns, "WHERE directory_id = ? AND user_id = ? ORDER BY client_id"),
            [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func put(_ consent: Consent) throws {
        _ = try execute(
            Statement.insert("consents", Self.columns)
                + """
                 ON CONFLICT (directory_id, user_id, client_id)
                DO UPDATE SET scopes = excluded.scopes, updated_at = excluded.updated_at
                """,
            [
                SQLValue(consent.directoryID), SQLValue(consent.userID), SQLValue(consent.clientID),
                SQLValue(words: consent.scopes), SQLValue(consent.createdAt), SQLValue(consent.updatedAt),
            ])
    }

    func deleteConsent(of user: UserID, to client: ClientID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM consents WHERE directory_id = ? AND user_id = ? AND client_id = ?",
            [SQLValue(directory), SQLValue(user), SQLValue(client)]) == 1
    }

    func deleteConsents(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM consents WHERE directory_id = ? AND user_id = ?", [SQLValue(directory), SQLValue(user)])
    }
}
