// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "code_hash", "request", "methods", "assurance", "parent_id", "created_at",
        "expires_at", "used_at", "session_id",
    ]

    private static func read(_ row: any SQLRow) throws -> AuthorizationCode {
        guard let assurance = AssuranceLevel(rawValue: Int(try row.integer(6))) else { throw StoredRowError(column: 6) }
        return AuthorizationCode(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            codeHash: try row.blob(3), request: try AuthorizationEncoding.request(row.object(4), column: 4),
            methods: try SessionEncoding.methods(try row.text(5)), assurance: assurance,
            parentID: try row.optionalText(7).map { SessionID($0) }, createdAt: try row.instant(8),
            expiresAt: try row.instant(9), usedAt: try row.optionalInstant(10),
            sessionID: try row.optionalText(11).map { SessionID($0) })
    }

    func authorizationCode(hash: [UInt8], in directory: DirectoryID) throws -> AuthorizationCode? {
        try connection.first(
            Statement.select("authorization_codes", Self.columns, "WHERE code_hash = ? AND directory_id = ?"),
            [SQLValue(hash), SQLValue(directory)], Self.read)
    }

    func insert(_ code: AuthorizationCode) throws {
        _ = try execute(
            Statement.insert("authorization_codes", Self.columns),
            [
                SQLValue(code.id), SQLValue(code.directoryID), SQLValue(code.userID), SQLValue(code.codeHash),
                try SQLValue(AuthorizationEncoding.json(code.request)), SQLValue(SessionEncoding.text(code.methods)),
                SQLValue(code.assurance.rawValue), SQLValue(code.parentID), SQLValue(code.createdAt),
                SQLValue(code.expiresAt), SQLValue(code.usedAt), SQLValue(code.sessionID),
            ])
    }

    func use(_ id: FlowStateID, session: SessionID?, at now: Instant) throws -> Bool {
        try execute(
            "UPDATE authorization_codes SET used_at = ?, session_id = ? WHERE id = ? AND used_at IS NULL",
            [SQLValue(now), SQLValue(session), SQLValue(id)]) == 1
    }

    func deleteAuthorizationCodes(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM authorization_codes WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)])
    }
}
