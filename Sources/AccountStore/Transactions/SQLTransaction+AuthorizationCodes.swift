// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "code_hash", "code_challenge", "method", "created_at", "expires_at", "used_at",
        "session_id", "client_id", "redirect_uri", "scopes", "nonce",
    ]

    private static func read(_ row: any SQLRow) throws -> AuthorizationCode {
        guard let challenge = try row.optionalChallenge(4) else { throw StoredRowError(column: 4) }
        let request = AuthorizationRequest(
            clientID: try row.optionalText(10).map { ClientID($0) }, redirectURI: try row.optionalText(11),
            scopes: try row.words(12), nonce: try row.optionalText(13), challenge: challenge)
        return AuthorizationCode(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            codeHash: try row.blob(3), request: request,
            method: AuthenticationMethod.Name(rawValue: try row.text(5)), createdAt: try row.instant(6),
            expiresAt: try row.instant(7), usedAt: try row.optionalInstant(8),
            sessionID: try row.optionalText(9).map { SessionID($0) })
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
                SQLValue(code.request.challenge.rawValue), SQLValue(code.method.rawValue), SQLValue(code.createdAt),
                SQLValue(code.expiresAt), SQLValue(code.usedAt), SQLValue(code.sessionID),
                SQLValue(code.request.clientID), SQLValue(code.request.redirectURI),
                SQLValue(words: code.request.scopes), SQLValue(code.request.nonce),
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
