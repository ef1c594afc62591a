// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension HTTPResponse {
    /// What time the other side says it is: `Date` (RFC 9110, section 6.6.1).
    public var date: Instant? { header("date").flatMap { Instant(httpDate: $0) } }

    /// How long the other side asks to be left alone: `Retry-After` (section 10.2.3), a day at most.
    ///
    /// In seconds, or until a date: that is by the clock of whoever says it, and is compared with the `Date` beside it.
    /// The device's own clock may be wrong; without that `Date` nothing is asked.
    public var retryAfter: TimeSpan? {
        guard let value = header("retry-after"), !value.isEmpty else { return nil }
        let asked: TimeSpan?
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            asked = .seconds(min(Int64(value) ?? .max, Self.day))
        } else if let until = Instant(httpDate: value), let date {
            asked = until - date
        } else {
            asked = nil
        }
        return asked?.clamped(.zero ... .seconds(Self.day))
    }

    private static let day: Int64 = 86_400
}
