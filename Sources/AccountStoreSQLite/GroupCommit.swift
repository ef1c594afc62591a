// SPDX-License-Identifier: Apache-2.0

/// Gathers writes that wait for the disk into batches, each of which is one commit: a pure machine.
///
/// While a batch is being committed, the writes that arrive wait; they are the next batch. So a lone write is committed
/// at once, and the more callers there are, the more of them share the cost of a flush.
struct GroupCommit<Job> {
    enum Admission: Equatable {
        /// Nobody is working: the caller must start.
        case start
        /// Whoever is working will come to it.
        case wait
        /// The store is closed; the job was not taken.
        case refused
    }

    let maximumBatch: Int
    private var waiting: [Job] = []
    private(set) var isBusy = false
    private(set) var isClosed = false

    init(maximumBatch: Int) {
        self.maximumBatch = max(1, maximumBatch)
    }

    var waitingCount: Int { waiting.count }

    mutating func submit(_ job: Job) -> Admission {
        guard !isClosed else { return .refused }
        waiting.append(job)
        guard !isBusy else { return .wait }
        isBusy = true
        return .start
    }

    /// The next batch, the oldest writes first; `nil` when there is nothing left and the work is over.
    mutating func next() -> [Job]? {
        guard !waiting.isEmpty else {
            isBusy = false
            return nil
        }
        let batch = Array(waiting.prefix(maximumBatch))
        waiting.removeFirst(batch.count)
        return batch
    }

    /// Takes no more writes. Those that wait are still handed out. Whether it was open until now.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }
}
