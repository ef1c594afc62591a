// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How often something may be done: `count` times at once, and then as often as `period` refills.
public struct RateLimitRule: Sendable, Hashable {
    public var name: String
    public var count: Int
    public var period: Span

    public init(name: String, count: Int, period: Span) {
        self.name = name
        self.count = count
        self.period = period
    }
}

public enum RateLimitDecision: Sendable, Equatable {
    case allowed
    case denied(retryAfter: Span)
}
