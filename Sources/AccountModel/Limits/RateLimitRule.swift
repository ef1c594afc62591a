// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How often something may be done: `count` times at once, and then as often as `period` refills (the generic cell rate
/// algorithm, ITU-T I.371). Of whoever is counted one time is kept: when all that was counted will be forgotten.
public struct RateLimitRule: Sendable, Hashable {
    public var name: String
    public var count: Int
    public var period: TimeSpan

    public init(name: String, count: Int, period: TimeSpan) {
        self.name = name
        self.count = count
        self.period = period
    }
}

public enum RateLimitDecision: Sendable, Equatable {
    case allowed
    case denied(retryAfter: TimeSpan)
}

extension RateLimitRule {
    /// What an attempt comes to.
    public enum Verdict: Sendable, Equatable {
        /// There is room, and with it all is forgotten then.
        case room(until: Instant)
        case denied(TimeSpan)

        public var decision: RateLimitDecision {
            switch self {
            case .room: .allowed
            case .denied(let wait): .denied(retryAfter: wait)
            }
        }
    }

    /// What one attempt adds to the time, and how far ahead it may lie at most. `nil` for a limit of nothing, which
    /// forbids; it does not mean that there is no limit.
    public var portion: (cost: TimeSpan, size: TimeSpan)? {
        guard count > 0, period > .zero else { return nil }
        // Rounded up, and the whole is exactly `count` of it: rounding never lets more through than the rule says.
        let count = Int64(count)
        let (quotient, remainder) = period.microseconds.quotientAndRemainder(dividingBy: count)
        let cost = TimeSpan(microseconds: remainder == 0 ? quotient : quotient + 1)
        let (size, isTooLong) = cost.microseconds.multipliedReportingOverflow(by: count)
        return (cost, TimeSpan(microseconds: isTooLong ? .max : size))
    }

    /// Judges one attempt more.
    ///
    /// - Parameters:
    ///   - freeAt: when all that was counted will be forgotten; `nil` where nothing was.
    ///   - pending: attempts that are under way and not counted in it.
    public func judge(_ freeAt: Instant?, pending: Int = 0, at now: Instant) -> Verdict {
        guard let (cost, size) = portion else { return .denied(max(period, .seconds(60))) }
        let room = now + size
        let attempts = Int64(clamping: min(max(pending, 0), .max - 1)) + 1
        let (added, isTooLong) = cost.microseconds.multipliedReportingOverflow(by: attempts)
        let end = max(current(freeAt, within: room) ?? now, now) + TimeSpan(microseconds: isTooLong ? .max : added)
        return end <= room ? .room(until: end) : .denied(end - room)
    }

    /// A clock that was set back must not keep anyone out for as long as it went back. A moment is only the order in
    /// which calls come, and frees nobody.
    private func current(_ freeAt: Instant?, within room: Instant) -> Instant? {
        guard let freeAt, freeAt > room else { return freeAt }
        return freeAt.liesAhead(of: room) ? nil : room
    }
}
