// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "key", "user_id", "is_own", "failures", "locked_at", "truncated_address",
    ]

    private func read(_ row: any SQLRow) throws -> Lockout {
        Lockout(
            key: try row.blob(1), directoryID: try row.identifier(0),
            userID: try row.optionalText(2).map { UserID($0) },
            isOwn: try row.flag(3), failures: LockoutFailures.times(in: try row.blob(4)),
            lockedAt: try row.optionalInstant(5), truncatedAddress: try row.optionalText(6))
    }

    func lockout(_ key: [UInt8], in directory: DirectoryID) throws -> Lockout? {
        try connection.first(
            Statement.select("lockouts", Self.columns, "WHERE directory_id = ? AND key = ?"),
            [SQLValue(directory), SQLValue(key)], read)
    }

    func lockouts(in directory: DirectoryID, after position: LockoutPosition?, limit: Int) throws -> [Lockout] {
        let order = "ORDER BY locked_at DESC, key DESC LIMIT ?"
        let isListed = "directory_id = ? AND locked_at IS NOT NULL AND is_own = 0"
        guard let position else {
            return try connection.query(
                Statement.select("lockouts", Self.columns, "WHERE \(isListed) \(order)"),
                [SQLValue(directory), SQLValue(limit)], read)
        }
        return try connection.query(
            Statement.select("lockouts", Self.columns, "WHERE \(isListed) AND (locked_at, key) < (?, ?) \(order)"),
            [SQLValue(directory), SQLValue(position.lockedAt), SQLValue(position.key), SQLValue(limit)], read)
    }

    func lockouts(of user: UserID, in directory: DirectoryID) throws -> [Lockout] {
        try connection.query(
            Statement.select("lockouts", Self.columns, "WHERE directory_id = ? AND user_id = ?"),
            [SQLValue(directory), SQLValue(user)], read)
    }

    func put(_ lockout: Lockout, until end: Instant) throws {
        _ = try execute(
            """
            INSERT INTO lockouts
                (directory_id, key, user_id, is_own, failures, locked_at, truncated_address, ends_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory_id, key) DO UPDATE SET
                user_id = excluded.user_id, failures = excluded.failures, locked_at = excluded.locked_at,
                truncated_address = excluded.truncated_address, ends_at = excluded.ends_at
            """,
            [
                SQLValue(lockout.directoryID), SQLValue(lockout.key), SQLValue(lockout.userID),
                .integer(lockout.isOwn ? 1 : 0), SQLValue(LockoutFailures.bytes(of: lockout.failures)),
                SQLValue(lockout.lockedAt), SQLValue(lockout.truncatedAddress), SQLValue(end),
            ])
    }

    func deleteLockout(_ key: [UInt8], in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM lockouts WHERE directory_id = ? AND key = ?", [SQLValue(directory), SQLValue(key)]) == 1
    }

    func purgeLockouts(endedBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM lockouts WHERE (directory_id, key) IN (
                SELECT directory_id, key FROM lockouts WHERE ends_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
    }
}

/// Times as a column keeps them: eight octets of microseconds each, big-endian.
private enum LockoutFailures {
    static func bytes(of times: [Instant]) -> [UInt8] {
        times.flatMap { time in (0..<8).map { UInt8(truncatingIfNeeded: time.microseconds >> (56 - 8 * $0)) } }
    }

    /// What is left over at the end of a column that was damaged is passed over.
    static func times(in bytes: [UInt8]) -> [Instant] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            Instant(microseconds: bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        }
    }
}
