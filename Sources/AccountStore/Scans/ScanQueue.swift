// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whose scan comes next: a pure machine. The Directories that wait take turns, so that who asks for much keeps the
/// others waiting for no more than the one scan under way.
package struct ScanQueue<Job> {
    package typealias Ticket = UInt64

    /// Scans that may wait.
    package let capacity: Int
    package private(set) var count = 0
    /// The Directories whose scans wait, the next one first; `nil` is for what is no Directory's.
    private var turns: [DirectoryID?] = []
    private var waiting: [DirectoryID?: [(ticket: Ticket, job: Job)]] = [:]

    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether there was room.
    package mutating func enqueue(_ job: Job, _ ticket: Ticket, of directory: DirectoryID?) -> Bool {
        guard count < capacity else { return false }
        count += 1
        if waiting[directory] == nil { turns.append(directory) }
        waiting[directory, default: []].append((ticket, job))
        return true
    }

    /// The oldest scan of the Directory whose turn it is.
    package mutating func next() -> Job? {
        guard let directory = turns.first, var jobs = waiting[directory], !jobs.isEmpty else { return nil }
        turns.removeFirst()
        let job = jobs.removeFirst().job
        count -= 1
        waiting[directory] = jobs.isEmpty ? nil : jobs
        if !jobs.isEmpty { turns.append(directory) }
        return job
    }

    /// Takes out a scan that still waits.
    package mutating func cancel(_ ticket: Ticket) -> Job? {
        for (directory, jobs) in waiting {
            guard let index = jobs.firstIndex(where: { $0.ticket == ticket }) else { continue }
            let job = jobs[index].job
            count -= 1
            waiting[directory]?.remove(at: index)
            if jobs.count == 1 {
                waiting[directory] = nil
                turns.removeAll { $0 == directory }
            }
            return job
        }
        return nil
    }
}
