// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The `TIMESTAMP` of a claim to know a password: `EEE MMM d HH:mm:ss 'UTC' yyyy` in English, such as
/// `Tue Mar 3 04:05:06 UTC 2026`.
enum ClaimTime {
    private static let months = [
        "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07", "Aug": "08",
        "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
    ]
    private static let days: Set<Substring> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `nil` for another form. Which day of the week it says is not compared with the date.
    static func instant(_ text: String) -> Instant? {
        guard text.utf8.count <= 32 else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, days.contains(parts[0]), let month = months[String(parts[1])], parts[4] == "UTC",
            (1...2).contains(parts[2].utf8.count), parts[3].utf8.count == 8
        else { return nil }
        let day = parts[2].utf8.count == 1 ? "0" + parts[2] : String(parts[2])
        return Instant(rfc3339: "\(parts[5])-\(month)-\(day)T\(parts[3])Z")
    }
}
