// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension Instant {
    /// A time as HTTP writes it: in the one form that is sent, or in one of the two that are still to be understood
    /// (RFC 9110, section 5.6.7). The day's name says nothing that the date does not, and is not read.
    ///
    /// - Returns: `nil` for anything else.
    init?(httpDate text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let parts = text.split(separator: " ")
        switch parts.count {
        case 6 where text.utf8.count == 29 && parts[5] == "GMT":
            self.init(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
        case 5:
            let day = parts[2].utf8.count == 1 ? "0" + parts[2] : parts[2]
            self.init(year: parts[4], month: parts[1], day: day, time: parts[3])
        case 4 where parts[3] == "GMT":
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2 else { return nil }
            // No server that answers has a time from before 1970.
            let year = (date[2] < "70" ? "20" : "19") + date[2]
            self.init(year: year, month: date[1], day: date[0], time: parts[2])
        default: return nil
        }
    }

    private init?(year: some StringProtocol, month: Substring, day: some StringProtocol, time: Substring) {
        guard let index = Self.months.firstIndex(of: String(month)) else { return nil }
        let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
        self.init(rfc3339: "\(year)-\(number)-\(day)T\(time)Z")
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
