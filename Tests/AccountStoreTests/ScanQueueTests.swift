// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("ScanQueue")
struct ScanQueueTests {
    private let one = DirectoryID("one")
    private let two = DirectoryID("two")

    private func taken(_ queue: inout ScanQueue<String>) -> [String] {
        var jobs: [String] = []
        while let job = queue.next() { jobs.append(job) }
        return jobs
    }

    @Test("R9.15 Directories take turns, and each one's scans run in the order in which they came")
    func turns() {
        var queue = ScanQueue<String>(capacity: 9)
        let jobs: [(String, DirectoryID?)] = [
            ("a1", one), ("a2", one), ("a3", one), ("b1", two), ("none", nil), ("b2", two),
        ]
        for (ticket, job) in jobs.enumerated() {
            let hasRoom = queue.enqueue(job.0, UInt64(ticket), of: job.1)
            #expect(hasRoom)
        }
        #expect(queue.count == 6)
        let order = taken(&queue)
        #expect(order == ["a1", "b1", "none", "a2", "b2", "a3"])
        #expect(queue.count == 0)
    }

    @Test("R9.15 no more than the capacity wait, and a place is free again once one has left or was taken out")
    func capacity() {
        var queue = ScanQueue<String>(capacity: 2)
        let taken = [1, 2, 3].map { queue.enqueue("\($0)", $0, of: one) }
        #expect(taken == [true, true, false])
        let cancelled = [1, 1, 9].map { queue.cancel($0) }
        #expect(cancelled == ["1", nil, nil])
        let fourth = queue.enqueue("4", 4, of: nil)
        let first = queue.next()
        let fifth = queue.enqueue("5", 5, of: one)
        #expect(fourth && first == "2" && fifth)
        let rest = self.taken(&queue)
        #expect(rest == ["4", "5"])
    }

    @Test("R9.15 whoever is taken out leaves the others of the Directory in their order and at their turn")
    func cancellation() {
        var queue = ScanQueue<String>(capacity: 9)
        for ticket in 1...3 { _ = queue.enqueue("a\(ticket)", UInt64(ticket), of: one) }
        for ticket in 4...5 { _ = queue.enqueue("b\(ticket)", UInt64(ticket), of: two) }
        let cancelled = [1, 3, 5].map { queue.cancel($0) }
        #expect(cancelled == ["a1", "a3", "b5"])
        let rest = taken(&queue)
        #expect(rest == ["a2", "b4"])
    }
}
