// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Logging

/// A call that was refused for its number: what an operator watches to see an attack.
public struct RateLimitRefusal: Sendable, Hashable {
    /// The limit's name: one of the few that the dialects give.
    public let limit: String
    public let dialect: String
    public let directory: DirectoryID
    /// Truncated; `nil` where it is unknown.
    public let client: String?

    init(limit: String, dialect: String, call: CallContext) {
        self.limit = limit
        self.dialect = dialect
        directory = call.directory.id
        client = call.device.truncatedAddress
    }

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
