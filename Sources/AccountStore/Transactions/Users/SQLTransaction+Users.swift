// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension SQLTransaction {
    private static let columns = UserEncoding.columns

    private func read(_ row: any SQLRow) -> User {
        var row = TolerantRow(row, Self.columns)
        var user = User(
            id: row.identifier(0), directoryID: row.identifier(1), externalIdentifiers: row.externalIdentifiers(41),
            createdAt: row.instant(22))
        user.email = row.parsed(2) { try EmailAddress($0) }
        user.emailVerifiedAt = row.optionalInstant(3)
        user.phone = row.parsed(4) { try PhoneNumber($0) }
        user.phoneVerifiedAt = row.optionalInstant(5)
        let (directory, id) = (user.directoryID, user.id.rawValue)
        user.passwordHash = row.read(6, or: nil) { row, index in
            guard !row.isNull(index) else { return nil }
            return PasswordHash(stored: try openedText(row, index, .passwordHash, in: directory, row: id))
        }
        user.pendingEmail = row.parsed(7) { try EmailAddress($0) }
        user.pendingEmailHalfConfirmed = row.flag(8)
        user.pendingPhone = row.parsed(9) { try PhoneNumber($0) }
        user.appMetadata = row.read(10, or: [:], UserWords.appMetadata)
        user.userMetadata = row.object(11)
        user.role = row.text(12)
        user.isAnonymous = row.flag(13)
        user.bannedUntil = row.optionalInstant(14)
        user.invitedAt = row.optionalInstant(15)
        user.lastSignInAt = row.optionalInstant(16)
        user.sent.confirmation = row.optionalInstant(17)
        user.sent.recovery = row.optionalInstant(18)
        user.sent.emailChange = row.optionalInstant(19)
        user.sent.phoneChange = row.optionalInstant(20)
        user.sent.reauthentication = row.optionalInstant(21)
        user.updatedAt = row.instant(23)
        user.deletedAt = row.optionalInstant(24)
        user.version = row.read(25, or: user.version) { try $0.integer($1) }
        user.username = row.read(26, or: nil) { row, index in
            let key = (try? row.optionalText(27)) ?? nil
            // One that is its own key is written down once. A key that is no name is no name of anybody's.
            guard !row.isNull(index) else { return key.flatMap { try? Username($0, key: $0) } }
            return try row.parsed(index) { try Username($0, key: key) }
        }
        // After the hash, which clears what belongs to it.
        let temporaryUntil = row.optionalInstant(29)
        if row.flag(28) { user.temporaryPassword = TemporaryPassword(expiresAt: temporaryUntil) }
        let salt = row.read(30, or: nil) { $0.isNull($1) ? nil : try $0.blob($1) }
        let verifier: Secret<[UInt8]>? = row.read(31, or: nil) { row, index in
            row.isNull(index) ? nil : Secret(try opened(row, index, .verifier, in: directory, row: id))
        }
        if let salt, let verifier { user.srpVerifier = SRPVerifier(salt: salt, verifier: verifier) }
        user.tokensValidSince = row.optionalInstant(32)
        user.origin = row.read(33, or: user.origin) { try $0.one($1) }
        user.dialectData = row.read(34, or: DialectData()) { try DialectData($0.object($1)) }
        user.confirmedAt = row.optionalInstant(36)
        user.sharesEmail = row.read(37, or: false) { try $0.text($1) != AddressHolder.own }
        user.sharesPhone = row.read(38, or: false) { try $0.text($1) != AddressHolder.own }
        user.passwordChangedAt = row.optionalInstant(39)
        user.deletionDueAt = row.optionalInstant(40)
        user.endedCodes = row.read(42, or: 0) { try $0.integer($1) }
        // One that this version does not speak is none.
        user.language = row.read(43, or: nil) { try $0.optionalText($1).flatMap(MessageLanguage.init(rawValue:)) }
        user.damage = row.damage
        return user
    }

    private func values(_ user: User) throws -> [SQLValue] { try encoding().values(user) }

    /// By the newest key, which none but a transaction knows.
    private func encoding() throws -> UserEncoding { UserEncoding(vault: vault, key: try newestKey()) }

    private static let byID = Statement.select("users", columns, "WHERE directory_id = ? AND id = ?")

    func users(_ rest: String, _ arguments: [SQLValue]) throws -> [User] {
        try users(by: Statement.select("users", Self.columns, rest), arguments)
    }

    /// A statement for ``users(by:_:)``: each user whom one of the conditions finds, as often as one does.
    static func selection(ofUsers conditions: String...) -> String {
        conditions.map { Statement.select("users", columns, $0) }.joined(separator: " UNION ALL ")
    }

    func users(by statement: String, _ arguments: [SQLValue]) throws -> [User] {
        let users = try connection.query(statement, arguments, read)
        for user in users where user.isDamaged { damages.add("user \(user.id)", user.damage) }
        return users
    }

    func user(_ id: UserID, in directory: DirectoryID) throws -> User? {
        try users(by: Self.byID, [SQLValue(directory), SQLValue(id)]).first
    }

    func users(dueForDeletionAt instant: Instant, limit: Int) throws -> [User] {
        try users("WHERE deletion_due_at <= ? ORDER BY deletion_due_at LIMIT ?", [SQLValue(instant), SQLValue(limit)])
    }

    func users(waitingForDeletionIn directory: DirectoryID, limit: Int) throws -> [User] {
        try users(
            "WHERE deletion_due_at IS NOT NULL AND directory_id = ? ORDER BY deletion_due_at LIMIT ?",
            [SQLValue(directory), SQLValue(limit)])
    }

    func externalIdentifiers(
        of users: [UserID], in directory: DirectoryID
    ) throws -> [UserID: ExternalIdentifiers] {
        let found = try query(of: users, in: directory) {
            """
            SELECT id, external_identifiers FROM users
            WHERE directory_id = ? AND id IN (\($0)) AND external_identifiers IS NOT NULL
            """
        } _: { row in
            // What can't be read is told of where the user is.
            (UserID(try row.text(0)), (try? ExternalIdentifiers(row.object(1))) ?? ExternalIdentifiers())
        }
        return Dictionary(found) { first, _ in first }
    }

    func insert(_ user: User) throws {
        _ = try execute(Statement.insert("users", Self.columns), try values(user))
        // Counted in either case: one who stands for nobody must cost what a user does.
        try count(user.deletedAt == nil ? 1 : 0, in: user.directoryID)
        do {
            try claimIdentifiers(of: user)
        } catch {
            _ = try deleteUser(user.id, in: user.directoryID)
            throw error
        }
    }

    func insert(_ prepared: PreparedUsers) throws {
        guard let directory = prepared.users.first?.directoryID else { return }
        let encoding = try encoding()
        // With an older key nothing is sealed any more.
        let beforehand = prepared.encoded as? EncodedUsers
        let rows =
            if let beforehand, beforehand.key == encoding.key {
                beforehand
            } else { try EncodedUsers(prepared.users, encoding) }
        _ = try connection.execute(Statement.insert("users", Self.columns), each: rows.users)
        try count(prepared.users.count { $0.deletedAt == nil }, in: directory)
        try claim(rows.identifiers, of: prepared.users, in: directory)
        try insert(prepared.identities)
    }

    /// As ``claimIdentifiers(of:)``, of all of them at once.
    private func claim(_ claims: [EncodedUsers.Claim], of users: [User], in directory: DirectoryID) throws {
        func isAny(_ identifiers: [UserID], _ sql: (String) -> String) throws -> Bool {
            try !query(of: identifiers, in: directory, sql, { try $0.integer(0) }).isEmpty
        }
        guard
            try !isAny(
                users.map(\.id),
                { "SELECT 1 FROM user_identifiers WHERE directory_id = ? AND identifier IN (\($0))" })
        else { throw StoreConflict.duplicate("user.id") }
        guard
            try !isAny(
                claims.map { UserID($0.identifier) },
                { "SELECT 1 FROM users WHERE directory_id = ? AND id IN (\($0))" })
        else { throw StoreConflict.duplicate("user.external_identifiers") }
        _ = try connection.execute(
            "INSERT INTO user_identifiers (directory_id, identifier, user_id) VALUES (?, ?, ?)",
            each: claims.map { [SQLValue(directory), SQLValue($0.identifier), SQLValue($0.user)] })
    }

    /// Sees to it that what the user is called is nobody else's. After the Directory's count was written: that holds
    /// its row, so that of two users who are made at once in a database with several writers the second sees the first.
    private func claimIdentifiers(of user: User) throws {
        let taken = try connection.first(
            "SELECT 1 FROM user_identifiers WHERE directory_id = ? AND identifier = ?",
            [SQLValue(user.directoryID), SQLValue(user.id)], { try $0.integer(0) })
        guard taken == nil else { throw StoreConflict.duplicate("user.id") }
        for identifier in user.externalIdentifiers.all {
            let claimed = try execute(
                """
                INSERT INTO user_identifiers (directory_id, identifier, user_id) SELECT ?, ?, ?
                WHERE NOT EXISTS (SELECT 1 FROM users WHERE directory_id = ? AND id = ?)
                """,
                [
                    SQLValue(user.directoryID), SQLValue(identifier.rawValue), SQLValue(user.id),
                    SQLValue(user.directoryID), SQLValue(identifier.rawValue),
                ])
            guard claimed == 1 else { throw StoreConflict.duplicate("user.external_identifiers") }
        }
    }

    @discardableResult
    func update(_ user: User) throws -> User {
        let before = try connection.first(
            "SELECT deleted_at, created_at FROM users WHERE directory_id = ? AND id = ? AND version = ?",
            [SQLValue(user.directoryID), SQLValue(user.id), SQLValue(user.version)],
            { (deletedAt: try $0.optionalInstant(0), createdAt: try? $0.instant(1)) })
        guard let before else { throw StoreConflict.stale("user") }
        var raised = user
        raised.version += 1
        let cells = try cells(of: raised)
        let statement =
            user.isDamaged ? Statement.update("users", cells.map(\.column), where: Self.asItWas) : Self.wholeUpdate
        let changed = try execute(
            statement,
            cells.map(\.value) + [SQLValue(user.directoryID), SQLValue(user.id), SQLValue(user.version)])
        guard changed == 1 else { throw StoreConflict.stale("user") }
        switch (before.deletedAt, user.deletedAt) {
        case (nil, .some): try count(-1, in: user.directoryID)
        case (.some, nil): try count(1, in: user.directoryID)
        // Elsewhere in the order of users, as an import that overwrites somebody may put them.
        default: if before.createdAt != user.createdAt { try count(0, in: user.directoryID) }
        }
        return raised
    }

    /// What an update writes: all but the identifiers, which never change, and the codes that were ended. Of a damaged
    /// row it leaves alone what could not be read, unless it has something to put in its place; what could only be laid
    /// over the unreadable is refused.
    private func cells(of user: User) throws -> [(column: String, value: SQLValue)] {
        let cells = zip(Self.columns.names, try values(user)).filter { !Self.fixed.contains($0.0) }
            .map { (column: $0, value: $1) }
        guard user.isDamaged else { return cells }
        // As ``read(_:)`` fills in.
        let blank = try values(User(id: user.id, directoryID: user.directoryID, createdAt: .epoch))
        let fallbacks = Dictionary(zip(Self.columns.names, blank)) { first, _ in first }
        let damaged = Set(user.damage.map(\.column))
        return try cells.filter { cell in
            guard damaged.contains(cell.column) else { return true }
            guard cell.value != fallbacks[cell.column] else { return false }
            guard !Self.objects.contains(cell.column) else {
                throw AuthError(
                    .conflict, reason: "database: a damaged \(cell.column) can't be added to", field: cell.column)
            }
            return true
        }
    }

    private static let asItWas = "directory_id = ? AND id = ? AND version = ?"
    private static let wholeUpdate = Statement.update(
        "users", columns.names.filter { !fixed.contains($0) }, where: asItWas)
    private static let stamp = Statement.update(
        "users", ["last_sign_in_at", "language", "updated_at", "version"], where: asItWas)

    @discardableResult
    func noteSignIn(of user: User) throws -> User {
        var raised = user
        raised.version += 1
        let changed = try execute(
            Self.stamp,
            [
                SQLValue(user.lastSignInAt), SQLValue(user.language?.rawValue), SQLValue(user.updatedAt),
                SQLValue(raised.version), SQLValue(user.directoryID), SQLValue(user.id), SQLValue(user.version),
            ])
        guard changed == 1 else { throw StoreConflict.stale("user") }
        return raised
    }

    /// What an update leaves: the row's own name, and what is changed by statements of its own.
    private static let fixed: Set<String> = ["id", "directory_id", "external_identifiers", "ended_codes"]

    private static let objects: Set<String> = ["app_metadata", "user_metadata", "dialect_data"]

    func deleteUser(_ id: UserID, in directory: DirectoryID) throws -> Bool {
        try giveUpIdentifiers(of: id, in: directory)
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

    private func giveUpIdentifiers(of user: UserID, in directory: DirectoryID) throws {
        let stored = try connection.query(
            "SELECT external_identifiers FROM users WHERE directory_id = ? AND id = ?",
            [SQLValue(directory), SQLValue(user)]
        ) { row in row.isNull(0) ? nil : Result { try ExternalIdentifiers(row.object(0)) } }
        switch stored.first ?? nil {
        case nil: break
        case .success(let identifiers):
            _ = try connection.execute(
                "DELETE FROM user_identifiers WHERE directory_id = ? AND identifier = ? AND user_id = ?",
                each: identifiers.all.map { [SQLValue(directory), SQLValue($0.rawValue), SQLValue(user)] })
        case .failure:
            // The row is damaged: nothing else says which they are.
            _ = try execute(
                "DELETE FROM user_identifiers WHERE directory_id = ? AND user_id = ?",
                [SQLValue(directory), SQLValue(user)])
        }
    }

    private func count(_ change: Int, in directory: DirectoryID) throws {
        _ = try execute(
            "UPDATE directories SET user_count = user_count + ?, user_changes = user_changes + 1 WHERE id = ?",
            [SQLValue(change), SQLValue(directory)])
    }
}
