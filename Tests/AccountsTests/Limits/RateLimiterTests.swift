// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("Rate limits")
struct RateLimiterTests {
    private let start = Instant(seconds: 1_700_000_000)
    private let rule = RateLimitRule(name: "sign-in", count: 5, period: .minutes(1))

    private func admitted(_ attempts: Int, _ rule: RateLimitRule, at now: Instant, by limiter: RateLimiter) -> Int {
        (0..<attempts).count { _ in limiter.take(rule, key: "k", now: now) == .allowed }
    }

    @Test("R36 as many at once as the rule says, and not one more")
    func burst() {
        #expect(admitted(50, rule, at: start, by: RateLimiter()) == 5)
    }

    @Test("R36 rounding never lets more through", arguments: [(1999, 1_000_000), (7, 10), (1000, 10), (1, 1)])
    func rounding(count: Int, microseconds: Int64) {
        let rule = RateLimitRule(name: "odd", count: count, period: TimeSpan(microseconds: microseconds))
        #expect(admitted(3000, rule, at: start, by: RateLimiter()) == count)
    }

    @Test("the wait that is told is enough, and a microsecond less is not")
    func retryAfter() {
        let limiter = RateLimiter()
        _ = admitted(5, rule, at: start, by: limiter)
        #expect(limiter.take(rule, key: "k", now: start) == .denied(retryAfter: .seconds(12)))
        let almost = start + TimeSpan(microseconds: 11_999_999)
        #expect(limiter.take(rule, key: "k", now: almost) == .denied(retryAfter: TimeSpan(microseconds: 1)))
        #expect(limiter.take(rule, key: "k", now: start + .seconds(12)) == .allowed)
        #expect(limiter.take(rule, key: "k", now: start + .seconds(12)) == .denied(retryAfter: .seconds(12)))
    }

    @Test("attempts that were denied cost nothing")
    func denialIsFree() {
        let limiter = RateLimiter()
        _ = admitted(1000, rule, at: start, by: limiter)
        #expect(limiter.take(rule, key: "k", now: start + .seconds(12)) == .allowed)
    }

    @Test("R36 over any time no more than the burst and the refill")
    func steady() {
        let limiter = RateLimiter()
        var allowed = 0
        for second in 0..<600 { allowed += admitted(3, rule, at: start + .seconds(Int64(second)), by: limiter) }
        #expect(allowed == 5 + 599 / 12)
    }

    @Test("a whole period of rest refills everything, and never more than that")
    func rest() {
        let limiter = RateLimiter()
        _ = admitted(5, rule, at: start, by: limiter)
        #expect(admitted(50, rule, at: start + .minutes(1), by: limiter) == 5)
        #expect(admitted(50, rule, at: start + .days(365), by: limiter) == 5)
    }

    @Test("keys and rules are counted apart")
    func apart() {
        let limiter = RateLimiter()
        _ = admitted(5, rule, at: start, by: limiter)
        #expect(limiter.take(rule, key: "other", now: start) == .allowed)
        let other = RateLimitRule(name: "sign-up", count: 5, period: .minutes(1))
        #expect(limiter.take(other, key: "k", now: start) == .allowed)
        #expect(limiter.take(rule, key: "k", now: start) != .allowed)
    }

    @Test("keys are counted by their first 256 bytes: a longer one gains nothing")
    func longKeys() {
        let limiter = RateLimiter()
        let long = String(repeating: "ä", count: 200)
        for number in 0..<5 { #expect(limiter.take(rule, key: long + "\(number)", now: start) == .allowed) }
        #expect(limiter.take(rule, key: long + "5", now: start) != .allowed)
    }

    @Test("a limit of nothing forbids", arguments: [(0, 60), (-1, 60), (5, 0), (5, -1)])
    func nothing(count: Int, seconds: Int64) {
        let rule = RateLimitRule(name: "none", count: count, period: .seconds(seconds))
        guard case .denied(let wait) = RateLimiter().take(rule, key: "k", now: start) else {
            Issue.record("allowed")
            return
        }
        #expect(wait > .zero)
    }

    @Test("extreme rules and times do not trap")
    func extremes() {
        let limiter = RateLimiter()
        for count in [1, 2, 3, Int.max] {
            for period in [Int64.max, Int64.max - 1, 1] {
                let rule = RateLimitRule(name: "extreme", count: count, period: TimeSpan(microseconds: period))
                for time in [Int64.min, 0, Int64.max] {
                    _ = limiter.take(rule, key: "k", now: Instant(microseconds: time))
                }
            }
        }
    }

    @Test("R8.18 a clock that is set back by an hour or a year denies nobody for what was counted before")
    func clockSetBack() {
        for step in [TimeSpan.hours(1), .days(365)] {
            let limiter = RateLimiter()
            _ = admitted(5, rule, at: start, by: limiter)
            #expect(admitted(50, rule, at: start - step, by: limiter) == 5)
        }
    }

    @Test("R36 calls that come in another order than that of their times get no more for it")
    func disorder() {
        let limiter = RateLimiter()
        _ = admitted(5, rule, at: start, by: limiter)
        for seconds in 1...120 { #expect(admitted(5, rule, at: start - .seconds(Int64(seconds)), by: limiter) == 0) }
    }

    @Test("what is judged counts nothing, and says what an attempt would be told")
    func judge() {
        #expect(rule.judge(nil, at: start) == .room(until: start + .seconds(12)))
        #expect(rule.judge(nil, pending: 4, at: start) == .room(until: start + .minutes(1)))
        #expect(rule.judge(nil, pending: 5, at: start) == .denied(.seconds(12)))
        #expect(rule.judge(start + .minutes(1), at: start) == .denied(.seconds(12)))
        #expect(rule.judge(start + .minutes(1), at: start + .seconds(12)) == .room(until: start + .seconds(72)))
        #expect(rule.judge(nil, pending: .max, at: start).decision != .allowed)
    }

    @Test("R36 a hundred tasks at once get no more than one would")
    func concurrent() async {
        let limiter = RateLimiter()
        let rule = RateLimitRule(name: "sign-in", count: 37, period: .hours(1))
        let allowed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { admitted(50, rule, at: start, by: limiter) } }
            return await group.reduce(0, +)
        }
        #expect(allowed == 37)
    }
}

@Suite("Memory of rate limits")
struct TokenBucketsTests {
    private let start = Instant(seconds: 1_700_000_000)
    private let rule = RateLimitRule(name: "r", count: 4, period: .seconds(4))

    @Test("a million distinct keys never take more than the capacity")
    func bounded() {
        var buckets = TokenBuckets<Int>(capacity: 2000)
        var largest = 0
        for key in 0..<1_000_000 {
            _ = buckets.take(rule, key: key, now: start + TimeSpan(microseconds: Int64(key) * 1000))
            largest = max(largest, buckets.count)
        }
        #expect(largest == 2000)
    }

    @Test("a flood of fresh keys at one instant neither grows the memory nor frees who is blocked")
    func flood() {
        var buckets = TokenBuckets<Int>(capacity: 2000)
        while buckets.take(rule, key: -1, now: start) == .allowed {}
        for key in 0..<20_000 {
            // Who is new is served: a full memory is no reason to turn away clients that did nothing.
            #expect(buckets.take(rule, key: key, now: start) == .allowed)
        }
        #expect(buckets.count <= 2000)
        #expect(buckets.take(rule, key: -1, now: start) == .denied(retryAfter: .seconds(1)))
    }

    @Test("an eighth makes room for the next: those whose time has passed, then those that would be free soonest")
    func soonest() {
        var buckets = TokenBuckets<Int>(capacity: 80)
        // Ten that are over by then, thirty of one time, and forty of a later one.
        for key in 0..<10 { _ = buckets.take(rule, key: key, now: start - .seconds(5)) }
        for key in 10..<40 { _ = buckets.take(rule, key: key, now: start) }
        for key in 40..<80 {
            for _ in 0..<4 { _ = buckets.take(rule, key: key, now: start) }
        }
        #expect(buckets.count == 80)
        _ = buckets.take(rule, key: 80, now: start)
        // What has passed was an eighth already.
        #expect(buckets.count == 71)
        for key in 81..<90 { _ = buckets.take(rule, key: key, now: start) }
        #expect(buckets.count == 80)
        _ = buckets.take(rule, key: 90, now: start)
        // Of forty that would be free at one time, as many are gone as there must be.
        #expect(buckets.count == 71)
        for key in 40..<80 { #expect(buckets.take(rule, key: key, now: start) != .allowed) }
    }

    @Test("keys whose time has passed make room first")
    func expired() {
        var buckets = TokenBuckets<Int>(capacity: 100)
        for key in 0..<100 { _ = buckets.take(rule, key: key, now: start) }
        _ = buckets.take(rule, key: 100, now: start + .seconds(5))
        #expect(buckets.count == 1)
    }
}
