// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "hash", "grants", "scopes", "redirect_hosts", "uses_left", "created_at",
        "expires_at", "revoked_at",
    ]
    private static let registrationColumns: Columns = [
        "client_id", "directory_id", "access_hash", "initial_token", "left_grants", "left_scopes",
        "left_redirect_uris", "left_sign_out_uris",
    ]

    private static func read(_ row: any SQLRow) throws -> InitialAccessToken {
        InitialAccessToken(
            id: try row.identifier(0), directoryID: try row.identifier(1), name: try row.text(2),
            hash: try row.blob(3), grants: try row.words(4), scopes: try row.words(5),
            redirectHosts: try row.words(6), usesLeft: try row.optionalInteger(7), createdAt: try row.instant(8),
            expiresAt: try row.optionalInstant(9), revokedAt: try row.optionalInstant(10))
    }

    func initialAccessToken(hash: [UInt8]) throws -> InitialAccessToken? {
        try connection.first(
            Statement.select("initial_access_tokens", Self.columns, "WHERE hash = ?"), [SQLValue(hash)], Self.read)
    }

    func initialAccessToken(_ id: InitialAccessTokenID, in directory: DirectoryID) throws -> InitialAccessToken? {
        try connection.first(
            Statement.select("initial_access_tokens", Self.columns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(id), SQLValue(directory)], Self.read)
    }

    func initialAccessTokens(in directory: DirectoryID) throws -> [InitialAccessToken] {
        try connection.query(
            Statement.select("initial_access_tokens", Self.columns, "WHERE directory_id = ? ORDER BY created_at, id"),
            [SQLValue(directory)], Self.read)
    }

    func insert(_ token: InitialAccessToken) throws {
        _ = try execute(
            Statement.insert("initial_access_tokens", Self.columns),
            [
                SQLValue(token.id), SQLValue(token.directoryID), SQLValue(token.name), SQLValue(token.hash),
                SQLValue(words: token.grants.map(\.rawValue)), SQLValue(words: token.scopes),
                SQLValue(words: token.redirectHosts), SQLValue(token.usesLeft), SQLValue(token.createdAt),
                SQLValue(token.expiresAt), SQLValue(token.revokedAt),
            ])
    }

    func update(_ token: InitialAccessToken) throws {
        _ = try execute(
            "UPDATE initial_access_tokens SET scopes = ? WHERE id = ? AND directory_id = ?",
            [SQLValue(words: token.scopes), SQLValue(token.id), SQLValue(token.directoryID)])
    }

    func revokeInitialAccessToken(
        _ id: InitialAccessTokenID, in directory: DirectoryID, at now: Instant
    ) throws -> Bool {
        try execute(
            """
            UPDATE initial_access_tokens SET revoked_at = ?
            WHERE id = ? AND directory_id = ? AND revoked_at IS NULL
            """, [SQLValue(now), SQLValue(id), SQLValue(directory)]) == 1
    }

    func useInitialAccessToken(_ id: InitialAccessTokenID) throws -> Bool {
        try execute(
            """
            UPDATE initial_access_tokens SET uses_left = uses_left - 1
            WHERE id = ? AND revoked_at IS NULL AND (uses_left IS NULL OR uses_left > 0)
            """, [SQLValue(id)]) == 1
    }

    func selfRegistration(of client: ClientID, in directory: DirectoryID) throws -> SelfRegistration? {
        try connection.first(
            Statement.select(
                "self_registrations", Self.registrationColumns, "WHERE client_id = ? AND directory_id = ?"),
            [SQLValue(client), SQLValue(directory)], Self.readRegistration)
    }

    func selfRegistrations(in directory: DirectoryID) throws -> [SelfRegistration] {
        try connection.query(
            Statement.select("self_registrations", Self.registrationColumns, "WHERE directory_id = ?"),
            [SQLValue(directory)], Self.readRegistration)
    }

    private static func readRegistration(_ row: any SQLRow) throws -> SelfRegistration {
        var left = SelfRegistration.Left()
        left.grants = row.isNull(4) ? nil : try row.words(4)
        left.scopes = row.isNull(5) ? nil : try row.words(5)
        left.redirectURIs = row.isNull(6) ? nil : try row.words(6)
        left.signOutURIs = row.isNull(7) ? nil : try row.words(7)
        return SelfRegistration(
            clientID: try row.identifier(0), directoryID: try row.identifier(1), accessHash: try row.blob(2),
            initialToken: try row.identifier(3), left: left)
    }

    func insert(_ registration: SelfRegistration) throws {
        _ = try execute(
            Statement.insert("self_registrations", Self.registrationColumns),
            [
                SQLValue(registration.clientID), SQLValue(registration.directoryID),
                SQLValue(registration.accessHash), SQLValue(registration.initialToken),
            ] + Self.values(of: registration.left))
    }

    func update(_ registration: SelfRegistration) throws {
        _ = try execute(
            Statement.update(
                "self_registrations", Array(Self.registrationColumns.names.dropFirst(4)),
                where: "client_id = ? AND directory_id = ?"),
            Self.values(of: registration.left) + [SQLValue(registration.clientID), SQLValue(registration.directoryID)])
    }

    /// Neither scopes nor places of a client hold spaces.
    private static func values(of left: SelfRegistration.Left) -> [SQLValue] {
        [left.grants?.map(\.rawValue), left.scopes, left.redirectURIs, left.signOutURIs].map { words in
            words.map { SQLValue(words: $0) } ?? .null
        }
    }
}
