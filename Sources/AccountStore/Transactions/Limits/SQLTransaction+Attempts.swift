// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    func attemptsEnd(_ key: [UInt8], in directory: DirectoryID) throws -> Instant? {
        try connection.first(
            "SELECT free_at FROM counted_attempts WHERE directory_id = ? AND key = ?",
            [SQLValue(directory), SQLValue(key)]
        ) { try $0.instant(0) }
    }

    func attemptsEnds(
        _ first: [UInt8], _ second: [UInt8], in directory: DirectoryID
    ) throws -> [[UInt8]: Instant] {
        // Not `IN (?, ?)`, for which SQLite makes a tree each time.
        let found = try connection.query(
            """
            SELECT key, free_at FROM counted_attempts WHERE directory_id = ? AND key = ?
            UNION ALL SELECT key, free_at FROM counted_attempts WHERE directory_id = ? AND key = ?
            """,
            [SQLValue(directory), SQLValue(first), SQLValue(directory), SQLValue(second)]
        ) { (try $0.blob(0), try $0.instant(1)) }
        return Dictionary(found, uniquingKeysWith: { one, _ in one })
    }

    func attemptsEnds(
        _ first: [UInt8], _ second: [UInt8], in directory: DirectoryID, andRecoveryOf user: UserID
    ) throws -> (ends: [[UInt8]: Instant], isRecovering: Bool) {
        let found: [(key: [UInt8], end: Instant)?] = try connection.query(
            """
            SELECT key, free_at FROM counted_attempts WHERE directory_id = ? AND key = ?
            UNION ALL SELECT key, free_at FROM counted_attempts WHERE directory_id = ? AND key = ?
            UNION ALL SELECT NULL, due_at FROM factor_recoveries WHERE directory_id = ? AND user_id = ?
            """,
            [
                SQLValue(directory), SQLValue(first), SQLValue(directory), SQLValue(second), SQLValue(directory),
                SQLValue(user),
            ]
        ) { row in row.isNull(0) ? nil : (try row.blob(0), try row.instant(1)) }
        let ends = found.compactMap { $0.map { ($0.key, $0.end) } }
        return (Dictionary(ends, uniquingKeysWith: { one, _ in one }), ends.count < found.count)
    }

    func takeAttempt(
        _ rule: RateLimitRule, key: [UInt8], in directory: DirectoryID, at now: Instant
    ) throws -> Bool {
        guard let (cost, size) = rule.portion else { return false }
        let room = now + size
        // As `RateLimitRule.judge`: a time that a clock set back has left ahead counts as none.
        return try execute(
            """
            INSERT INTO counted_attempts (directory_id, key, free_at) VALUES (?, ?, ?)
            ON CONFLICT (directory_id, key) DO UPDATE SET free_at =
                CASE WHEN counted_attempts.free_at > ? OR counted_attempts.free_at < ? THEN excluded.free_at
                ELSE counted_attempts.free_at + ? END
            WHERE counted_attempts.free_at > ? OR counted_attempts.free_at <= ?
            """,
            [
                SQLValue(directory), SQLValue(key), SQLValue(now + cost), SQLValue(room.latestNoted), SQLValue(now),
                .integer(cost.microseconds), SQLValue(room.latestNoted), SQLValue(room - cost),
            ]) == 1
    }

    func addAttempts(_ additions: [AttemptAddition], at now: Instant) throws -> [[UInt8]: Instant] {
        guard !additions.isEmpty else { return [:] }
        _ = try connection.execute(
            // As where one is counted, and never further than to the limit's end.
            """
            INSERT INTO counted_attempts (directory_id, key, free_at) VALUES (?, ?, ?)
            ON CONFLICT (directory_id, key) DO UPDATE SET free_at =
                CASE WHEN counted_attempts.free_at > ? OR counted_attempts.free_at < ? THEN excluded.free_at
                WHEN counted_attempts.free_at > ? THEN counted_attempts.free_at
                WHEN counted_attempts.free_at + ? > ? THEN ?
                ELSE counted_attempts.free_at + ? END
            """,
            each: additions.map { addition in
                let room = SQLValue(now + addition.size)
                let debt = SQLValue.integer(addition.debt.microseconds)
                return [
                    SQLValue(addition.directory), SQLValue(addition.key), SQLValue(now + addition.debt),
                    SQLValue((now + addition.size).latestNoted), SQLValue(now), room, debt, room, room, debt,
                ]
            })
        var ends: [[UInt8]: Instant] = [:]
        for (directory, additions) in Dictionary(grouping: additions, by: \.directory) {
            let form = BatchForm.short
            for batch in batches(of: additions.map { SQLValue($0.key) }, form) {
                let rows = try connection.query(
                    "SELECT key, free_at FROM counted_attempts WHERE directory_id = ? AND key IN (\(form.placeholders))",
                    [SQLValue(directory)] + batch
                ) { (key: try $0.blob(0), end: try $0.instant(1)) }
                for row in rows { ends[row.key] = row.end }
            }
        }
        return ends
    }

    func giveBackAttempt(_ rule: RateLimitRule, key: [UInt8], in directory: DirectoryID) throws {
        guard let (cost, _) = rule.portion else { return }
        _ = try execute(
            "UPDATE counted_attempts SET free_at = free_at - ? WHERE directory_id = ? AND key = ?",
            [.integer(cost.microseconds), SQLValue(directory), SQLValue(key)])
    }

    func forgetAttempts(_ key: [UInt8], in directory: DirectoryID) throws {
        _ = try execute(
            "DELETE FROM counted_attempts WHERE directory_id = ? AND key = ?", [SQLValue(directory), SQLValue(key)])
    }

    func purgeAttempts(endedBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM counted_attempts WHERE (directory_id, key) IN (
                SELECT directory_id, key FROM counted_attempts WHERE free_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
    }
}
