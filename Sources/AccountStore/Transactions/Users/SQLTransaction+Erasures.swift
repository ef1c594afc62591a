// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "user_id", "keeps_row", "audit_action", "audit_at", "audit_id",
    ]

    private static func read(_ row: any SQLRow) throws -> Erasure {
        var erasure = Erasure(
            directoryID: try row.identifier(0), userID: try row.identifier(1), keepsRow: try row.flag(2))
        if let action = try row.optionalText(3), let at = try row.optionalInstant(4), let id = try row.optionalText(5) {
            erasure.position = AuditPosition(
                action: AuditEvent.Action(rawValue: action), at: at, id: AuditEventID(id))
        }
        return erasure
    }

    func erasure(of user: UserID, in directory: DirectoryID) throws -> Erasure? {
        try connection.first(
            Statement.select("erasures", Self.columns, "WHERE directory_id = ? AND user_id = ?"),
            [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func erasures(limit: Int) throws -> [Erasure] {
        try connection.query(
            Statement.select("erasures", Self.columns, "ORDER BY directory_id, user_id LIMIT ?"), [SQLValue(limit)],
            Self.read)
    }

    func put(_ erasure: Erasure) throws {
        _ = try execute(
            """
            INSERT INTO erasures (directory_id, user_id, keeps_row, audit_action, audit_at, audit_id)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory_id, user_id) DO UPDATE SET keeps_row = excluded.keeps_row,
                audit_action = excluded.audit_action, audit_at = excluded.audit_at, audit_id = excluded.audit_id
            """,
            [
                SQLValue(erasure.directoryID), SQLValue(erasure.userID), SQLValue(erasure.keepsRow),
                SQLValue(erasure.position?.action.rawValue), SQLValue(erasure.position?.at),
                SQLValue(erasure.position?.id),
            ])
    }

    func deleteErasure(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM erasures WHERE directory_id = ? AND user_id = ?", [SQLValue(directory), SQLValue(user)])
    }

    func eraseActivities(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int {
        let (condition, theirs) = ("directory_id = ? AND user_id = ?", [SQLValue(directory), SQLValue(user)])
        // The rows lie side by side in their key's order: up to the last of this turn they are deleted as they are met,
        // where a list of keys would have each looked up again.
        let last = try connection.first(
            "SELECT at, id FROM activities WHERE \(condition) ORDER BY at, id LIMIT 1 OFFSET ?",
            theirs + [SQLValue(max(limit, 1) - 1)]
        ) { row in try [.integer(row.integer(0)), .text(row.text(1))] as [SQLValue] }
        guard let last else { return try execute("DELETE FROM activities WHERE \(condition)", theirs) }
        return try execute("DELETE FROM activities WHERE \(condition) AND (at, id) <= (?, ?)", theirs + last)
    }

    func eraseSessions(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int {
        try execute(
            "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE directory_id = ? AND user_id = ? LIMIT ?)",
            [SQLValue(directory), SQLValue(user), SQLValue(limit)])
    }

    func redactSessions(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int {
        try execute(
            """
            UPDATE sessions SET device_name = NULL, device_system = NULL, device_app_version = NULL,
                device_user_agent = NULL, device_address = NULL, claims = NULL, methods = ''
            WHERE id IN (
                SELECT id FROM sessions WHERE directory_id = ? AND user_id = ? AND (methods <> '' OR COALESCE(
                    device_name, device_system, device_app_version, device_user_agent, device_address, claims)
                    IS NOT NULL) LIMIT ?)
            """, [SQLValue(directory), SQLValue(user), SQLValue(limit)])
    }

    func redactAuditEvents(
        of user: UserID, in directory: DirectoryID, after position: AuditPosition?, limit: Int
    ) throws -> AuditPosition? {
        var condition = "WHERE directory_id = ? AND user_id = ?"
        var arguments = [SQLValue(directory), SQLValue(user)]
        if let position {
            condition += " AND (action, at, id) > (?, ?, ?)"
            arguments += [SQLValue(position.action.rawValue), SQLValue(position.at), SQLValue(position.id)]
        }
        let found = try connection.query(
            "SELECT action, at, id FROM audit_events \(condition) ORDER BY action, at, id LIMIT ?",
            arguments + [SQLValue(limit)]
        ) { row in
            AuditPosition(
                action: AuditEvent.Action(rawValue: try row.text(0)), at: try row.instant(1), id: try row.identifier(2))
        }
        // What says that the user was deleted was written for whoever looks for them afterwards.
        _ = try connection.execute(
            """
            UPDATE audit_events SET email_hash = NULL, truncated_address = NULL, user_agent = NULL, details = '{}'
            WHERE directory_id = ? AND at = ? AND id = ?
            """,
            each: found.filter { $0.action != .userDeleted }
                .map { [SQLValue(directory), SQLValue($0.at), SQLValue($0.id)] })
        return found.count < limit ? nil : found.last
    }

    func deleteLockouts(of user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM lockouts WHERE directory_id = ? AND user_id = ?", [SQLValue(directory), SQLValue(user)])
    }
}
