// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "code_hash", "request", "methods", "assurance", "parent_id", "created_at",
        "expires_at", "used_at", "session_id", "upstream_tokens",
    ]

    private func read(_ row: any SQLRow) throws -> AuthorizationCode {
        guard let assurance = AssuranceLevel(rawValue: Int(try row.integer(6))) else { throw StoredRowError(column: 6) }
        let (id, directory): (FlowStateID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        let upstream =
            row.isNull(12) ? nil : try opened(row, 12, .codeTokens, in: directory, row: id.rawValue)
        return AuthorizationCode(
            id: id, directoryID: directory, userID: try row.identifier(2),
            codeHash: try row.blob(3), request: try AuthorizationEncoding.request(row.object(4), column: 4),
            methods: try SessionEncoding.methods(try row.text(5)), assurance: assurance,
            parentID: try row.optionalText(7).map { SessionID($0) },
            upstream: try upstream.map { try Self.upstream($0) }, createdAt: try row.instant(8),
            expiresAt: try row.instant(9), usedAt: try row.optionalInstant(10),
            sessionID: try row.optionalText(11).map { SessionID($0) })
    }

    func authorizationCode(hash: [UInt8], in directory: DirectoryID) throws -> AuthorizationCode? {
        try connection.first(
            Statement.select("authorization_codes", Self.columns, "WHERE code_hash = ? AND directory_id = ?"),
            [SQLValue(hash), SQLValue(directory)], read)
    }

    /// JSON, since a provider's tokens may be any text.
    private static func octets(_ tokens: UpstreamTokens) -> [UInt8] {
        var json = JSONObject()
        json["access"] = tokens.access.map { .string($0.reveal()) }
        json["refresh"] = tokens.refresh.map { .string($0.reveal()) }
        return json.serialized()
    }

    private static func upstream(_ octets: [UInt8]) throws -> UpstreamTokens {
        guard let json = try? JSONObject(parsing: octets) else { throw StoredRowError(column: 12) }
        return UpstreamTokens(
            access: json["access"]?.stringValue.map { Secret($0) },
            refresh: json["refresh"]?.stringValue.map { Secret($0) })
    }

    func insert(_ code: AuthorizationCode) throws {
        let upstream =
            try code.upstream.map {
                try sealed(Self.octets($0), .codeTokens, in: code.directoryID, row: code.id.rawValue)
            } ?? .null
        _ = try execute(
            Statement.insert("authorization_codes", Self.columns),
            [
                SQLValue(code.id), SQLValue(code.directoryID), SQLValue(code.userID), SQLValue(code.codeHash),
                try SQLValue(AuthorizationEncoding.json(code.request)), SQLValue(SessionEncoding.text(code.methods)),
                SQLValue(code.assurance.rawValue), SQLValue(code.parentID), SQLValue(code.createdAt),
                SQLValue(code.expiresAt), SQLValue(code.usedAt), SQLValue(code.sessionID),
                upstream,
            ])
    }

    func use(_ id: FlowStateID, session: SessionID?, at now: Instant) throws -> Bool {
        try execute(
            """
            UPDATE authorization_codes SET used_at = ?, session_id = ?, upstream_tokens = NULL
            WHERE id = ? AND used_at IS NULL
            """,
            [SQLValue(now), SQLValue(session), SQLValue(id)]) == 1
    }

    func deleteAuthorizationCodes(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM authorization_codes WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)])
        _ = try execute(
            "UPDATE users SET ended_codes = ended_codes + 1 WHERE directory_id = ? AND id = ?",
            [SQLValue(directory), SQLValue(user)])
    }
}
