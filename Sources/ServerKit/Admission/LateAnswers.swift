// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When those are answered who go on although they were asked to wait: late, and one after the other, however many they
/// are. A pure machine.
///
/// To be told at once would cost the server more than the client. To be told at the same time as all who came at the
/// same time would have them come again together: their connections are closed, and as many are made anew at once.
struct LateAnswers: Sendable {
    /// Nobody waits less.
    static let least = TimeSpan.seconds(1)
    /// Nobody waits longer: beyond it there are more answers than one at a time.
    static let most = TimeSpan.seconds(8)
    /// Between two answers.
    static let distance = TimeSpan.milliseconds(2)

    private var last: Instant?

    /// How long the next answer is kept back.
    mutating func delay(at now: Instant) -> TimeSpan {
        let (earliest, latest) = (now + Self.least, now + Self.most)
        var time = earliest
        // One that lies beyond what is possible is of a clock that was put back since.
        if let last, last <= latest { time = min(max(last + Self.distance, earliest), latest) }
        last = time
        return time - now
    }
}
