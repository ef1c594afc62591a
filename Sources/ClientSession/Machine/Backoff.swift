// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When what failed is tried again: later each time, never at the same time as other devices, and within bounds.
struct Backoff: Sendable {
    static let longest = TimeSpan.minutes(5)
    /// The longest that a service may hold up a device by its `Retry-After`.
    static let longestTold = TimeSpan.hours(1)

    let failures: Int
    let error: AuthError
    /// When it is tried without being asked for.
    var next: TimeSpan
    /// From when on a caller may have it tried. Earlier than that callers get ``error``.
    var callers: TimeSpan

    init(after error: AuthError, failures: Int = 1, at moment: Moment) {
        self.failures = failures
        self.error = error
        let whole = min(TimeSpan.seconds(1 << Int64(min(max(failures, 0), 20))), Self.longest)
        // Between half of it and the whole.
        let part = TimeSpan(microseconds: whole.microseconds / 2 / 1024 * Int64(moment.dice % 1025))
        let told = error.retryAfter.map { $0.clamped(.zero...Self.longestTold) }
        next = moment.uptime + max(whole / 2 + part, told ?? .zero)
        callers = moment.uptime + max(.seconds(1), told ?? .zero)
    }

    func again(after error: AuthError, at moment: Moment) -> Backoff {
        Backoff(after: error, failures: failures &+ 1, at: moment)
    }

    /// Whether the service wants to be left alone still, which no network that comes back changes.
    func isTold(at moment: Moment) -> Bool { error.retryAfter != nil && moment.uptime < callers }
}

extension Backoff? {
    func again(after error: AuthError, at moment: Moment) -> Backoff {
        self?.again(after: error, at: moment) ?? Backoff(after: error, at: moment)
    }
}
