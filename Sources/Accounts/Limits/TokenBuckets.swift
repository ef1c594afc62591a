// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The generic cell rate algorithm over many keys: a pure machine with bounded memory.
///
/// Per key one time is kept: when its bucket would be full again. A key whose time has passed is as good as unknown, and
/// is what is dropped first to make room. When every key is in use, those are dropped that would be free soonest: a flood
/// of fresh addresses can't push out those that are blocked for longest.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var fullAt: [Key: Instant] = [:]

    init(capacity: Int) {
        self.capacity = max(16, capacity)
    }

    var count: Int { fullAt.count }

    mutating func take(_ rule: RateLimitRule, key: Key, now: Instant) -> RateLimitDecision {
        let verdict = rule.judge(fullAt[key], at: now)
        if case .room(let end) = verdict {
            if fullAt[key] == nil, fullAt.count >= capacity { makeRoom(now) }
            fullAt[key] = end
        }
        return verdict.decision
    }

    /// Leaves an eighth free, so that the search is paid once for many keys.
    private mutating func makeRoom(_ now: Instant) {
        fullAt = fullAt.filter { $0.value > now }
        let excess = fullAt.count - (capacity - capacity / 8)
        guard excess > 0 else { return }
        for (key, _) in fullAt.sorted(by: { $0.value < $1.value }).prefix(excess) { fullAt[key] = nil }
    }
}
