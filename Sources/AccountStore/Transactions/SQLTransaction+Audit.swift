// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "action", "actor_kind", "actor", "user_id", "email_hash", "truncated_address",
        "user_agent", "details", "at",
    ]

    private static let insertion = Statement.insert("audit_events", columns)

    private static func read(_ row: any SQLRow) throws -> AuditEvent {
        let actor: AuditEvent.Actor =
            switch try row.text(3) {
            case "user": .user(UserID(try row.text(4)))
            case "administrator": .administrator(try row.text(4))
            case "command_line": .commandLine
            default: .unknown
            }
        return AuditEvent(
            id: try row.identifier(0), directoryID: try row.identifier(1),
            action: AuditEvent.Action(rawValue: try row.text(2)), actor: actor,
            userID: try row.optionalText(5).map { UserID($0) }, emailHash: try row.optionalText(6),
            truncatedAddress: try row.optionalText(7), userAgent: try row.optionalText(8), details: details(row),
            at: try row.instant(10))
    }

    /// An event whose details can't be read still happened, and the others are still to be listed.
    private static func details(_ row: any SQLRow) -> JSONObject { (try? row.object(9)) ?? ["damaged": true] }

    private static func condition(
        _ directory: DirectoryID, _ actions: [AuditEvent.Action]?, _ user: UserID?
    ) -> (String, [SQLValue]) {
        var condition = "WHERE directory_id = ?"
        var arguments = [SQLValue(directory)]
        if let actions {
            let places = Array(repeating: "?", count: actions.count).joined(separator: ", ")
            condition += actions.count == 1 ? " AND action = ?" : " AND action IN (\(places.isEmpty ? "NULL" : places))"
            arguments += actions.map { SQLValue($0.rawValue) }
        }
        if let user {
            condition += " AND user_id = ?"
            arguments.append(SQLValue(user))
        }
        return (condition, arguments)
    }

    func auditEvents(
        of user: UserID, in directory: DirectoryID, action: AuditEvent.Action, until end: Instant?, offset: Int,
        limit: Int
    ) throws -> [AuditEvent] {
        var (condition, arguments) = Self.condition(directory, [action], user)
        if let end {
            condition += " AND at <= ?"
            arguments.append(SQLValue(end))
        }
        return try auditEvents(condition + " ORDER BY at DESC, id DESC", arguments, offset, limit)
    }

    func auditEvents(
        in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?, offset: Int, limit: Int
    ) throws -> [AuditEvent] {
        let (condition, arguments) = Self.condition(directory, actions, user)
        let time = Self.time(actions, user)
        return try auditEvents(condition + " ORDER BY \(time) DESC, id DESC", arguments, offset, limit)
    }

    func auditEvents(
        in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?, after place: AuditPlace?, limit: Int
    ) throws -> [AuditEvent] {
        var (condition, arguments) = Self.condition(directory, actions, user)
        let time = Self.time(actions, user)
        if let place {
            condition += " AND (\(time), id) < (?, ?)"
            arguments += [SQLValue(place.at), SQLValue(place.id)]
        }
        return try auditEvents(condition + " ORDER BY \(time) DESC, id DESC", arguments, 0, limit)
    }

    /// One user's events are few. The plus has them sorted: otherwise the planner would walk through everybody's in the
    /// order of the page until it had found enough of them.
    private static func time(_ actions: [AuditEvent.Action]?, _ user: UserID?) -> String {
        user != nil && actions == nil ? "+at" : "at"
    }

    func auditEvents(
        of user: UserID, in directory: DirectoryID, after position: AuditPosition?, limit: Int
    ) throws -> [AuditEvent] {
        var (condition, arguments) = Self.condition(directory, nil, user)
        if let position {
            condition += " AND (action, at, id) > (?, ?, ?)"
            arguments += [SQLValue(position.action.rawValue), SQLValue(position.at), SQLValue(position.id)]
        }
        return try auditEvents(condition + " ORDER BY action, at, id", arguments, 0, limit)
    }

    private func auditEvents(
        _ rest: String, _ arguments: [SQLValue], _ offset: Int, _ limit: Int
    ) throws -> [AuditEvent] {
        try connection.query(
            Statement.select("audit_events", Self.columns, rest + " LIMIT ? OFFSET ?"),
            arguments + [SQLValue(limit), SQLValue(offset)], Self.read)
    }

    func auditEventCount(in directory: DirectoryID, actions: [AuditEvent.Action]?, user: UserID?) throws -> Int {
        let (condition, arguments) = Self.condition(directory, actions, user)
        let count = try connection.first(
            "SELECT COUNT(*) FROM audit_events " + condition, arguments, { try $0.integer(0) })
        return Int(count ?? 0)
    }

    func append(_ event: AuditEvent) throws {
        let (kind, actor): (String, String?) =
            switch event.actor {
            case .user(let id): ("user", id.rawValue)
            case .administrator(let name): ("administrator", name)
            case .commandLine: ("command_line", nil)
            case .unknown: ("unknown", nil)
            }
        _ = try execute(
            Self.insertion,
            [
                SQLValue(event.id), SQLValue(event.directoryID), SQLValue(event.action.rawValue), SQLValue(kind),
                SQLValue(actor), SQLValue(event.userID), SQLValue(event.emailHash), SQLValue(event.truncatedAddress),
                SQLValue(event.userAgent), try SQLValue(event.details), SQLValue(event.at),
            ])
    }

    func purgeAuditEvents(in directory: DirectoryID, before instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM audit_events WHERE (directory_id, at, id) IN (
                SELECT directory_id, at, id FROM audit_events WHERE directory_id = ? AND at < ? LIMIT ?)
            """, [SQLValue(directory), SQLValue(instant), SQLValue(limit)])
    }
}
