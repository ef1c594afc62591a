// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("KeyRotation")
struct KeyRotationTests {
    static let directory = DirectoryID("11111111-1111-4111-8111-111111111111")
    let start = Instant(seconds: 1_700_000_000)
    let rotation = KeyRotation(purpose: .tokens, algorithm: "ES256", tokenLifetime: .hours(1))

    func key(
        _ id: String, _ state: SigningKeyRecord.State, at created: Instant, algorithm: String = "ES256",
        purpose: SigningKeyRecord.Purpose = .tokens
    ) -> SigningKeyRecord {
        SigningKeyRecord(
            id: SigningKeyID(id), directoryID: Self.directory, purpose: purpose, algorithm: algorithm,
            privateJWK: Secret("{}"), state: state, createdAt: created, activatedAt: state == .active ? created : nil)
    }

    func fresh(_ number: Int, at now: Instant) -> (SigningKeyRecord, SigningKeyRecord) {
        (key("fresh-\(number)", .standby, at: now), key("spare-\(number)", .standby, at: now))
    }

    /// A store of keys that takes the changes.
    func applying(_ changes: [KeyRotation.Change], to keys: [SigningKeyRecord]) -> [SigningKeyRecord] {
        changes.reduce(into: keys) { keys, change in
            switch change {
            case .insert(let record): keys.append(record)
            case .update(let record):
                if let index = keys.firstIndex(where: { $0.id == record.id }) { keys[index] = record }
            }
        }
    }

    @Test("A Directory that was made with its standby key rotates at once")
    func firstRotation() {
        let keys = [key("a", .active, at: start), key("b", .standby, at: start)]
        let now = start + .seconds(1)
        let (one, two) = fresh(1, at: now)
        let (changes, outcome) = rotation.rotate(keys, fresh: one, spare: two, immediately: false, at: now)
        let retiresAt = now + .hours(1) + KeyRotation.margin
        #expect(outcome == .rotated(to: SigningKeyID("b"), from: [SigningKeyID("a")], retiresAt: retiresAt))
        let after = applying(changes, to: keys)
        #expect(after.filter { $0.state == .active }.map(\.id.rawValue) == ["b"])
        #expect(after.filter { $0.state == .standby }.map(\.id.rawValue) == ["spare-1"])
        #expect(after.first { $0.id.rawValue == "a" }?.retiresAt == retiresAt)
    }

    @Test("A standby key that verifiers may not know yet does not sign; asked for at once, it does")
    func waits() {
        let keys = [key("a", .active, at: start), key("b", .standby, at: start + .minutes(1))]
        let now = start + .minutes(2)
        let (one, two) = fresh(1, at: now)
        let (changes, outcome) = rotation.rotate(keys, fresh: one, spare: two, immediately: false, at: now)
        #expect(changes.isEmpty)
        #expect(
            outcome == .published(SigningKeyID("b"), readyAt: start + .minutes(1) + KeyRotation.publicationLead))
        let (_, forced) = rotation.rotate(keys, fresh: one, spare: two, immediately: true, at: now)
        guard case .rotated(to: SigningKeyID("b"), _, _) = forced else {
            Issue.record("not rotated: \(forced)")
            return
        }
    }

    @Test("Without a standby key one is published first")
    func publishesFirst() {
        let keys = [key("a", .active, at: start)]
        let now = start + .days(1)
        let (one, two) = fresh(1, at: now)
        let (changes, outcome) = rotation.rotate(keys, fresh: one, spare: two, immediately: false, at: now)
        #expect(outcome == .published(one.id, readyAt: now + KeyRotation.publicationLead))
        #expect(applying(changes, to: keys).filter { $0.state == .active }.map(\.id.rawValue) == ["a"])
    }

    @Test("Another algorithm or purpose is left alone")
    func othersStay() {
        let keys = [
            key("a", .active, at: start), key("b", .standby, at: start),
            key("r", .active, at: start, algorithm: "RS256"),
            key("h", .active, at: start, algorithm: "ES256", purpose: .apiKeys),
        ]
        let (one, two) = fresh(1, at: start)
        let (changes, _) = rotation.rotate(keys, fresh: one, spare: two, immediately: true, at: start)
        let after = applying(changes, to: keys)
        #expect(after.first { $0.id.rawValue == "r" }?.state == .active)
        #expect(after.first { $0.id.rawValue == "h" }?.state == .active)
    }

    @Test(
        "A verifier that caches the set for 15 minutes knows every live token's key, whenever keys are rotated",
        arguments: 1...40)
    func overlap(seed: UInt64) {
        var dice = Dice(state: seed)
        var now = start
        var keys = [key("a", .active, at: start), key("b", .standby, at: start)]
        /// The set as published from each instant on.
        var published: [(from: Instant, keys: [SigningKeyRecord])] = [(start, keys)]
        var signed: [(at: Instant, by: SigningKeyID)] = []
        for step in 0..<60 {
            now = now + .seconds(Int64(dice.next(below: 3600)))
            if dice.next(below: 3) == 0 {
                let (one, two) = fresh(step, at: now)
                let (changes, _) = rotation.rotate(keys, fresh: one, spare: two, immediately: false, at: now)
                keys = applying(changes, to: keys)
                published.append((now, keys))
            }
            let active = keys.filter { $0.state == .active }
            #expect(active.count == 1)
            if let signer = active.first { signed.append((now, signer.id)) }
        }
        for token in signed {
            for age in [0, 30, 59] as [Int64] {
                let checkedAt = token.at + .minutes(age)
                for cacheAge in [0, 7, 15] as [Int64] {
                    let fetchedAt = checkedAt - .minutes(cacheAge)
                    guard let set = published.last(where: { $0.from <= fetchedAt }) else { continue }
                    let isKnown = set.keys.contains {
                        $0.id == token.by && ($0.retiresAt.map { fetchedAt < $0 } ?? true)
                    }
                    #expect(isKnown, "seed \(seed): a token of \(token.by) was refused")
                }
            }
        }
    }

    struct Dice {
        var state: UInt64
        mutating func next(below bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
    }
}
