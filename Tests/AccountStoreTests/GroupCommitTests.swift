// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AccountStoreSQLite

@Suite("GroupCommit")
struct GroupCommitTests {
    @Test("a lone write is handed out at once, and the work is then over")
    func alone() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.submit(1) == .start)
        #expect(machine.isBusy)
        #expect(machine.next() == [1])
        #expect(machine.next() == nil)
        #expect(!machine.isBusy)
        #expect(machine.submit(2) == .start)
    }

    @Test("writes that arrive during a commit are the next batch, in their order")
    func gathers() {
        var machine = GroupCommit<Int>(maximumBatch: 10)
        #expect(machine.submit(0) == .start)
        #expect(machine.next() == [0])
        for job in 1...5 { #expect(machine.submit(job) == .wait) }
        #expect(machine.waitingCount == 5)
        #expect(machine.next() == [1, 2, 3, 4, 5])
        #expect(machine.next() == nil)
    }

    @Test("a batch is never larger than its maximum", arguments: [(1, 1), (2, 2), (3, 3), (100, 7), (0, 1), (-5, 1)])
    func maximum(_ maximum: Int, _ largest: Int) {
        var machine = GroupCommit<Int>(maximumBatch: maximum)
        for job in 0..<7 { _ = machine.submit(job) }
        var batches: [[Int]] = []
        while let batch = machine.next() { batches.append(batch) }
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
        #expect(machine.next() == [0, 1])
        #expect(machine.submit(9) == .refused)
        #expect(machine.next() == [2])
        #expect(machine.next() == nil)
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
                    if let batch = machine.next() {
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
            while let batch = machine.next() { handedOut += batch }
            #expect(handedOut == Array(0..<submitted))
        }
    }
}
