// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Backup codes, and what factors were asked.
extension SQLTransaction {
    private static let setColumns: Columns = ["id", "directory_id", "user_id", "name", "created_at"]
    private static let codeColumns: Columns = ["directory_id", "user_id", "hash", "set_id", "used_at"]
    private static let challengeColumns: Columns = [
        "id", "directory_id", "user_id", "factor_id", "holder", "code_hash", "data", "created_at", "expires_at",
        "used_at",
    ]

    func backupCodes(of user: UserID, in directory: DirectoryID) throws -> BackupCodes? {
        var codes = try connection.first(
            Statement.select("backup_code_sets", Self.setColumns, "WHERE directory_id = ? AND user_id = ?"),
            [SQLValue(directory), SQLValue(user)]
        ) { row in
            BackupCodes(
                id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
                name: try row.optionalText(3), createdAt: try row.instant(4), codes: [])
        }
        codes?.codes = try connection.query(
            Statement.select("backup_codes", Self.codeColumns, "WHERE directory_id = ? AND user_id = ? ORDER BY hash"),
            [SQLValue(directory), SQLValue(user)]
        ) { BackupCodes.Code(hash: try $0.blob(2), usedAt: try $0.optionalInstant(4)) }
        return codes
    }

    func replace(_ codes: BackupCodes) throws {
        try deleteBackupCodes(of: codes.userID, in: codes.directoryID)
        _ = try execute(
            Statement.insert("backup_code_sets", Self.setColumns),
            [
                SQLValue(codes.id), SQLValue(codes.directoryID), SQLValue(codes.userID), SQLValue(codes.name),
                SQLValue(codes.createdAt),
            ])
        for code in codes.codes {
            _ = try execute(
                Statement.insert("backup_codes", Self.codeColumns),
                [
                    SQLValue(codes.directoryID), SQLValue(codes.userID), SQLValue(code.hash), SQLValue(codes.id),
                    SQLValue(code.usedAt),
                ])
        }
    }

    func useBackupCode(_ hash: [UInt8], of user: UserID, in directory: DirectoryID, at now: Instant) throws -> Bool {
        try execute(
            """
            UPDATE backup_codes SET used_at = ?
            WHERE directory_id = ? AND user_id = ? AND hash = ? AND used_at IS NULL
            """, [SQLValue(now), SQLValue(directory), SQLValue(user), SQLValue(hash)]) == 1
    }

    @discardableResult
    func deleteBackupCodes(of user: UserID, in directory: DirectoryID) throws -> Bool {
        // The codes go with their set.
        try execute(
            "DELETE FROM backup_code_sets WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)]) == 1
    }

    // MARK: Challenges

    private static let latestOfFactor = Statement.select(
        "factor_challenges", challengeColumns,
        "WHERE factor_id = ? AND directory_id = ? ORDER BY created_at DESC, id DESC LIMIT 1")
    private static let latestInHolder = Statement.select(
        "factor_challenges", challengeColumns,
        "WHERE directory_id = ? AND user_id = ? AND holder = ? ORDER BY created_at DESC, id DESC LIMIT 1")
    private static let insertion = Statement.insert("factor_challenges", challengeColumns)
    private static let challengeByID = Statement.select(
        "factor_challenges", challengeColumns, "WHERE id = ? AND \(Statement.isOfDirectory)")

    func factorChallenge(_ id: FactorChallengeID, in directory: DirectoryID) throws -> FactorChallenge? {
        try connection.first(Self.challengeByID, [SQLValue(id), SQLValue(directory)], readChallenge)
    }

    func latestChallenge(of factor: FactorID, in directory: DirectoryID) throws -> FactorChallenge? {
        try connection.first(Self.latestOfFactor, [SQLValue(factor), SQLValue(directory)], readChallenge)
    }

    func latestChallenge(of user: UserID, holder: String, in directory: DirectoryID) throws -> FactorChallenge? {
        try connection.first(
            Self.latestInHolder, [SQLValue(directory), SQLValue(user), SQLValue(holder)], readChallenge)
    }

    private func readChallenge(_ row: any SQLRow) throws -> FactorChallenge {
        FactorChallenge(
            id: try row.identifier(0), directoryID: try row.identifier(1),
            userID: try row.optionalText(2).map { UserID($0) }, factorID: try row.optionalText(3).map { FactorID($0) },
            holder: try row.text(4), codeHash: try row.blob(5), data: try row.object(6),
            createdAt: try row.instant(7), expiresAt: try row.instant(8), usedAt: try row.optionalInstant(9))
    }

    func insert(_ challenge: FactorChallenge) throws {
        _ = try execute(
            Self.insertion,
            [
                SQLValue(challenge.id), SQLValue(challenge.directoryID), SQLValue(challenge.userID),
                SQLValue(challenge.factorID), SQLValue(challenge.holder), SQLValue(challenge.codeHash),
                try SQLValue(challenge.data), SQLValue(challenge.createdAt), SQLValue(challenge.expiresAt),
                SQLValue(challenge.usedAt),
            ])
    }

    func use(_ id: FactorChallengeID, in directory: DirectoryID, at now: Instant) throws -> Bool {
        try execute(
            "UPDATE factor_challenges SET used_at = ? WHERE id = ? AND \(Statement.isOfDirectory) AND used_at IS NULL",
            [SQLValue(now), SQLValue(id), SQLValue(directory)]) == 1
    }

    func deleteChallenges(of factor: FactorID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM factor_challenges WHERE factor_id = ? AND \(Statement.isOfDirectory)",
            [SQLValue(factor), SQLValue(directory)])
    }

    func purgeFactorChallenges(expiredBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            "DELETE FROM factor_challenges WHERE id IN (SELECT id FROM factor_challenges WHERE expires_at < ? LIMIT ?)",
            [SQLValue(instant), SQLValue(limit)])
    }
}
