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

    /// - Returns: `nil` for a row that this library did not write.
    init?(_ row: [QueueDatabase.Value]) {
        guard row.count == 11, case .integer(let sequence) = row[0], case .text(let idempotencyKey) = row[1],
            case .text(let kind) = row[2], case .text(let subject) = row[3], case .integer(let queuedAt) = row[5],
            case .integer(let attempts) = row[6], case .integer(let nextAttempt) = row[7],
            case .integer(let waitsSince) = row[10]
        else { return nil }
        self.sequence = sequence
        self.idempotencyKey = idempotencyKey
        self.kind = kind
        self.subject = subject
        sealed = row[4]
        self.queuedAt = Instant(microseconds: queuedAt)
        self.attempts = Int(clamping: attempts)
        self.nextAttempt = Instant(microseconds: nextAttempt)
        self.waitsSince = Instant(microseconds: waitsSince)
        if case .text(let reason) = row[8] { self.reason = reason } else { reason = nil }
        if case .integer(let time) = row[9] {
            refusedAt = Instant(microseconds: time)
        } else {
            refusedAt = self.queuedAt
        }
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
