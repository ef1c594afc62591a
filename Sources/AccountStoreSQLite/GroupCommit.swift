// SPDX-License-Identifier: Apache-2.0

/// Gathers writes that wait for the disk into batches, each of which is one commit: a pure machine.
///
/// While a batch is being committed, the writes that arrive wait; they are the next batch. So a lone write is committed
/// at once, and the more callers there are, the more of them share the cost of a flush.
///
/// Turns of work that can wait are handed out one by one, when nobody else waits. Whoever writes meanwhile is late by one of
/// them at most, and by few: after each it rests for several times as long as it took, unless nobody else has written since.
struct GroupCommit<Job> {
    enum Admission: Equatable {
        /// Nobody is working: the caller must start.
        case start
        /// Whoever is working will come to it.
        case wait
        /// The store is closed; the job was not taken.
        case refused
    }

    enum Work {
        /// One commit; never empty.
        case batch([Job])
        /// A commit of its own, of which ``finishTurn(from:to:)`` is told.
        case turn(Job)
        /// There is none before a turn is due, and the work is over: ``ring()`` is to be called then.
        case rest(until: ContinuousClock.Instant)
    }

    /// A rest is so many times as long as the turn before it: turns take a tenth of the writer's time.
    static var restFactor: Int { 9 }
    /// And no longer than this, however long the disk took.
    static var longestRest: Duration { .milliseconds(50) }
    /// After so many batches a turn that is due waits no longer for a moment in which nobody else does.
    static var patience: Int { 4 }

    let maximumBatch: Int
    private var waiting: [Job] = []
    private var turns: [Job] = []
    /// Since when a turn may be handed out beside others' writes.
    private var dueAt: ContinuousClock.Instant?
    /// Batches since the last turn, and those of them that came when one was due.
    private var batches = 0
    private var passed = 0
    /// Whether ``ring()`` will be called.
    private var isAlarmSet = false
    private(set) var isBusy = false
    private(set) var isClosed = false

    init(maximumBatch: Int) {
        self.maximumBatch = max(1, maximumBatch)
    }

    var waitingCount: Int { waiting.count + turns.count }

    mutating func submit(_ job: Job) -> Admission {
        guard !isClosed else { return .refused }
        waiting.append(job)
        return wake() ? .start : .wait
    }

    /// - Parameter turn: of work that can wait.
    mutating func submit(turn: Job) -> Admission {
        guard !isClosed else { return .refused }
        turns.append(turn)
        return wake() ? .start : .wait
    }

    /// The rest is over. Whether the caller must start.
    mutating func ring() -> Bool {
        isAlarmSet = false
        return wake()
    }

    private mutating func wake() -> Bool {
        guard !isBusy else { return false }
        isBusy = true
        return true
    }

    /// What is to be done now, the oldest writes first; `nil` when there is nothing left. With that, as with a rest, the work is
    /// over.
    mutating func next(at now: ContinuousClock.Instant) -> Work? {
        if let turn = turns.first {
            // Who closes waits for all of them.
            let isDue = batches == 0 || isClosed || dueAt.map { $0 <= now } ?? true
            if isDue, waiting.isEmpty || passed >= Self.patience {
                turns.removeFirst()
                (batches, passed) = (0, 0)
                return .turn(turn)
            }
            if isDue { passed += 1 }
        }
        guard waiting.isEmpty else {
            let batch = Array(waiting.prefix(maximumBatch))
            waiting.removeFirst(batch.count)
            batches += 1
            return .batch(batch)
        }
        isBusy = false
        guard !turns.isEmpty, !isAlarmSet, let dueAt else { return nil }
        isAlarmSet = true
        return .rest(until: dueAt)
    }

    /// Notes how long the turn took that was handed out last.
    mutating func finishTurn(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        dueAt = end + min((end - start) * Self.restFactor, Self.longestRest)
    }

    /// Takes no more writes. Those that wait are still handed out. Whether it was open until now.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }
}

extension GroupCommit.Work: Equatable where Job: Equatable {}
