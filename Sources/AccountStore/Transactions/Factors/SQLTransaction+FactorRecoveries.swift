// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "directory_id", "user_id", "requested_at", "due_at", "ends_at", "told_at",
    ]

    private static func read(_ row: any SQLRow) throws -> FactorRecovery {
        FactorRecovery(
            directoryID: try row.identifier(0), userID: try row.identifier(1), requestedAt: try row.instant(2),
            dueAt: try row.instant(3), endsAt: try row.instant(4), toldAt: try row.optionalInstant(5))
    }

    private static let ofUser = Statement.select(
        "factor_recoveries", columns, "WHERE directory_id = ? AND user_id = ?")

    func factorRecovery(of user: UserID, in directory: DirectoryID) throws -> FactorRecovery? {
        try connection.first(Self.ofUser, [SQLValue(directory), SQLValue(user)], Self.read)
    }

    func factorRecoveries(dueAt instant: Instant, limit: Int) throws -> [FactorRecovery] {
        try connection.query(
            Statement.select(
                "factor_recoveries", Self.columns,
                "WHERE told_at IS NULL AND due_at <= ? ORDER BY due_at, user_id LIMIT ?"),
            [SQLValue(instant), SQLValue(limit)], Self.read)
    }

    func put(_ recovery: FactorRecovery) throws {
        _ = try execute(
            """
            INSERT INTO factor_recoveries (directory_id, user_id, requested_at, due_at, ends_at, told_at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (directory_id, user_id) DO UPDATE SET requested_at = excluded.requested_at,
                due_at = excluded.due_at, ends_at = excluded.ends_at, told_at = excluded.told_at
            """,
            [
                SQLValue(recovery.directoryID), SQLValue(recovery.userID), SQLValue(recovery.requestedAt),
                SQLValue(recovery.dueAt), SQLValue(recovery.endsAt), SQLValue(recovery.toldAt),
            ])
    }

    func deleteFactorRecovery(of user: UserID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM factor_recoveries WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)]) == 1
    }

    func purgeFactorRecoveries(endedBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM factor_recoveries WHERE (directory_id, user_id) IN (
                SELECT directory_id, user_id FROM factor_recoveries WHERE ends_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
    }
}
