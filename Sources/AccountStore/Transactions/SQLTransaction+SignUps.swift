// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Passwords

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "password_hash", "srp_salt", "srp_verifier", "username", "username_key",
        "phone",
        "user_metadata", "truncated_address", "created_at", "dialect_data",
    ]

    private static func read(_ row: any SQLRow) throws -> SignUpAttempt {
        var attempt = SignUpAttempt(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            createdAt: try row.instant(11))
        attempt.passwordHash = try row.optionalText(3).map { PasswordHash(stored: $0) }
        if !row.isNull(4) {
            attempt.srpVerifier = SRPVerifier(salt: try row.blob(4), verifier: Secret(try row.blob(5)))
        }
        attempt.username = try row.optionalParsed(6) { try Username($0) }
        attempt.phone = try row.optionalParsed(8) { try PhoneNumber($0) }
        attempt.userMetadata = try row.object(9)
        attempt.dialectData = try row.parsed(12) {
            try DialectData(JSONObject(parsing: $0.utf8, limits: StoredJSON.limits))
        }
        attempt.truncatedAddress = try row.optionalText(10)
        return attempt
    }

    /// In the order of ``columns``.
    private static func values(_ attempt: SignUpAttempt) throws -> [SQLValue] {
        [
            SQLValue(attempt.id), SQLValue(attempt.directoryID), SQLValue(attempt.userID),
            SQLValue(attempt.passwordHash?.encoded), SQLValue(attempt.srpVerifier?.salt),
            SQLValue(attempt.srpVerifier?.verifier.reveal()), SQLValue(attempt.username?.rawValue),
            SQLValue(attempt.username?.key), SQLValue(attempt.phone?.digits), try SQLValue(attempt.userMetadata),
            SQLValue(attempt.truncatedAddress), SQLValue(attempt.createdAt), try SQLValue(attempt.dialectData.json),
        ]
    }

    func signUpAttempt(_ id: SignUpAttemptID, in directory: DirectoryID) throws -> SignUpAttempt? {
        try connection.first(
            Statement.select("sign_up_attempts", Self.columns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(id), SQLValue(directory)], Self.read)
    }

    func signUpAttempts(of user: UserID, in directory: DirectoryID) throws -> [SignUpAttempt] {
        try connection.query(
            Statement.select(
                "sign_up_attempts", Self.columns,
                "WHERE directory_id = ? AND user_id = ? ORDER BY created_at DESC, id DESC"),
            [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func insert(_ attempt: SignUpAttempt) throws {
        _ = try execute(Statement.insert("sign_up_attempts", Self.columns), try Self.values(attempt))
    }

    func deleteSignUpAttempt(_ id: SignUpAttemptID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM sign_up_attempts WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)])
    }

    func deleteSignUpAttempts(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM sign_up_attempts WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)])
    }
}
