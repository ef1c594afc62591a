// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When something happened, on both clocks, and a throw of the dice for what is to differ from device to device.
struct Moment: Sendable {
    /// What the device believes the time to be. Decides nothing but how old what was kept is.
    var now: Instant
    /// What has passed. All waiting is by this clock, so that no setting of the other one hurries or holds up anything
    /// (F11).
    var uptime: TimeSpan
    var dice: UInt32

    init(now: Instant, uptime: TimeSpan, dice: UInt32 = 0) {
        self.now = now
        self.uptime = uptime
        self.dice = dice
    }
}

extension TimeSpan {
    /// Saturates at the ends of the range instead of trapping.
    static func + (lhs: TimeSpan, rhs: TimeSpan) -> TimeSpan {
        let (sum, overflow) = lhs.microseconds.addingReportingOverflow(rhs.microseconds)
        return TimeSpan(microseconds: overflow ? (rhs.microseconds < 0 ? .min : .max) : sum)
    }

    static func - (lhs: TimeSpan, rhs: TimeSpan) -> TimeSpan {
        let (difference, overflow) = lhs.microseconds.subtractingReportingOverflow(rhs.microseconds)
        return TimeSpan(microseconds: overflow ? (lhs < rhs ? .min : .max) : difference)
    }

    static func / (span: TimeSpan, parts: Int64) -> TimeSpan { TimeSpan(microseconds: span.microseconds / parts) }

    func clamped(_ range: ClosedRange<TimeSpan>) -> TimeSpan { min(max(self, range.lowerBound), range.upperBound) }
}
