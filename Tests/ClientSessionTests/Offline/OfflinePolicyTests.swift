// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct OfflinePolicyTests {
    private let start = Instant(seconds: 1_800_000_000)
    private let tick = TimeSpan(microseconds: 1)

    private func allowance(after span: TimeSpan, policy: OfflinePolicy = .standard) -> OfflineAllowance {
        let standing = OfflineStanding(subject: "u", validatedAt: start, serverDate: start)
        return policy.allowance(standing, of: "u", now: start + span)
    }

    @Test("G-7.1 G-5.5 Up to seven days after the last confirmation, to the microsecond, everything is allowed")
    func full() {
        #expect(allowance(after: .zero) == .full)
        #expect(allowance(after: .days(7)) == .full)
        #expect(allowance(after: .days(7)).access == .full)
        #expect(allowance(after: TimeSpan(microseconds: TimeSpan.days(7).microseconds + 1)) == .readOnly)
    }

    @Test("G-7.2 From then to thirty days, to the microsecond, only reading is")
    func readOnly() {
        #expect(allowance(after: .days(8)) == .readOnly)
        #expect(allowance(after: .days(30)) == .readOnly)
        #expect(allowance(after: .days(30)).access == .readOnly)
    }

    @Test("G-7.3 Later nothing is")
    func blocked() {
        #expect(allowance(after: TimeSpan(microseconds: TimeSpan.days(30).microseconds + 1)) == .blocked)
        #expect(allowance(after: TimeSpan(microseconds: .max)) == .blocked)
        #expect(allowance(after: .days(31)).access == nil)
    }

    @Test("G-7 Limits are the app's to set; those that make no sense are refused by name")
    func limits() throws {
        let policy = try OfflinePolicy(full: .hours(1), readOnly: .hours(2))
        #expect(allowance(after: .hours(1), policy: policy) == .full)
        #expect(allowance(after: .minutes(61), policy: policy) == .readOnly)
        #expect(allowance(after: .minutes(121), policy: policy) == .blocked)
        let never = try OfflinePolicy(full: .zero, readOnly: .zero)
        #expect(allowance(after: .zero, policy: never) == .full)
        #expect(allowance(after: tick, policy: never) == .blocked)
        #expect(throws: OfflinePolicyError.outOfOrder(full: .days(8), readOnly: .days(7))) {
            try OfflinePolicy(full: .days(8), readOnly: .days(7))
        }
        #expect(throws: OfflinePolicyError.negative(.seconds(-1))) {
            try OfflinePolicy(full: .seconds(-1), readOnly: .days(7))
        }
    }

    @Test("G-7.6 Without a record of the last confirmation, or with another user's, nothing is allowed")
    func nobodys() {
        let others = OfflineStanding(subject: "someone else", validatedAt: start, serverDate: nil)
        #expect(OfflinePolicy.standard.allowance(nil, of: "u", now: start) == .blocked)
        #expect(OfflinePolicy.standard.allowance(others, of: "u", now: start) == .blocked)
        #expect(OfflinePolicy.standard.timeLeft(others, of: "u", now: start) == nil)
    }

    @Test("G-7 What is allowed changes exactly when the time said to be left has passed")
    func timeLeft() throws {
        let standing = OfflineStanding(subject: "u", validatedAt: start, serverDate: nil)
        let policy = OfflinePolicy.standard
        for age in [TimeSpan.zero, .days(7), .days(8), .days(30)] {
            let now = start + age
            let left = try #require(policy.timeLeft(standing, of: "u", now: now))
            let before = policy.allowance(standing, of: "u", now: now)
            #expect(policy.allowance(standing, of: "u", now: now + left - tick) == before)
            #expect(policy.allowance(standing, of: "u", now: now + left) != before)
        }
        #expect(policy.timeLeft(standing, of: "u", now: start + .days(31)) == nil)
    }
}
