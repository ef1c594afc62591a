// SPDX-License-Identifier: Apache-2.0

/// Gathers writes that wait for the disk into batches, each of which is one commit: a pure machine.
///
/// While a batch is being committed, the writes that arrive wait; they are the next batch. So a lone write is committed
/// at once, and the more callers there are, the more of them share the cost of a flush.
struct GroupCommit<Job> {
    let maximumBatch: Int
    private var waiting: [Job] = []
    private(set) var isBusy = false

    init(maximumBatch: Int) {
        self.maximumBatch = max(1, maximumBatch)
    }

    var waitingCount: Int { waiting.count }

    /// Whether the caller must start working.
    mutating func submit(_ job: Job) -> Bool {
        waiting.append(job)
        guard !isBusy else { return false }
        isBusy = true
        return true
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
}
