// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The generic cell rate algorithm over many keys: a pure machine with bounded memory.
///
/// Per key one time is kept: when its bucket would be full again. A key whose time has passed is as good as unknown, and
/// is what is dropped to make room. When every key is in use, the one that would be free soonest is dropped: a flood of
/// fresh addresses can't push out those that are blocked for longest.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var fullAt: [Key: Instant] = [:]

    init(capacity: Int) {
        self.capacity = max(16, capacity)
    }

    var count: Int { fullAt.count }

    mutating func take(_ rule: RateLimitRule, key: Key, now: Instant) -> RateLimitDecision {
        // A limit of nothing forbids; it does not mean that there is no limit.
        guard rule.count > 0, rule.period > .zero else { return .denied(retryAfter: max(rule.period, .seconds(60))) }
        let cost = Span(microseconds: max(1, rule.period.microseconds / Int64(rule.count)))
        let start = max(fullAt[key] ?? now, now)
        let end = start + cost
        let room = now + rule.period
        guard end <= room else { return .denied(retryAfter: end - room) }
        if fullAt[key] == nil, fullAt.count >= capacity { makeRoom(now) }
        fullAt[key] = end
        return .allowed
    }

    private mutating func makeRoom(_ now: Instant) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= capacity else { return }
        // An eighth at a time, so that the search is paid once for many.
        let soonest = fullAt.sorted { $0.value < $1.value }.prefix(capacity / 8)
        for (key, _) in soonest { fullAt[key] = nil }
    }
}
