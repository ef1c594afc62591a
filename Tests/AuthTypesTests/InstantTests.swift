// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct InstantTests {
    @Test(
        "RFC 3339 texts and their instants",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T05:51:47.25Z", 1_795_240_307_250_000),
            ("2000-02-29T23:59:59.999999Z", 951_868_799_999_999), ("1969-12-31T23:59:59.5Z", -500_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
            ("1900-03-01T00:00:00Z", -2_203_891_200_000_000),
        ])
    func examples(text: String, microseconds: Int64) {
        #expect(Instant(microseconds: microseconds).rfc3339 == text)
        #expect(Instant(rfc3339: text)?.microseconds == microseconds)
    }

    @Test("Instants read back over ten thousand years")
    func roundTrip() {
        var instant = Instant(microseconds: -62_135_596_800_000_000)
        let end = Instant(microseconds: 253_402_300_799_000_000)
        while instant < end {
            #expect(Instant(rfc3339: instant.rfc3339) == instant)
            instant = instant + .seconds(86_400 * 97 + 12_345) + TimeSpan(microseconds: 678_901)
        }
    }

    @Test("Offsets, lower case and a blank for the T are read")
    func variants() {
        let instant = Instant(rfc3339: "2026-11-21T05:51:47Z")
        for text in [
            "2026-11-21T07:21:47+01:30", "2026-11-20T23:51:47-06:00", "2026-11-21t05:51:47z", "2026-11-21 05:51:47Z",
            "2026-11-21T05:51:47.0Z", "2026-11-21T05:51:47.0000001234Z",
        ] { #expect(Instant(rfc3339: text) == instant, "\(text)") }
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "2026-11-21", "2026-11-21T05:51:47", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-00T00:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T00:60:00Z", "2026-11-21T00:00:61Z", "2026-11-21T00:00:00.Z",
            "2026-11-21T00:00:00Zx", "2026-11-21T00:00:00+0100", "2026-11-21T00:00:00+24:00", "2026-11-21X00:00:00Z",
            "+026-11-21T00:00:00Z", "2026-11-21T00:00:00.123456789012345678901Z", "٢٠٢٦-11-21T00:00:00Z",
        ])
    func strictness(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("Arithmetic saturates instead of trapping")
    func saturation() {
        let last = Instant(microseconds: .max)
        let first = Instant(microseconds: .min)
        #expect(last + .seconds(1) == last)
        #expect(first + .seconds(-1) == first)
        #expect(Instant(seconds: .max) == last)
        #expect(Instant(seconds: .min) == first)
        #expect((last - first).microseconds == .max)
        #expect((first - last).microseconds == .min)
        #expect(TimeSpan.days(.max).microseconds == .max)
        #expect(Instant(microseconds: -1).seconds == -1)
        #expect(Instant(microseconds: -1_000_000).seconds == -1)
        #expect(first.seconds == Int64.min / 1_000_000 - 1)
    }

    @Test("R8.18 what lies ahead by more than a moment is longer ago than anything")
    func age() {
        let now = Instant(seconds: 1_000_000)
        let longest = TimeSpan(microseconds: .max)
        for (ahead, age) in [
            (TimeSpan.seconds(-90), TimeSpan.seconds(90)), (.zero, .zero), (.seconds(1), .zero), (.seconds(120), .zero),
            (.seconds(121), longest), (.days(365), longest),
        ] { #expect(now.age(of: now + ahead) == age, "\(ahead)") }
        #expect(now.age(of: Instant(microseconds: .max)) == longest)
        #expect(now.age(of: Instant(microseconds: .min)) > .days(365))
    }

    @Test("R8.18 of two times the later is kept, unless its clock has been set back since")
    func later() {
        let now = Instant(seconds: 1_000_000)
        #expect(now.orLater(now - .seconds(5)) == now)
        #expect(now.orLater(now + .seconds(5)) == now + .seconds(5))
        #expect(now.orLater(now + .days(5)) == now)
        #expect((now + .seconds(121)).liesAhead(of: now) && !(now + .seconds(120)).liesAhead(of: now))
    }

    @Test("Sums and differences end at the ends of the range, and never beyond the other end")
    func differences() {
        let late = Instant(microseconds: .max), early = Instant(microseconds: .min), start = Instant(microseconds: 0)
        #expect(late + .seconds(1) == late && early - .seconds(1) == early)
        #expect(
            start - TimeSpan(microseconds: .min) == late
                && start - TimeSpan(microseconds: .max) == Instant(microseconds: -.max))
        #expect(late - early == TimeSpan(microseconds: .max) && early - late == TimeSpan(microseconds: .min))
    }
}
