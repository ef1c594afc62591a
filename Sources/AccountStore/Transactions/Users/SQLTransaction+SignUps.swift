// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "password_hash", "srp_salt", "srp_verifier", "phone", "user_metadata",
        "truncated_address", "created_at", "dialect_data", "email", "is_disabled", "agreed",
    ]

    private func read(_ row: any SQLRow) throws -> SignUpAttempt {
        var attempt = SignUpAttempt(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            createdAt: try row.instant(9))
        let (directory, id) = (attempt.directoryID, attempt.id.rawValue)
        if !row.isNull(3) {
            attempt.passwordHash = PasswordHash(
                stored: try openedText(row, 3, .attemptHash, in: directory, row: id))
        }
        if !row.isNull(4) {
            let verifier = try opened(row, 5, .attemptVerifier, in: directory, row: id)
            attempt.srpVerifier = SRPVerifier(salt: try row.blob(4), verifier: Secret(verifier))
        }
        attempt.email = try row.optionalParsed(11) { try EmailAddress($0) }
        attempt.phone = try row.optionalParsed(6) { try PhoneNumber($0) }
        attempt.userMetadata = try row.object(7)
        attempt.dialectData = try row.parsed(10) {
            try DialectData(JSONObject(parsing: $0.utf8, limits: StoredJSON.limits))
        }
        attempt.isDisabled = try row.flag(12)
        if !row.isNull(13) { attempt.agreed = AgreedTerms(stored: try row.object(13)) }
        attempt.truncatedAddress = try row.optionalText(8)
        return attempt
    }

    /// In the order of ``columns``.
    private func values(_ attempt: SignUpAttempt) throws -> [SQLValue] {
        let (directory, row) = (attempt.directoryID, attempt.id.rawValue)
        return [
            SQLValue(attempt.id), SQLValue(attempt.directoryID), SQLValue(attempt.userID),
            try sealed(attempt.passwordHash?.encoded, .attemptHash, in: directory, row: row),
            SQLValue(attempt.srpVerifier?.salt),
            try sealed(attempt.srpVerifier?.verifier.reveal(), .attemptVerifier, in: directory, row: row),
            SQLValue(attempt.phone?.digits), try SQLValue(attempt.userMetadata),
            SQLValue(attempt.truncatedAddress), SQLValue(attempt.createdAt), try SQLValue(attempt.dialectData.json),
            SQLValue(attempt.email?.rawValue), SQLValue(attempt.isDisabled),
            try attempt.agreed.map { try SQLValue($0.stored) } ?? .null,
        ]
    }

    func signUpAttempt(_ id: SignUpAttemptID, in directory: DirectoryID) throws -> SignUpAttempt? {
        try connection.first(
            Statement.select("sign_up_attempts", Self.columns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(id), SQLValue(directory)], read)
    }

    func signUpAttempts(of user: UserID, in directory: DirectoryID) throws -> [SignUpAttempt] {
        try connection.query(
            Statement.select(
                "sign_up_attempts", Self.columns,
                "WHERE directory_id = ? AND user_id = ? ORDER BY created_at DESC, id DESC"),
            [SQLValue(directory), SQLValue(user)], read)
    }

    func insert(_ attempt: SignUpAttempt) throws {
        _ = try execute(Statement.insert("sign_up_attempts", Self.columns), try values(attempt))
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
