// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import TokenVerifier

/// Random lives of a cache and its server. A seed that fails fails again.
@Suite("The key cache in hundreds of random lives")
struct KeyCacheSimulationTests {
    /// SplitMix64.
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }

        mutating func span(_ range: ClosedRange<Int64>) -> TimeSpan { .seconds(Int64.random(in: range, using: &self)) }
        mutating func happens(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
    }

    /// What must be true of a cache, told independently of how the cache does it. `age` is time as it really passed:
    /// a clock set back adds nothing to it.
    struct Witness {
        let policy: KeyCachePolicy
        var age = TimeSpan.zero
        var inFlight = false
        var failures = 0
        var failedAt: TimeSpan?
        var good: (keys: Int, until: TimeSpan)?
        var forUnknown: TimeSpan?
        var fetches = 0

        mutating func passes(_ span: TimeSpan) {
            age = TimeSpan(microseconds: age.microseconds + max(0, span.microseconds))
        }

        var expected: Int? { good.flatMap { age < $0.until ? $0.keys : nil } }

        mutating func saw(_ action: KeyCache<Int>.Action, unknown: Bool) {
            if action == .wait { #expect(inFlight, "waits for nothing") }
            guard action == .fetch else { return }
            #expect(!inFlight, "two at a time")
            if let failedAt {
                #expect(age.microseconds - failedAt.microseconds >= policy.delay(after: failures).microseconds)
            }
            if unknown, expected != nil {
                if let forUnknown {
                    #expect(age.microseconds - forUnknown.microseconds >= policy.coolDown.microseconds)
                }
                forUnknown = age
            }
            inFlight = true
            fetches += 1
        }

        mutating func ended(_ keys: Int?, life: TimeSpan?) {
            inFlight = false
            failures = keys == nil ? failures + 1 : 0
            failedAt = keys == nil ? age : nil
            guard let keys else { return }
            let life = max(policy.shortestLife, min(policy.longestLife, life ?? policy.usualLife))
            good = (keys, TimeSpan(microseconds: age.microseconds + life.microseconds + policy.grace.microseconds))
        }
    }

    @Test("One fetch at a time, pauses kept, keys kept to the end of their grace and no longer", arguments: 0..<300)
    func invariants(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var cache = KeyCache<Int>(KeyCachePolicy())
        var witness = Witness(policy: cache.policy)
        var now = KeyCacheTests.start
        var published = 0
        var isDown = false
        for step in 0..<1500 {
            switch Int.random(in: 0..<20, using: &dice) {
            case 0..<7:
                let span = dice.happens(oneIn: 40) ? dice.span(0...200_000) : dice.span(0...90)
                now = now + span
                witness.passes(span)
            case 7..<10: witness.saw(cache.renew(at: now), unknown: false)
            case 10..<12: witness.saw(cache.request(.none, at: now), unknown: false)
            case 12..<15: witness.saw(cache.request(.unknownKey, at: now), unknown: true)
            case 15..<17 where witness.inFlight:
                let life: TimeSpan? = dice.happens(oneIn: 3) ? nil : dice.span(0...200_000)
                let keys = isDown ? nil : published
                if let keys {
                    cache.succeeded(keys, fingerprints: ["\(keys)"], life: life, at: now)
                } else {
                    cache.failed(at: now)
                }
                witness.ended(keys, life: life)
            case 17: isDown.toggle()
            case 18: published += 1
            case 19 where dice.happens(oneIn: 10): now = now - dice.span(0...400_000_000)
            default: break
            }
            let retryAfter = cache.retryAfter(at: now)
            let isRight =
                cache.isFetching == witness.inFlight && cache.keys(at: now) == witness.expected
                && (retryAfter == nil) == (witness.expected != nil) && cache.pause(at: now) >= .zero
            try #require(isRight, "step \(step)")
        }
        #expect(witness.fetches > 0)
    }

    /// An issuer that announces each key before it signs with it.
    @Test("F15 A key published one cache life ahead is known when the first token comes", arguments: 0..<50)
    func announcedRotation(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        let life = dice.span(300...90_000)
        let ahead = min(life, .hours(24))
        var cache = KeyCache<Set<Int>>(KeyCachePolicy())
        var now = KeyCacheTests.start
        var keys: Set<Int> = [0]
        var signing = 0
        var announcedAt: Instant?
        for _ in 0..<2000 {
            now = now + dice.span(1...30)
            if cache.renew(at: now) == .fetch {
                cache.succeeded(keys, fingerprints: Set(keys.map(String.init)), life: life, at: now)
            }
            if let announced = announcedAt, announced + ahead <= now {
                signing += 1
                keys = [signing]
                announcedAt = nil
            } else if announcedAt == nil, dice.happens(oneIn: 50) {
                keys.insert(signing + 1)
                announcedAt = now
            }
            try #require(cache.keys(at: now)?.contains(signing) == true)
        }
    }

    @Test("A key that replaces another without notice costs one fetch, then every token is known", arguments: 0..<50)
    func abruptRotation(seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var cache = KeyCache<Int>(KeyCachePolicy())
        var now = KeyCacheTests.start
        var signing = 0
        var asked = 0
        var rotations = 0
        var rotatedAt = now
        for _ in 0..<2000 {
            now = now + dice.span(1...30)
            if cache.renew(at: now) == .fetch { cache.succeeded(signing, fingerprints: [], life: nil, at: now) }
            if now - rotatedAt > .minutes(6), dice.happens(oneIn: 60) {
                signing += 1
                rotations += 1
                rotatedAt = now
            }
            if cache.keys(at: now) != signing {
                #expect(cache.request(.unknownKey, at: now) == .fetch)
                cache.succeeded(signing, fingerprints: [], life: nil, at: now)
                asked += 1
            }
            try #require(cache.keys(at: now) == signing)
        }
        #expect(asked > 0 && asked <= rotations)
    }
}
