// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A change as it lies in the database.
struct MutationRow {
    static let schema = [
        """
        CREATE TABLE IF NOT EXISTS mutation (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            idempotency_key TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            payload BLOB NOT NULL,
            queued_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt INTEGER NOT NULL DEFAULT 0,
            waits_since INTEGER NOT NULL DEFAULT 0,
            reason TEXT,
            refused_at INTEGER,
            UNIQUE (subject, idempotency_key)
        )
        """,
        "CREATE INDEX IF NOT EXISTS mutation_waiting ON mutation (subject, sequence) WHERE reason IS NULL",
    ]
    private static let columns = """
        SELECT sequence, idempotency_key, kind, subject, payload, queued_at, attempts, next_attempt, reason, refused_at,
            waits_since
        FROM mutation
        """
    static let refused = columns + " WHERE subject = ? AND reason IS NOT NULL ORDER BY sequence"
    /// The first of a user's, or of one kind of them.
    static let next =
        columns + """
             WHERE subject = ?1 AND reason IS NULL AND (?2 IS NULL OR kind = ?2) ORDER BY sequence LIMIT 1
            """

    let sequence: Int64
    let idempotencyKey: String
    let kind: String
    let subject: String
    let sealed: QueueDatabase.Value
    let queuedAt: Instant
    let attempts: Int
    let nextAttempt: Instant
    let reason: String?
    let refusedAt: Instant
    let waitsSince: Instant

    /// More often than anything is tried: what is damaged in a file is counted on from here, and never over the end.
    private static let mostAttempts: Int64 = 1 << 30

    /// What is damaged in it reads as nothing: its payload is not opened by such names, and so it is refused and holds
    /// up nobody behind it.
    ///
    /// - Returns: `nil` for what is no row of the table.
    init?(_ row: [QueueDatabase.Value]) {
        guard row.count == 11, let sequence = row[0].integer, let subject = row[3].text else { return nil }
        self.sequence = sequence
        self.subject = subject
        idempotencyKey = row[1].text ?? ""
        kind = row[2].text ?? ""
        sealed = row[4]
        queuedAt = Instant(microseconds: row[5].integer ?? 0)
        attempts = Int(min(max(row[6].integer ?? 0, 0), Self.mostAttempts))
        nextAttempt = Instant(microseconds: row[7].integer ?? 0)
        waitsSince = Instant(microseconds: row[10].integer ?? 0)
        reason = row[8].text
        refusedAt = row[9].integer.map(Instant.init(microseconds:)) ?? queuedAt
    }

    /// What is authenticated with a payload. Lengths keep one name from passing into the next.
    static func label(of idempotencyKey: String, kind: String, subject: String) -> String {
        "mutation " + [idempotencyKey, kind, subject].map { "\($0.utf8.count):\($0)" }.joined()
    }

    static func payload(_ sealed: QueueDatabase.Value, as label: String, with key: StoreKey) -> [UInt8]? {
        guard case .blob(let sealed) = sealed else { return nil }
        return try? SealedValue.opened(sealed, as: label, with: key)
    }

    static func count(_ subject: String, in database: borrowing QueueDatabase) throws(QueueDatabase.Fault) -> Int {
        let rows = try database.run(
            "SELECT count(*) FROM mutation WHERE subject = ? AND reason IS NULL", [.text(subject)])
        guard case .integer(let count)? = rows.first?.first else { return 0 }
        return Int(clamping: count)
    }

    /// - Returns: `nil` where it is not what was written, or of another key.
    func mutation(with key: StoreKey) -> Mutation? {
        let label = Self.label(of: idempotencyKey, kind: kind, subject: subject)
        return Self.payload(sealed, as: label, with: key).map(mutation(of:))
    }

    var unreadable: Mutation { mutation(of: []) }

    private func mutation(of payload: [UInt8]) -> Mutation {
        Mutation(
            sequence: sequence, idempotencyKey: idempotencyKey, kind: kind, subject: subject, payload: payload,
            queuedAt: queuedAt, attempts: attempts)
    }
}
