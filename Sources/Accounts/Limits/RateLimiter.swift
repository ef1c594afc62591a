// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Synchronization

/// Limits how often things are done within one process. Every dialect shares one.
public final class RateLimiter: AttemptCounting {
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
    let onRefusal: @Sendable (RateLimitRefusal) -> Void

    /// - Parameters:
    ///   - capacity: keys remembered at once.
    ///   - onRefusal: told of each call that was refused.
    public init(
        capacity: Int = 200_000, onRefusal: @escaping @Sendable (RateLimitRefusal) -> Void = { _ in }
    ) {
        shards = (0..<16).map { _ in Shard(capacity: capacity / 16) }
        self.onRefusal = onRefusal
    }

    /// - Parameter key: counted by its first 256 bytes, since a client may have chosen it.
    public func take(_ rule: RateLimitRule, key: String, now: Instant) -> RateLimitDecision {
        let key = Key(
            rule: rule, key: key.utf8.count <= 256 ? key : String(decoding: key.utf8.prefix(256), as: UTF8.self))
        let shard = shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))]
        return shard.buckets.withLock { $0.take(rule, key: key, now: now) }
    }

    public func noteRefusal(by limit: String, of call: CallContext) {
        onRefusal(RateLimitRefusal(limit: limit, call: call))
    }
}
