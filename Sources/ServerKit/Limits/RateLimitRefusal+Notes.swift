// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Logging

extension RateLimitRefusal {
    /// One line and one count. Neither holds what was counted: it may be somebody's address.
    public func note(in logger: Logger, _ metrics: MetricsRegistry) {
        metrics.add("rate_limit_refusals_total", labels: [("limit", limit), ("dialect", dialect)])
        logger.notice(
            "request refused",
            metadata: [
                "refusal": "rate_limit", "limit": .string(limit), "dialect": .string(dialect),
                "directory": .string(directory.rawValue), "client": .string(client ?? "unknown"),
            ])
    }
}
