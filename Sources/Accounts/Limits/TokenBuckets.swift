// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The generic cell rate algorithm over many keys: a pure machine with bounded memory.
///
/// Per key one time is kept: when its bucket would be full again. A key whose time has passed is as good as unknown, and
/// is what is dropped first to make room. When every key is in use, those are dropped that would be free soonest: a flood
/// of fresh addresses can't push out those that are blocked for longest.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    /// What one key has used since it was last told of.
    struct Usage: Sendable {
        var key: Key
        var attempts: Int
        var fullAt: Instant
    }

    private struct Bucket {
        var fullAt: Instant
        /// Attempts that nobody was told of.
        var untold: Int32 = 0
    }

    /// A key that has used less of its limit is told of to nobody: one in so many.
    static var quietPart: Int64 { 4 }

    private let capacity: Int
    private let mostBusy: Int
    private var buckets: [Key: Bucket] = [:]
    private var busy: Set<Key> = []

    /// - Parameter mostBusy: keys to be told of at once (``takeUsages()``); none by itself.
    init(capacity: Int, mostBusy: Int = 0) {
        self.capacity = max(16, capacity)
        self.mostBusy = mostBusy
    }

    var count: Int { buckets.count }

    mutating func take(_ rule: RateLimitRule, key: Key, now: Instant) -> RateLimitDecision {
        let known = buckets[key]
        let verdict = rule.judge(known?.fullAt, at: now)
        if case .room(let end) = verdict {
            if known == nil, buckets.count >= capacity { makeRoom(now) }
            let untold = known.map { $0.untold < .max ? $0.untold + 1 : .max } ?? 1
            buckets[key] = Bucket(fullAt: end, untold: untold)
            if busy.count < mostBusy, let size = rule.portion?.size,
                (end - now).microseconds > size.microseconds / Self.quietPart
            {
                busy.insert(key)
            }
        }
        return verdict.decision
    }

    /// What the keys have used that use much, once.
    mutating func takeUsages() -> [Usage] {
        defer { busy.removeAll(keepingCapacity: true) }
        return busy.compactMap { key in
            guard let bucket = buckets[key] else { return nil }
            buckets[key]?.untold = 0
            return Usage(key: key, attempts: Int(bucket.untold), fullAt: bucket.fullAt)
        }
    }

    /// What was taken could not be told: it is to be told with what comes next.
    mutating func putBack(_ usage: Usage) {
        guard let bucket = buckets[usage.key] else { return }
        buckets[usage.key]?.untold = Int32(clamping: Int(bucket.untold) + usage.attempts)
        if busy.count < mostBusy { busy.insert(usage.key) }
    }

    /// What others have counted beside is counted here too.
    mutating func learn(_ key: Key, fullAt: Instant) {
        guard let bucket = buckets[key], bucket.fullAt < fullAt else { return }
        buckets[key]?.fullAt = fullAt
    }

    /// Leaves an eighth free, so that the search is paid once for many keys.
    private mutating func makeRoom(_ now: Instant) {
        buckets = buckets.filter { $0.value.fullAt > now }
        let excess = buckets.count - (capacity - capacity / 8)
        guard excess > 0 else { return }
        for (key, _) in buckets.sorted(by: { $0.value.fullAt < $1.value.fullAt }).prefix(excess) { buckets[key] = nil }
    }
}
