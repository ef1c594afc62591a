// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

extension RateLimiter {
    /// Counts a call against one of its Directory's limits, which every dialect shares: whoever is out of attempts in
    /// one is in all.
    ///
    /// - Parameters:
    ///   - name: of the limit.
    ///   - key: what is counted: a client's address, an account.
    /// - Throws: `code`, with the time to wait.
    public func count(
        _ name: String, _ rate: DirectorySettings.Rate, key: String, in call: CallContext, else code: AuthErrorCode
    ) throws(AuthError) {
        let rule = RateLimitRule(name: name, count: rate.count, period: .seconds(rate.seconds))
        let decision = take(rule, key: call.directory.id.rawValue + " " + key, now: call.now)
        guard case .denied(let retryAfter) = decision else { return }
        onRefusal(RateLimitRefusal(limit: name, dialect: dialect, call: call))
        throw AuthError(code, retryAfter: retryAfter)
    }
}
