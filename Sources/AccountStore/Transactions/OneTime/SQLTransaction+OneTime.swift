// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "purpose", "link_hash", "code_hash", "recipient", "code_challenge", "attempts",
        "created_at", "expires_at", "code_expires_at", "sign_up_id", "asked_by", "own_attempts",
        "agreed", "is_disabled", "is_holders",
    ]

    private static func read(_ row: any SQLRow) throws -> OneTimeToken {
        OneTimeToken(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            purpose: try row.one(3), linkHash: try row.blob(4), codeHash: try row.blob(5), recipient: try row.text(6),
            codeChallenge: try row.optionalChallenge(7),
            signUp: try row.optionalText(12).map { SignUpAttemptID($0) },
            agreed: try row.isNull(15) ? nil : AgreedTerms(stored: row.object(15)), isDisabled: try row.flag(16),
            isHolders: try row.flag(17),
            askedBy: try row.blob(13),
            attempts: Int(try row.integer(8)), ownAttempts: Int(try row.integer(14)), createdAt: try row.instant(9),
            expiresAt: try row.instant(10), codeExpiresAt: try row.instant(11))
    }

    private static func values(_ token: OneTimeToken) throws -> [SQLValue] {
        [
            SQLValue(token.id), SQLValue(token.directoryID), SQLValue(token.userID), SQLValue(token.purpose.rawValue),
            SQLValue(token.linkHash), SQLValue(token.codeHash), SQLValue(token.recipient),
            SQLValue(token.codeChallenge?.rawValue), SQLValue(token.attempts), SQLValue(token.createdAt),
            SQLValue(token.expiresAt), SQLValue(token.codeExpiresAt), SQLValue(token.signUp),
            SQLValue(token.askedBy), SQLValue(token.ownAttempts),
            try token.agreed.map { try SQLValue($0.stored) } ?? .null, SQLValue(token.isDisabled),
            SQLValue(token.isHolders),
        ]
    }

    func oneTimeToken(linkHash: [UInt8], in directory: DirectoryID) throws -> OneTimeToken? {
        try connection.first(
            Statement.select("one_time_tokens", Self.columns, "WHERE link_hash = ? AND directory_id = ?"),
            [SQLValue(linkHash), SQLValue(directory)], Self.read)
    }

    func oneTimeToken(
        of user: UserID, purpose: OneTimeToken.Purpose, in directory: DirectoryID
    ) throws -> OneTimeToken? {
        try connection.first(
            Statement.select(
                "one_time_tokens", Self.columns,
                "WHERE directory_id = ? AND user_id = ? AND purpose = ? AND sign_up_id IS NULL"),
            [SQLValue(directory), SQLValue(user), SQLValue(purpose.rawValue)], Self.read)
    }

    func oneTimeTokens(
        of user: UserID, purpose: OneTimeToken.Purpose, in directory: DirectoryID
    ) throws -> [OneTimeToken] {
        try connection.query(
            Statement.select("one_time_tokens", Self.columns, "WHERE directory_id = ? AND user_id = ? AND purpose = ?"),
            [SQLValue(directory), SQLValue(user), SQLValue(purpose.rawValue)], Self.read)
    }

    func oneTimeTokens(
        to recipient: String, purpose: OneTimeToken.Purpose, in directory: DirectoryID, askedBy asker: [UInt8],
        limit: Int
    ) throws -> [OneTimeToken] {
        try connection.query(
            Statement.select(
                "one_time_tokens", Self.columns,
                """
                WHERE directory_id = ? AND recipient = ? AND purpose = ?
                ORDER BY asked_by = ? DESC, created_at DESC, id DESC LIMIT ?
                """),
            [
                SQLValue(directory), SQLValue(recipient), SQLValue(purpose.rawValue), SQLValue(asker), SQLValue(limit),
            ], Self.read)
    }

    func replace(_ token: OneTimeToken) throws {
        let place = "DELETE FROM one_time_tokens WHERE directory_id = ? AND user_id = ? AND purpose = ? AND sign_up_id "
        let key = [SQLValue(token.directoryID), SQLValue(token.userID), SQLValue(token.purpose.rawValue)]
        if let signUp = token.signUp {
            _ = try execute(place + "= ?", key + [SQLValue(signUp)])
        } else {
            _ = try execute(place + "IS NULL", key)
        }
        _ = try execute(Statement.insert("one_time_tokens", Self.columns), try Self.values(token))
    }

    func consume(_ id: OneTimeTokenID) throws -> Bool {
        try execute("DELETE FROM one_time_tokens WHERE id = ?", [SQLValue(id)]) == 1
    }

    func countAttempt(_ id: OneTimeTokenID, isOwn: Bool) throws {
        // One statement for both: how a code was judged must not show in what was done.
        _ = try execute(
            "UPDATE one_time_tokens SET attempts = attempts + ?, own_attempts = own_attempts + ? WHERE id = ?",
            [SQLValue(isOwn ? 0 : 1), SQLValue(isOwn ? 1 : 0), SQLValue(id)])
    }

    func deleteOneTimeTokens(
        of user: UserID, in directory: DirectoryID, purposes: [OneTimeToken.Purpose]?
    ) throws {
        guard let purposes else {
            _ = try execute(
                "DELETE FROM one_time_tokens WHERE directory_id = ? AND user_id = ?",
                [SQLValue(directory), SQLValue(user)])
            return
        }
        for purpose in purposes {
            _ = try execute(
                "DELETE FROM one_time_tokens WHERE directory_id = ? AND user_id = ? AND purpose = ?",
                [SQLValue(directory), SQLValue(user), SQLValue(purpose.rawValue)])
        }
    }

    func purgeOneTime(expiredBefore instant: Instant, limit: Int) throws -> Int {
        let tokens = try execute(
            "DELETE FROM one_time_tokens WHERE id IN (SELECT id FROM one_time_tokens WHERE expires_at < ? LIMIT ?)",
            [SQLValue(instant), SQLValue(limit)])
        let codes = try execute(
            """
            DELETE FROM authorization_codes WHERE id IN (
                SELECT id FROM authorization_codes WHERE expires_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(max(0, limit - tokens))])
        return tokens + codes
    }
}
