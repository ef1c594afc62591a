// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What browsers are away with at identity providers, and what those have granted.
extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "state_hash", "provider_id", "provider", "issuer", "binding", "nonce", "verifier",
        "redirect_uri", "dialect", "continuation", "links_to", "session_id", "created_at", "expires_at", "used_at",
    ]
    private static let grantColumns: Columns = [
        "id", "directory_id", "refresh_token", "updated_at", "due_at", "failures",
    ]

    private func read(_ row: any SQLRow) throws -> PendingFederation {
        let (id, directory): (PendingFederationID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        return PendingFederation(
            id: id, directoryID: directory, stateHash: try row.blob(2), providerID: try row.identifier(3),
            provider: try row.text(4), issuer: try row.optionalText(5), binding: try row.blob(6),
            nonce: try row.text(7),
            verifier: Secret(try openedText(row, 8, .upstreamVerifier, in: directory, row: id.rawValue)),
            redirectURI: try row.text(9), dialect: DialectName(try row.text(10)), continuation: try row.object(11),
            linksTo: try row.optionalText(12).map { UserID($0) },
            session: try row.optionalText(13).map { SessionID($0) }, createdAt: try row.instant(14),
            expiresAt: try row.instant(15), usedAt: try row.optionalInstant(16))
    }

    func pendingFederation(stateHash: [UInt8]) throws -> PendingFederation? {
        try connection.first(
            Statement.select("pending_federations", Self.columns, "WHERE state_hash = ?"), [SQLValue(stateHash)], read)
    }

    func insert(_ pending: PendingFederation) throws {
        _ = try execute(
            Statement.insert("pending_federations", Self.columns),
            [
                SQLValue(pending.id), SQLValue(pending.directoryID), SQLValue(pending.stateHash),
                SQLValue(pending.providerID), SQLValue(pending.provider), SQLValue(pending.issuer),
                SQLValue(pending.binding), SQLValue(pending.nonce),
                try sealed(
                    pending.verifier.reveal(), .upstreamVerifier, in: pending.directoryID, row: pending.id.rawValue),
                SQLValue(pending.redirectURI), SQLValue(pending.dialect.rawValue), try SQLValue(pending.continuation),
                SQLValue(pending.linksTo), SQLValue(pending.session), SQLValue(pending.createdAt),
                SQLValue(pending.expiresAt),
                SQLValue(pending.usedAt),
            ])
    }

    func use(_ id: PendingFederationID, at now: Instant) throws -> Bool {
        try execute(
            "UPDATE pending_federations SET used_at = ? WHERE id = ? AND used_at IS NULL",
            [SQLValue(now), SQLValue(id)]) == 1
    }

    func purgeFederations(expiredBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM pending_federations WHERE id IN (
                SELECT id FROM pending_federations WHERE expires_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
    }

    // MARK: Grants

    func upstreamGrant(of identity: IdentityID, in directory: DirectoryID) throws -> UpstreamGrant? {
        try connection.first(
            Statement.select("upstream_grants", Self.grantColumns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(identity), SQLValue(directory)], readGrant)
    }

    func upstreamGrants(dueAt now: Instant, limit: Int) throws -> [UpstreamGrant] {
        try connection.query(
            Statement.select("upstream_grants", Self.grantColumns, "WHERE due_at <= ? ORDER BY due_at LIMIT ?"),
            [SQLValue(now), SQLValue(limit)], readGrant)
    }

    private func readGrant(_ row: any SQLRow) throws -> UpstreamGrant {
        let (identity, directory): (IdentityID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        return UpstreamGrant(
            identityID: identity, directoryID: directory,
            refreshToken: Secret(try openedText(row, 2, .upstreamToken, in: directory, row: identity.rawValue)),
            updatedAt: try row.instant(3), dueAt: try row.optionalInstant(4), failures: Int(try row.integer(5)))
    }

    func put(_ grant: UpstreamGrant) throws {
        _ = try deleteUpstreamGrant(of: grant.identityID, in: grant.directoryID)
        _ = try execute(
            Statement.insert("upstream_grants", Self.grantColumns),
            [
                SQLValue(grant.identityID), SQLValue(grant.directoryID),
                try sealed(
                    grant.refreshToken.reveal(), .upstreamToken, in: grant.directoryID, row: grant.identityID.rawValue),
                SQLValue(grant.updatedAt), SQLValue(grant.dueAt), SQLValue(grant.failures),
            ])
    }

    func deleteUpstreamGrant(of identity: IdentityID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM upstream_grants WHERE id = ? AND directory_id = ?",
            [SQLValue(identity), SQLValue(directory)]) == 1
    }

    // MARK: Ends

    func identityEnd(_ key: [UInt8], in directory: DirectoryID) throws -> Instant? {
        try connection.first(
            "SELECT ended_at FROM identity_ends WHERE directory_id = ? AND key = ?",
            [SQLValue(directory), SQLValue(key)]
        ) { try $0.instant(0) }
    }

    func noteIdentityEnd(_ key: [UInt8], in directory: DirectoryID, at now: Instant) throws {
        _ = try execute(
            """
            INSERT INTO identity_ends (directory_id, key, ended_at) VALUES (?, ?, ?)
            ON CONFLICT (directory_id, key) DO UPDATE SET ended_at = excluded.ended_at
            """, [SQLValue(directory), SQLValue(key), SQLValue(now)])
    }

    func purgeIdentityEnds(before instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM identity_ends WHERE (directory_id, key) IN (
                SELECT directory_id, key FROM identity_ends WHERE ended_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
    }
}
