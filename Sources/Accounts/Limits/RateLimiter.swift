// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Limits how often things are done within one process. Every dialect shares one. What other processes count beside it,
/// a ``ClientCallExchange`` brings.
public final class RateLimiter: AttemptCounting {
    struct Key: Hashable, Sendable {
        var rule: RateLimitRule
        var key: String
    }

    /// One lock a shard, so that clients do not wait for each other.
    private final class Shard: Sendable {
        let buckets: Mutex<TokenBuckets<Key>>

        init(capacity: Int, mostBusy: Int) {
            buckets = Mutex(TokenBuckets(capacity: capacity, mostBusy: mostBusy))
        }
    }

    private static let shardCount = 16
    /// Keys that others are told of at once: those that are not among them wait for the next time.
    private static let mostBusy = 512

    private let shards: [Shard]
    let onRefusal: @Sendable (RateLimitRefusal) -> Void

    /// - Parameters:
    ///   - capacity: keys remembered at once.
    ///   - isShared: whether other servers are told of clients that call much.
    ///   - onRefusal: told of each call that was refused.
    public init(
        capacity: Int = 200_000, isShared: Bool = false,
        onRefusal: @escaping @Sendable (RateLimitRefusal) -> Void = { _ in }
    ) {
        let mostBusy = isShared ? Self.mostBusy / Self.shardCount : 0
        shards = (0..<Self.shardCount).map { _ in Shard(capacity: capacity / Self.shardCount, mostBusy: mostBusy) }
        self.onRefusal = onRefusal
    }

    /// - Parameter key: counted by its first 256 bytes, since a client may have chosen it.
    public func take(_ rule: RateLimitRule, key: String, now: Instant) -> RateLimitDecision {
        let key = Key(
            rule: rule, key: key.utf8.count <= 256 ? key : String(decoding: key.utf8.prefix(256), as: UTF8.self))
        return shard(of: key).buckets.withLock { $0.take(rule, key: key, now: now) }
    }

    private func shard(of key: Key) -> Shard { shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))] }

    // MARK: Others' counts

    /// What was used of those that use much and were not told of since.
    func takeUsages() -> [TokenBuckets<Key>.Usage] { shards.flatMap { $0.buckets.withLock { $0.takeUsages() } } }

    func putBack(_ usages: [TokenBuckets<Key>.Usage]) {
        for usage in usages { shard(of: usage.key).buckets.withLock { $0.putBack(usage) } }
    }

    func learn(_ key: Key, fullAt: Instant) { shard(of: key).buckets.withLock { $0.learn(key, fullAt: fullAt) } }

    public func noteRefusal(by limit: String, of call: CallContext) {
        onRefusal(RateLimitRefusal(limit: limit, call: call))
    }
}
