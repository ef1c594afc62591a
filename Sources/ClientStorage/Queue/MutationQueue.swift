// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Changes that wait on the device, in a SQLite database that survives whatever the process does not (G-7.2, G-7.4).
///
/// What is in a change is encrypted; its kind, its key and whose it is can be read in the file, and are authenticated
/// with the payload: a change that somebody gave to another user is never told. Any number of processes may share one
/// directory.
public final class MutationQueue: MutationStoring {
    let place: QueuePlace
    let source: any StoreKeySource
    let backoff: RetryBackoff
    let random: any RandomSource
    let locks: FileLocks
    let queue = BlockingQueue("latchkey.mutation-queue")
    private let limits: MutationLimits

    /// - Parameters:
    ///   - directory: made with mode 0700 where it is missing; refused where it is open to others. Holds this queue
    ///     alone.
    ///   - key: what payloads are encrypted with; best the source that the `SecureStore` has.
    public init(
        directory: String, key: any StoreKeySource, limits: MutationLimits = MutationLimits(),
        backoff: RetryBackoff = .standard, random: any RandomSource = SystemRandomSource()
    ) {
        let directory = PrivateDirectory(path: directory, files: SystemFiles())
        place = QueuePlace(directory: directory)
        locks = FileLocks(directory: directory)
        source = key
        self.limits = limits
        self.backoff = backoff
        self.random = random
    }

    public func append(
        _ payload: [UInt8], kind: String, idempotencyKey: String, subject: String, at now: Instant
    ) async throws(MutationQueueError) {
        let names = [kind, idempotencyKey, subject]
        guard payload.count <= limits.payload, names.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
            throw .invalid
        }
        let label = MutationRow.label(of: idempotencyKey, kind: kind, subject: subject)
        let key = try await storeKey(fresh: false)
        let sealed: [UInt8]
        do throws(SealedValue.Fault) {
            sealed = try SealedValue.sealed(payload, as: label, with: key, random: random)
        } catch {
            throw .invalid
        }
        try await queue.run { [place, limits] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in
                try database.transaction { () throws(QueueDatabase.Fault) in
                    let kept = try database.run(
                        "SELECT kind, payload FROM mutation WHERE subject = ? AND idempotency_key = ?",
                        [.text(subject), .text(idempotencyKey)])
                    if let kept = kept.first {
                        return kept[0] == .text(kind) && MutationRow.payload(kept[1], as: label, with: key) == payload
                            ? Appended.done : .taken
                    }
                    let held = try database.run("SELECT count(*), coalesce(sum(length(payload)), 0) FROM mutation")[0]
                    guard case .integer(let count) = held[0], case .integer(let bytes) = held[1],
                        count < limits.count, bytes <= limits.bytes - Int64(sealed.count)
                    else { return .full }
                    try database.run(
                        """
                        INSERT INTO mutation (idempotency_key, kind, subject, payload, queued_at) VALUES (?, ?, ?, ?, ?)
                        """,
                        [
                            .text(idempotencyKey), .text(kind), .text(subject), .blob(sealed),
                            .integer(now.microseconds),
                        ])
                    return .done
                }
            }
        }.get()
    }

    /// How many changes of that user wait.
    public func waiting(subject: String) async throws(MutationQueueError) -> Int {
        try await queue.run { [place] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in try MutationRow.count(subject, in: database) }
        }
    }

    public func refused(subject: String) async throws(MutationQueueError) -> [DeadMutation] {
        let key = try await storeKey(fresh: true)
        return try await queue.run { [place] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in
                try database.run(MutationRow.refused, [.text(subject)]).compactMap(MutationRow.init).map {
                    DeadMutation(
                        mutation: $0.mutation(with: key) ?? $0.unreadable, reason: $0.reason ?? "",
                        refusedAt: $0.refusedAt)
                }
            }
        }
    }

    public func forget(_ dead: DeadMutation) async throws(MutationQueueError) {
        try await queue.run { [place] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in
                _ = try database.run(
                    "DELETE FROM mutation WHERE sequence = ? AND subject = ? AND reason IS NOT NULL",
                    [.integer(dead.mutation.sequence), .text(dead.mutation.subject)])
            }
        }
    }

    public func clear(subject: String) async throws(MutationQueueError) {
        try await queue.run { [place] () throws(MutationQueueError) in
            try place.using { (database) throws(QueueDatabase.Fault) in
                try database.run("DELETE FROM mutation WHERE subject = ?", [.text(subject)])
                // Nothing of it stays in the log either.
                _ = try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    func storeKey(fresh: Bool) async throws(MutationQueueError) -> StoreKey {
        do throws(SecureStoreError) { return try await source.key(fresh: fresh) } catch { throw .store(error) }
    }

    private enum Appended {
        case done, taken, full

        func get() throws(MutationQueueError) {
            switch self {
            case .done: return
            case .taken: throw .idempotencyKeyTaken
            case .full: throw .full
            }
        }
    }
}

/// How much may wait, of all users together; what was refused counts until it is forgotten.
public struct MutationLimits: Sendable, Hashable {
    /// How many may wait.
    public var count: Int64
    /// Of all payloads, encrypted.
    public var bytes: Int64
    /// Of one payload.
    public var payload: Int

    /// 10,000 changes, 16 MiB, 256 KiB each.
    public init(count: Int64 = 10_000, bytes: Int64 = 16 << 20, payload: Int = 256 << 10) {
        self.count = count
        self.bytes = bytes
        self.payload = payload
    }
}
