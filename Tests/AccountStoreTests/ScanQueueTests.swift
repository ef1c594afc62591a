// SPDX-License-Identifier: Apache-2.0

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
        for (ticket, (job, directory)) in [
            ("a1", one), ("a2", one), ("a3", one), ("b1", two), ("none", nil), ("b2", two),
        ].enumerated() {
            #expect(queue.enqueue(job, UInt64(ticket), of: directory))
        }
        #expect(queue.count == 6)
        #expect(taken(&queue) == ["a1", "b1", "none", "a2", "b2", "a3"])
        #expect(queue.count == 0)
    }

    @Test("R9.15 no more than the capacity wait, and a place is free again once one has left or was taken out")
    func capacity() {
        var queue = ScanQueue<String>(capacity: 2)
        #expect(queue.enqueue("1", 1, of: one) && queue.enqueue("2", 2, of: two))
        #expect(!queue.enqueue("3", 3, of: one))
        #expect(queue.cancel(1) == "1" && queue.cancel(1) == nil && queue.cancel(9) == nil)
        #expect(queue.enqueue("4", 4, of: nil))
        #expect(queue.next() == "2")
        #expect(queue.enqueue("5", 5, of: one))
        #expect(taken(&queue) == ["4", "5"])
    }

    @Test("R9.15 whoever is taken out leaves the others of the Directory in their order and at their turn")
    func cancellation() {
        var queue = ScanQueue<String>(capacity: 9)
        for ticket in 1...3 { _ = queue.enqueue("a\(ticket)", UInt64(ticket), of: one) }
        for ticket in 4...5 { _ = queue.enqueue("b\(ticket)", UInt64(ticket), of: two) }
        #expect(queue.cancel(1) == "a1" && queue.cancel(3) == "a3" && queue.cancel(5) == "b5")
        #expect(taken(&queue) == ["a2", "b4"])
    }
}
