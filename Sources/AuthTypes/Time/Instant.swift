// SPDX-License-Identifier: Apache-2.0

/// A point in time: whole microseconds since 1970-01-01T00:00:00Z, leap seconds ignored (POSIX time).
///
/// The domain never reads a clock. Whoever calls it says what time it is, so that every flow and state machine can be
/// replayed at any speed. Microseconds are what SQLite and PostgreSQL both keep exactly.
public struct Instant: Sendable, Hashable, Comparable {
    /// Since 1970; negative before.
    public var microseconds: Int64

    /// So many microseconds after 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Seconds since 1970, saturating at the ends of the range instead of trapping.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970, rounded down: the `NumericDate` of RFC 7519, section 2.
    public var seconds: Int64 {
        let quotient = microseconds / 1_000_000
        return microseconds % 1_000_000 < 0 ? quotient - 1 : quotient
    }

    /// The earlier one is the lesser.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.microseconds < rhs.microseconds }

    /// So much later, saturating at the ends of the range.
    public static func + (lhs: Instant, rhs: TimeSpan) -> Instant {
        let (sum, overflow) = lhs.microseconds.addingReportingOverflow(rhs.microseconds)
        return Instant(microseconds: overflow ? (rhs.microseconds < 0 ? .min : .max) : sum)
    }

    /// So much earlier, saturating at the ends of the range.
    public static func - (lhs: Instant, rhs: TimeSpan) -> Instant {
        let (difference, overflow) = lhs.microseconds.subtractingReportingOverflow(rhs.microseconds)
        return Instant(microseconds: overflow ? (rhs.microseconds < 0 ? .max : .min) : difference)
    }

    /// The time from `rhs` to `lhs`; negative where `lhs` is the earlier.
    public static func - (lhs: Instant, rhs: Instant) -> TimeSpan {
        let (difference, overflow) = lhs.microseconds.subtractingReportingOverflow(rhs.microseconds)
        return TimeSpan(microseconds: overflow ? (lhs < rhs ? .min : .max) : difference)
    }
}

/// A length of time in whole microseconds. `Duration` counts attoseconds, which no store keeps; `Span` would hide
/// Swift's own from every app that imports the library.
public struct TimeSpan: Sendable, Hashable, Comparable {
    /// May be negative.
    public var microseconds: Int64

    /// So many microseconds.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Whole seconds, rounded towards zero.
    public var seconds: Int64 { microseconds / 1_000_000 }

    /// No time at all.
    public static let zero = TimeSpan(microseconds: 0)
    /// So many milliseconds, saturating as all below.
    public static func milliseconds(_ count: Int64) -> TimeSpan { scaled(count, by: 1_000) }
    /// So many seconds.
    public static func seconds(_ count: Int64) -> TimeSpan { scaled(count, by: 1_000_000) }
    /// So many minutes.
    public static func minutes(_ count: Int64) -> TimeSpan { scaled(count, by: 60_000_000) }
    /// So many hours.
    public static func hours(_ count: Int64) -> TimeSpan { scaled(count, by: 3_600_000_000) }
    /// So many times 24 hours.
    public static func days(_ count: Int64) -> TimeSpan { scaled(count, by: 86_400_000_000) }

    /// The shorter one is the lesser.
    public static func < (lhs: TimeSpan, rhs: TimeSpan) -> Bool { lhs.microseconds < rhs.microseconds }

    private static func scaled(_ count: Int64, by unit: Int64) -> TimeSpan {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return TimeSpan(microseconds: overflow ? (count < 0 ? .min : .max) : product)
    }
}
