// SPDX-License-Identifier: Apache-2.0

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
        switch state(rule, key, now) {
        case .denied(let wait): return .denied(retryAfter: wait)
        case .room(let end):
            if fullAt[key] == nil, fullAt.count >= capacity { makeRoom(now) }
            fullAt[key] = end
            return .allowed
        }
    }

    /// What ``take(_:key:now:)`` would say.
    mutating func look(_ rule: RateLimitRule, key: Key, now: Instant) -> RateLimitDecision {
        switch state(rule, key, now) {
        case .denied(let wait): .denied(retryAfter: wait)
        case .room: .allowed
        }
    }

    /// Takes one attempt back: the bucket is full again that much sooner.
    mutating func giveBack(_ rule: RateLimitRule, key: Key, now: Instant) {
        guard let (cost, _) = Self.measure(rule), let known = fullAt[key] else { return }
        let end = known - cost
        fullAt[key] = end > now ? end : nil
    }

    mutating func forget(_ key: Key) { fullAt[key] = nil }

    private enum State {
        /// When the bucket would be full again with one attempt more.
        case room(Instant)
        case denied(Span)
    }

    private mutating func state(_ rule: RateLimitRule, _ key: Key, _ now: Instant) -> State {
        // A limit of nothing forbids; it does not mean that there is no limit.
        guard let (cost, size) = Self.measure(rule) else { return .denied(max(rule.period, .seconds(60))) }
        let room = now + size
        // A clock that was set back must not keep anyone out for as long as it went back. A moment is only the order in
        // which calls come, and frees nobody.
        if let known = fullAt[key], known > room { fullAt[key] = known.liesAhead(of: room) ? nil : room }
        let end = max(fullAt[key] ?? now, now) + cost
        return end <= room ? .room(end) : .denied(end - room)
    }

    /// What one attempt takes of a bucket, and what there is in a full one. `nil` for a limit of nothing.
    private static func measure(_ rule: RateLimitRule) -> (cost: Span, size: Span)? {
        guard rule.count > 0, rule.period > .zero else { return nil }
        // Rounded up, and the bucket is exactly `count` of it: rounding never lets more through than the rule says.
        let count = Int64(rule.count)
        let (quotient, remainder) = rule.period.microseconds.quotientAndRemainder(dividingBy: count)
        let cost = Span(microseconds: remainder == 0 ? quotient : quotient + 1)
        let (size, isTooLong) = cost.microseconds.multipliedReportingOverflow(by: count)
        return (cost, Span(microseconds: isTooLong ? .max : size))
    }

    /// Leaves an eighth free, so that the search is paid once for many keys.
    private mutating func makeRoom(_ now: Instant) {
        fullAt = fullAt.filter { $0.value > now }
        let excess = fullAt.count - (capacity - capacity / 8)
        guard excess > 0 else { return }
        for (key, _) in fullAt.sorted(by: { $0.value < $1.value }).prefix(excess) { fullAt[key] = nil }
    }
}
