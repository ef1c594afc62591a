// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AccountStoreSQLite

@Suite("GroupCommit")
struct GroupCommitTests {
    private let now = ContinuousClock.now

    @Test("a lone write is handed out at once, and the work is then over")
    func alone() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.submit(1) == .start)
        #expect(machine.isBusy)
        #expect(machine.batch(at: now) == [1])
        #expect(machine.batch(at: now) == nil)
        #expect(!machine.isBusy)
        #expect(machine.submit(2) == .start)
    }

    @Test("writes that arrive during a commit are the next batch, in their order")
    func gathers() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.submit(0) == .start)
        #expect(machine.batch(at: now) == [0])
        for job in 1...5 { #expect(machine.submit(job) == .wait) }
        #expect(machine.waitingCount == 5)
        #expect(machine.batch(at: now) == [1, 2, 3, 4, 5])
        #expect(machine.batch(at: now) == nil)
    }

    @Test("a batch is never larger than its maximum", arguments: [(1, 1), (2, 2), (3, 3), (100, 7), (0, 1), (-5, 1)])
    func maximum(_ maximum: Int, _ largest: Int) {
        var machine = GroupCommit<Int>(maximumBatch: maximum)
        for job in 0..<7 { _ = machine.submit(job) }
        var batches: [[Int]] = []
        while let batch = machine.batch(at: now) { batches.append(batch) }
        #expect(batches.map(\.count).max() == largest)
        #expect(batches.flatMap { $0 } == Array(0..<7))
    }

    @Test("a closed machine takes no write, and still hands out those it has")
    func closes() {
        var machine = GroupCommit<Int>(maximumBatch: 2)
        for job in 0..<3 { _ = machine.submit(job) }
        let closed = [machine.close(), machine.close()]
        #expect(closed == [true, false])
        #expect(machine.submit(9) == .refused)
        #expect(machine.batch(at: now) == [0, 1])
        #expect(machine.submit(9) == .refused)
        #expect(machine.batch(at: now) == [2])
        #expect(machine.batch(at: now) == nil)
        #expect(machine.submit(9) == .refused)
        #expect(machine.waitingCount == 0)
    }

    @Test("whatever the order of calls, each write comes out once, in its order, and one worker is at work")
    func anyOrder() {
        for seed in 1...200 {
            var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
            func roll(_ bound: UInt64) -> UInt64 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return state % bound
            }
            var machine = GroupCommit<Int>(maximumBatch: Int(roll(5)) + 1)
            var (submitted, handedOut, workers) = (0, [Int](), 0)
            for _ in 0..<200 {
                if roll(3) > 0 {
                    let admission = machine.submit(submitted)
                    submitted += 1
                    #expect(admission == (workers == 0 ? .start : .wait))
                    if admission == .start { workers += 1 }
                } else if workers > 0 {
                    if let batch = machine.batch(at: now) {
                        #expect((1...machine.maximumBatch).contains(batch.count))
                        handedOut += batch
                    } else {
                        #expect(handedOut.count == submitted)
                        workers -= 1
                    }
                }
                #expect(machine.isBusy == (workers == 1))
                #expect(machine.waitingCount == submitted - handedOut.count)
            }
            while let batch = machine.batch(at: now) { handedOut += batch }
            #expect(handedOut == Array(0..<submitted))
        }
    }

    // MARK: Turns of work that can wait

    /// A turn that took so long has just ended.
    private func machine(after turn: Duration) -> GroupCommit<Int> {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        _ = machine.submit(turn: 0)
        _ = machine.next(at: now - turn)
        machine.finishTurn(from: now - turn, to: now)
        _ = machine.next(at: now)
        return machine
    }

    @Test("where nobody else writes, turns follow one another without a rest")
    func turnsAlone() {
        var machine = self.machine(after: .milliseconds(3))
        #expect(machine.submit(turn: 1) == .start)
        #expect(machine.submit(turn: 2) == .wait)
        #expect(machine.next(at: now) == .turn(1))
        machine.finishTurn(from: now, to: now + .milliseconds(3))
        #expect(machine.next(at: now + .milliseconds(3)) == .turn(2))
        #expect(machine.next(at: now + .milliseconds(3)) == nil)
        #expect(!machine.isBusy)
    }

    @Test("others go before a turn, which comes when nobody waits")
    func othersFirst() {
        var machine = GroupCommit<Int>(maximumBatch: 2)
        _ = machine.submit(turn: 9)
        for job in 0..<3 { _ = machine.submit(job) }
        #expect(machine.next(at: now) == .batch([0, 1]))
        #expect(machine.next(at: now) == .batch([2]))
        #expect(machine.next(at: now) == .turn(9))
        #expect(machine.next(at: now) == nil)
    }

    @Test(
        "where others have written since, a turn rests many times as long as the one before it took, and not for ever")
    func rests() {
        for (turn, rest) in [(2, 38), (1000, 50)] {
            var machine = self.machine(after: .milliseconds(turn))
            let due = now + .milliseconds(rest)
            _ = machine.submit(1)
            #expect(machine.submit(turn: 2) == .wait)
            #expect(machine.next(at: now) == .batch([1]))
            #expect(machine.next(at: now) == .rest(until: due))
            #expect(!machine.isBusy)
            // Whoever writes meanwhile needs no second alarm.
            #expect(machine.submit(3) == .start)
            #expect(machine.next(at: due - .nanoseconds(1)) == .batch([3]))
            #expect(machine.next(at: due - .nanoseconds(1)) == nil)
            #expect(machine.waitingCount == 1)
            // Rung too early, it rests on.
            var rings = [machine.ring()]
            #expect(machine.next(at: due - .nanoseconds(1)) == .rest(until: due))
            rings.append(machine.ring())
            #expect(machine.next(at: due) == .turn(2))
            // Somebody is at work.
            rings.append(machine.ring())
            #expect(rings == [true, true, false])
            #expect(machine.next(at: due) == nil)
        }
    }

    @Test("where others have read since, a turn rests as long, though nobody waits for it, and no longer than they do")
    func restsBesideReads() {
        var machine = self.machine(after: .milliseconds(2))
        let due = now + .milliseconds(38)
        #expect(machine.submit(turn: 1) == .start)
        #expect(machine.next(at: now, reads: 1) == .rest(until: due))
        #expect(!machine.isBusy)
        let isRung = machine.ring()
        #expect(isRung)
        #expect(machine.next(at: due, reads: 7) == .turn(1))
        machine.finishTurn(from: due, to: due + .milliseconds(2))
        // As many as before: nobody has read meanwhile.
        #expect(machine.submit(turn: 2) == .wait)
        #expect(machine.next(at: due + .milliseconds(2), reads: 7) == .turn(2))
    }

    @Test("a turn that is due comes after a few batches, also where there is always somebody who waits")
    func patience() {
        var machine = GroupCommit<Int>(maximumBatch: 1)
        _ = machine.submit(turn: -1)
        var before = 0
        for job in 0..<100 {
            _ = machine.submit(job)
            _ = machine.submit(job)
            guard case .batch = machine.next(at: now) else { break }
            before += 1
        }
        #expect(before == GroupCommit<Int>.patience)
    }

    @Test("who closes waits for no rest, and a closed machine takes no turn")
    func closesWithTurns() {
        var machine = self.machine(after: .milliseconds(5))
        _ = machine.submit(1)
        _ = machine.submit(turn: 2)
        #expect(machine.next(at: now) == .batch([1]))
        _ = machine.close()
        #expect(machine.submit(turn: 3) == .refused)
        #expect(machine.next(at: now) == .turn(2))
        #expect(machine.next(at: now) == nil)
    }
}

extension GroupCommit {
    fileprivate mutating func batch(at now: ContinuousClock.Instant) -> [Job]? {
        if case .batch(let jobs) = next(at: now) { jobs } else { nil }
    }
}
