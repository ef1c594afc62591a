// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Rows of one transaction: short ones let sign-ins pass between them.
private let batch = 200

extension SQLAccountStore {
    /// Makes the store's first data key where there is none and a master key is given: from then on nothing secret is
    /// written in the clear, by any process. What is there already is sealed by ``sealEverything(at:progress:)``.
    ///
    /// No server may have the database open that has no master key: it would be refused its next write.
    ///
    /// - Returns: Whether the store is sealed now.
    package func beginSealing(at now: Instant) async throws -> Bool {
        // Made before the transaction, which may run twice: a number must stand for one key.
        let bytes = Secret(vault.random.bytes(MasterKey.length))
        return try await writeStatements {
            let tx = $0.statements
            if try !tx.dataKeys().isEmpty { return true }
            guard try tx.vault.master() != nil else { return false }
            try tx.insertDataKey(bytes, at: now)
            return true
        }
    }

    /// Whether every value was found sealed with the newest key, once.
    package func isSealedThroughout() async throws -> Bool {
        try await scanStatements(in: nil) { try $0.statements.isSealedThroughout() }
    }

    /// Seals with the newest data key what is in the clear or sealed with an older one, in small transactions beside a
    /// running server. It may be stopped at any moment and begun again. Older keys are forgotten once nothing is sealed
    /// with them: a damaged value may be mended from a backup.
    ///
    /// - Parameter progress: is told of how many values were sealed, after each transaction.
    package func sealEverything(
        at now: Instant, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> SealingReport {
        var report = SealingReport()
        var keys: Set<UInt32?> = []
        for column in SealedColumn.all {
            var last: [String]?
            repeat {
                try Task.checkCancellation()
                let step = try await writeStatements { [last] in
                    try $0.statements.sealRows(of: column, after: last, limit: batch)
                }
                report.sealed += step.sealed
                report.damaged += step.damaged
                keys.insert(step.key)
                last = step.last
                if step.sealed > 0 { progress(report.sealed) }
            } while last != nil
        }
        // What each step has left is known: a look through all of it once more would be one statement as long as the
        // store is large.
        if report.damaged == 0, keys.count == 1, let key = keys.first.flatMap(\.self) {
            report.isComplete = try await writeStatements { try $0.statements.noteComplete(of: key, at: now) }
        }
        return report
    }

    /// Makes a new data key, which every process seals with from then on.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` without a master key.
    package func replaceDataKey(at now: Instant) async throws {
        let bytes = Secret(vault.random.bytes(MasterKey.length))
        try await writeStatements { try $0.statements.insertDataKey(bytes, at: now) }
    }

    /// Wraps every data key by the first of the master keys, and says how many were wrapped by another. Nothing else
    /// changes, and a server that has the keys goes on with them.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the master key that wraps one now is not given.
    package func rotateMasterKey() async throws -> Int {
        try await writeStatements { try $0.statements.rewrapDataKeys() }
    }

    /// Looks at every value: for operators, not for requests.
    package func sealingStatus() async throws -> SealingStatus {
        try await scanStatements(in: nil) {
            let tx = $0.statements
            let keys = try tx.connection.query(
                "SELECT id, master_key_id, complete_at FROM data_keys ORDER BY id", []
            ) { row in
                SealingStatus.Key(
                    id: UInt32(clamping: try row.integer(0)), masterKeyID: try row.text(1),
                    isComplete: !row.isNull(2))
            }
            return SealingStatus(keys: keys, counts: try tx.sealingCounts())
        }
    }
}
