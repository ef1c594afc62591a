// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "channel", "kind", "recipient", "subject", "body", "html", "code", "link", "token_hash",
        "state", "attempts", "due_at", "created_at", "sent_at", "last_error",
    ]

    private static func read(_ row: any SQLRow) throws -> OutboxMessage {
        OutboxMessage(
            id: try row.identifier(0), directoryID: try row.identifier(1), channel: try row.one(2),
            kind: try row.text(3), recipient: try row.text(4), subject: try row.text(5), text: try row.text(6),
            html: try row.optionalText(7), code: try row.optionalText(8), link: try row.optionalText(9),
            tokenHash: try row.optionalText(10), state: try row.one(11), attempts: Int(try row.integer(12)),
            dueAt: try row.instant(13), createdAt: try row.instant(14), sentAt: try row.optionalInstant(15),
            lastError: try row.optionalText(16))
    }

    func outbox(in directory: DirectoryID?, recipient: String?, limit: Int) throws -> [OutboxMessage] {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let directory {
            conditions.append("directory_id = ?")
            arguments.append(SQLValue(directory))
        }
        if let recipient {
            conditions.append("recipient = ?")
            arguments.append(SQLValue(recipient))
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ") + " "
        return try connection.query(
            Statement.select("outbox", Self.columns, condition + "ORDER BY created_at DESC, id DESC LIMIT ?"),
            arguments + [SQLValue(limit)], Self.read)
    }

    func outboxMessage(_ id: OutboxMessageID) throws -> OutboxMessage? {
        try connection.first(Statement.select("outbox", Self.columns, "WHERE id = ?"), [SQLValue(id)], Self.read)
    }

    func nextOutboxDue() throws -> Instant? {
        try connection.first(
            "SELECT due_at FROM outbox WHERE state = 'pending' ORDER BY due_at LIMIT 1", [], { try $0.instant(0) })
    }

    func enqueue(_ message: OutboxMessage) throws {
        _ = try execute(
            Statement.insert("outbox", Self.columns),
            [
                SQLValue(message.id), SQLValue(message.directoryID), SQLValue(message.channel.rawValue),
                SQLValue(message.kind), SQLValue(message.recipient), SQLValue(message.subject), SQLValue(message.text),
                SQLValue(message.html), SQLValue(message.code), SQLValue(message.link), SQLValue(message.tokenHash),
                SQLValue(message.state.rawValue), SQLValue(message.attempts), SQLValue(message.dueAt),
                SQLValue(message.createdAt), SQLValue(message.sentAt), SQLValue(message.lastError),
            ])
    }

    func hastenOutbox(dueAfter instant: Instant, to now: Instant) throws -> Int {
        try execute(
            "UPDATE outbox SET due_at = ? WHERE state = 'pending' AND due_at > ?", [SQLValue(now), SQLValue(instant)])
    }

    func claimOutbox(at now: Instant, leaseEnd: Instant, limit: Int) throws -> [OutboxMessage] {
        let due = try connection.query(
            Statement.select(
                "outbox", Self.columns, "WHERE state = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?"),
            [SQLValue(now), SQLValue(limit)], Self.read)
        return try due.filter { message in
            try execute(
                "UPDATE outbox SET due_at = ? WHERE id = ? AND state = 'pending' AND due_at = ?",
                [SQLValue(leaseEnd), SQLValue(message.id), SQLValue(message.dueAt)]) == 1
        }.map { message in
            var claimed = message
            claimed.dueAt = leaseEnd
            return claimed
        }
    }

    func update(_ message: OutboxMessage) throws {
        let changed = try execute(
            Statement.update(
                "outbox",
                [
                    "subject", "body", "html", "code", "link", "token_hash", "state", "attempts", "due_at", "sent_at",
                    "last_error",
                ], where: "id = ?"),
            [
                SQLValue(message.subject), SQLValue(message.text), SQLValue(message.html), SQLValue(message.code),
                SQLValue(message.link), SQLValue(message.tokenHash), SQLValue(message.state.rawValue),
                SQLValue(message.attempts), SQLValue(message.dueAt), SQLValue(message.sentAt),
                SQLValue(message.lastError), SQLValue(message.id),
            ])
        guard changed == 1 else { throw StoreConflict.stale("outbox") }
    }

    func purgeOutbox(finishedBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM outbox WHERE id IN (
                SELECT id FROM outbox WHERE state <> 'pending' AND created_at < ? AND COALESCE(sent_at, due_at) < ?
                LIMIT ?)
            """, [SQLValue(instant), SQLValue(instant), SQLValue(limit)])
    }
}
