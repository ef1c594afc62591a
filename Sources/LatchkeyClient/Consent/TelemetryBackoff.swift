// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How long to wait before what was not taken is sent again: twice as long each time, half of it by chance.
struct TelemetryBackoff: Sendable {
    var first = TimeSpan.seconds(1)
    var longest = TimeSpan.minutes(5)

    /// - Parameters:
    ///   - failures: in a row, from one on.
    ///   - chance: any number.
    func wait(after failures: Int, chance: UInt64) -> TimeSpan {
        let doublings = min(max(0, failures - 1), 30)
        let whole = min(first.microseconds << Int64(doublings), longest.microseconds)
        let half = UInt64(whole / 2)
        return TimeSpan(microseconds: Int64(half + chance % (half + 1)))
    }
}
