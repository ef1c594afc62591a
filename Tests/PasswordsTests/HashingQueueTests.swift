// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

@Suite("HashingQueue")
struct HashingQueueTests {
    private let start = Instant(seconds: 1_000)

    @Test("Attempts run in the order in which they came")
    func order() {
        var queue = HashingQueue(capacity: 2000, deadline: .seconds(5))
        let tickets: [UInt64] = Array(0..<2000)
        let taken = tickets.map { queue.enqueue($0, at: start) }
        #expect(!taken.contains(false))
        let left = tickets.map { _ in queue.next(at: start) }
        #expect(left == tickets.map { .run($0) })
        let end = queue.next(at: start)
        #expect(end == .idle)
    }

    @Test("No more than the capacity wait, and a place is free again once one has left")
    func capacity() {
        var queue = HashingQueue(capacity: 2, deadline: .seconds(5))
        let full = [1, 2, 3].map { queue.enqueue($0, at: start) }
        #expect(full == [true, true, false])
        #expect(queue.count == 2)
        let first = queue.next(at: start)
        #expect(first == .run(1))
        let again = [4, 5].map { queue.enqueue($0, at: start) }
        #expect(again == [true, false])
        let left = (0..<3).map { _ in queue.next(at: start) }
        #expect(left == [.run(2), .run(4), .idle])
        #expect(queue.count == 0)
    }

    @Test("An attempt that waited to the deadline runs; one that waited longer is refused")
    func deadline() {
        var queue = HashingQueue(capacity: 8, deadline: .seconds(5))
        for (ticket, arrival) in [(1, TimeSpan.zero), (2, .zero), (3, .seconds(3))] as [(UInt64, TimeSpan)] {
            _ = queue.enqueue(ticket, at: start + arrival)
        }
        let late = start + .seconds(5) + TimeSpan(microseconds: 1)
        let left = [start + .seconds(5), late, late].map { queue.next(at: $0) }
        #expect(left == [.run(1), .refuse(2), .run(3)])
    }

    @Test("A clock set back, or at the ends of time, refuses nobody by mistake and traps nowhere")
    func oddClocks() {
        var queue = HashingQueue(capacity: 8, deadline: .seconds(5))
        let first = Instant(microseconds: .min)
        let last = Instant(microseconds: .max)
        let courses: [(from: Instant, to: Instant, HashingQueue.Next)] = [
            (start, start - .hours(1), .run(1)), (first, last, .refuse(1)), (last, first, .run(1)),
        ]
        for (from, to, expected) in courses {
            let isTaken = queue.enqueue(1, at: from)
            let next = queue.next(at: to)
            #expect(isTaken)
            #expect(next == expected)
        }
    }

    @Test("Over any course of events each attempt taken leaves exactly once, in order, and never more than fit wait")
    func anyCourse() {
        var generator = SplitMix(state: 2026)
        var queue = HashingQueue(capacity: 300, deadline: .seconds(5))
        var now = start
        var taken: [UInt64] = []
        var left: [UInt64] = []
        for ticket in 0..<20_000 as Range<UInt64> {
            now = now + .milliseconds(Int64(generator.next() % 40))
            // Long floods and long lulls, so that the queue is full and empty by turns.
            if (ticket / 700).isMultiple(of: 2) ? generator.next() % 10 < 8 : generator.next() % 10 < 3 {
                let hasRoom = queue.count < 300
                let isTaken = queue.enqueue(ticket, at: now)
                #expect(isTaken == hasRoom)
                if hasRoom { taken.append(ticket) }
            } else {
                switch queue.next(at: now) {
                case .run(let ticket), .refuse(let ticket): left.append(ticket)
                case .idle: #expect(left.count == taken.count)
                }
            }
            #expect(queue.count == taken.count - left.count)
        }
        while true {
            guard case .refuse(let ticket) = queue.next(at: now + .hours(1)) else { break }
            left.append(ticket)
        }
        #expect(left == taken)
    }

    @Test(
        "While threads are free there is room for their next attempts too; once they are at work, for the queue's only")
    func freeThreads() {
        var queue = HashingQueue(capacity: 1, threads: 2, deadline: .seconds(5))
        let taken = [1, 2, 3, 4].map { queue.enqueue($0, at: start) }
        #expect(taken == [true, true, true, false])
        let running = (0..<2).map { _ in queue.next(at: start) }
        #expect(running == [.run(1), .run(2)])
        let whileBusy = queue.enqueue(5, at: start)
        #expect(!whileBusy)
        queue.finish()
        let afterwards = queue.enqueue(6, at: start)
        #expect(afterwards)
    }

    @Test("An attempt whose caller has gone leaves its place to another; one that is not waiting is nobody's")
    func cancellation() {
        var queue = HashingQueue(capacity: 2, deadline: .seconds(5))
        _ = [1, 2].map { queue.enqueue($0, at: start) }
        queue.cancel(1)
        queue.cancel(1)
        queue.cancel(99)
        #expect(queue.count == 1)
        let taken = queue.enqueue(3, at: start)
        #expect(taken)
        let left = (0..<3).map { _ in queue.next(at: start) }
        #expect(left == [.run(2), .run(3), .idle])
        queue.cancel(2)
        #expect(queue.count == 0)
    }
}

/// A small generator with a seed, so that a failing course can be run again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
