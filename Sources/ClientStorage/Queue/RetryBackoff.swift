// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How long to wait after an attempt that failed: twice as long each time, up to a bound, and of that a random part, so
/// that not all who lost the same network come back at once.
public struct RetryBackoff: Sendable, Hashable {
    /// The wait after the first failure.
    public var first: TimeSpan
    /// The longest wait.
    public var longest: TimeSpan

    /// The longest that a service is believed.
    static let longestAsked = TimeSpan.days(1)

    /// Five seconds, doubled up to an hour.
    public static let standard = RetryBackoff(first: .seconds(5), longest: .hours(1))

    /// Doubles from the first wait to the longest.
    public init(first: TimeSpan, longest: TimeSpan) {
        self.first = first
        self.longest = longest
    }

    /// - Parameters:
    ///   - failures: how many attempts have failed, this one among them: at least one.
    ///   - retryAfter: what the service asked for. Never undercut; a day at most is believed.
    ///   - random: eight bytes of it say where in the upper half of the wait it falls.
    public func wait(afterFailures failures: Int, retryAfter: TimeSpan?, random: any RandomSource) -> TimeSpan {
        var wait = max(1, min(first.microseconds, longest.microseconds))
        for _ in 1..<max(2, min(failures, 64)) where failures > 1 {
            guard wait < longest.microseconds else { break }
            wait = wait > longest.microseconds / 2 ? longest.microseconds : wait * 2
        }
        let half = wait / 2
        let number = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let jittered = TimeSpan(microseconds: wait - half + Int64(number % UInt64(half + 1)))
        let asked = min(max(retryAfter ?? .zero, .zero), Self.longestAsked)
        return max(jittered, asked)
    }
}
