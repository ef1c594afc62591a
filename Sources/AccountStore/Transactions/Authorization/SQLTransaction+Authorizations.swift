// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "client_id", "request", "parameters", "is_pushed", "pushed_id", "browser",
        "chosen_session", "consented_by", "consented_scopes", "is_denied", "fault", "created_at", "expires_at",
        "completed_at",
    ]

    private static func read(_ row: any SQLRow) throws -> PendingAuthorization {
        PendingAuthorization(
            id: try row.identifier(0), directoryID: try row.identifier(1), clientID: try row.identifier(2),
            request: try AuthorizationEncoding.request(row.object(3), column: 3),
            parameters: try AuthorizationEncoding.parameters(row.object(4), column: 4), isPushed: try row.flag(5),
            pushedID: try row.optionalText(6).map { PendingAuthorizationID($0) },
            browser: try row.isNull(7) ? nil : row.blob(7),
            chosenSession: try row.optionalText(8).map { SessionID($0) },
            consentedBy: try row.optionalText(9).map { UserID($0) }, consentedScopes: try row.words(10),
            isDenied: try row.flag(11), fault: try row.optionalText(12).flatMap(fault), createdAt: try row.instant(13),
            expiresAt: try row.instant(14), completedAt: try row.optionalInstant(15))
    }

    /// `code description`; `nil` for what no client could be told.
    private static func fault(_ text: String) -> AuthorizationFault? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let code = AuthorizationErrorCode(rawValue: String(parts[0])) else { return nil }
        return AuthorizationFault(code, String(parts[1]))
    }

    private static func text(_ fault: AuthorizationFault?) -> SQLValue {
        SQLValue(fault.map { $0.code.rawValue + " " + $0.description })
    }

    func pendingAuthorization(_ id: PendingAuthorizationID) throws -> PendingAuthorization? {
        try connection.first(
            Statement.select("pending_authorizations", Self.columns, "WHERE id = ?"), [SQLValue(id)], Self.read)
    }

    func insert(_ pending: PendingAuthorization) throws {
        _ = try execute(
            Statement.insert("pending_authorizations", Self.columns),
            [
                SQLValue(pending.id), SQLValue(pending.directoryID), SQLValue(pending.clientID),
                try SQLValue(AuthorizationEncoding.json(pending.request)),
                try SQLValue(AuthorizationEncoding.json(pending.parameters)), SQLValue(pending.isPushed),
                SQLValue(pending.pushedID), SQLValue(pending.browser), SQLValue(pending.chosenSession),
                SQLValue(pending.consentedBy), SQLValue(words: pending.consentedScopes), SQLValue(pending.isDenied),
                Self.text(pending.fault), SQLValue(pending.createdAt), SQLValue(pending.expiresAt),
                SQLValue(pending.completedAt),
            ])
    }

    func update(_ pending: PendingAuthorization) throws -> Bool {
        try execute(
            Statement.update(
                "pending_authorizations", ["chosen_session", "consented_by", "consented_scopes", "is_denied", "fault"],
                where: "id = ? AND completed_at IS NULL"),
            [
                SQLValue(pending.chosenSession), SQLValue(pending.consentedBy),
                SQLValue(words: pending.consentedScopes), SQLValue(pending.isDenied), Self.text(pending.fault),
                SQLValue(pending.id),
            ]) == 1
    }

    func complete(_ id: PendingAuthorizationID, at now: Instant) throws -> Bool {
        try execute(
            "UPDATE pending_authorizations SET completed_at = ? WHERE id = ? AND completed_at IS NULL",
            [SQLValue(now), SQLValue(id)]) == 1
    }

    func purgeAuthorizations(expiredBefore instant: Instant, limit: Int) throws -> Int {
        let pending = try execute(
            """
            DELETE FROM pending_authorizations WHERE id IN (
                SELECT id FROM pending_authorizations WHERE expires_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
        let devices = try execute(
            """
            DELETE FROM device_authorizations WHERE id IN (
                SELECT id FROM device_authorizations WHERE expires_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(max(0, limit - pending))])
        return pending + devices
    }
}
