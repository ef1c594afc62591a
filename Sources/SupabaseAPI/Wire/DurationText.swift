// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A length of time as the platform writes it in its admin API and settings: numbers with units (`ns`, `us`, `ms`, `s`,
/// `m`, `h`) one after the other, such as `24h` or `1h30m`, or `0`.
struct DurationText {
    let span: TimeSpan

    /// Throws ``AuthErrorCode/invalidRequest`` for anything else, and for lengths beyond what the server can count.
    init(_ text: String, field: String = "ban_duration") throws(AuthError) {
        let invalid = AuthError(.invalidRequest, reason: "not a duration", field: field)
        guard !text.isEmpty, text.utf8.count <= 64 else { throw invalid }
        // The only number without a unit.
        var rest = Substring(text == "0" ? "0s" : text)
        var total = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let count = Double(String(digits)), let scale = Self.units[String(unit)] else { throw invalid }
            total += count * scale
        }
        // 290 years: the most that the platform's own duration can hold.
        guard total.isFinite, total >= 0, total < 9.2e15, let microseconds = Int64(exactly: total.rounded()) else {
            throw invalid
        }
        span = TimeSpan(microseconds: microseconds)
    }

    private static let units: [String: Double] = [
        "ns": 0.001, "us": 1, "µs": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000,
    ]
}
