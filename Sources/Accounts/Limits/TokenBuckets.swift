// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The generic cell rate algorithm over many keys: a pure machine with bounded memory.
///
/// Per key one time is kept: when its bucket would be full again. A key whose time has passed is as good as unknown,
/// and is what is dropped first to make room. When every key is in use, those are dropped that would be free soonest: a
/// flood of fresh addresses can't push out those that are blocked for longest.
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

    /// Leaves an eighth free, so that the search is paid once for many keys. Only times are put in order, and nothing
    /// is hashed but what is dropped: a flood of fresh keys has it done again and again, while others wait for the
    /// lock.
    private mutating func makeRoom(_ now: Instant) {
        var ends = buckets.values.map(\.fullAt).filter { $0 > now }
        let excess = max(0, ends.count - (capacity - capacity / 8))
        var last = now
        // Of those that would be free at the same time as the last one that is dropped, some stay.
        var ties = 0
        if excess > 0 {
            ends.sort()
            last = ends[excess - 1]
            ties = ends[..<excess].reversed().prefix { $0 == last }.count
        }
        var dropped: [Key] = []
        for (key, bucket) in buckets {
            if bucket.fullAt == last, excess > 0 {
                guard ties > 0 else { continue }
                ties -= 1
            } else if bucket.fullAt > last {
                continue
            }
            dropped.append(key)
        }
        for key in dropped { buckets[key] = nil }
    }
}
