// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The statements of sealing a whole store: its keys, and the passes over its sealed columns.
extension SQLTransaction {
    /// Makes `bytes` the next data key, under the current master key.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` without a master key.
    func insertDataKey(_ bytes: Secret<[UInt8]>, at now: Instant) throws {
        let master = try currentMaster()
        let key = DataKey(id: (try dataKeys().last?.id ?? 0) + 1, bytes)
        _ = try execute(
            "INSERT INTO data_keys (id, master_key_id, wrapped, created_at, complete_at) VALUES (?, ?, ?, ?, NULL)",
            [
                SQLValue(Int64(key.id)), SQLValue(master.id),
                SQLValue(try key.wrapped(by: master, random: vault.random)), SQLValue(now),
            ])
    }

    /// Wraps every data key by the current master key, and says how many were wrapped by another.
    func rewrapDataKeys() throws -> Int {
        let master = try currentMaster()
        let rows = try dataKeys()
        let masters = try vault.master()
        var count = 0
        for row in rows where row.masterKeyID != master.id {
            guard let old = masters?.key(row.masterKeyID) else {
                throw AuthError(
                    .unavailable,
                    reason: "data key \(row.id) is wrapped by the master key \(row.masterKeyID), which is not given")
            }
            let key = try DataKey(id: row.id, unwrapping: row.wrapped, by: old)
            count += try execute(
                "UPDATE data_keys SET master_key_id = ?, wrapped = ? WHERE id = ?",
                [
                    SQLValue(master.id), SQLValue(try key.wrapped(by: master, random: vault.random)),
                    SQLValue(Int64(row.id)),
                ])
        }
        return count
    }

    private func currentMaster() throws -> MasterKey {
        guard let master = try vault.master()?.current else {
            throw AuthError(.invalidRequest, reason: "no master key is given")
        }
        return master
    }

    /// Whether a pass has found every value sealed with the newest key.
    func isSealedThroughout() throws -> Bool {
        try connection.first("SELECT complete_at FROM data_keys ORDER BY id DESC LIMIT 1", []) { !$0.isNull(0) }
            ?? false
    }

    // MARK: Passes

    /// What one step of a pass did, and where the next one begins; `nil` at the end of the column.
    struct SealingStep: Sendable {
        var sealed = 0
        var damaged = 0
        /// What the rows are sealed with now.
        var key: UInt32?
        var last: [String]?
    }

    /// Seals the next rows of a column with the newest key. Rows that are sealed with it are left alone: a pass that
    /// was cut short begins again, and is soon where it was. No transaction that has begun before the newest key was
    /// made can leave a value of an older one among them afterwards.
    func sealRows(of column: SealedColumn, after: [String]?, limit: Int) throws -> SealingStep {
        let rows = try storedRows(of: column, after: after, limit: limit)
        var step = SealingStep(last: rows.count < limit ? nil : rows.last?.key)
        let keys = try dataKeys()
        try vault.take(keys)
        guard let newest = keys.last?.id else { return SealingStep() }
        step.key = newest
        // Whoever seals with an older key has read its row. Where such a transaction is under way beside this one,
        // which has read theirs, this change keeps both from being committed.
        _ = try execute("UPDATE data_keys SET wrapped = wrapped WHERE id < ?", [SQLValue(Int64(newest))])
        for row in rows {
            if case .sealed(let key, _)? = StoredValue(row.value), key == newest { continue }
            let cell = Cell(column, in: row.directory, row: row.id)
            guard let value = try? vault.value(of: row.value, in: cell, column: 0) else {
                step.damaged += 1
                continue
            }
            step.sealed += try execute(
                Statement.update(
                    column.table, [column.column], where: column.key.map { $0 + " = ?" }.joined(separator: " AND ")),
                [.blob(try vault.stored(value, in: cell, key: newest))] + row.key.map { SQLValue($0) })
        }
        return step
    }

    /// Opens the values of the next rows of a column.
    ///
    /// - Returns: what came of it, and where the next step begins; `nil` at the end of the column.
    func openRows(of column: SealedColumn, after: [String]?, limit: Int) throws -> (OpeningReport, next: [String]?) {
        let rows = try storedRows(of: column, after: after, limit: limit)
        try vault.take(dataKeys())
        var report = OpeningReport()
        for row in rows {
            let cell = Cell(column, in: row.directory, row: row.id)
            if (try? vault.value(of: row.value, in: cell, column: 0)) == nil {
                report.damaged += 1
            } else {
                report.opened += 1
            }
        }
        return (report, rows.count < limit ? nil : rows.last?.key)
    }

    private struct StoredRow {
        let key: [String]
        let directory: String
        let id: String
        let value: [UInt8]
    }

    private func storedRows(of column: SealedColumn, after: [String]?, limit: Int) throws -> [StoredRow] {
        let keys = column.key.joined(separator: ", ")
        let start = column.key.map { _ in "?" }.joined(separator: ", ")
        return try connection.query(
            """
            SELECT \(column.directory), \(column.row), \(column.column) FROM \(column.table)
            WHERE (\(keys)) > (\(start)) AND \(column.column) IS NOT NULL ORDER BY \(keys) LIMIT ?
            """, (after ?? column.key.map { _ in "" }).map { SQLValue($0) } + [SQLValue(limit)]
        ) { row in
            let (directory, id) = (try row.text(0), try row.text(1))
            return StoredRow(
                key: column.key.count == 1 ? [id] : [directory, id], directory: directory, id: id,
                value: (try? row.blob(2)) ?? [])
        }
    }

    /// Notes that a pass found every value sealed with `key`, and forgets the older keys. Whether it was noted: not
    /// where a newer key has been made since.
    func noteComplete(of key: UInt32, at now: Instant) throws -> Bool {
        guard let newest = try dataKeys().last?.id, newest == key else { return false }
        _ = try execute("UPDATE data_keys SET complete_at = ? WHERE id = ?", [SQLValue(now), SQLValue(Int64(newest))])
        _ = try execute("DELETE FROM data_keys WHERE id < ?", [SQLValue(Int64(newest))])
        return true
    }

    /// How many values of each column are in the clear, and how many sealed with which data key.
    func sealingCounts() throws -> [SealingStatus.Count] {
        try SealedColumn.all.flatMap { column in
            let name = column.column
            return try connection.query(
                """
                SELECT CASE WHEN substr(\(name), 1, 1) = ? THEN substr(\(name), 1, \(StoredValue.headerLength))
                    ELSE substr(\(name), 1, 1) END AS header, COUNT(*)
                FROM \(column.table) WHERE \(name) IS NOT NULL GROUP BY header ORDER BY header
                """, [.blob([StoredValue.sealedMark])]
            ) { row -> SealingStatus.Count? in
                // An empty value has no beginning.
                guard !row.isNull(0) else { return nil }
                let count = Int(try row.integer(1))
                return switch StoredValue(try row.blob(0)) {
                case .clear: SealingStatus.Count(column: column.name, dataKey: nil, count: count)
                case .sealed(let key, _): SealingStatus.Count(column: column.name, dataKey: key, count: count)
                case nil: nil
                }
            }.compactMap { $0 }
        }
    }
}
