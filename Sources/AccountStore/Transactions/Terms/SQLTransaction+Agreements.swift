// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "user_id", "name", "sequence", "version", "is_given", "occasion", "dialect", "client_id", "at",
    ]

    private static func read(_ row: any SQLRow) throws -> Agreement {
        Agreement(
            directoryID: try row.identifier(0), userID: try row.identifier(1),
            terms: TermsReference(unchecked: try row.text(2), try row.text(4)), sequence: try row.integer(3),
            isGiven: try row.flag(5), occasion: try row.one(6),
            dialect: try row.optionalText(7).map { DialectName($0) },
            clientID: try row.optionalText(8).map { ClientID($0) }, at: try row.instant(9))
    }

    private static let latest = Statement.select(
        "agreements", columns, "WHERE directory_id = ? AND user_id = ? AND name = ? ORDER BY sequence DESC LIMIT 1")

    func agreement(of user: UserID, to name: String, in directory: DirectoryID) throws -> Agreement? {
        try connection.first(Self.latest, [SQLValue(directory), SQLValue(user), SQLValue(name)], Self.read)
    }

    func agreement(
        of user: UserID, to name: String, sequence: Int64, in directory: DirectoryID
    ) throws -> Agreement? {
        try connection.first(
            Statement.select(
                "agreements", Self.columns, "WHERE directory_id = ? AND user_id = ? AND name = ? AND sequence = ?"),
            [SQLValue(directory), SQLValue(user), SQLValue(name), SQLValue(sequence)], Self.read)
    }

    func agreements(
        of user: UserID, in directory: DirectoryID, after position: AgreementPosition?, limit: Int
    ) throws -> [Agreement] {
        var condition = "WHERE directory_id = ? AND user_id = ?"
        var arguments = [SQLValue(directory), SQLValue(user)]
        if let position {
            condition += " AND (at, name, sequence) < (?, ?, ?)"
            arguments += [SQLValue(position.at), SQLValue(position.name), SQLValue(position.sequence)]
        }
        return try connection.query(
            Statement.select(
                "agreements", Self.columns, condition + " ORDER BY at DESC, name DESC, sequence DESC LIMIT ?"),
            arguments + [SQLValue(limit)], Self.read)
    }

    func insert(_ agreement: Agreement) throws {
        _ = try execute(
            Statement.insert("agreements", Self.columns),
            [
                SQLValue(agreement.directoryID), SQLValue(agreement.userID), SQLValue(agreement.terms.name),
                SQLValue(agreement.sequence), SQLValue(agreement.terms.version), SQLValue(agreement.isGiven),
                SQLValue(agreement.occasion.rawValue), SQLValue(agreement.dialect?.rawValue),
                SQLValue(agreement.clientID?.rawValue), SQLValue(agreement.at),
            ])
    }

    func deleteAgreements(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM agreements WHERE directory_id = ? AND user_id = ?", [SQLValue(directory), SQLValue(user)])
    }

    func eraseAgreements(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM agreements WHERE directory_id = ? AND user_id = ? AND (name, sequence) IN (
                SELECT name, sequence FROM agreements WHERE directory_id = ? AND user_id = ? LIMIT ?)
            """,
            [SQLValue(directory), SQLValue(user), SQLValue(directory), SQLValue(user), SQLValue(limit)])
    }
}
