// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "device_name", "device_system", "device_app_version", "device_user_agent",
        "device_address", "methods", "assurance", "created_at", "last_active_at", "not_after", "revoked_at",
        "revocation", "generation", "live_hash", "steps", "client_id", "rotates",
        "claims", "parent_id", "client_grant", "is_offline", "remembered_device_id",
    ]

    private static func read(_ row: any SQLRow) throws -> Session {
        guard let assurance = AssuranceLevel(rawValue: Int(try row.integer(9))),
            let generation = UInt32(exactly: try row.integer(15))
        else { throw StoredRowError(column: 15) }
        return Session(
            id: try row.identifier(0), directoryID: try row.identifier(1), userID: try row.identifier(2),
            device: DeviceMetadata(
                name: try row.optionalText(3), operatingSystem: try row.optionalText(4),
                appVersion: try row.optionalText(5), userAgent: try row.optionalText(6),
                truncatedAddress: try row.optionalText(7)),
            methods: try SessionEncoding.methods(try row.text(8)), assurance: assurance, createdAt: try row.instant(10),
            lastActiveAt: try row.instant(11), notAfter: try row.optionalInstant(12),
            revokedAt: try row.optionalInstant(13),
            revocation: try row.optionalText(14).flatMap { SessionRevocation(rawValue: $0) },
            family: RefreshTokenFamily(
                generation: generation, liveHash: try row.blob(16), steps: try SessionEncoding.steps(try row.blob(17))),
            clientID: try row.optionalText(18).map { ClientID($0) },
            rotates: try row.optionalInteger(19).map { $0 != 0 },
            claims: try row.optionalText(20) == nil ? [:] : try row.object(20),
            parentID: try row.optionalText(21).map { SessionID($0) },
            rememberedDevice: try row.optionalText(24).map { RememberedDeviceID($0) },
            grant: try row.isNull(22) ? nil : GrantEncoding.grant(row.object(22), isOffline: row.flag(23), column: 22))
    }

    private static let byID = Statement.select("sessions", columns, "WHERE id = ? AND directory_id = ?")
    private static let insertion = Statement.insert("sessions", columns)
    private static let ofClients = Statement.select(
        "sessions", columns,
        // Not `parent_id IS NOT NULL`, by which everybody's are looked through.
        "WHERE directory_id = ? AND user_id = ? AND COALESCE(parent_id, '') <> '' AND revoked_at IS NULL")
    private static let moved = [
        "methods", "assurance", "last_active_at", "generation", "live_hash", "steps", "remembered_device_id",
    ]
    private static let isUnmoved = "id = ? AND directory_id = ? AND generation = ? AND revoked_at IS NULL"
    private static let advance = Statement.update("sessions", moved, where: isUnmoved)
    private static let restart = Statement.update("sessions", ["created_at", "not_after"] + moved, where: isUnmoved)

    func session(_ id: SessionID, in directory: DirectoryID) throws -> Session? {
        try connection.first(Self.byID, [SQLValue(id), SQLValue(directory)], Self.read)
    }

    func sessions(of user: UserID, in directory: DirectoryID) throws -> [Session] {
        try connection.query(
            Statement.select(
                "sessions", Self.columns,
                "WHERE directory_id = ? AND user_id = ? AND revoked_at IS NULL ORDER BY last_active_at DESC, id DESC"),
            [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func sessions(
        of user: UserID, in directory: DirectoryID, after position: SessionPosition?, limit: Int
    ) throws -> [Session] {
        var condition = "WHERE directory_id = ? AND user_id = ? AND revoked_at IS NULL"
        var arguments = [SQLValue(directory), SQLValue(user)]
        if let position {
            condition += " AND (created_at, id) < (?, ?)"
            arguments += [SQLValue(position.createdAt), SQLValue(position.id)]
        }
        return try connection.query(
            Statement.select("sessions", Self.columns, condition + " ORDER BY created_at DESC, id DESC LIMIT ?"),
            arguments + [SQLValue(limit)], Self.read)
    }

    func everySession(
        of user: UserID, in directory: DirectoryID, after position: SessionPosition?, limit: Int
    ) throws -> [Session] {
        var condition = "WHERE directory_id = ? AND user_id = ?"
        var arguments = [SQLValue(directory), SQLValue(user)]
        if let position {
            condition += " AND (created_at, id) > (?, ?)"
            arguments += [SQLValue(position.createdAt), SQLValue(position.id)]
        }
        return try connection.query(
            Statement.select("sessions", Self.columns, condition + " ORDER BY created_at, id LIMIT ?"),
            arguments + [SQLValue(limit)], Self.read)
    }

    func devices(of user: UserID, in directory: DirectoryID, limit: Int) throws -> [DeviceMetadata] {
        try connection.query(
            """
            SELECT device_name, device_system, device_app_version, device_user_agent, device_address FROM sessions
            WHERE directory_id = ? AND user_id = ? ORDER BY created_at DESC, id DESC LIMIT ?
            """, [SQLValue(directory), SQLValue(user), SQLValue(limit)]
        ) { row in
            DeviceMetadata(
                name: try row.optionalText(0), operatingSystem: try row.optionalText(1),
                appVersion: try row.optionalText(2), userAgent: try row.optionalText(3),
                truncatedAddress: try row.optionalText(4))
        }
    }

    func sessions(under parent: SessionID, in directory: DirectoryID) throws -> [Session] {
        try connection.query(
            Statement.select(
                "sessions", Self.columns,
                "WHERE directory_id = ? AND parent_id = ? AND revoked_at IS NULL ORDER BY created_at, id"),
            [SQLValue(directory), SQLValue(parent)], Self.read)
    }

    func clientSessions(of user: UserID, in directory: DirectoryID) throws -> [Session] {
        try connection.query(Self.ofClients, [SQLValue(directory), SQLValue(user)], Self.read)
    }

    private static let holderColumns: Columns = [
        "users.id", "email", "email_verified_at", "phone", "is_anonymous", "user_metadata", "users.created_at",
        "banned_until", "not_after", "profiles.updated_at", "name", "picture", "locale",
        "external_identifiers",
    ]

    /// Asked for each call with an access token, so it is put together once. The user is found by what is known
    /// beforehand: joined by what is found, PostgreSQL walks through the Directory's users for as long as nobody has
    /// counted them, by the index of those who are not deleted where the condition is that.
    private static let holderStatement = """
        SELECT \(holderColumns.list) FROM sessions CROSS JOIN users
        LEFT JOIN profiles ON profiles.directory_id = users.directory_id AND profiles.user_id = users.id
        WHERE sessions.id = ? AND sessions.directory_id = ? AND revoked_at IS NULL
            AND users.directory_id = ? AND users.id = (SELECT user_id FROM sessions WHERE id = ?)
            AND COALESCE(deleted_at, 0) = 0
        """

    func hasSession(
        of user: UserID, in directory: DirectoryID, from network: String, activeSince instant: Instant
    ) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM sessions
            WHERE directory_id = ? AND user_id = ? AND device_address = ? AND last_active_at >= ? LIMIT 1
            """, [SQLValue(directory), SQLValue(user), SQLValue(network), SQLValue(instant)], { try $0.integer(0) })
            != nil
    }

    func hasSession(
        of user: UserID, below level: AssuranceLevel, in directory: DirectoryID, except spared: SessionID?
    ) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM sessions
            WHERE directory_id = ? AND user_id = ? AND revoked_at IS NULL AND assurance < ? AND id <> ? LIMIT 1
            """,
            [SQLValue(directory), SQLValue(user), SQLValue(level.rawValue), SQLValue(spared?.rawValue ?? "")],
            { try $0.integer(0) }) != nil
    }

    func holder(of session: SessionID, in directory: DirectoryID) throws -> SessionHolder? {
        let holder = try connection.first(
            Self.holderStatement, [SQLValue(session), SQLValue(directory), SQLValue(directory), SQLValue(session)]
        ) { row in
            var row = TolerantRow(row, Self.holderColumns)
            let account = AccountSummary(
                id: row.identifier(0), email: row.parsed(1) { try EmailAddress($0) },
                emailVerifiedAt: row.optionalInstant(2), phone: row.parsed(3) { try PhoneNumber($0) },
                isAnonymous: row.flag(4), userMetadata: row.object(5), createdAt: row.instant(6))
            let (bannedUntil, notAfter) = (row.optionalInstant(7), row.optionalInstant(8))
            let profile = row.optionalInstant(9).map { updatedAt in
                Profile(
                    userID: account.id, directoryID: directory, name: row.text(10), picture: row.text(11),
                    locale: row.text(12), updatedAt: updatedAt)
            }
            let identifiers = row.externalIdentifiers(13)
            let holder = SessionHolder(
                account: account, externalIdentifiers: identifiers, profile: profile, bannedUntil: bannedUntil,
                notAfter: notAfter,
                isDamaged: !row.damage.isEmpty)
            return (holder, row.damage)
        }
        guard let (holder, damage) = holder else { return nil }
        if holder.isDamaged { damages.add("user \(holder.account.id)", damage) }
        return holder
    }

    func standing(of session: SessionID, in directory: DirectoryID) throws -> SessionStanding? {
        try connection.first(
            """
            SELECT version, ended_codes FROM users WHERE directory_id = ? AND id = (
                SELECT user_id FROM sessions WHERE id = ? AND directory_id = ? AND revoked_at IS NULL)
            """, [SQLValue(directory), SQLValue(session), SQLValue(directory)]
        ) { SessionStanding(userVersion: try $0.integer(0), endedCodes: try $0.integer(1)) }
    }

    func insert(_ session: Session) throws {
        _ = try execute(
            Self.insertion,
            [
                SQLValue(session.id), SQLValue(session.directoryID), SQLValue(session.userID),
                SQLValue(session.device.name), SQLValue(session.device.operatingSystem),
                SQLValue(session.device.appVersion), SQLValue(session.device.userAgent),
                SQLValue(session.device.truncatedAddress), SQLValue(SessionEncoding.text(session.methods)),
                SQLValue(session.assurance.rawValue), SQLValue(session.createdAt), SQLValue(session.lastActiveAt),
                SQLValue(session.notAfter), SQLValue(session.revokedAt), SQLValue(session.revocation?.rawValue),
                SQLValue(Int64(session.family.generation)), SQLValue(session.family.liveHash),
                SQLValue(SessionEncoding.bytes(session.family.steps)), SQLValue(session.clientID),
                SQLValue(session.rotates), session.claims.isEmpty ? SQLValue.null : try SQLValue(session.claims),
                SQLValue(session.parentID), try session.grant.map { try SQLValue(GrantEncoding.json($0)) } ?? .null,
                SQLValue(session.grant?.isOffline ?? false), SQLValue(session.rememberedDevice),
            ])
    }

    // None of the columns it sets is in an index: a refresh writes the row and nothing else.
    func advance(_ session: Session, from generation: UInt32) throws -> Bool {
        try execute(Self.advance, Self.moves(session, from: generation)) == 1
    }

    func restart(_ session: Session, from generation: UInt32) throws -> Bool {
        let times = [SQLValue(session.createdAt), SQLValue(session.notAfter)]
        return try execute(Self.restart, times + Self.moves(session, from: generation)) == 1
    }

    private static func moves(_ session: Session, from generation: UInt32) throws -> [SQLValue] {
        try [
            SQLValue(SessionEncoding.text(session.methods)), SQLValue(session.assurance.rawValue),
            SQLValue(session.lastActiveAt), SQLValue(Int64(session.family.generation)),
            SQLValue(session.family.liveHash), SQLValue(SessionEncoding.bytes(session.family.steps)),
            SQLValue(session.rememberedDevice),
            SQLValue(session.id), SQLValue(session.directoryID), SQLValue(Int64(generation)),
        ]
    }

    func revoke(
        _ id: SessionID, in directory: DirectoryID, because reason: SessionRevocation, at now: Instant
    ) throws -> Bool {
        // By two statements: each is led by an index of its own.
        _ = try execute(
            """
            UPDATE sessions SET revoked_at = ?, revocation = ?
            WHERE directory_id = ? AND parent_id = ? AND is_offline = 0 AND revoked_at IS NULL
            """, [SQLValue(now), SQLValue(reason.rawValue), SQLValue(directory), SQLValue(id)])
        return try execute(
            "UPDATE sessions SET revoked_at = ?, revocation = ? WHERE id = ? AND directory_id = ? AND revoked_at IS NULL",
            [SQLValue(now), SQLValue(reason.rawValue), SQLValue(id), SQLValue(directory)]) == 1
    }

    @discardableResult
    func revokeSessions(
        of user: UserID, in directory: DirectoryID, except spared: SessionID?, because reason: SessionRevocation,
        at now: Instant
    ) throws -> Int {
        try revokeSessions(of: user, level: nil, in: directory, except: spared, because: reason, at: now)
    }

    func revokeSessions(
        of user: UserID, below level: AssuranceLevel, in directory: DirectoryID, except spared: SessionID?,
        because reason: SessionRevocation, at now: Instant
    ) throws -> Int {
        try revokeSessions(of: user, level: level, in: directory, except: spared, because: reason, at: now)
    }

    private func revokeSessions(
        of user: UserID, level: AssuranceLevel?, in directory: DirectoryID, except spared: SessionID?,
        because reason: SessionRevocation, at now: Instant
    ) throws -> Int {
        let all = """
            UPDATE sessions SET revoked_at = ?, revocation = ?
            WHERE directory_id = ? AND user_id = ? AND revoked_at IS NULL
            """ + (level == nil ? "" : " AND assurance < ?")
        let arguments =
            [SQLValue(now), SQLValue(reason.rawValue), SQLValue(directory), SQLValue(user)]
            + (level.map { [SQLValue($0.rawValue)] } ?? [])
        guard let spared else { return try execute(all, arguments) }
        let but = """
             AND id <> ? AND COALESCE(parent_id, '') <> ?
            AND id <> COALESCE((SELECT parent_id FROM sessions WHERE id = ? AND directory_id = ?), '')
            """
        return try execute(
            all + but, arguments + Array(repeating: SQLValue(spared), count: 3) + [SQLValue(directory)])
    }

    func revokeSessions(
        of user: UserID, client: ClientID, in directory: DirectoryID, because reason: SessionRevocation,
        at now: Instant
    ) throws -> Int {
        try execute(
            """
            UPDATE sessions SET revoked_at = ?, revocation = ?
            WHERE directory_id = ? AND user_id = ? AND client_id = ? AND revoked_at IS NULL
            """,
            [SQLValue(now), SQLValue(reason.rawValue), SQLValue(directory), SQLValue(user), SQLValue(client)])
    }

    func purgeSessions(endedBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions
                WHERE (revoked_at IS NOT NULL AND revoked_at < ?) OR (not_after IS NOT NULL AND not_after < ?) LIMIT ?)
            """, [SQLValue(instant), SQLValue(instant), SQLValue(limit)])
    }
}
