// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When something happened, on both clocks, and a throw of the dice for what is to differ from device to device.
struct Moment: Sendable {
    /// What the device believes the time to be. Decides nothing but how old what was kept is.
    var now: Instant
    /// What has passed. All waiting is by this clock, so that no setting of the other one hurries or holds up anything (F11).
    var uptime: Span
    var dice: UInt32

    init(now: Instant, uptime: Span, dice: UInt32 = 0) {
        self.now = now
        self.uptime = uptime
        self.dice = dice
    }
}

extension Span {
    /// Saturates at the ends of the range instead of trapping.
    static func + (lhs: Span, rhs: Span) -> Span {
        let (sum, overflow) = lhs.microseconds.addingReportingOverflow(rhs.microseconds)
        return Span(microseconds: overflow ? (rhs.microseconds < 0 ? .min : .max) : sum)
    }

    static func - (lhs: Span, rhs: Span) -> Span {
        let (difference, overflow) = lhs.microseconds.subtractingReportingOverflow(rhs.microseconds)
        return Span(microseconds: overflow ? (lhs < rhs ? .min : .max) : difference)
    }

    static func / (span: Span, parts: Int64) -> Span { Span(microseconds: span.microseconds / parts) }

    func clamped(_ range: ClosedRange<Span>) -> Span { min(max(self, range.lowerBound), range.upperBound) }
}
