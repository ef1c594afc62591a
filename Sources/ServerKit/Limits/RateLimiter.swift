// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Synchronization

/// Limits how often things are done, by whatever key the caller counts: a client's address, an account, a Directory.
public final class RateLimiter: Sendable {
    private struct Key: Hashable, Sendable {
        var rule: RateLimitRule
        var key: String
    }

    /// One lock a shard, so that clients do not wait for each other.
    private final class Shard: Sendable {
        let buckets: Mutex<TokenBuckets<Key>>
        init(capacity: Int) { buckets = Mutex(TokenBuckets(capacity: capacity)) }
    }

    private let shards: [Shard]
    /// Whose calls are counted; for whoever watches refusals.
    let dialect: String
    let onRefusal: @Sendable (RateLimitRefusal) -> Void

    /// - Parameters:
    ///   - capacity: keys remembered at once.
    ///   - onRefusal: told of each call that was refused.
    public convenience init(
        capacity: Int = 200_000, onRefusal: @escaping @Sendable (RateLimitRefusal) -> Void = { _ in }
    ) {
        self.init((0..<16).map { _ in Shard(capacity: capacity / 16) }, "", onRefusal)
    }

    private init(_ shards: [Shard], _ dialect: String, _ onRefusal: @escaping @Sendable (RateLimitRefusal) -> Void) {
        self.shards = shards
        self.dialect = dialect
        self.onRefusal = onRefusal
    }

    /// The same counters, for the calls of one dialect.
    public func counting(_ dialect: String) -> RateLimiter { RateLimiter(shards, dialect, onRefusal) }

    /// - Parameter key: counted by its first 256 bytes, since a client may have chosen it.
    public func take(_ rule: RateLimitRule, key: String, now: Instant) -> RateLimitDecision {
        let key = Key(
            rule: rule, key: key.utf8.count <= 256 ? key : String(decoding: key.utf8.prefix(256), as: UTF8.self))
        let shard = shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))]
        return shard.buckets.withLock { $0.take(rule, key: key, now: now) }
    }
}
