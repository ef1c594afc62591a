// SPDX-License-Identifier: Apache-2.0

extension Instant {
    /// For people, in UTC: `2026-01-31 23:59 UTC`.
    public var minute: String { rfc3339.prefix(16).split(separator: "T").joined(separator: " ") + " UTC" }

    /// RFC 3339, section 5.6, in UTC with as many fractional digits as the value needs (none, or six without trailing
    /// zeros): `2026-11-21T05:51:47.25Z`.
    public var rfc3339: String {
        var days = microseconds / 86_400_000_000
        var rest = microseconds % 86_400_000_000
        if rest < 0 {
            rest += 86_400_000_000
            days -= 1
        }
        let (year, month, day) = Self.civil(daysSince1970: days)
        let secondOfDay = rest / 1_000_000
        let fraction = rest % 1_000_000
        guard (0...9999).contains(year) else { return Self.text(year, month, day, secondOfDay, fraction) }
        return String(unsafeUninitializedCapacity: 27) { buffer in
            var end = 0
            func put(_ byte: Unicode.Scalar) {
                buffer[end] = UInt8(ascii: byte)
                end += 1
            }
            func put(_ value: Int64, _ width: Int) {
                var value = value
                for index in stride(from: end + width - 1, through: end, by: -1) {
                    buffer[index] = 48 + UInt8(truncatingIfNeeded: value % 10)
                    value /= 10
                }
                end += width
            }
            put(year, 4)
            put("-")
            put(month, 2)
            put("-")
            put(day, 2)
            put("T")
            put(secondOfDay / 3600, 2)
            put(":")
            put(secondOfDay / 60 % 60, 2)
            put(":")
            put(secondOfDay % 60, 2)
            if fraction != 0 {
                put(".")
                put(fraction, 6)
                while buffer[end - 1] == 48 { end -= 1 }
            }
            put("Z")
            return end
        }
    }

    /// For years that four digits do not hold.
    private static func text(
        _ year: Int64, _ month: Int64, _ day: Int64, _ secondOfDay: Int64, _ fraction: Int64
    ) -> String {
        var text = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + "T"
        text += Self.padded(secondOfDay / 3600, 2) + ":" + Self.padded(secondOfDay / 60 % 60, 2) + ":"
        text += Self.padded(secondOfDay % 60, 2)
        if fraction != 0 {
            var digits = Substring(Self.padded(fraction, 6))
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return text + "Z"
    }

    /// Reads RFC 3339, section 5.6, with any numeric offset. `nil` when the text is not exactly that.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40 else { return nil }
        func number(_ start: Int, _ count: Int) -> Int64? {
            guard start + count <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[start..<(start + count)] {
                guard byte >= 48, byte <= 57 else { return nil }
                value = value * 10 + Int64(byte - 48)
            }
            return value
        }
        func at(_ index: Int, _ character: Character) -> Bool {
            index < bytes.count && bytes[index] | 0x20 == (character.asciiValue ?? 0) | 0x20
        }
        guard let year = number(0, 4), at(4, "-"), let month = number(5, 2), at(7, "-"), let day = number(8, 2),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            let hour = number(11, 2), at(13, ":"), let minute = number(14, 2), at(16, ":"), let second = number(17, 2),
            (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var index = 19
        var fraction: Int64 = 0
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            var scale: Int64 = 100_000
            let first = index
            while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
                fraction += Int64(bytes[index] - 48) * scale
                scale /= 10
                index += 1
            }
            guard index > first else { return nil }
        }
        guard index < bytes.count else { return nil }
        var offset: Int64 = 0
        switch bytes[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard index + 1 == bytes.count else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard index + 6 == bytes.count, let hours = number(index + 1, 2), at(index + 3, ":"),
                let minutes = number(index + 4, 2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == UInt8(ascii: "-") ? -60 : 60)
        default: return nil
        }
        let days = Self.days(year: year, month: month, day: day)
        microseconds = ((days * 86_400 + hour * 3600 + minute * 60 + second) - offset) * 1_000_000 + fraction
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Both directions count from 0000-03-01, so that the leap day is the last of its year.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSince1970 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
