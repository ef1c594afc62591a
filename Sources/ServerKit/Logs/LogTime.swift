// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Writes times as ``Instant/rfc3339`` does, and the date and the second of it once a second: thousands of lines have
/// the same.
struct LogTime: Sendable {
    private var second = Int64.min
    /// Up to the second: `2026-11-21T05:51:47`.
    private var text: [UInt8] = []

    /// RFC 3339, section 5.6, in UTC, with the digits that the time needs.
    mutating func append(_ time: Instant, to line: inout [UInt8]) {
        advance(to: time)
        line.append(contentsOf: text)
        var fraction = time.microseconds - second * 1_000_000
        if fraction != 0 {
            line.append(UInt8(ascii: "."))
            var unit: Int64 = 100_000
            while fraction != 0 {
                line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / unit))
                fraction %= unit
                unit /= 10
            }
        }
        line.append(UInt8(ascii: "Z"))
    }

    /// The time of day alone: `05:51:47`.
    mutating func appendTimeOfDay(_ time: Instant, to line: inout [UInt8]) {
        advance(to: time)
        line.append(contentsOf: text.suffix(8))
    }

    private mutating func advance(to time: Instant) {
        let whole = time.microseconds.floorQuotient(1_000_000)
        guard whole != second else { return }
        second = whole
        text = Array(Instant(microseconds: whole * 1_000_000).rfc3339.utf8.dropLast())
    }
}

extension Int64 {
    /// The greatest whole number of times that `divisor`, which is positive, goes into this one.
    fileprivate func floorQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
