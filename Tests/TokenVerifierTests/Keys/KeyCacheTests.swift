// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import TokenVerifier

@Suite("The rules of the key cache")
struct KeyCacheTests {
    static let start = Instant(seconds: 1_800_000_000)
    let start = Self.start
    let policy = KeyCachePolicy()

    /// A cache that holds `keys`, fetched at the start.
    func filled(_ keys: String = "A", life: TimeSpan? = nil) -> KeyCache<String> {
        var cache = KeyCache<String>(policy)
        _ = cache.renew(at: start)
        cache.succeeded(keys, fingerprints: [keys], life: life, at: start)
        return cache
    }

    @Test("A cold cache fetches at once, and never twice at a time")
    func single() {
        var cache = KeyCache<String>(policy)
        #expect(cache.keys(at: start) == nil)
        #expect(cache.renew(at: start) == .fetch)
        #expect(cache.renew(at: start) == .wait)
        #expect(cache.request(.none, at: start) == .wait)
        #expect(cache.request(.unknownKey, at: start + .hours(1)) == .wait)
        cache.succeeded("A", fingerprints: ["A"], life: nil, at: start)
        #expect(cache.keys(at: start) == "A")
        #expect(!cache.isFetching)
    }

    @Test(
        "Keys are renewed with a fifth of their life left, and their life has bounds",
        arguments: [
            (nil, TimeSpan.hours(1)), (TimeSpan.zero, .minutes(5)), (.seconds(-9), .minutes(5)),
            (.minutes(10), .minutes(10)),
            (.days(365), .hours(24)), (TimeSpan(microseconds: .max), .hours(24)),
        ] as [(TimeSpan?, TimeSpan)])
    func renewal(said: TimeSpan?, life: TimeSpan) {
        var cache = filled(life: said)
        let due = start + TimeSpan(microseconds: life.microseconds / 5 * 4)
        #expect(cache.pause(at: due - .seconds(7)) == .seconds(7))
        #expect(cache.renew(at: due - TimeSpan(microseconds: 1)) == .rest)
        #expect(cache.renew(at: due) == .fetch)
        #expect(cache.keys(at: due) == "A", "the old keys serve while the new ones come")
    }

    @Test("F12 The last good keys outlive their life by the grace, and not by a microsecond more")
    func grace() {
        var cache = filled(life: .hours(2))
        let end = start + .hours(26)
        var now = start + .hours(1)
        while now < end {
            if cache.renew(at: now) == .fetch { cache.failed(at: now) }
            #expect(cache.keys(at: now) == "A")
            now = now + .minutes(7)
        }
        let generation = cache.generation
        #expect(cache.keys(at: end - TimeSpan(microseconds: 1)) == "A")
        #expect(cache.retryAfter(at: end - TimeSpan(microseconds: 1)) == nil)
        #expect(cache.keys(at: end) == nil)
        #expect(cache.generation == generation + 1)
        #expect(cache.retryAfter(at: end) != nil)
    }

    @Test("After failures the pause doubles up to its limit, and a success forgets them")
    func delays() {
        var cache = KeyCache<String>(policy)
        var now = start
        for seconds: Int64 in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            #expect(cache.renew(at: now) == .fetch)
            cache.failed(at: now)
            let next = now + .seconds(seconds)
            for need in [KeyNeed.none, .unknownKey] {
                #expect(cache.request(need, at: next - TimeSpan(microseconds: 1)) == .rest)
            }
            #expect(cache.renew(at: next - TimeSpan(microseconds: 1)) == .rest)
            now = next
        }
        #expect(cache.renew(at: now) == .fetch)
        cache.succeeded("A", fingerprints: ["A"], life: nil, at: now)
        #expect(cache.renew(at: now + .minutes(2)) == .rest)
        now = now + .hours(1)
        #expect(cache.renew(at: now) == .fetch)
        cache.failed(at: now)
        #expect(cache.pause(at: now) == .seconds(1))
    }

    @Test("Any number of failures in a row is counted without harm")
    func manyFailures() {
        #expect(policy.delay(after: 1) == .seconds(1))
        #expect(policy.delay(after: .max) == .minutes(1))
        var odd = policy
        odd.firstDelay = .zero
        #expect(odd.delay(after: 3) == .zero)
        odd.firstDelay = TimeSpan(microseconds: .max / 2 + 1)
        odd.longestDelay = TimeSpan(microseconds: .max)
        #expect(odd.delay(after: 9) == TimeSpan(microseconds: .max))
    }

    @Test("Cold and unreachable: the caller is told when the next attempt is, at least a second on")
    func retryAfter() {
        var cache = KeyCache<String>(policy)
        #expect(cache.retryAfter(at: start) == .seconds(1))
        var now = start
        for _ in 0..<5 {
            now = now + cache.pause(at: now)
            #expect(cache.request(.none, at: now) == .fetch)
            cache.failed(at: now)
        }
        #expect(cache.retryAfter(at: now) == .seconds(16))
        #expect(cache.retryAfter(at: now + .seconds(6)) == .seconds(10))
        #expect(cache.retryAfter(at: now + .seconds(16)) == .seconds(1))
    }

    @Test("A request for keys that came meanwhile fetches nothing")
    func stillNeeded() {
        var cache = filled()
        #expect(cache.request(.none, at: start) == .rest)
    }

    @Test("F14 Ten thousand unknown kids cause one fetch in a cool-down")
    func flood() {
        var cache = filled(life: .hours(24))
        var fetches = 0
        // Half an hour, six cool-downs.
        for index in 0..<10_000 as Range<Int64> {
            let now = start + TimeSpan(microseconds: 180_000 * index)
            if cache.request(.unknownKey, at: now) == .fetch {
                fetches += 1
                cache.succeeded("A", fingerprints: ["A"], life: .hours(24), at: now)
            }
        }
        #expect(fetches == 6)
    }

    @Test("F14 A flood during an outage adds nothing to the attempts that the pauses allow")
    func floodDuringOutage() {
        var quiet = filled(life: .hours(24))
        var flooded = quiet
        var attempts = (quiet: 0, flooded: 0)
        #expect(quiet.request(.unknownKey, at: start) == .fetch)
        #expect(flooded.request(.unknownKey, at: start) == .fetch)
        quiet.failed(at: start)
        flooded.failed(at: start)
        for second: Int64 in 0..<1800 {
            let now = start + .seconds(second)
            if quiet.renew(at: now) == .fetch {
                attempts.quiet += 1
                quiet.failed(at: now)
            }
            for action in [flooded.request(.unknownKey, at: now), flooded.renew(at: now)] where action == .fetch {
                attempts.flooded += 1
                flooded.failed(at: now)
            }
        }
        #expect(attempts.quiet == attempts.flooded)
        #expect(attempts.quiet > 10)
    }

    @Test("A fetch for an unknown kid that failed is made up for as soon as the pause ends, not after the cool-down")
    func owed() {
        var cache = filled(life: .hours(24))
        #expect(cache.request(.unknownKey, at: start) == .fetch)
        cache.failed(at: start)
        #expect(cache.renew(at: start + .seconds(1)) == .fetch)
        cache.succeeded("B", fingerprints: ["B"], life: nil, at: start + .seconds(1))
        #expect(cache.keys(at: start + .seconds(1)) == "B")
    }

    @Test("The generation moves when a key is withdrawn or replaced, not when one is added or none has changed")
    func generation() {
        var cache = filled()
        let first = cache.generation
        var seen: [UInt64] = []
        for (index, keys) in [["A"], ["A", "B"], ["B", "A"], ["B"], ["C"]].enumerated() {
            let now = start + .hours(Int64(index + 1))
            #expect(cache.renew(at: now) == .fetch)
            cache.succeeded("\(keys)", fingerprints: Set(keys), life: nil, at: now)
            seen.append(cache.generation - first)
        }
        #expect(seen == [0, 0, 0, 1, 2])
    }

    @Test("F11 A clock set back neither freezes renewal nor lengthens a pause, a cool-down or the keys' life")
    func clockBack() {
        var cache = filled(life: .hours(1))
        let past = start - .days(3650)
        #expect(cache.pause(at: past) == .minutes(48))
        #expect(cache.request(.unknownKey, at: past) == .fetch)
        cache.failed(at: past)
        let earlier = past - .hours(1)
        #expect(cache.renew(at: earlier) == .rest)
        #expect(cache.request(.unknownKey, at: earlier + .seconds(1)) == .rest)
        #expect(cache.renew(at: earlier + .seconds(1)) == .fetch)
        cache.failed(at: earlier + .seconds(1))
        #expect(cache.request(.unknownKey, at: earlier + .minutes(5)) == .fetch)
        #expect(cache.keys(at: earlier + .hours(25) - TimeSpan(microseconds: 1)) == "A")
        #expect(cache.keys(at: earlier + .hours(25)) == nil)
    }

    @Test("F11 A clock set far ahead drops the keys and fetches at once; set back again, all goes on")
    func clockAhead() {
        var cache = filled(life: .hours(1))
        let future = start + .days(3650)
        #expect(cache.keys(at: future) == nil)
        #expect(cache.request(.none, at: future) == .fetch)
        cache.succeeded("B", fingerprints: ["B"], life: .hours(1), at: future)
        #expect(cache.keys(at: start) == "B")
        #expect(cache.pause(at: start) == .minutes(48))
    }

    @Test("Times at the ends of the range are harmless", arguments: [Int64.min, .max])
    func extremes(microseconds: Int64) {
        let edge = Instant(microseconds: microseconds)
        var cache = KeyCache<String>(policy)
        #expect(cache.renew(at: edge) == .fetch)
        cache.failed(at: edge)
        _ = cache.pause(at: start)
        _ = cache.renew(at: edge)
        cache.succeeded("A", fingerprints: ["A"], life: TimeSpan(microseconds: .max), at: edge)
        _ = cache.keys(at: start)
        _ = cache.keys(at: Instant(microseconds: ~microseconds))
        _ = cache.retryAfter(at: edge)
    }

    @Test("An end without a beginning changes nothing")
    func strayEnd() {
        var cache = KeyCache<String>(policy)
        cache.succeeded("A", fingerprints: ["A"], life: nil, at: start)
        #expect(cache.keys(at: start) == nil)
        cache.failed(at: start)
        #expect(cache.renew(at: start) == .fetch)
    }
}
