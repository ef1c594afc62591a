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

    let capacity: Int
    let deadline: Span
    private var waiting: [(ticket: Ticket, since: Instant)] = []
    private var head = 0

    init(capacity: Int, deadline: Span) {
        self.capacity = capacity
        self.deadline = deadline
    }

    var count: Int { waiting.count - head }

    /// Whether there was room.
    mutating func enqueue(_ ticket: Ticket, at now: Instant) -> Bool {
        guard count < capacity else { return false }
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
        return now - since > deadline ? .refuse(ticket) : .run(ticket)
    }
}
