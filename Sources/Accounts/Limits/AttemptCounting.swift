// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where the calls of each client are counted. ``RateLimiter`` counts within one process: a brake, behind which the
/// store's ledger counts what was guessed and sent (ADR 0022).
public protocol AttemptCounting: Sendable {
    /// Counts an attempt where the rule has room for it.
    func take(_ rule: RateLimitRule, key: String, now: Instant) -> RateLimitDecision
    /// Told of each call that is refused by any limit, for whoever watches.
    func noteRefusal(by limit: String, of call: CallContext)
}
