// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How long fetched keys are used, and how often their server is asked.
public struct KeyCachePolicy: Sendable, Hashable {
    /// Keys count as fresh for at least this long, whatever the server's `Cache-Control` says.
    public var shortestLife: TimeSpan = .minutes(5)
    /// Keys count as fresh for at most this long.
    public var longestLife: TimeSpan = .hours(24)
    /// The life of keys whose server says nothing of it.
    public var usualLife: TimeSpan = .hours(1)
    /// How long stale keys are used while no others can be had.
    public var grace: TimeSpan = .hours(24)
    /// Tokens that name an unknown key cause at most one fetch in this time, however many they are.
    public var coolDown: TimeSpan = .minutes(5)
    /// The pause after the first failure. Each further one doubles it.
    public var firstDelay: TimeSpan = .seconds(1)
    /// The longest pause between failures.
    public var longestDelay: TimeSpan = .minutes(1)

    /// The durations that fit most issuers.
    public init() {}

    /// The life of keys for which the server allows `life`.
    func bounded(_ life: TimeSpan?) -> TimeSpan { max(shortestLife, min(life ?? usualLife, longestLife)) }

    /// The pause after so many failures in a row.
    func delay(after failures: Int) -> TimeSpan {
        var delay = firstDelay
        // Beyond 62 doublings even a microsecond is at the end of the range.
        for _ in 1..<max(1, min(failures, 64)) { delay = delay.doubled }
        return min(delay, longestDelay)
    }

    /// When keys of this life are to be renewed: with a fifth of it left.
    func renewal(of life: TimeSpan) -> TimeSpan { TimeSpan(microseconds: life.microseconds - life.microseconds / 5) }
}

extension TimeSpan {
    fileprivate var doubled: TimeSpan {
        let (sum, overflow) = microseconds.addingReportingOverflow(microseconds)
        return TimeSpan(microseconds: overflow ? .max : sum)
    }
}
