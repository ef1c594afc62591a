// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Passwords

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "email", "email_verified_at", "phone", "phone_verified_at", "password_hash",
        "pending_email", "pending_email_half_confirmed", "pending_phone", "app_metadata", "user_metadata", "role",
        "is_anonymous", "banned_until", "invited_at", "last_sign_in_at", "sent_confirmation", "sent_recovery",
        "sent_email_change", "sent_phone_change", "sent_reauthentication", "created_at", "updated_at", "deleted_at",
        "version", "username", "username_key", "temporary_password", "temporary_expires_at", "srp_salt", "srp_verifier",
        "tokens_valid_since", "origin", "dialect_data",
    ]

    private static func read(_ row: any SQLRow) throws -> User {
        var user = User(id: try row.identifier(0), directoryID: try row.identifier(1), createdAt: try row.instant(22))
        user.email = try row.optionalParsed(2) { try EmailAddress($0) }
        user.emailVerifiedAt = try row.optionalInstant(3)
        user.phone = try row.optionalParsed(4) { try PhoneNumber($0) }
        user.phoneVerifiedAt = try row.optionalInstant(5)
        user.passwordHash = try row.optionalText(6).map { PasswordHash(stored: $0) }
        user.pendingEmail = try row.optionalParsed(7) { try EmailAddress($0) }
        user.pendingEmailHalfConfirmed = try row.flag(8)
        user.pendingPhone = try row.optionalParsed(9) { try PhoneNumber($0) }
        user.appMetadata = try row.object(10)
        user.userMetadata = try row.object(11)
        user.role = try row.optionalText(12)
        user.isAnonymous = try row.flag(13)
        user.bannedUntil = try row.optionalInstant(14)
        user.invitedAt = try row.optionalInstant(15)
        user.lastSignInAt = try row.optionalInstant(16)
        user.sent.confirmation = try row.optionalInstant(17)
        user.sent.recovery = try row.optionalInstant(18)
        user.sent.emailChange = try row.optionalInstant(19)
        user.sent.phoneChange = try row.optionalInstant(20)
        user.sent.reauthentication = try row.optionalInstant(21)
        user.updatedAt = try row.instant(23)
        user.deletedAt = try row.optionalInstant(24)
        user.version = try row.integer(25)
        user.username = try row.optionalParsed(26) { try Username($0) }
        // After the hash, which clears what belongs to it.
        if try row.flag(28) { user.temporaryPassword = TemporaryPassword(expiresAt: try row.optionalInstant(29)) }
        if !row.isNull(30) {
            user.srpVerifier = SRPVerifier(salt: try row.blob(30), verifier: Secret(try row.blob(31)))
        }
        user.tokensValidSince = try row.optionalInstant(32)
        user.origin = try row.one(33)
        user.dialectData = try row.parsed(34) { try DialectData(JSONObject(parsing: $0.utf8)) }
        return user
    }

    /// In the order of ``columns``.
    private static func values(_ user: User) -> [SQLValue] {
        [
            SQLValue(user.id), SQLValue(user.directoryID), SQLValue(user.email?.rawValue),
            SQLValue(user.emailVerifiedAt), SQLValue(user.phone?.digits), SQLValue(user.phoneVerifiedAt),
            SQLValue(user.passwordHash?.encoded), SQLValue(user.pendingEmail?.rawValue),
            SQLValue(user.pendingEmailHalfConfirmed), SQLValue(user.pendingPhone?.digits), SQLValue(user.appMetadata),
            SQLValue(user.userMetadata), SQLValue(user.role), SQLValue(user.isAnonymous), SQLValue(user.bannedUntil),
            SQLValue(user.invitedAt), SQLValue(user.lastSignInAt), SQLValue(user.sent.confirmation),
            SQLValue(user.sent.recovery), SQLValue(user.sent.emailChange), SQLValue(user.sent.phoneChange),
            SQLValue(user.sent.reauthentication), SQLValue(user.createdAt), SQLValue(user.updatedAt),
            SQLValue(user.deletedAt), SQLValue(user.version),
            SQLValue(user.username?.rawValue), SQLValue(user.username?.key), SQLValue(user.temporaryPassword != nil),
            SQLValue(user.temporaryPassword?.expiresAt), SQLValue(user.srpVerifier?.salt),
            SQLValue(user.srpVerifier?.verifier.reveal()), SQLValue(user.tokensValidSince),
            SQLValue(user.origin.rawValue), SQLValue(user.dialectData.json),
        ]
    }

    func users(_ rest: String, _ arguments: [SQLValue]) throws -> [User] {
        try connection.query(Statement.select("users", Self.columns, rest), arguments, Self.read)
    }

    func user(_ id: UserID, in directory: DirectoryID) throws -> User? {
        try users("WHERE directory_id = ? AND id = ?", [SQLValue(directory), SQLValue(id)]).first
    }

    func user(email: EmailAddress, in directory: DirectoryID) throws -> User? {
        try users(
            "WHERE directory_id = ? AND email = ? AND deleted_at IS NULL",
            [SQLValue(directory), SQLValue(email.rawValue)]
        ).first
    }

    func user(phone: PhoneNumber, in directory: DirectoryID) throws -> User? {
        try users(
            "WHERE directory_id = ? AND phone = ? AND deleted_at IS NULL",
            [SQLValue(directory), SQLValue(phone.digits)]
        ).first
    }

    func user(username: Username, in directory: DirectoryID) throws -> User? {
        try users(
            "WHERE directory_id = ? AND username_key = ? AND deleted_at IS NULL",
            [SQLValue(directory), SQLValue(username.key)]
        ).first
    }

    func users(in directory: DirectoryID, search: String?, offset: Int, limit: Int) throws -> [User] {
        guard let search, !search.isEmpty else {
            return try users(
                "WHERE directory_id = ? AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
                [SQLValue(directory), SQLValue(limit), SQLValue(offset)])
        }
        // A range finds a prefix by the index, whatever LIKE would make of the characters in it. Each of the three has
        // its own; the plus keeps the planner from walking through all users in the order of the page instead.
        let prefix = search.lowercased()
        let end = prefix + "\u{10FFFF}"
        let live = "SELECT id FROM users WHERE directory_id = ? AND deleted_at IS NULL AND "
        return try users(
            """
            WHERE directory_id = ? AND deleted_at IS NULL AND id IN (
                \(live) email >= ? AND email < ? UNION \(live) id >= ? AND id < ? UNION \(live) phone = ?)
            ORDER BY +created_at DESC, id DESC LIMIT ? OFFSET ?
            """,
            [
                SQLValue(directory), SQLValue(directory), SQLValue(prefix), SQLValue(end), SQLValue(directory),
                SQLValue(prefix), SQLValue(end), SQLValue(directory), SQLValue(prefix), SQLValue(limit),
                SQLValue(offset),
            ])
    }

    func userCount(in directory: DirectoryID) throws -> Int {
        let count = try connection.first(
            "SELECT user_count FROM directories WHERE id = ?", [SQLValue(directory)], { try $0.integer(0) })
        return Int(count ?? 0)
    }

    func users(in directory: DirectoryID, after: UserID?, limit: Int) throws -> [User] {
        try users(
            "WHERE directory_id = ? AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?",
            [SQLValue(directory), SQLValue(after?.rawValue ?? ""), SQLValue(limit)])
    }

    func usersDeleted(before instant: Instant, limit: Int) throws -> [User] {
        try users(
            "WHERE deleted_at IS NOT NULL AND deleted_at < ? ORDER BY deleted_at LIMIT ?",
            [SQLValue(instant), SQLValue(limit)])
    }

    func insert(_ user: User) throws {
        _ = try execute(Statement.insert("users", Self.columns), Self.values(user))
        if user.deletedAt == nil { try count(1, in: user.directoryID) }
    }

    @discardableResult
    func update(_ user: User) throws -> User {
        let before = try connection.first(
            "SELECT deleted_at FROM users WHERE directory_id = ? AND id = ? AND version = ?",
            [SQLValue(user.directoryID), SQLValue(user.id), SQLValue(user.version)],
            { try $0.optionalInstant(0) })
        guard case .some(let deletedBefore) = before else { throw StoreConflict.stale("user") }
        var raised = user
        raised.version += 1
        let changed = try execute(
            Statement.update(
                "users", Array(Self.columns.names.dropFirst(2)), where: "directory_id = ? AND id = ? AND version = ?"),
            Self.values(raised).dropFirst(2) + [SQLValue(user.directoryID), SQLValue(user.id), SQLValue(user.version)])
        guard changed == 1 else { throw StoreConflict.stale("user") }
        switch (deletedBefore, user.deletedAt) {
        case (nil, .some): try count(-1, in: user.directoryID)
        case (.some, nil): try count(1, in: user.directoryID)
        default: break
        }
        return raised
    }

    func deleteUser(_ id: UserID, in directory: DirectoryID) throws -> Bool {
        let live = try execute(
            "DELETE FROM users WHERE directory_id = ? AND id = ? AND deleted_at IS NULL",
            [SQLValue(directory), SQLValue(id)])
        if live == 1 {
            try count(-1, in: directory)
            return true
        }
        return try execute("DELETE FROM users WHERE directory_id = ? AND id = ?", [SQLValue(directory), SQLValue(id)])
            == 1
    }

    private func count(_ change: Int, in directory: DirectoryID) throws {
        _ = try execute(
            "UPDATE directories SET user_count = user_count + ? WHERE id = ?", [SQLValue(change), SQLValue(directory)])
    }
}
