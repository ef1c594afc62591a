// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "name", "flows", "access_token_lifetime", "id_token_lifetime", "refresh_token_lifetime",
        "step_lifetime", "conceals_users", "rotates_refresh_tokens", "rotation_grace", "revokes_tokens",
        "authorization_enabled", "grants", "scopes", "default_redirect_uri", "consent", "authentication", "keys",
        "backchannel_logout_uri", "id_token_algorithm", "requires_pushed_requests", "requires_pkce", "dpop_bound",
        "dialect", "profile", "attributes", "requires_signed_requests", "request_algorithm", "providers_only",
        "passkey_origins", "created_at", "updated_at",
        "version",
    ]

    private static func read(_ row: any SQLRow) throws -> Client {
        var settings = ClientSettings()
        settings.flows = Set(try row.words(3))
        settings.accessTokenLifetime = try row.optionalInteger(4)
        settings.idTokenLifetime = try row.optionalInteger(5)
        settings.refreshTokenLifetime = try row.optionalInteger(6)
        settings.stepLifetime = try row.optionalInteger(7)
        settings.concealsUsers = try row.flag(8)
        settings.rotatesRefreshTokens = try row.flag(9)
        settings.rotationGrace = try row.integer(10)
        settings.revokesTokens = try row.flag(11)
        settings.authorization.isEnabled = try row.flag(12)
        settings.authorization.grants = try row.words(13)
        settings.authorization.scopes = try row.words(14)
        settings.authorization.defaultRedirectURI = try row.optionalText(15)
        settings.authorization.consent = try row.one(16)
        settings.authorization.authentication = row.isNull(17) ? nil : try row.one(17)
        settings.authorization.keys = row.isNull(18) ? nil : try row.object(18)
        settings.authorization.backchannelLogoutURI = try row.optionalText(19)
        settings.authorization.idTokenAlgorithm = try row.one(20)
        settings.authorization.requiresPushedRequests = try row.flag(21)
        settings.authorization.requiresPKCE = try row.flag(22)
        settings.authorization.isDPoPBound = try row.flag(23)
        settings.authorization.profile = row.isNull(25) ? nil : try row.one(25)
        settings.attributes = try row.object(26)
        settings.authorization.requiresSignedRequests = try row.flag(27)
        settings.authorization.requestAlgorithm = row.isNull(28) ? nil : try row.one(28)
        settings.authorization.providersOnly = try row.flag(29)
        settings.passkeyOrigins = try row.words(30)
        return Client(
            id: try row.identifier(0), directoryID: try row.identifier(1), name: try row.text(2),
            dialect: try row.optionalText(24).map { DialectName($0) }, settings: settings,
            createdAt: try row.instant(31), updatedAt: try row.instant(32), version: try row.integer(33))
    }

    /// The columns from the name to the origins of its passkeys.
    private static func values(of client: Client) throws -> [SQLValue] {
        let settings = client.settings
        let authorization = settings.authorization
        return [
            SQLValue(client.name), SQLValue(words: settings.flows.map(\.rawValue).sorted()),
            SQLValue(settings.accessTokenLifetime), SQLValue(settings.idTokenLifetime),
            SQLValue(settings.refreshTokenLifetime), SQLValue(settings.stepLifetime),
            SQLValue(settings.concealsUsers), SQLValue(settings.rotatesRefreshTokens),
            SQLValue(settings.rotationGrace), SQLValue(settings.revokesTokens), SQLValue(authorization.isEnabled),
            SQLValue(words: authorization.grants.map(\.rawValue)), SQLValue(words: authorization.scopes),
            SQLValue(authorization.defaultRedirectURI), SQLValue(authorization.consent.rawValue),
            SQLValue(authorization.authentication?.rawValue), try authorization.keys.map { try SQLValue($0) } ?? .null,
            SQLValue(authorization.backchannelLogoutURI), SQLValue(authorization.idTokenAlgorithm.rawValue),
            SQLValue(authorization.requiresPushedRequests), SQLValue(authorization.requiresPKCE),
            SQLValue(authorization.isDPoPBound), SQLValue(client.dialect?.rawValue),
            SQLValue(authorization.profile?.rawValue), try SQLValue(settings.attributes),
            SQLValue(authorization.requiresSignedRequests), SQLValue(authorization.requestAlgorithm?.rawValue),
            SQLValue(authorization.providersOnly), SQLValue(words: settings.passkeyOrigins),
        ]
    }

    func client(_ id: ClientID) throws -> Client? {
        let found = try connection.first(
            Statement.select("clients", Self.columns, "WHERE id = ?"), [SQLValue(id)], Self.read)
        guard let found else { return nil }
        return try completed([found], where: "client_id = ?", SQLValue(id)).first
    }

    func clientVersion(_ id: ClientID) throws -> Int64? {
        try connection.first("SELECT version FROM clients WHERE id = ?", [SQLValue(id)]) { try $0.integer(0) }
    }

    func clients(in directory: DirectoryID) throws -> [Client] {
        let found = try connection.query(
            Statement.select("clients", Self.columns, "WHERE directory_id = ? ORDER BY created_at, id"),
            [SQLValue(directory)], Self.read)
        return try completed(found, where: "directory_id = ?", SQLValue(directory))
    }

    func insert(_ client: Client) throws {
        _ = try execute(
            Statement.insert("clients", Self.columns),
            [SQLValue(client.id), SQLValue(client.directoryID)] + (try Self.values(of: client))
                + [SQLValue(client.createdAt), SQLValue(client.updatedAt), SQLValue(client.version)])
        try insertParts(of: client)
        try note(.clients)
    }

    func update(_ client: Client) throws {
        let names = Self.columns.names.dropFirst(2).filter { $0 != "created_at" }
        let changed = try execute(
            Statement.update("clients", names, where: "id = ? AND directory_id = ? AND version = ?"),
            try Self.values(of: client)
                + [
                    SQLValue(client.updatedAt), SQLValue(client.version + 1), SQLValue(client.id),
                    SQLValue(client.directoryID), SQLValue(client.version),
                ])
        guard changed == 1 else { throw StoreConflict.stale("client") }
        for table in ["client_secrets", "client_values"] {
            _ = try execute("DELETE FROM \(table) WHERE client_id = ?", [SQLValue(client.id)])
        }
        try insertParts(of: client)
        try note(.clients)
    }

    func deleteClient(_ id: ClientID, in directory: DirectoryID) throws -> Bool {
        let deleted = try execute(
            "DELETE FROM clients WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)])
        if deleted == 1 { try note(.clients) }
        return deleted == 1
    }
}
