// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "channel", "kind", "recipient", "content", "state", "attempts", "due_at", "created_at",
        "sent_at", "last_error",
    ]
    /// With what is the store's own.
    private static let placed: Columns = [
        "id", "directory_id", "channel", "kind", "recipient", "content", "state", "attempts", "due_at", "created_at",
        "sent_at", "last_error", "user_id", "queue", "position", "waits",
    ]

    private func read(_ row: any SQLRow) throws -> OutboxMessage {
        let (id, directory): (OutboxMessageID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        let bytes = try opened(row, 5, .message, in: directory, row: id.rawValue)
        let content = try OutboxContent.content(
            of: try row.one(2), kind: try row.text(3), recipient: try row.text(4), bytes, column: 5)
        return OutboxMessage(
            id: id, directoryID: directory, content: content, state: try row.one(6),
            attempts: Int(try row.integer(7)), dueAt: try row.instant(8), createdAt: try row.instant(9),
            sentAt: try row.optionalInstant(10), lastError: try row.optionalText(11))
    }

    private func sealedContent(of message: OutboxMessage) throws -> SQLValue {
        try sealed(
            try OutboxContent.bytes(message.content), .message, in: message.directoryID, row: message.id.rawValue)
    }

    func outbox(in directory: DirectoryID?, recipient: String?, limit: Int) throws -> [OutboxMessage] {
        var conditions = ["state <> 'discarded'"]
        var arguments: [SQLValue] = []
        if let directory {
            conditions.append("directory_id = ?")
            arguments.append(SQLValue(directory))
        }
        if let recipient {
            conditions.append("recipient = ?")
            arguments.append(SQLValue(recipient))
        }
        let condition = "WHERE " + conditions.joined(separator: " AND ") + " "
        return try connection.query(
            Statement.select("outbox", Self.columns, condition + "ORDER BY created_at DESC, id DESC LIMIT ?"),
            arguments + [SQLValue(limit)], read)
    }

    func outbox(
        to recipient: String, in directory: DirectoryID, after position: OutboxPosition?, limit: Int
    ) throws -> [OutboxMessage] {
        try outbox("recipient = ?", SQLValue(recipient), directory, position, limit)
    }

    func outbox(
        about user: UserID, in directory: DirectoryID, after position: OutboxPosition?, limit: Int
    ) throws -> [OutboxMessage] {
        try outbox("user_id = ?", SQLValue(user), directory, position, limit)
    }

    private func outbox(
        _ condition: String, _ argument: SQLValue, _ directory: DirectoryID, _ position: OutboxPosition?, _ limit: Int
    ) throws -> [OutboxMessage] {
        var condition = "WHERE state <> 'discarded' AND directory_id = ? AND " + condition
        var arguments = [SQLValue(directory), argument]
        if let position {
            condition += " AND (created_at, id) < (?, ?)"
            arguments += [SQLValue(position.createdAt), SQLValue(position.id)]
        }
        return try connection.query(
            Statement.select("outbox", Self.columns, condition + " ORDER BY created_at DESC, id DESC LIMIT ?"),
            arguments + [SQLValue(limit)], read)
    }

    func failedOutbox(
        _ channel: OutboxMessage.Channel, in directory: DirectoryID, limit: Int
    ) throws -> [OutboxMessage] {
        let condition = "WHERE directory_id = ? AND channel = ? AND state = 'failed' "
        return try connection.query(
            Statement.select("outbox", Self.columns, condition + "ORDER BY created_at DESC, id DESC LIMIT ?"),
            [SQLValue(directory), SQLValue(channel.rawValue), SQLValue(limit)], read)
    }

    func outboxMessage(_ id: OutboxMessageID) throws -> OutboxMessage? {
        try connection.first(Statement.select("outbox", Self.columns, "WHERE id = ?"), [SQLValue(id)], read)
    }

    func nextOutboxDue(_ channels: [OutboxMessage.Channel]) throws -> Instant? {
        try channels.compactMap { channel in
            try connection.first(
                """
                SELECT due_at FROM outbox WHERE channel = ? AND state = 'pending' AND waits = 0 ORDER BY due_at LIMIT 1
                """, [SQLValue(channel.rawValue)]
            ) { try $0.instant(0) }
        }.min()
    }

    func enqueue(_ message: OutboxMessage) throws {
        let place = try place(of: message)
        _ = try execute(
            // A message for nobody takes the place of the last one; the others have identifiers of their own.
            Statement.insert("outbox", Self.placed)
                + " ON CONFLICT (id) DO UPDATE SET "
                + Self.placed.names.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "),
            [
                SQLValue(message.id), SQLValue(message.directoryID), SQLValue(message.channel.rawValue),
                SQLValue(message.kind), SQLValue(message.recipient), try sealedContent(of: message),
                SQLValue(message.state.rawValue), SQLValue(message.attempts), SQLValue(message.dueAt),
                SQLValue(message.createdAt), SQLValue(message.sentAt), SQLValue(message.lastError),
                SQLValue(message.letter?.user), SQLValue(place?.queue), SQLValue(place?.position),
                SQLValue(place?.waits ?? false),
            ])
    }

    /// Where a message stands that is handed over in order: behind the last one that is owed.
    private func place(of message: OutboxMessage) throws -> (queue: String, position: Int64, waits: Bool)? {
        guard let queue = message.queue, message.state == .pending else { return nil }
        let last = try connection.first(
            "SELECT position FROM outbox WHERE queue = ? AND state = 'pending' ORDER BY position DESC LIMIT 1",
            [SQLValue(queue)]
        ) { try $0.integer(0) }
        return (queue, (last ?? 0) + 1, last != nil)
    }

    /// The next of a queue waits no more, once the one before it is settled.
    private func advance(_ queue: String?) throws {
        guard let queue else { return }
        _ = try execute(
            """
            UPDATE outbox SET waits = 0 WHERE waits = 1 AND id = (
                SELECT id FROM outbox WHERE queue = ? AND state = 'pending' ORDER BY position LIMIT 1)
            """, [SQLValue(queue)])
    }

    private func queue(of id: OutboxMessageID) throws -> String? {
        try connection.first("SELECT queue FROM outbox WHERE id = ?", [SQLValue(id)]) { try $0.optionalText(0) } ?? nil
    }

    func hastenOutbox(_ channel: OutboxMessage.Channel, dueAfter instant: Instant, to now: Instant) throws -> Int {
        try execute(
            // What waits too, which is tried as soon as it waits no more.
            "UPDATE outbox SET due_at = ? WHERE channel = ? AND state = 'pending' AND waits IN (0, 1) AND due_at > ?",
            [SQLValue(now), SQLValue(channel.rawValue), SQLValue(instant)])
    }

    func claimOutbox(
        _ channel: OutboxMessage.Channel, at now: Instant, leaseEnd: Instant, limit: Int
    ) throws -> [OutboxMessage] {
        let due = try connection.query(
            """
            SELECT id, due_at FROM outbox WHERE channel = ? AND state = 'pending' AND waits = 0 AND due_at <= ?
            ORDER BY due_at, id LIMIT ?
            """, [SQLValue(channel.rawValue), SQLValue(now), SQLValue(limit)]
        ) { row -> (OutboxMessageID, Instant) in (try row.identifier(0), try row.instant(1)) }
        return try due.compactMap { id, dueAt in
            let isClaimed =
                try execute(
                    "UPDATE outbox SET due_at = ? WHERE id = ? AND state = 'pending' AND due_at = ?",
                    [SQLValue(leaseEnd), SQLValue(id), SQLValue(dueAt)]) == 1
            guard isClaimed else { return nil }
            do {
                return try outboxMessage(id)
            } catch is StoredRowError {
                // One message that can't be read must not keep the others back.
                _ = try execute(
                    "UPDATE outbox SET state = 'failed', last_error = 'damaged' WHERE id = ?", [SQLValue(id)])
                try advance(try queue(of: id))
                return nil
            }
        }
    }

    func update(_ message: OutboxMessage) throws {
        let changed = try execute(
            Statement.update(
                "outbox",
                ["content", "state", "attempts", "due_at", "sent_at", "last_error"], where: "id = ?"),
            [
                try sealedContent(of: message), SQLValue(message.state.rawValue), SQLValue(message.attempts),
                SQLValue(message.dueAt), SQLValue(message.sentAt), SQLValue(message.lastError), SQLValue(message.id),
            ])
        guard changed == 1 else { throw StoreConflict.stale("outbox") }
        if message.state != .pending { try advance(message.queue) }
    }

    func deleteOutbox(to recipient: String, in directory: DirectoryID, includingOwed: Bool) throws {
        _ = try execute(
            "DELETE FROM outbox WHERE recipient = ? AND directory_id = ?"
                + (includingOwed ? "" : " AND state <> 'pending'"), [SQLValue(recipient), SQLValue(directory)])
    }

    func deleteSettledLetters(about user: UserID, in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM outbox WHERE directory_id = ? AND user_id = ? AND state <> 'pending'",
            [SQLValue(directory), SQLValue(user)])
    }

    func deleteOutboxMessage(_ id: OutboxMessageID) throws {
        let queue = try queue(of: id)
        _ = try execute("DELETE FROM outbox WHERE id = ?", [SQLValue(id)])
        try advance(queue)
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

extension OutboxMessage {
    /// Of the messages that are handed over in the order in which they were written, which they are among; `nil` for
    /// those that wait for no other.
    fileprivate var queue: String? {
        guard case .webhook(let event) = content, let user = event.user else { return nil }
        return [directoryID.rawValue, event.endpoint, user.rawValue].joined(separator: "\n")
    }
}
