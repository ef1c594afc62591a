// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where attempts are counted, by whatever key the caller counts: a client's address, an account, a Directory.
/// ``RateLimiter`` counts within one process.
public protocol AttemptCounting: Sendable {
    /// Counts an attempt where the rule has room for it.
    func take(_ rule: RateLimitRule, key: String, now: Instant) -> RateLimitDecision
    /// What ``take(_:key:now:)`` would say. Counts nothing.
    func look(_ rule: RateLimitRule, key: String, now: Instant) -> RateLimitDecision
    /// Takes back an attempt that turned out not to be one.
    func giveBack(_ rule: RateLimitRule, key: String, now: Instant)
    /// Forgets every attempt of the key.
    func forget(_ rule: RateLimitRule, key: String)
    /// Told of each call that is refused, for whoever watches.
    func noteRefusal(by limit: String, of call: CallContext)
}
