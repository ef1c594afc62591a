// SPDX-License-Identifier: Apache-2.0

/// Gathers writes that wait for the disk into batches, each of which is one commit: a pure machine.
///
/// While a batch is being committed, the writes that arrive wait; they are the next batch. So a lone write is committed
/// at once, and the more callers there are, the more of them share the cost of a flush.
///
/// While writes come one by one, and the disk is quick, a brief one need not be handed to anybody: its caller does it,
/// and wakes nobody. Whoever comes meanwhile waits, as always.
///
/// Turns of work that can wait are handed out one by one, when nobody else waits. Whoever writes meanwhile is late by
/// one of them at most, and by few: after each it rests for several times as long as it took, unless nobody else has
/// written or read since. Whoever reads waits for no turn, but shares the processors with it. So it is with moves of
/// the log, which the commits owe; only a log that has grown too long is moved before everything else.
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
        /// The log is to be moved into the database, of which ``finishTurn(from:to:)`` is told too.
        case move(LogMoves.Need)
        /// There is none before a turn is due, and the work is over: ``ring()`` is to be called then.
        case rest(until: ContinuousClock.Instant)
    }

    /// A rest is so many times as long as the turn before it: turns take a twentieth of the writer's time. Of a tenth,
    /// whoever reads meanwhile has less of the processors than they can do without.
    static var restFactor: Int { 19 }
    /// And no longer than this, however long the disk took.
    static var longestRest: Duration { .milliseconds(50) }
    /// After so many batches a turn that is due waits no longer for a moment in which nobody else does.
    static var patience: Int { 4 }

    let maximumBatch: Int
    private var waiting: [Job] = []
    private var turns: [Job] = []
    /// Since when a turn may be handed out beside others' writes.
    private var dueAt: ContinuousClock.Instant?
    /// How many reads there had been before the last turn.
    private var readsBefore = 0
    /// Batches since the last turn, and those of them that came when one was due.
    private var batches = 0
    private var passed = 0
    /// Whether ``ring()`` will be called.
    private var isAlarmSet = false
    private var owed: LogMoves.Need?
    /// Whether the last write met no other, and was over soon.
    private var isCalm = true
    /// Pieces of work that whoever works does between two commits, and which may take long.
    private var pieces = 0
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

    /// Whether a brief write is to be done by its caller, at once: nobody is at work, nobody waits, and the last write
    /// was alone and over soon. Whoever comes until ``finishBrief(wasQuick:)``, which is to be called then, waits.
    mutating func beginBrief() -> Bool {
        guard !isClosed, isCalm, pieces == 0, wake() else { return false }
        batches += 1
        return true
    }

    /// - Parameter wasQuick: whether it took no longer than one that holds up its caller's thread may.
    /// - Returns: whether the caller must start: somebody has come, or something is owed.
    mutating func finishBrief(wasQuick: Bool) -> Bool {
        isCalm = wasQuick && waiting.isEmpty
        // Who closes does all of it.
        isBusy = !waiting.isEmpty || owed != nil || (!turns.isEmpty && !isAlarmSet)
        return isBusy
    }

    /// Notes how the last batch went.
    mutating func finishBatch(of count: Int, wasQuick: Bool) {
        isCalm = count == 1 && wasQuick && waiting.isEmpty
    }

    /// Something is to be done, or has been, for which brief writes must not hold up their callers' threads.
    mutating func beginPiece() { pieces += 1 }
    mutating func finishPiece() { pieces -= 1 }

    /// Called by whoever works, before the end of that.
    mutating func owe(_ move: LogMoves.Need) {
        if owed != .now { owed = move }
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

    /// What is to be done now, the oldest writes first; `nil` when there is nothing left. With that, as with a rest,
    /// the work is over.
    ///
    /// - Parameter reads: how many there have been in all.
    mutating func next(at now: ContinuousClock.Instant, reads: Int = 0) -> Work? {
        if let owed, owed == .now || waiting.isEmpty {
            self.owed = nil
            return .move(owed)
        }
        if let turn = turns.first {
            let isAlone = batches == 0 && reads == readsBefore
            // Who closes waits for all of them.
            let isDue = isAlone || isClosed || dueAt.map { $0 <= now } ?? true
            if isDue, waiting.isEmpty || passed >= Self.patience {
                turns.removeFirst()
                (batches, passed, readsBefore) = (0, 0, reads)
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

    /// Notes how long the turn took that was handed out last, or the move.
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
