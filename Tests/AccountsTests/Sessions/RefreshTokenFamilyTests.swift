// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel
@testable import Accounts

@Suite struct RefreshTokenFamilyTests {
    private let random = SeededRandom(seed: 3)
    private let start = Instant(seconds: 1_800_000_000)
    private let rules = RefreshTokenFamily.Rules(rotates: true, reuseInterval: .seconds(10))

    private func open() -> (family: RefreshTokenFamily, live: RefreshToken) {
        RefreshTokenFamily.open(for: SessionID(random.uuid()), secret: random.bytes(24))
    }

    private func present(
        _ token: RefreshToken, to family: inout RefreshTokenFamily, after span: TimeSpan,
        rules: RefreshTokenFamily.Rules? = nil
    ) -> RefreshTokenFamily.Verdict {
        family.present(token, nonce: random.bytes(16), at: start + span, rules: rules ?? self.rules)
    }

    /// Uses up the live token `times` over, once in `gap`, and returns every token there was, the live one last.
    private func chain(
        _ times: Int, gap: TimeSpan, in family: inout RefreshTokenFamily, from live: RefreshToken
    ) throws -> [RefreshToken] {
        var tokens = [live]
        for step in 0..<times {
            let last = try #require(tokens.last)
            let at = TimeSpan(microseconds: gap.microseconds * Int64(step))
            tokens.append(try #require(present(last, to: &family, after: at).rotated))
        }
        return tokens
    }

    @Test("G-5.3 the live token is used up and gets one successor, of the next generation")
    func rotation() throws {
        let (opened, first) = open()
        var family = opened
        let second = try #require(present(first, to: &family, after: .zero).rotated)
        #expect(second.generation == 2 && family.generation == 2)
        #expect(second.session == first.session && second.secret != first.secret)
        #expect(family.liveHash == second.hash)
        let third = try #require(present(second, to: &family, after: .hours(1)).rotated)
        #expect(third.generation == 3 && third.secret != second.secret)
    }

    @Test("F2 the parent of the live token gets the same successor, however much later")
    func parent() throws {
        let (opened, first) = open()
        var family = opened
        let second = try #require(present(first, to: &family, after: .zero).rotated)
        for span in [TimeSpan.zero, .seconds(9), .seconds(10), .hours(1), .days(80)] {
            let again = present(first, to: &family, after: span)
            #expect(again.repeated?.hash == second.hash && again.cause == .parentOfLive)
        }
        #expect(family.generation == 2 && family.liveHash == second.hash)
    }

    @Test("G-5 an older token gets the live one within the reuse interval of its child's use, and not a moment after")
    func reuseInterval() throws {
        let last = TimeSpan(microseconds: 3_600_000_000 + 10_000_000 - 1)
        for (span, isOwed) in [(TimeSpan.hours(1), true), (last, true), (.seconds(3610), false), (.days(1), false)] {
            let (opened, first) = open()
            var family = opened
            let second = try #require(present(first, to: &family, after: .zero).rotated)
            let third = try #require(present(second, to: &family, after: .hours(1)).rotated)
            let again = present(first, to: &family, after: span)
            #expect(again.repeated?.hash == (isOwed ? third.hash : nil), "\(span)")
            #expect(again.isReplay == !isOwed, "\(span)")
        }
    }

    @Test("R14.2 a token of before the chain began anew opens nothing and ends nothing; one left behind after it does")
    func begunAnew() throws {
        let (opened, first) = open()
        var family = opened
        let second = try #require(present(first, to: &family, after: .zero).rotated)
        let third = family.restart(for: first.session, secret: random.bytes(24), at: start)
        for token in [first, second] {
            #expect(present(token, to: &family, after: .hours(1)).isSuperseded)
        }
        let fourth = try #require(present(third, to: &family, after: .hours(1)).rotated)
        #expect(present(second, to: &family, after: .hours(1)).isSuperseded)
        let fifth = try #require(present(fourth, to: &family, after: .hours(2)).rotated)
        #expect(present(third, to: &family, after: .hours(3)).isReplay)
        #expect(present(fifth, to: &family, after: .hours(3)).rotated != nil)
        // A forged one is no former one.
        let forged = RefreshToken(session: first.session, generation: 2, secret: random.bytes(24))
        #expect(present(forged, to: &family, after: .hours(3)).isReplay)
    }

    @Test("F24 a copy of the call that fetched the live token again, late on its way, is no replay")
    func lateCopyOfRepeat() throws {
        let (opened, first) = open()
        var family = opened
        let second = try #require(present(first, to: &family, after: .zero).rotated)
        // The answer was lost; an hour later the client asks again, twice, and uses what it is given.
        _ = present(first, to: &family, after: .hours(1))
        _ = try #require(present(second, to: &family, after: .hours(1)).rotated)
        let copy = present(first, to: &family, after: .seconds(3609))
        #expect(copy.repeated?.generation == 3)
    }

    @Test("G-5 older tokens do not keep each other alive")
    func noMutualAid() throws {
        let (opened, first) = open()
        var family = opened
        let tokens = try chain(3, gap: .zero, in: &family, from: first)
        for second in Int64(0)..<10 {
            #expect(present(tokens[1], to: &family, after: .seconds(second)).repeated != nil)
        }
        #expect(present(tokens[0], to: &family, after: .seconds(10)).isReplay)
        #expect(present(tokens[1], to: &family, after: .seconds(10)).isReplay)
        #expect(present(tokens[2], to: &family, after: .seconds(10)).repeated != nil)
        #expect(present(tokens[3], to: &family, after: .seconds(10)).rotated != nil)
    }

    @Test("G-5 no more than eight steps are kept, and a token from before them is a replay")
    func bounded() throws {
        for length in 1...20 {
            let (opened, first) = open()
            var family = opened
            let tokens = try chain(length, gap: .zero, in: &family, from: first)
            #expect(family.steps.count == min(length, 8))
            for token in tokens.dropLast() {
                var copy = family
                let verdict = present(token, to: &copy, after: .seconds(1))
                let isKept = family.generation - token.generation <= 8
                #expect(verdict.isReplay == !isKept, "generation \(token.generation) of \(length)")
                #expect(verdict.repeated?.hash == (isKept ? family.liveHash : nil))
            }
        }
    }

    @Test("G-5 steps that can no longer be answered are dropped, but never the last one")
    func forgets() throws {
        let (opened, first) = open()
        var family = opened
        let tokens = try chain(6, gap: .hours(1), in: &family, from: first)
        #expect(family.steps.count == 2)
        #expect(present(tokens[5], to: &family, after: .days(9)).repeated?.hash == tokens[6].hash)
        #expect(present(tokens[3], to: &family, after: .days(9)).isReplay)
    }

    @Test("G-5 without a reuse interval only the parent of the live token is answered again")
    func noInterval() throws {
        let (opened, first) = open()
        var family = opened
        let none = RefreshTokenFamily.Rules(rotates: true, reuseInterval: .zero)
        let second = try #require(present(first, to: &family, after: .zero, rules: none).rotated)
        #expect(present(first, to: &family, after: .zero, rules: none).repeated != nil)
        _ = try #require(present(second, to: &family, after: .zero, rules: none).rotated)
        #expect(present(first, to: &family, after: .zero, rules: none).isReplay)
    }

    @Test("G-5 a Directory that does not rotate gives the live token back, and still knows an old one")
    func withoutRotation() throws {
        let (opened, first) = open()
        var family = opened
        let second = try #require(present(first, to: &family, after: .zero).rotated)
        let still = RefreshTokenFamily.Rules(rotates: false, reuseInterval: .seconds(10))
        for _ in 0..<3 {
            #expect(present(second, to: &family, after: .hours(1), rules: still).kept?.hash == second.hash)
        }
        #expect(present(first, to: &family, after: .hours(1), rules: still).repeated?.hash == second.hash)
        #expect(family.generation == 2)
    }

    @Test("F3 a token of the right place with another secret is a replay at every place", arguments: 1...4)
    func wrongSecret(generation: UInt32) throws {
        let (opened, first) = open()
        var family = opened
        _ = try chain(2, gap: .zero, in: &family, from: first)
        let before = family
        let forged = RefreshToken(session: first.session, generation: generation, secret: random.bytes(24))
        #expect(present(forged, to: &family, after: .zero).isReplay)
        #expect(family == before)
    }

    @Test("G-5 the last generation there can be is kept rather than overrun")
    func lastGeneration() {
        let last = RefreshToken(session: SessionID(random.uuid()), generation: .max, secret: random.bytes(24))
        var family = RefreshTokenFamily(generation: .max, liveHash: last.hash, steps: [])
        #expect(present(last, to: &family, after: .zero).kept?.hash == last.hash)
    }

    @Test("G-5 what the store keeps yields no token: the same nonces under another secret lead elsewhere")
    func storeAloneIsUseless() throws {
        let (opened, first) = open()
        var family = opened
        let tokens = try chain(2, gap: .zero, in: &family, from: first)
        let stored = family.steps.flatMap { [$0.nonce, $0.parentHash] } + [family.liveHash]
        for token in tokens { #expect(!stored.contains { $0.starts(with: token.secret.prefix(8)) }) }
        // What a reader of the database can do: use a hash as if it were the secret.
        for guess in stored where guess.count >= 24 {
            let forged = RefreshToken(session: first.session, generation: 2, secret: Array(guess.prefix(24)))
            #expect(present(forged, to: &family, after: .zero).isReplay)
        }
    }
}

extension RefreshTokenFamily.Verdict {
    var rotated: RefreshToken? { if case .rotated(let token) = self { token } else { nil } }
    var repeated: RefreshToken? { if case .repeated(let token, _) = self { token } else { nil } }
    var cause: RefreshTokenFamily.Cause? { if case .repeated(_, let cause) = self { cause } else { nil } }
    var kept: RefreshToken? { if case .kept(let token) = self { token } else { nil } }
    var isReplay: Bool { if case .replayed = self { true } else { false } }
    var isSuperseded: Bool { if case .superseded = self { true } else { false } }
    /// What its holder is given; `nil` for a replay.
    var token: RefreshToken? { rotated ?? repeated ?? kept }
}
