// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct OfflineStandingTests {
    private let start = Instant(seconds: 1_800_000_000)

    private func standing(serverDate: Instant? = nil) -> OfflineStanding {
        OfflineStanding(subject: "u", validatedAt: start, serverDate: serverDate)
    }

    @Test("F11 G-7.6 A clock set back adds no time: what was seen to pass stays passed, and more is added to it")
    func setBack() {
        let sixDays = standing().seen(start + .days(6))
        let back = sixDays.seen(start)
        #expect(back.age(at: start) == .days(6))
        #expect(back.age(at: start + .days(1)) == .days(7))
        #expect(OfflinePolicy.standard.allowance(back, of: "u", now: start + .days(2)) == .readOnly)
        // Before anybody noted that it was set back, too.
        #expect(sixDays.age(at: start - .days(365)) == .days(6))
    }

    @Test("F11 Whoever sets the clock back each day gets no day more than was seen")
    func setBackAgain() {
        var standing = standing()
        for _ in 0..<31 {
            standing = standing.seen(start + .days(1))
            standing = standing.seen(start)
        }
        #expect(OfflinePolicy.standard.allowance(standing, of: "u", now: start) == .blocked)
    }

    @Test("F11 While the process lives its uptime counts, whatever the clock says")
    func uptime() {
        let standing = standing().seen(start - .days(1), passed: .days(8))
        #expect(standing.age(at: start - .days(1)) == .days(8))
        // The same time is not counted twice.
        #expect(self.standing().seen(start + .days(8), passed: .days(8)).age == .days(8))
        #expect(self.standing().seen(start, passed: .seconds(-1)).age == .zero)
    }

    @Test("F11 A clock that was far ahead uses the time up until the service confirms the session")
    func farAhead() {
        let ahead = standing(serverDate: start).seen(start + .days(4000))
        #expect(OfflinePolicy.standard.allowance(ahead, of: "u", now: start + .hours(1)) == .blocked)
        #expect(ahead.seen(start + .hours(2)).age == .days(4000))
        // A confirmation forgives everything.
        let confirmed = OfflineStanding(subject: "u", validatedAt: start + .hours(2), serverDate: nil)
        #expect(OfflinePolicy.standard.allowance(confirmed, of: "u", now: start + .hours(2)) == .full)
    }

    @Test("F11 A session confirmed by a clock ten years ahead does not last ten years once it is right")
    func confirmedAhead() {
        let standing = OfflineStanding(subject: "u", validatedAt: start + .days(3650), serverDate: start).seen(start)
        #expect(standing.age(at: start + .days(8)) == .days(8))
        #expect(OfflinePolicy.standard.allowance(standing, of: "u", now: start + .days(31)) == .blocked)
    }

    @Test("F11 No reading of a clock traps or makes time pass backwards")
    func ends() {
        let ends = [Int64.min, -1, 0, 1, .max].map(Instant.init(microseconds:))
        for first in ends {
            for second in ends {
                for third in ends {
                    let standing = OfflineStanding(subject: "u", validatedAt: first, serverDate: second)
                    let seen = standing.seen(second, passed: TimeSpan(microseconds: third.microseconds))
                    #expect(seen.age(at: third) >= seen.age && seen.age >= .zero)
                    _ = OfflinePolicy.standard.timeLeft(seen, of: "u", now: third)
                }
            }
        }
    }

    @Test("G-7.6 R13.2 What is kept of a standing is read as it was")
    func coding() throws {
        for standing in [standing(), standing(serverDate: start - .seconds(3)).seen(start + .days(2))] {
            #expect(try OfflineStanding(decoding: standing.encoded()) == standing)
        }
    }

    @Test(
        "G-7.6 R13.2 A record that says nothing certain is refused by name",
        arguments: [
            "", "{}", "[]", "null", #"{"version":1}"#,
            #"{"version":0,"subject":"u","validated_at":1,"seen_at":1,"age":1}"#,
            #"{"version":1,"subject":"","validated_at":1,"seen_at":1,"age":1}"#,
            #"{"version":1,"subject":"u","validated_at":1,"seen_at":1,"age":-1}"#,
            #"{"version":1,"subject":"u","validated_at":1,"seen_at":1,"age":1.5}"#,
            #"{"version":1,"subject":"u","validated_at":1,"seen_at":1,"age":1,"server_validated_at":"1"}"#,
            #"{"version":1,"subject":"u","validated_at":1,"seen_at":1,"age":1,"age":0}"#,
            String(repeating: "[", count: 5000),
        ])
    func malformed(record: String) {
        #expect(throws: OfflineStandingError.malformed) { try OfflineStanding(decoding: Array(record.utf8)) }
    }

    @Test("R13.2 A later version's record is no damaged one, and a subject without end is not written")
    func versions() {
        #expect(throws: OfflineStandingError.newerVersion(2)) {
            try OfflineStanding(decoding: Array(#"{"version":2,"all":"new"}"#.utf8))
        }
        let endless = OfflineStanding(
            subject: String(repeating: "s", count: 5000), validatedAt: start, serverDate: nil)
        #expect(throws: OfflineStandingError.malformed) { try endless.encoded() }
    }
}
