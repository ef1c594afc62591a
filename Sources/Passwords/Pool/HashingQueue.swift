// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Which attempts wait for a thread, and which are turned away: a pure machine, told what happens and when.
///
/// An attempt that has waited past the deadline is refused unhashed: its client has given up, and hashing it would only
/// make those behind it wait longer.
struct HashingQueue: Sendable {
    typealias Ticket = UInt64

    enum Next: Equatable {
        case run(Ticket)
        case refuse(Ticket)
        case idle
    }

    /// Attempts that may wait when every thread is at work. One for which a thread is free waits only until the thread
    /// has noticed.
    let capacity: Int
    let threads: Int
    let deadline: TimeSpan
    private var running = 0
    private var waiting: [(ticket: Ticket, since: Instant)] = []
    private var head = 0

    init(capacity: Int, threads: Int = 0, deadline: TimeSpan) {
        self.capacity = capacity
        self.threads = threads
        self.deadline = deadline
    }

    var count: Int { waiting.count - head }

    /// Whether there was room.
    mutating func enqueue(_ ticket: Ticket, at now: Instant) -> Bool {
        guard count < capacity + max(0, threads - running) else { return false }
        waiting.append((ticket, now))
        return true
    }

    /// What a free thread does next: the oldest attempt first.
    mutating func next(at now: Instant) -> Next {
        guard head < waiting.count else { return .idle }
        let (ticket, since) = waiting[head]
        head += 1
        if head > 256, head * 2 > waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        guard now - since <= deadline else { return .refuse(ticket) }
        running += 1
        return .run(ticket)
    }

    /// An attempt that was to run has run: its thread is free.
    mutating func finish() {
        running -= 1
    }

    /// The attempt's caller has gone. When it still waits, it gives its place to others.
    mutating func cancel(_ ticket: Ticket) {
        guard let index = waiting[head...].firstIndex(where: { $0.ticket == ticket }) else { return }
        waiting.remove(at: index)
    }
}
