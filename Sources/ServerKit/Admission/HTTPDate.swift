// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The time in the form that HTTP has for it (IMF-fixdate; RFC 9110, section 5.6.7), made once a second.
struct HTTPDate: Sendable {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var second = Int64.min
    private var known = ""

    /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func text(_ time: Instant) -> String {
        guard time.seconds != second else { return known }
        second = time.seconds
        // `1994-11-06T08:49:37Z`
        let parts = Instant(seconds: second).rfc3339.split { "-T:Z".utf8.contains($0.utf8.first ?? 0) }
        guard parts.count == 6, let month = Int(parts[1]), Self.months.indices.contains(month - 1) else { return known }
        // 1970 began on a Thursday.
        let day = Self.days[Int(((second.floored(by: 86_400) % 7) + 7) % 7)]
        known = "\(day), \(parts[2]) \(Self.months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
        return known
    }
}

/// The time of answers in that form.
final class CurrentDate: Sendable {
    private let clock: @Sendable () -> Instant
    private let date = Mutex(HTTPDate())

    init(_ clock: @escaping @Sendable () -> Instant) {
        self.clock = clock
    }

    var text: String {
        let now = clock()
        return date.withLock { $0.text(now) }
    }
}

extension Int64 {
    /// The greatest whole number of times that `divisor`, which is positive, goes into this one.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
