// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension HTTPResponse {
    /// What time the other side says it is: `Date`, in the one form that is sent (RFC 9110, section 5.6.7).
    public var date: Instant? {
        guard let value = header("date") else { return nil }
        let parts = value.split(separator: " ")
        guard value.utf8.count == 29, parts.count == 6, parts[5] == "GMT",
            let month = Self.months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Instant(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    /// How long the other side asks to be left alone: `Retry-After` in seconds (section 10.2.3), a day at most.
    public var retryAfter: Span? {
        header("retry-after").flatMap { Int64($0) }.map { .seconds(min(max($0, 0), 86_400)) }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
