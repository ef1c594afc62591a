// SPDX-License-Identifier: Apache-2.0

/// What a noted time means to a clock that may have been set back since it was noted.
///
/// A rule of the form "not again within a minute" that takes a time ahead for a recent one lasts as long as the clock
/// went back. So a time that lies ahead counts as long ago. A little is no sign of that.
extension Instant {
    /// How far apart the times of one moment may be: calls come in another order than they were told them, and the
    /// clocks of two servers over one database may be a minute apart. What one of them notes must not look to the other
    /// as if its own clock had been set back.
    private static let skew = TimeSpan.minutes(2)

    /// Whether this time was noted by a clock that has been set back since.
    ///
    /// - Parameter now: what that clock says today.
    public func liesAhead(of now: Instant) -> Bool { self - now > Self.skew }

    /// The latest time that may have been noted by now: see ``liesAhead(of:)``.
    public var latestNoted: Instant { self + Self.skew }

    /// How long ago `past` was: not at all, where it lies ahead by a moment, and longer than anything, where it was
    /// noted by a clock that has been set back since.
    public func age(of past: Instant) -> TimeSpan {
        past.liesAhead(of: self) ? TimeSpan(microseconds: .max) : max(self - past, .zero)
    }

    /// The later one of this time and what was noted of the same before.
    public func orLater(_ noted: Instant) -> Instant { noted.liesAhead(of: self) ? self : max(self, noted) }
}
